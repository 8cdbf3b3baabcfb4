import Foundation
import Office
import Store
import TimeAndText
import Transparency

/// The tree over an office's log, while it is read in one transaction.
///
/// An entry of the tree is the SHA-256 of the entry's line, 32 bytes, as the log itself keeps it: so a proof
/// tells nothing of the other entries. Each such digest covers the one before, and so does its hash.
struct LogTree {
  let shelf: LogShelf
  /// The number of entries.
  let size: Int
  private var blocks: [BlockName: [TreeHash]] = [:]

  private struct BlockName: Hashable {
    var level: Int
    var number: Int
  }

  private static let blocksInMemory = 64

  /// Takes the tree of the entries whose hashes are on the shelf.
  init(of shelf: LogShelf) throws {
    self.shelf = shelf
    size = try shelf.size()
  }

  /// Reads the log's end, and adds its hashes to the shelf.
  /// - Parameter isAnew: true to make all of them anew.
  /// - Returns: nil if the log has fewer entries than the shelf, or others: it was read before another program added to
  ///   the shelf, or it is another log.
  /// - Throws: `StoreError`; `OfficeRefusal` if an entry is missing, or has no digest.
  init?(_ shelf: LogShelf, reading log: any RegistryTransaction, isAnew: Bool) throws {
    self.shelf = shelf
    let known = isAnew ? 0 : try shelf.size()
    // The last entry that is known says whether this is the same log still.
    let last = known > 0 ? try shelf.read(level: 0, known - 1..<known).first : nil
    var writer: LogHashWriter?
    var number = max(0, known - 1)
    var isSame = last == nil
    var isOther = false
    try log.forEachLogDigest(from: number + 1) { place, digest in
      guard !isOther else { return }
      number += 1
      guard place == number, let leaf = TreeHash.leaf(ofHexadecimal: digest) else {
        throw Self.broken(number)
      }
      if isSame {
        if writer == nil { writer = try LogHashWriter(shelf, from: known) }
        try writer?.append(leaf)
      } else {
        (isSame, isOther) = (leaf == last, leaf != last)
      }
    }
    guard isSame else { return nil }
    try writer?.finish()
    size = writer?.size ?? known
    if writer == nil { try shelf.keep(size: size) }
  }

  private static func broken(_ entry: Int) -> OfficeRefusal {
    OfficeRefusal(
      .exportImpossible, "the log is broken from entry \(entry) on: run standpoint office check")
  }

  /// Returns the hash of a complete subtree.
  mutating func hash(_ node: TreeNode) throws -> TreeHash {
    let level = node.level / LogShelf.levels
    let height = node.level % LogShelf.levels
    // The hashes of a level that lie below the node are in one block.
    let first = node.place << height
    let block = try block(level, first / LogShelf.width)
    let begin = first % LogShelf.width
    return TreeHash.root(of: Array(block[begin..<begin + 1 << height]))
  }

  private mutating func block(_ level: Int, _ number: Int) throws -> [TreeHash] {
    let name = BlockName(level: level, number: number)
    if let known = blocks[name] { return known }
    let begin = number * LogShelf.width
    let all = size >> (LogShelf.levels * level)
    let read = try shelf.read(level: level, begin..<min(begin + LogShelf.width, all))
    if blocks.count >= Self.blocksInMemory { blocks = [:] }
    blocks[name] = read
    return read
  }

  /// Returns the hash of the tree of the first entries.
  mutating func root(size: Int) throws -> TreeHash {
    try TreeShape(size: size).root { try hash($0) }
  }
}

/// Adds hashes to the files of all levels.
private struct LogHashWriter {
  private static let bufferBytes = 1 << 20

  private struct Level {
    var file: FileHandle
    var buffer: [UInt8] = []
    /// The hashes that are not below one of the next level yet.
    var open: [TreeHash]
  }

  private let shelf: LogShelf
  private(set) var size: Int
  private var levels: [Level] = []

  init(_ shelf: LogShelf, from size: Int) throws {
    (self.shelf, self.size) = (shelf, size)
    // A crash must not leave a number that is larger than what is there.
    try shelf.keep(size: size)
  }

  mutating func append(_ leaf: TreeHash) throws {
    var hash = leaf
    var level = 0
    while true {
      if levels.count == level { levels.append(try open(level)) }
      hash.append(to: &levels[level].buffer)
      levels[level].open.append(hash)
      if levels[level].buffer.count >= Self.bufferBytes { try flush(level) }
      guard levels[level].open.count == LogShelf.width else { break }
      hash = TreeHash.root(of: levels[level].open)
      levels[level].open.removeAll(keepingCapacity: true)
      level += 1
    }
    size += 1
  }

  private func open(_ level: Int) throws -> Level {
    let count = size >> (LogShelf.levels * level)
    let file = try shelf.file(level: level, behind: count)
    let begin = count / LogShelf.width * LogShelf.width
    let open = begin < count ? try shelf.read(level: level, begin..<count) : []
    return Level(file: file, open: open)
  }

  private mutating func flush(_ level: Int) throws {
    do {
      try levels[level].file.seekToEnd()
      try levels[level].file.write(contentsOf: levels[level].buffer)
    } catch {
      throw StoreError.unwritable(
        path: shelf.path(level: level), reason: "\(error.localizedDescription)")
    }
    levels[level].buffer.removeAll(keepingCapacity: true)
  }

  /// Makes all of them durable, and says how many there are.
  mutating func finish() throws {
    for level in levels.indices {
      try flush(level)
      do {
        try levels[level].file.synchronize()
        try levels[level].file.close()
      } catch {
        throw StoreError.unwritable(
          path: shelf.path(level: level), reason: "\(error.localizedDescription)")
      }
    }
    try shelf.keep(size: size)
  }
}
