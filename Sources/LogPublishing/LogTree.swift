import Evidence
import Office
import Store
import TimeAndText
import Transparency

/// The tree over an office's log, while it is read in one transaction.
///
/// An entry of the tree is the SHA-256 of the entry's line, 32 bytes, as the log itself keeps it: so a proof
/// tells nothing of the other entries. The hashes of complete tiles come from the shelf, those behind the
/// last one from the log.
struct LogTree {
  let shelf: LogShelf
  /// The number of entries.
  private(set) var size: Int
  /// The hashes of the entries behind the last complete tile.
  private var rest: [TreeHash] = []
  private var tiles: [TileName: [TreeHash]] = [:]

  private struct TileName: Hashable {
    var level: Int
    var number: Int
  }

  private static let tilesAtOnce = 512
  private static let tilesInMemory = 64

  /// Reads the log's end, and completes the tiles on the shelf.
  /// - Throws: `StoreError`; `OfficeRefusal` if an entry has no digest.
  init(_ shelf: LogShelf, _ log: any RegistryTransaction) throws {
    self.shelf = shelf
    var complete = try shelf.tileCount()
    size = complete * LogShelf.width
    var made: [(level: Int, number: Int, hashes: [TreeHash])] = []
    var own = self
    func put(_ made: [(level: Int, number: Int, hashes: [TreeHash])]) throws {
      guard let last = made.last else { return }
      try shelf.write(made)
      try own.writeAbove(from: complete, to: last.number + 1)
      complete = last.number + 1
      try shelf.keep(tileCount: complete)
    }
    var rest: [TreeHash] = []
    var number = size
    try log.forEachLogDigest(from: number + 1) { digest in
      guard let leaf = Self.leaf(digest) else { throw Self.broken(number + 1) }
      rest.append(leaf)
      number += 1
      if rest.count == LogShelf.width {
        made.append((0, number / LogShelf.width - 1, rest))
        rest = []
        if made.count == Self.tilesAtOnce {
          try put(made)
          made = []
        }
      }
    }
    try put(made)
    (self.size, self.rest) = (number, rest)
  }

  private static func broken(_ entry: Int) -> OfficeRefusal {
    OfficeRefusal(
      .exportImpossible, "the log is broken from entry \(entry) on: run standpoint office check")
  }

  /// Returns the hash of an entry by the digest that the log keeps; nil if that is no digest.
  static func leaf(_ digest: String) -> TreeHash? {
    guard Digest.isDigest(digest) else { return nil }
    let digits = digest.utf8.map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
    return .leaf(stride(from: 0, to: 64, by: 2).lazy.map { digits[$0] << 4 | digits[$0 + 1] })
  }

  /// Writes the tiles of the higher levels that tiles of the lowest one complete.
  private mutating func writeAbove(from earlier: Int, to later: Int) throws {
    var (before, now, level) = (earlier / LogShelf.width, later / LogShelf.width, 1)
    while now > before {
      for number in before..<now {
        let hashes = try (0..<LogShelf.width).map {
          try hash(TreeNode(level: level * LogShelf.levels, place: number * LogShelf.width + $0))
        }
        try shelf.write([(level, number, hashes)])
      }
      (before, now, level) = (before / LogShelf.width, now / LogShelf.width, level + 1)
    }
  }

  /// Returns the hash of a complete subtree.
  mutating func hash(_ node: TreeNode) throws -> TreeHash {
    let level = node.level / LogShelf.levels
    let height = node.level % LogShelf.levels
    let first = node.place << height
    if height == 0, level > 0 {
      // It stands for a whole tile of the level below.
      return Self.root(try tile(level - 1, node.place)[...])
    }
    let number = first / LogShelf.width
    let begin = first % LogShelf.width
    let count = 1 << height
    if level == 0 {
      let hashes = first >= size / LogShelf.width * LogShelf.width ? rest : try tile(0, number)
      return Self.root(hashes[begin..<begin + count])
    }
    if (number + 1) << (LogShelf.levels * (level + 1)) <= size {
      return Self.root(try tile(level, number)[begin..<begin + count])
    }
    // The tile of this level is not complete yet.
    var hashes: [TreeHash] = []
    for place in first..<first + count {
      hashes.append(try hash(TreeNode(level: level * LogShelf.levels, place: place)))
    }
    return Self.root(hashes[...])
  }

  private mutating func tile(_ level: Int, _ number: Int) throws -> [TreeHash] {
    let name = TileName(level: level, number: number)
    if let known = tiles[name] { return known }
    let read = try shelf.tile(level: level, number: number)
    if tiles.count >= Self.tilesInMemory { tiles = [:] }
    tiles[name] = read
    return read
  }

  /// Returns the root of a number of hashes that is a power of two.
  private static func root(_ hashes: ArraySlice<TreeHash>) -> TreeHash {
    var row = Array(hashes)
    while row.count > 1 {
      row = stride(from: 0, to: row.count, by: 2).map { .node(row[$0], row[$0 + 1]) }
    }
    return row.first ?? .ofNothing
  }

  /// Returns the hash of the tree of the first entries.
  mutating func root(size: Int) throws -> TreeHash {
    try TreeShape(size: size).root { try hash($0) }
  }
}
