import Crypto
import Evidence
import Foundation
import Imports
import Positioning
import Store
import Sync

/// A file that is imported: read piece by piece, as often as it takes, and known by its digest.
public struct ImportedFile: Sendable {
  /// Where it lies.
  public let path: String
  /// What it is; nil to tell from its first bytes.
  public let format: ImportFormat?

  private static let pieceBytes = 1 << 20

  /// A file at a path. It is opened when it is read.
  public init(path: String, format: ImportFormat? = nil) {
    self.path = path
    self.format = format
  }

  /// Hands out the rows of the file, good or wrong.
  /// - Parameters:
  ///   - findsCrossings: false for bytes that were found good before.
  ///   - progress: bytes that were read, of how many.
  /// - Returns: SHA-256 of its bytes.
  /// - Throws: `OfficeRefusal` (input-invalid) where it cannot be read, `ImportFault` where nothing behind can be
  ///   understood, what `body` throws.
  package func rows(
    findsCrossings: Bool, progress: (_ bytes: Int, _ of: Int) -> Void,
    _ body: (ImportReader.Outcome) throws -> Void
  ) throws -> String {
    func unreadable(_ reason: String) -> OfficeRefusal {
      OfficeRefusal(
        .inputInvalid, "\((path as NSString).lastPathComponent) cannot be read: \(reason)")
    }
    // A pipe in a file's place is not waited for: it could not be read twice.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    guard let status = FileStatus(ofDescriptor: descriptor), status.isFile else {
      throw unreadable("it is no file")
    }
    var reader = ImportReader(format: format, findsCrossings: findsCrossings)
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
    var done = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(String(cString: strerror(errno))) }
      if count == 0 { break }
      try buffer.withUnsafeBytes { whole in
        let piece = UnsafeRawBufferPointer(rebasing: whole[..<count])
        hash.update(bufferPointer: piece)
        try reader.feed(piece, body)
      }
      done += count
      progress(done, max(done, status.bytes))
    }
    try reader.finish(body)
    return Digest.hexadecimal(of: hash.finalize())
  }
}
