import Foundation
import Office
import Store

/// A body that comes piece by piece: a short one is kept in memory, a longer one on the disk, so that hundreds which come
/// slowly hold little. The file is opened for each piece and closed behind it, as a picture's is.
struct BodySpool {
  private static let memoryBytes = 64 << 10
  private static let headBytesAtMost = 16 << 10
  private let file: SpoolFile
  /// The first of the bytes, wherever they are.
  private(set) var head: [UInt8] = []
  private var pending: [UInt8] = []
  private var writtenBytes = 0

  /// - Parameter file: one that is not there yet.
  init(file: SpoolFile) { self.file = file }

  /// Whether some of it is on the disk.
  var isOnDisk: Bool { writtenBytes > 0 }

  /// Whether the next piece is the first for which some of it goes to the disk.
  func isFull(before piece: Int) -> Bool {
    !isOnDisk && pending.count + piece > Self.memoryBytes
  }

  /// The next piece.
  /// - Throws: `StoreError.unwritable`.
  mutating func append(_ piece: UnsafeRawBufferPointer) throws {
    head.append(contentsOf: piece.prefix(Self.headBytesAtMost - head.count))
    pending.append(contentsOf: piece)
    guard pending.count > Self.memoryBytes else { return }
    try pending.withUnsafeBytes { try file.append($0, isFirst: !isOnDisk) }
    writtenBytes += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  /// The last of the bytes, at most so many as are kept in memory.
  func end() throws -> [UInt8] {
    let missing = min(max(0, Self.memoryBytes - pending.count), writtenBytes)
    guard missing > 0 else { return pending }
    return try read(from: writtenBytes - missing, count: missing) + pending
  }

  /// All bytes.
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
