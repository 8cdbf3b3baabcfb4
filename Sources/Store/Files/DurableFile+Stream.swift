import Foundation

extension DurableFile {
  /// Writes a file piece by piece under a temporary name in the same folder, makes it durable, and
  /// gives it its name: a file at `path` is always whole. If `body` throws, nothing of it is left.
  /// Only its owner can read it, unless `mode` says otherwise.
  /// - Throws: `StoreError.unwritable`; any error of `body`.
  public static func stream(
    to path: String, mode: mode_t = 0o600,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    try placing(path) { temporary in
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw StoreError.unwritable(path: path, reason: reason()) }
      defer { close(descriptor) }
      try body { piece in
        try piece.withUnsafeBytes { try write($0, to: descriptor, of: path) }
      }
      guard fsync(descriptor) == 0 else {
        throw StoreError.unwritable(path: path, reason: reason())
      }
    }
  }

  /// Places a file that `body` makes, durable, under the temporary name that `body` gets; otherwise
  /// like `stream`.
  public static func placing(_ path: String, _ body: (_ temporary: String) throws -> Void) throws {
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let random = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = "\(folder.isEmpty ? "." : folder)/.\(name).\(random).part"
    do {
      try body(temporary)
      try rename(temporary, to: path)
    } catch {
      unlink(temporary)
      if case StoreError.unwritable(temporary, let reason) = error {
        throw StoreError.unwritable(path: path, reason: reason)
      }
      throw error
    }
    try syncFolder(folder.isEmpty ? "." : folder)
  }
}
