import Foundation
import Store
import TimeAndText
import Transparency

/// The files of an office's public log, below its data: the hashes of the tree, and each checkpoint that was signed.
/// The hashes are only a copy of what the log says: whoever removes them gets the same ones again.
///
/// The file of a level has the hashes of all complete subtrees of 256^level entries, 32 bytes each, one behind
/// the other.
struct LogShelf: Sendable {
  /// The number of hashes of one level below one hash of the next, and the levels of the tree between them.
  static let width = 256
  static let levels = 8

  let folder: String

  init(officeFolder: String) { folder = officeFolder + "/log" }

  private var hashes: String { folder + "/hashes" }
  private var count: String { hashes + "/size" }

  /// The folder of the checkpoints that a key has signed: each key has a log of its own.
  private func checkpoints(of key: NoteKey) -> String {
    "\(folder)/checkpoints/\(key.idText)"
  }

  /// Does something that no other program does at the same time.
  func alone<Result>(_ body: () throws -> Result) throws -> Result {
    try DurableFile.makeFolder(hashes)
    return try DurableFile.withLock(folder + "/lock", body)
  }

  // MARK: hashes

  /// The number of entries whose hashes are there.
  func size() throws -> Int {
    guard FileStatus(ofPath: count) != nil else { return 0 }
    let text = String(decoding: try DurableFile.read(count), as: UTF8.self)
    guard let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), number >= 0 else {
      throw damage(count)
    }
    return number
  }

  /// Returns the path of a level's file.
  func path(level: Int) -> String { "\(hashes)/\(level)" }

  /// Reads hashes of a level.
  /// - Throws: `StoreError.unavailable` if they are missing.
  func read(level: Int, _ range: Range<Int>) throws -> [TreeHash] {
    let path = path(level: level)
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      try file.seek(toOffset: UInt64(range.lowerBound * TreeHash.byteCount))
      let wanted = range.count * TreeHash.byteCount
      if let data = try file.read(upToCount: wanted), data.count == wanted,
        let hashes = TreeHash.list(Array(data))
      {
        return hashes
      }
    } catch {
      throw StoreError.unavailable(path: path, reason: "\(error.localizedDescription): \(remedy)")
    }
    throw damage(path)
  }

  /// Opens a level's file behind its first hashes; what an earlier program left behind them goes.
  func file(level: Int, behind count: Int) throws -> FileHandle {
    let path = path(level: level)
    do {
      if FileStatus(ofPath: path) == nil { try DurableFile.write([], to: path) }
      let file = try FileHandle(forUpdating: URL(filePath: path))
      // A longer one is what a crash has left; a shorter one would be filled with noughts.
      let wanted = UInt64(count * TreeHash.byteCount)
      guard try file.seekToEnd() >= wanted else { throw damage(path) }
      try file.truncate(atOffset: wanted)
      return file
    } catch let damage as StoreError {
      throw damage
    } catch {
      throw StoreError.unwritable(path: path, reason: "\(error.localizedDescription)")
    }
  }

  /// Says how many entries have their hashes: those are durable already.
  func keep(size: Int) throws { try DurableFile.replace(count, with: Array("\(size)\n".utf8)) }

  private var remedy: String { "remove \(hashes); it is made again" }

  private func damage(_ path: String) -> StoreError {
    .unavailable(path: path, reason: "it is damaged: \(remedy)")
  }

  // MARK: checkpoints

  /// The sizes of all checkpoints that a key has signed, the smallest first.
  func sizes(by key: NoteKey) throws -> [Int] {
    let folder = checkpoints(of: key)
    guard FileStatus(ofPath: folder) != nil else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
        Int(name).flatMap { String($0) == name ? $0 : nil }
      }.sorted()
    } catch {
      throw StoreError.unavailable(path: folder, reason: "\(error.localizedDescription)")
    }
  }

  /// Reads the checkpoint of a size; nil if the key has signed none.
  func checkpoint(size: Int, by key: NoteKey) throws -> SignedNote? {
    let path = "\(checkpoints(of: key))/\(size)"
    guard FileStatus(ofPath: path) != nil else { return nil }
    let bytes = try DurableFile.read(path)
    // The witnesses' lines lie beside it: its own file says when the log has signed it. Without them it is one still.
    if let lines = FileManager.default.contents(atPath: path + Self.witnessed),
      let note = try? SignedNote(bytes: bytes + Array(lines))
    {
      return note
    }
    do throws(NoteProblem) {
      return try SignedNote(bytes: bytes)
    } catch {
      throw StoreError.unavailable(path: path, reason: "it is damaged: \(error.wording)")
    }
  }

  /// Returns how long ago a checkpoint was written, seconds; nil if there is none of this size.
  func age(ofSize size: Int, by key: NoteKey, at now: DeviceTime) throws -> Double? {
    guard let status = FileStatus(ofPath: "\(checkpoints(of: key))/\(size)") else { return nil }
    return Double(now.millisecondsSince1970) / 1000 - Double(status.writtenSecondsSince1970)
  }

  private static let witnessed = ".witnessed"

  /// Adds what a witness has signed to a checkpoint, in the place of what it had signed before.
  func keep(witnessed note: SignedNote, by witness: NoteKey, size: Int, by key: NoteKey) throws {
    try alone {
      guard var kept = try checkpoint(size: size, by: key),
        kept.take(signaturesOf: note, by: [witness])
      else { return }
      try DurableFile.replace(
        "\(checkpoints(of: key))/\(size)\(Self.witnessed)",
        with: Array(kept.text(besides: key).utf8))
    }
  }

  func keep(_ note: SignedNote, size: Int, by key: NoteKey) throws {
    try DurableFile.makeFolder(checkpoints(of: key))
    try DurableFile.replace("\(checkpoints(of: key))/\(size)", with: Array(note.note.utf8))
  }
}
