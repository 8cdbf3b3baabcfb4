import Evidence
import Foundation
import Store

/// Restores one side from its backup, into a data directory that has none.
///
/// Everything is read, compared with the backup's list and checked in a staging folder in the data
/// directory. Only then it gets its final place, by one renaming. If anything is wrong before,
/// nothing is restored.
package struct BackupRestore {
  private let reader: BackupReader
  private let layout: BackupLayout
  private let data: String
  private let staging: String
  private let progress: (_ files: Int, _ bytes: Int) -> Void
  private var files = 0
  private var bytes = 0
  private var folders: Set<String> = []
  private var note: [String: String] = [:]

  private var folder: String { "\(data)/\(layout.folder.dropLast())" }
  private var staged: String { "\(staging)/\(layout.folder.dropLast())" }

  /// The restored files before they have their final place.
  package struct Staged {
    /// The path of a data directory that holds them.
    package let directory: String
    /// The values in the backup's note, by name.
    package let note: [String: String]
    private let reader: BackupReader

    fileprivate init(directory: String, note: [String: String], reader: BackupReader) {
      (self.directory, self.note, self.reader) = (directory, note, reader)
    }

    /// Returns the error that the backup is not whole, with the reason in words.
    package func wrong(_ words: String) -> StoreError { reader.wrong(words) }
  }

  /// Restores a backup.
  ///
  /// - Parameters:
  ///   - data: the data directory.
  ///   - freeBytes: returns the free room on the disk, bytes; nil if that is not known.
  ///   - check: checks the files in their staging folder; if it throws, nothing is left behind.
  /// - Throws: `StoreError.unusableBackup` if the file is no whole backup, or the directory holds
  ///   such a side already; `StoreError` if something cannot be written; any error of `check`.
  package static func run<Value>(
    _ path: String, as layout: BackupLayout, into data: String, freeBytes: () -> Int? = { nil },
    progress: @escaping (_ files: Int, _ bytes: Int) -> Void,
    check: (_ staged: Staged) async throws -> Value
  ) async throws -> (size: Backup.Size, value: Value) {
    let reader = try BackupReader(path: path, of: layout.owner)
    var restore = BackupRestore(reader, layout, data, progress)
    try restore.requireEmpty()
    let isNew = !FileManager.default.fileExists(atPath: data)
    try DurableFile.makeFolder(data)
    guard let lock = try FileLock(data + "/restore.lock") else {
      throw StoreError.unusableBackup(
        "another program restores into \(data) just now: wait until it has ended")
    }
    defer {
      try? DurableFile.remove(data + "/restore.lock")
      lock.release()
    }
    // The staging folder of an earlier attempt that was killed.
    try? FileManager.default.removeItem(atPath: restore.staging)
    do {
      try requireRoom(reader, layout, in: data, freeBytes)
      return try await restore.run(check)
    } catch {
      try? FileManager.default.removeItem(atPath: restore.staging)
      if isNew {
        try? DurableFile.remove(data + "/restore.lock")
        // `rmdir` removes the folder only if it is empty.
        rmdir(data)
      }
      throw error
    }
  }

  /// Checks the room before anything is written: a disk that fills up half way fails late, and for
  /// all its users.
  private static func requireRoom(
    _ reader: BackupReader, _ layout: BackupLayout, in data: String, _ freeBytes: () -> Int?
  ) throws {
    // Each file is rounded up to a block of the disk, and the database grows while it is checked.
    let needed = reader.size + reader.size / 16 + roomBeside
    guard let free = freeBytes(), free < needed else { return }
    let missing = needed - max(0, free)
    throw StoreError.unwritable(
      path: data,
      reason:
        "the disk has no room for \(layout.owner): \(mebibytes(needed)) MiB are needed,"
        + " \(max(0, free) >> 20) MiB are free. Nothing was written: make room for"
        + " \(mebibytes(missing)) MiB more, or restore into a data directory on another disk (--data)"
    )
  }

  /// The bytes that must be free in addition to the files themselves.
  private static let roomBeside = 4 << 20

  /// Returns bytes in MiB, rounded up: that much room is enough.
  private static func mebibytes(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }

  private init(
    _ reader: BackupReader, _ layout: BackupLayout, _ data: String,
    _ progress: @escaping (_ files: Int, _ bytes: Int) -> Void
  ) {
    self.reader = reader
    self.layout = layout
    self.data = data
    self.progress = progress
    staging = data + "/restoring"
  }

  private func requireEmpty() throws {
    guard FileManager.default.fileExists(atPath: folder) else { return }
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == true else {
      throw StoreError.unusableBackup(
        "\(folder) is there already: a backup is restored into a data directory without"
          + " \(layout.owner); move this one away first")
    }
  }

  private mutating func run<Value>(
    _ check: (Staged) async throws -> Value
  ) async throws -> (size: Backup.Size, value: Value) {
    let list = try extract()
    try compareList(list)
    for name in layout.required
    where !FileManager.default.fileExists(atPath: "\(staged)/\(name)") {
      throw reader.wrong("it lacks \(name)")
    }
    let value = try await check(Staged(directory: staging, note: note, reader: reader))
    try place()
    return ((files, bytes), value)
  }

  // MARK: reading

  /// Writes every file of the backup below the staging folder.
  /// - Returns: the header of the list, whose bytes come next.
  private mutating func extract() throws -> ArchiveHeader {
    try DurableFile.makeFolder(staged)
    guard let first = try reader.next(), first.name == BackupLayout.note, first.size <= 4096 else {
      throw reader.wrong("it does not begin with its note")
    }
    var text: [UInt8] = []
    let noteDigest = try reader.contents(of: first) { text += $0 }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.first == layout.title else {
      throw reader.wrong("it is of another form; a newer standpoint may read it")
    }
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2 { note[parts[0]] = parts[1] }
    }
    let list = try Destination(path: staging + "/list")
    defer { list.close() }
    func listed(_ digest: String, _ name: String) throws {
      try list.write(Array("\(digest)  \(name)\n".utf8))
    }
    try listed(noteDigest, BackupLayout.note)
    while let header = try reader.next() {
      if header.name == BackupLayout.list { return header }
      guard let name = layout.name(ofEntry: header.name) else {
        throw reader.wrong("\(printable(header.name)) is nothing that belongs to \(layout.owner)")
      }
      let path = "\(staged)/\(name)"
      let folder = (path as NSString).deletingLastPathComponent
      if folders.insert(folder).inserted { try DurableFile.makeFolder(folder) }
      guard !FileManager.default.fileExists(atPath: path) else {
        throw reader.wrong("it holds \(name) twice")
      }
      let file = try Destination(path: path)
      defer { file.close() }
      try listed(try reader.contents(of: header) { try file.write($0) }, header.name)
      files += 1
      bytes += header.size
      progress(files, bytes)
    }
    throw reader.wrong("its list is missing")
  }

  /// Makes a name printable: a foreign backup's names may be anything.
  private func printable(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.prefix(200).map { (0x20...0x7E).contains($0.value) ? $0 : "?" }))
  }

  /// Requires that the list names the files that came, with the same digests.
  private func compareList(_ header: ArchiveHeader) throws {
    let path = staging + "/list"
    guard let own = FileHandle(forReadingAtPath: path) else {
      throw StoreError.unavailable(path: path, reason: "it has vanished")
    }
    defer { try? own.close() }
    let ownSize = try own.seekToEnd()
    try own.seek(toOffset: 0)
    guard header.size == Int(ownSize) else {
      throw reader.wrong("its list names other files than it holds")
    }
    var place = 0
    try reader.contents(of: header) { piece in
      let mine = Array(try own.read(upToCount: piece.count) ?? Data())
      guard mine == piece else {
        let offset = zip(mine, piece).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        throw reader.wrong("\(line(of: own, around: place + offset)) is not what was backed up")
      }
      place += piece.count
    }
    guard try reader.next() == nil else { throw reader.wrong("there is something after its list") }
    try DurableFile.remove(path)
  }

  /// Returns the name of the file in the list's line at an offset; "a file" if there is none.
  private func line(of list: FileHandle, around offset: Int) -> String {
    let start = max(0, offset - 512)
    guard (try? list.seek(toOffset: UInt64(start))) != nil,
      let data = try? list.read(upToCount: 1024)
    else { return "a file" }
    let bytes = Array(data)
    let place = min(offset - start, bytes.count)
    let before = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = String(decoding: bytes[before...].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return line.split(separator: " ").last.map(String.init) ?? "a file"
  }

  // MARK: placing

  /// Asks the system with one call to write all files: a million single calls would take hours.
  /// That call reports no errors, so each file is synced afterwards, which returns at once if the
  /// file is durable already.
  private func makeDurable() throws {
    sync()
    guard let walk = FileManager.default.enumerator(atPath: staging) else { return }
    for case let name as String in walk {
      switch walk.fileAttributes?[.type] as? FileAttributeType {
      case .typeRegular: try DurableFile.sync("\(staging)/\(name)")
      case .typeDirectory: try DurableFile.syncFolder("\(staging)/\(name)")
      default: break
      }
    }
  }

  private func place() throws {
    try makeDurable()
    try DurableFile.rename(staged, to: folder)
    try DurableFile.syncFolder(data)
    try? FileManager.default.removeItem(atPath: staging)
  }
}

/// A new file that is written from its beginning.
private final class Destination {
  private let path: String
  private var descriptor: Int32

  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          throw StoreError.unwritable(
            path: path,
            reason: errno == ENOSPC || errno == EDQUOT
              ? "the disk is full" : String(cString: strerror(errno)))
        }
        written += count
      }
    }
  }

  func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }
}
