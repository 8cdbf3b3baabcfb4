// RFC 9162, section 2.1: a tree of n entries is a complete one of k and one of the rest, with k the largest
// power of two below n. So every hash is made of complete subtrees, which never change again.

/// A complete subtree: 2^level entries from `place` × 2^level on.
public struct TreeNode: Hashable, Sendable {
  /// The level: 0 for an entry.
  public var level: Int
  /// The number of subtrees of the same level to the left.
  public var place: Int

  /// Creates a node.
  public init(level: Int, place: Int) {
    (self.level, self.place) = (level, place)
  }

  /// The entries below it.
  public var entries: Range<Int> { place << level..<(place + 1) << level }
}

/// The hashes that a proof or a root needs, by the shape of a tree alone.
///
/// `node` gives the hash of a complete subtree of the tree; it is asked for few of them, about as many as
/// the tree has levels.
public struct TreeShape: Hashable, Sendable {
  /// The number of entries, 0 or more.
  public let size: Int

  /// Creates the shape of a tree of so many entries, of none below 0.
  public init(size: Int) { self.size = max(0, size) }

  /// Returns the tree's hash.
  public func root(_ node: (TreeNode) throws -> TreeHash) rethrows -> TreeHash {
    try Self.hash(0..<size, node)
  }

  /// Returns the proof that an entry is in the tree: the hashes beside the way from the entry to the root,
  /// the lowest first; nil if the tree has no entry of this number, counted from 0.
  public func inclusion(
    of entry: Int, _ node: (TreeNode) throws -> TreeHash
  ) rethrows -> [TreeHash]? {
    guard (0..<size).contains(entry) else { return nil }
    var proof: [TreeHash] = []
    var range = 0..<size
    while range.count > 1 {
      let middle = range.lowerBound + Self.split(range.count)
      if entry < middle {
        proof.append(try Self.hash(middle..<range.upperBound, node))
        range = range.lowerBound..<middle
      } else {
        proof.append(try Self.hash(range.lowerBound..<middle, node))
        range = middle..<range.upperBound
      }
    }
    return proof.reversed()
  }

  /// Returns the proof that the tree begins with another one, of `earlier` entries; nil if that one is
  /// larger or has none.
  public func consistency(
    from earlier: Int, _ node: (TreeNode) throws -> TreeHash
  ) rethrows -> [TreeHash]? {
    guard (1...max(1, size)).contains(earlier), size > 0 else { return nil }
    var proof: [TreeHash] = []
    var range = 0..<size
    // The end of the earlier tree lies within the range; is it on its own root so far?
    var isWhole = true
    while range.upperBound != earlier {
      let middle = range.lowerBound + Self.split(range.count)
      if earlier <= middle {
        proof.append(try Self.hash(middle..<range.upperBound, node))
        range = range.lowerBound..<middle
      } else {
        proof.append(try Self.hash(range.lowerBound..<middle, node))
        range = middle..<range.upperBound
        isWhole = false
      }
    }
    if !isWhole { proof.append(try Self.hash(range, node)) }
    return proof.reversed()
  }

  /// Returns the largest power of two below a number of 2 or more.
  static func split(_ count: Int) -> Int {
    1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
  }

  private static func hash(
    _ range: Range<Int>, _ node: (TreeNode) throws -> TreeHash
  ) rethrows -> TreeHash {
    if range.isEmpty { return .ofNothing }
    let level = range.count.trailingZeroBitCount
    if range.count == 1 << level {
      return try node(TreeNode(level: level, place: range.lowerBound >> level))
    }
    let middle = range.lowerBound + split(range.count)
    return .node(
      try hash(range.lowerBound..<middle, node), try hash(middle..<range.upperBound, node))
  }
}

/// The right edge of a tree that grows: the roots of its complete subtrees, at most one of each level.
public struct TreeEdge: Sendable {
  /// The number of entries.
  public private(set) var size = 0
  /// The roots, of the largest subtree first.
  private var roots: [TreeHash] = []

  /// Creates the edge of a tree without entries.
  public init() {}

  /// Adds an entry.
  public mutating func append(_ leaf: TreeHash) { append(leaf) { _, _ in } }

  /// Adds an entry.
  /// - Parameter completed: called with each subtree that it completes, the lowest first.
  public mutating func append(
    _ leaf: TreeHash, completed: (TreeNode, TreeHash) throws -> Void
  ) rethrows {
    var hash = leaf
    var level = 0
    try completed(TreeNode(level: 0, place: size), hash)
    while size >> level & 1 == 1 {
      hash = .node(roots.removeLast(), hash)
      level += 1
      try completed(TreeNode(level: level, place: size >> level), hash)
    }
    roots.append(hash)
    size += 1
  }

  /// The hash of the whole tree.
  public var root: TreeHash {
    guard let last = roots.last else { return .ofNothing }
    return roots.dropLast().reversed().reduce(last) { .node($1, $0) }
  }
}
