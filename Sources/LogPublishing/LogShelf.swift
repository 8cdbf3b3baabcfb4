import Foundation
import Store
import TimeAndText
import Transparency

/// The files of an office's public log, below its data: complete tiles of 256 hashes as C2SP's `tlog-tiles`
/// names them, and each checkpoint that was signed. The tiles are only a copy of what the log says: whoever
/// removes them gets the same ones again.
struct LogShelf: Sendable {
  /// The number of hashes of a complete tile, and the levels of the tree that it spans.
  static let width = 256
  static let levels = 8

  let folder: String

  init(officeFolder: String) { folder = officeFolder + "/log" }

  private var count: String { folder + "/tiles" }
  private var checkpoints: String { folder + "/checkpoints" }

  /// Does something that no other program does at the same time.
  func alone<Result>(_ body: () throws -> Result) throws -> Result {
    try DurableFile.makeFolder(checkpoints)
    return try DurableFile.withLock(folder + "/lock", body)
  }

  // MARK: tiles

  /// The number of complete tiles of the lowest level; 0 for a log that has none yet.
  func tileCount() throws -> Int {
    guard FileStatus(ofPath: count) != nil else { return 0 }
    let text = String(decoding: try DurableFile.read(count), as: UTF8.self)
    guard let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), number >= 0 else {
      throw damage(count)
    }
    return number
  }

  func keep(tileCount: Int) throws {
    try DurableFile.replace(count, with: Array("\(tileCount)\n".utf8))
  }

  /// Returns a tile's name: its number in groups of three digits, all but the last with an x.
  static func name(level: Int, number: Int) -> String {
    var groups: [String] = []
    var rest = number
    repeat {
      let digits = String(rest % 1000)
      groups.append(String(repeating: "0", count: 3 - digits.count) + digits)
      rest /= 1000
    } while rest > 0
    let last = groups.removeFirst()
    return "tile/\(level)/" + groups.reversed().map { "x\($0)/" }.joined() + last
  }

  /// Returns the path of a complete tile; nil if the log has no such tile.
  func path(level: Int, number: Int) throws -> String? {
    guard (0...7).contains(level), number >= 0 else { return nil }
    let complete = try tileCount() >> (Self.levels * level)
    return number < complete ? folder + "/" + Self.name(level: level, number: number) : nil
  }

  /// Reads a complete tile.
  /// - Throws: `StoreError.unavailable` if it is missing or damaged.
  func tile(level: Int, number: Int) throws -> [TreeHash] {
    let path = folder + "/" + Self.name(level: level, number: number)
    let bytes = try DurableFile.read(path)
    guard bytes.count == Self.width * TreeHash.byteCount else { throw damage(path) }
    return stride(from: 0, to: bytes.count, by: TreeHash.byteCount).compactMap {
      TreeHash(bytes[$0..<$0 + TreeHash.byteCount])
    }
  }

  /// Writes complete tiles, with little more than one wait for the disk.
  func write(_ tiles: [(level: Int, number: Int, hashes: [TreeHash])]) throws {
    var folders: Set<String> = []
    var files: [(bytes: [UInt8], path: String)] = []
    for tile in tiles {
      let path = folder + "/" + Self.name(level: tile.level, number: tile.number)
      let parent = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
      if folders.insert(parent).inserted { try DurableFile.makeFolder(parent) }
      files.append((tile.hashes.flatMap(\.bytes), path))
    }
    try DurableFile.write(files)
    for folder in folders { try DurableFile.syncFolder(folder) }
  }

  private func damage(_ path: String) -> StoreError {
    .unavailable(
      path: path,
      reason: "it is damaged: remove \(folder)/tiles and \(folder)/tile; they are made again")
  }

  // MARK: checkpoints

  /// The sizes of all checkpoints that were signed, the smallest first.
  func sizes() throws -> [Int] {
    guard FileStatus(ofPath: checkpoints) != nil else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: checkpoints).compactMap(Int.init)
        .sorted()
    } catch {
      throw StoreError.unavailable(path: checkpoints, reason: "\(error.localizedDescription)")
    }
  }

  /// Reads the checkpoint of a size; nil if none was signed.
  func checkpoint(size: Int) throws -> SignedNote? {
    let path = "\(checkpoints)/\(size)"
    guard FileStatus(ofPath: path) != nil else { return nil }
    return try SignedNote(String(decoding: try DurableFile.read(path), as: UTF8.self))
  }

  /// Returns how long ago a checkpoint was written, seconds; nil if there is none of this size.
  func age(ofSize size: Int, at now: DeviceTime) throws -> Double? {
    guard let status = FileStatus(ofPath: "\(checkpoints)/\(size)") else { return nil }
    return Double(now.millisecondsSince1970) / 1000 - Double(status.writtenSecondsSince1970)
  }

  func keep(_ note: SignedNote, size: Int) throws {
    try DurableFile.replace("\(checkpoints)/\(size)", with: Array(note.note.utf8))
  }
}
