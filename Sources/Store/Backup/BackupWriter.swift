import Evidence
import Foundation

/// Writes a backup's file from its beginning to its end: nothing of it is in memory but the piece in
/// hand, however many photos there are. It has its name when it is whole and durable.
package final class BackupWriter {
  /// How much is read and written at once.
  static let pieceBytes = 1 << 20

  private let path: String
  private let time: Int
  private let output: Int32
  private let list: Int32
  private var isOpen = true
  private var buffer: [UInt8] = []
  private var listed: [UInt8] = []
  /// How many files were added.
  package private(set) var files = 0
  /// How many bytes they have together.
  package private(set) var bytes = 0

  private var part: String { path + ".part" }
  private var listPart: String { path + ".list.part" }

  /// - Parameter time: seconds since 1970, as each entry has it.
  /// - Throws: `StoreError.unwritable`.
  package init(path: String, time: Int) throws {
    self.path = path
    self.time = time
    output = try Self.create(path + ".part")
    do {
      list = try Self.create(path + ".list.part")
    } catch {
      close(output)
      try? DurableFile.remove(path + ".part")
      throw error
    }
  }

  /// A new file that only its owner can read, whatever was left there before.
  private static func create(_ path: String) throws -> Int32 {
    try DurableFile.remove(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    return descriptor
  }

  /// Adds bytes that are in hand.
  package func add(_ contents: [UInt8], as name: String) throws {
    try begin(name, size: contents.count)
    try put(contents)
    try end(name, digest: Digest.hexadecimal(contents), size: contents.count)
  }

  /// Adds a file of this machine.
  /// - Returns: the SHA-256 of what was added; nil where there is no such file.
  package func add(file source: String, as name: String) throws -> String? {
    let descriptor = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StoreError.unavailable(path: source, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    guard let size = BackupLayout.fileSize(descriptor) else {
      throw StoreError.unavailable(path: source, reason: "it is no file")
    }
    try begin(name, size: size)
    var hash = RunningDigest()
    var left = size
    while left > 0 {
      let piece = try Self.read(descriptor, min(left, Self.pieceBytes), source)
      guard !piece.isEmpty else {
        throw StoreError.unavailable(path: source, reason: "it becomes shorter while it is read")
      }
      hash.update(piece)
      try put(piece)
      left -= piece.count
    }
    let digest = hash.hexadecimal()
    try end(name, digest: digest, size: size)
    return digest
  }

  /// Writes the list of all files behind them, makes everything durable and gives it its name.
  /// - Parameter check: looks at what was written before it takes the place of anything; what it throws
  ///   leaves the file that was there as it was.
  package func finish(
    listAs name: String, check: (_ part: String) throws -> Void = { _ in }
  ) throws {
    try flush(&listed, to: list, listPart)
    guard lseek(list, 0, SEEK_SET) == 0 else { throw unwritable(listPart) }
    guard let size = BackupLayout.fileSize(list) else { throw unwritable(listPart) }
    try begin(name, size: size)
    while true {
      let piece = try Self.read(list, Self.pieceBytes, listPart)
      if piece.isEmpty { break }
      try put(piece)
    }
    try put(zeros(ArchiveHeader.padding(of: size)))
    try put(zeros(2 * ArchiveHeader.blockBytes))
    try flush(&buffer, to: output, part)
    guard fsync(output) == 0 else { throw unwritable(part) }
    // What is read back is to be what the disk has, and not what memory still holds of it.
    _ = posix_fadvise(output, 0, 0, POSIX_FADV_DONTNEED)
    closeBoth()
    try DurableFile.remove(listPart)
    try check(part)
    try DurableFile.rename(part, to: path)
    let folder = (path as NSString).deletingLastPathComponent
    try DurableFile.syncFolder(folder.isEmpty ? "." : folder)
  }

  /// Takes away what was written, where something has gone wrong.
  package func abandon() {
    closeBoth()
    try? DurableFile.remove(part)
    try? DurableFile.remove(listPart)
  }

  /// Once: the numbers may be another file's a moment later.
  private func closeBoth() {
    guard isOpen else { return }
    isOpen = false
    close(output)
    close(list)
  }

  // MARK: pieces

  private func begin(_ name: String, size: Int) throws {
    guard let head = ArchiveHeader(name: name, size: size, time: time).bytes else {
      throw StoreError.unwritable(path: path, reason: "\(name) is no name for a backup")
    }
    try put(head)
  }

  private func end(_ name: String, digest: String, size: Int) throws {
    try put(zeros(ArchiveHeader.padding(of: size)))
    listed += Array("\(digest)  \(name)\n".utf8)
    if listed.count >= Self.pieceBytes { try flush(&listed, to: list, listPart) }
    files += 1
    bytes += size
  }

  private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  private func put(_ piece: [UInt8]) throws {
    buffer += piece
    if buffer.count >= Self.pieceBytes { try flush(&buffer, to: output, part) }
  }

  private func flush(_ bytes: inout [UInt8], to descriptor: Int32, _ path: String) throws {
    try bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw unwritable(path) }
        written += count
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }

  private func unwritable(_ path: String) -> StoreError {
    .unwritable(
      path: path,
      reason: errno == ENOSPC || errno == EDQUOT
        ? "the disk is full" : String(cString: strerror(errno)))
  }

  /// At most so many bytes from where the file stands; none at its end.
  static func read(_ descriptor: Int32, _ limit: Int, _ path: String) throws -> [UInt8] {
    var failure: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
      while filled < limit {
        let count = Glibc.read(
          descriptor, buffer.baseAddress?.advanced(by: filled), limit - filled)
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = errno }
        guard count > 0 else { return }
        filled += count
      }
    }
    guard failure == 0 else {
      throw StoreError.unavailable(path: path, reason: String(cString: strerror(failure)))
    }
    return piece
  }
}
