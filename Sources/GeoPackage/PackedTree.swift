// The problem: SQLite's R-tree takes one row at a time, searches for its leaf from the root, and
// divides leaves that are full. That takes four fifths of the time for a table of a million points.
//
// The obvious idea: rows in the order of a curve that fills the plane. That still takes one search
// for each row.
//
// The solution: the tree is written from its leaves up, in the form in which SQLite's own tables
// keep it (SQLite's rtree.c: a node is two bytes of depth, set in the root only, two of count, then
// for each cell eight bytes of number and four floats, all big-endian; at most 51 cells). The rows
// come in the order of a walk, so 51 consecutive rows lie close together: they become a leaf as
// they come. Nothing is sorted, and of a million points 20,000 boxes are kept. SQLite's
// `rtreecheck` finds the tree as valid as any other.

/// A box as the tree keeps it: floats that are rounded outwards, so that the box holds the exact numbers.
struct TreeBox {
  var west: Float
  var east: Float
  var south: Float
  var north: Float

  init(west: Double, south: Double, east: Double, north: Double) {
    self.west = Self.below(west)
    self.south = Self.below(south)
    self.east = Self.above(east)
    self.north = Self.above(north)
  }

  mutating func include(_ other: TreeBox) {
    west = min(west, other.west)
    east = max(east, other.east)
    south = min(south, other.south)
    north = max(north, other.north)
  }

  private static func below(_ value: Double) -> Float {
    let near = Float(value)
    return Double(near) > value ? near.nextDown : near
  }

  private static func above(_ value: Double) -> Float {
    let near = Float(value)
    return Double(near) < value ? near.nextUp : near
  }
}

/// A tree that grows from its leaves up, node by node.
struct PackedTree {
  /// The functions that write the parts of the tree.
  struct Nodes {
    /// Writes a node's bytes under its number; 1 is the root's.
    var node: (_ number: Int64, _ bytes: [UInt8]) throws -> Void
    /// Writes the leaf in which a row is.
    var row: (_ row: Int64, _ leaf: Int64) throws -> Void
    /// Writes the node in which another node is.
    var parent: (_ number: Int64, _ parent: Int64) throws -> Void
  }

  private struct Cell {
    var number: Int64
    var box: TreeBox
  }

  static let cellsInNode = 51
  private static let nodeBytes = 4 + 24 * cellsInNode

  private var open: [Cell] = []
  private var leaves: [Cell] = []
  private var next: Int64 = 2

  init() { open.reserveCapacity(Self.cellsInNode) }

  /// Adds a row with the box around it.
  mutating func add(_ row: Int64, _ box: TreeBox, to nodes: Nodes) throws {
    if open.count == Self.cellsInNode { try closeLeaf(nodes) }
    open.append(Cell(number: row, box: box))
    // A tree of a single leaf has only the root: `finish` then writes the rows again with the
    // root's number.
    try nodes.row(row, next)
  }

  private mutating func closeLeaf(_ nodes: Nodes) throws {
    leaves.append(try write(open[...], as: next, depth: 0, nodes))
    next += 1
    open.removeAll(keepingCapacity: true)
  }

  /// Writes the last leaf and the nodes above the leaves.
  mutating func finish(_ nodes: Nodes) throws {
    if leaves.isEmpty {
      for cell in open { try nodes.row(cell.number, 1) }
      _ = try write(open[...], as: 1, depth: 0, nodes)
      return
    }
    if !open.isEmpty { try closeLeaf(nodes) }
    var level = leaves
    var depth = 1
    while level.count > Self.cellsInNode {
      var above: [Cell] = []
      // The groups have one size: a last group of a cell or two would make a poor node.
      let count = (level.count + Self.cellsInNode - 1) / Self.cellsInNode
      for group in 0..<count {
        let part = level[(group * level.count / count)..<((group + 1) * level.count / count)]
        let cell = try write(part, as: next, depth: 0, nodes)
        for child in part { try nodes.parent(child.number, next) }
        next += 1
        above.append(cell)
      }
      level = above
      depth += 1
    }
    _ = try write(level[...], as: 1, depth: depth, nodes)
    for child in level { try nodes.parent(child.number, 1) }
  }

  private func write(
    _ cells: ArraySlice<Cell>, as number: Int64, depth: Int, _ nodes: Nodes
  ) throws -> Cell {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.nodeBytes)
    func add(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    add(UInt16(depth))
    add(UInt16(cells.count))
    var box = cells.first?.box ?? TreeBox(west: 0, south: 0, east: 0, north: 0)
    for cell in cells {
      add(cell.number)
      for edge in [cell.box.west, cell.box.east, cell.box.south, cell.box.north] {
        add(edge.bitPattern)
      }
      box.include(cell.box)
    }
    bytes += [UInt8](repeating: 0, count: Self.nodeBytes - bytes.count)
    try nodes.node(number, bytes)
    return Cell(number: number, box: box)
  }
}
