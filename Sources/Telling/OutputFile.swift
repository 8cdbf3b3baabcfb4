import FieldUnit
import Foundation

/// Writes files to the paths that commands get: whole or not at all, and readable by their owner only.
package enum OutputFile {
  package static func write(_ bytes: [UInt8], to path: String) async throws {
    try await write(to: path) { sink in try sink(Data(bytes)) }
  }

  /// Writes piece by piece into a temporary file next to the target, and renames it at the end.
  package static func write(
    to path: String, _ body: (@escaping (Data) throws -> Void) async throws -> Void
  ) async throws {
    if path == "-" {
      try await body { try FileHandle.standardOutput.write(contentsOf: $0) }
      return
    }
    // The random name is free: a file whose name is almost the target's may belong to the user.
    let random = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = ((path as NSString).deletingLastPathComponent as NSString)
      .appendingPathComponent(".standpoint-\(random).part")
    guard
      FileManager.default.createFile(
        atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: temporary)
    else {
      let folder = (path as NSString).deletingLastPathComponent
      throw FieldUnitError.unwritable(
        path: path,
        reason: folder.isEmpty || FileManager.default.fileExists(atPath: folder)
          ? "its folder's permissions do not allow it" : "its folder is not there")
    }
    do {
      try await body { try handle.write(contentsOf: $0) }
      try handle.synchronize()
      try handle.close()
    } catch {
      try? FileManager.default.removeItem(atPath: temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      try? FileManager.default.removeItem(atPath: temporary)
      throw FieldUnitError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
  }
}
