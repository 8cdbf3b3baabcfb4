import Evidence
import Foundation
import Store

/// Reads a backup's file from its beginning to its end, and accepts nothing that `BackupWriter`
/// does not write.
final class BackupReader {
  private let path: String
  private let owner: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var place = 0
  /// The number of bytes read so far.
  private(set) var bytes = 0
  /// The size of the file, bytes.
  let size: Int

  /// Opens a backup's file.
  /// - Parameter owner: the side whose backup is expected, in words: `an office`.
  /// - Throws: `StoreError.unusableBackup` if there is no such file.
  init(path: String, of owner: String) throws {
    self.path = path
    self.owner = owner
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw StoreError.unusableBackup(
        "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard let size = BackupLayout.fileSize(descriptor) else {
      close(descriptor)
      throw StoreError.unusableBackup("\(path) is no file")
    }
    self.size = size
  }

  deinit { close(descriptor) }

  func wrong(_ words: String) -> StoreError {
    .unusableBackup("\(path) is no whole backup of \(owner): \(words)")
  }

  /// Returns the next entry's header, whose bytes must be read before the next call; nil at the end.
  func next() throws -> ArchiveHeader? {
    let block = try take(ArchiveHeader.blockBytes)
    if block.allSatisfy({ $0 == 0 }) {
      let second = try take(ArchiveHeader.blockBytes)
      guard second.allSatisfy({ $0 == 0 }) else { throw wrong("its end is not valid") }
      guard bytes == size else { throw wrong("there is something after its end") }
      return nil
    }
    guard let header = ArchiveHeader(block) else {
      throw wrong("there is no file of a backup at byte \(bytes - block.count)")
    }
    guard header.size <= size - bytes else { throw wrong("\(header.name) is cut off") }
    return header
  }

  /// Calls `body` with the entry's bytes, piece by piece.
  /// - Returns: their SHA-256.
  @discardableResult
  func contents(
    of header: ArchiveHeader, _ body: (_ piece: [UInt8]) throws -> Void
  ) throws -> String {
    var hash = RunningDigest()
    var left = header.size
    while left > 0 {
      let piece = try take(min(left, BackupWriter.pieceBytes))
      hash.update(piece)
      try body(piece)
      left -= piece.count
    }
    guard try take(ArchiveHeader.padding(of: header.size)).allSatisfy({ $0 == 0 }) else {
      throw wrong("there is something after \(header.name)")
    }
    return hash.hexadecimal()
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while buffer.count - place < count {
      let piece = try BackupWriter.read(descriptor, BackupWriter.pieceBytes, path)
      guard !piece.isEmpty else {
        throw wrong("it is cut off at byte \(bytes + buffer.count - place)")
      }
      buffer = Array(buffer[place...]) + piece
      place = 0
    }
    let taken = Array(buffer[place..<(place + count)])
    place += count
    bytes += count
    return taken
  }
}
