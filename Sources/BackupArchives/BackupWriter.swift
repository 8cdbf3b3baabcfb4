import Evidence
import Foundation
import Store

/// Writes a backup's file from its beginning to its end, with one piece at a time in memory,
/// however many photos there are. The file gets its name when it is whole and durable.
package final class BackupWriter {
  /// The size of the pieces that are read and written at once, bytes.
  static let pieceBytes = 1 << 20

  private let path: String
  private let time: Int
  private let output: Int32
  private let list: Int32
  private var isOpen = true
  private var buffer: [UInt8] = []
  private var listed: [UInt8] = []
  /// The number of files added so far, without the list.
  package private(set) var files = 0
  /// The size of these files together, bytes.
  package private(set) var bytes = 0

  private var part: String { path + ".part" }
  private var listPart: String { path + ".list.part" }

  /// Creates the file under a temporary name.
  /// - Parameter time: the time of every entry, seconds since 1970.
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

  /// Creates a file that only its owner can read, in place of any that was left there before.
  private static func create(_ path: String) throws -> Int32 {
    try DurableFile.remove(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    return descriptor
  }

  /// Adds bytes as a file.
  package func add(_ contents: [UInt8], as name: String) throws {
    try begin(name, size: contents.count)
    try put(contents)
    try end(name, digest: Digest.hexadecimal(contents), size: contents.count)
  }

  /// Adds a file of this machine.
  /// - Returns: the SHA-256 of the bytes added; nil if there is no such file.
  package func add(file source: String, as name: String) throws -> String? {
    let descriptor = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StoreError.unavailable(path: source, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    guard let size = BackupLayout.fileSize(descriptor) else {
      throw StoreError.unavailable(path: source, reason: "it is not a file")
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

  /// Writes the list after all files, makes everything durable and gives it its name.
  /// - Parameter check: checks the written file before it replaces another; if it throws, an
  ///   earlier file of that name stays as it was.
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
    // The check must read from the disk, not from the system's memory.
    _ = posix_fadvise(output, 0, 0, POSIX_FADV_DONTNEED)
    closeBoth()
    try DurableFile.remove(listPart)
    try check(part)
    try DurableFile.rename(part, to: path)
    let folder = (path as NSString).deletingLastPathComponent
    try DurableFile.syncFolder(folder.isEmpty ? "." : folder)
  }

  /// Removes the unfinished files after an error.
  package func abandon() {
    closeBoth()
    try? DurableFile.remove(part)
    try? DurableFile.remove(listPart)
  }

  /// Closes both files only once: their descriptors may belong to other files a moment later.
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

  /// Reads at most `limit` bytes from the file's present place; none at its end.
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
