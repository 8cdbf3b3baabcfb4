import Crypto
import Evidence
import Foundation
import Imports
import Positioning
import Store
import Sync
import TimeAndText

/// A file to import: read piece by piece, as often as necessary, and known by its digest.
public struct ImportedFile: Sendable {
  /// The path of the file.
  public let path: String
  /// The format of the file; nil to recognise it by its first bytes.
  public let format: ImportFormat?

  private static let pieceBytes = 1 << 20

  /// Creates a file at a path. It is opened when it is read.
  public init(path: String, format: ImportFormat? = nil) {
    self.path = path
    self.format = format
  }

  /// Calls `body` with each row of the file, good or faulty.
  /// - Parameters:
  ///   - findsCrossings: false for bytes whose outlines were checked before.
  ///   - progress: called with the number of bytes read so far, and of all.
  /// - Returns: the SHA-256 of the file's bytes.
  /// - Throws: `OfficeRefusal` (input-invalid) if the file cannot be read, `ImportFault` if the
  ///   rest of the file cannot be understood, and the errors of `body`.
  package func rows(
    findsCrossings: Bool, progress: (_ bytes: Int, _ of: Int) -> Void,
    _ body: (ImportReader.Outcome) throws -> Void
  ) throws -> String {
    func unreadable(_ reason: String) -> OfficeRefusal {
      OfficeRefusal(
        .inputInvalid, "\((path as NSString).lastPathComponent) cannot be read: \(reason)")
    }
    // Opened without waiting: a pipe could not be read twice anyway.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    guard let status = FileStatus(ofDescriptor: descriptor), status.isFile else {
      throw unreadable("it is not a file")
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
