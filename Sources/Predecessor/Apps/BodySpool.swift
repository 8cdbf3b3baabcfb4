import Foundation
import Office
import Store

/// A request body that arrives in pieces. A short body is kept in memory and a longer one on disk,
/// so that hundreds of slow bodies take little memory. The file is opened for each piece and closed
/// after it, like a picture's file.
struct BodySpool {
  private static let memoryBytes = 64 << 10
  private static let headBytesAtMost = 16 << 10
  private let file: SpoolFile
  /// The first bytes of the body, at most 16 KiB, wherever the body is kept.
  private(set) var head: [UInt8] = []
  private var pending: [UInt8] = []
  private var writtenBytes = 0

  /// Creates an empty spool.
  /// - Parameter file: a file that does not exist yet.
  init(file: SpoolFile) { self.file = file }

  /// True if a part of the body is on disk.
  var isOnDisk: Bool { writtenBytes > 0 }

  /// Returns true if the next piece is the first one that makes the spool write to disk.
  func isFull(before piece: Int) -> Bool {
    !isOnDisk && pending.count + piece > Self.memoryBytes
  }

  /// Appends the next piece.
  /// - Throws: `StoreError.unwritable`.
  mutating func append(_ piece: UnsafeRawBufferPointer) throws {
    head.append(contentsOf: piece.prefix(Self.headBytesAtMost - head.count))
    pending.append(contentsOf: piece)
    guard pending.count > Self.memoryBytes else { return }
    try pending.withUnsafeBytes { try file.append($0, isFirst: !isOnDisk) }
    writtenBytes += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  /// Returns the last bytes of the body, at most as many as are kept in memory: 64 KiB.
  func end() throws -> [UInt8] {
    let missing = min(max(0, Self.memoryBytes - pending.count), writtenBytes)
    guard missing > 0 else { return pending }
    return try read(from: writtenBytes - missing, count: missing) + pending
  }

  /// Returns all bytes of the body.
  func bytes() throws -> [UInt8] {
    guard isOnDisk else { return pending }
    return try DurableFile.read(file.path) + pending
  }

  private func read(from offset: Int, count: Int) throws -> [UInt8] {
    let path = file.path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError.unavailable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else {
          throw StoreError.unavailable(
            path: path, reason: got == 0 ? "it has ended early" : String(cString: strerror(errno)))
        }
        filled += got
      }
    }
  }
}
