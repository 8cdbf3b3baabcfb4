/// The upper hull of points that are taken away, in batches, until none is left.
///
/// The points are the leaves of a balanced binary tree in lexicographic order (east, then north). A
/// node knows its *bridge*: the edge of its upper hull that joins its left half to its right half.
/// Hulls themselves are stored nowhere: the hull of a node is the hull of its left child up to the
/// bridge, then the hull of its right child from the bridge on.
///
/// Points on an edge belong to the hull. If several collinear pairs could be the bridge, the
/// innermost pair is.
///
/// Source: M. H. Overmars and J. van Leeuwen, Maintenance of configurations in the plane (1981),
/// without their concatenable queues.
///
/// The tree keeps points and nodes in buffers of its own: debug builds check their bounds, release
/// builds do not, which halves the time.
struct HullTree: ~Copyable {
  private struct Node {
    /// The children; both -1 at a leaf. A node whose child becomes empty is replaced by the other
    /// child.
    var left: Int32
    var right: Int32
    /// The bridge's ends as indices of points; at a leaf both are its own point.
    var bridgeLeft: Int32
    var bridgeRight: Int32
    /// The first index that belongs to the right child.
    var divider: Int32

    var isLeaf: Bool { left < 0 }
  }

  private let points: UnsafeMutableBufferPointer<PlanePoint>
  private let nodes: UnsafeMutableBufferPointer<Node>
  private var nodeCount: Int32 = 0
  private var root: Int32 = -1

  /// Creates a tree of distinct points in lexicographic order.
  init(sorted: some Collection<PlanePoint>) {
    points = .allocate(capacity: sorted.count)
    _ = points.initialize(fromContentsOf: sorted)
    nodes = .allocate(capacity: max(2 * sorted.count - 1, 0))
    if !sorted.isEmpty { root = build(0, Int32(sorted.count)) }
  }

  deinit {
    points.deallocate()
    nodes.deallocate()
  }

  /// True if every point has been taken away.
  var isEmpty: Bool { root < 0 }

  /// Appends the indices of the points on the upper hull, from west to east.
  func appendHull(to indices: inout [Int32]) {
    guard root >= 0 else { return }
    appendHull(of: root, from: 0, through: Int32(points.count), to: &indices)
  }

  /// Removes the points at these ascending indices.
  mutating func remove(_ indices: [Int32]) {
    guard root >= 0, !indices.isEmpty else { return }
    root = indices.withUnsafeBufferPointer { remove($0, 0, $0.count, from: root) }
  }

  private mutating func build(_ start: Int32, _ end: Int32) -> Int32 {
    let node = nodeCount
    nodeCount += 1
    nodes.initializeElement(
      at: Int(node),
      to: Node(left: -1, right: -1, bridgeLeft: start, bridgeRight: start, divider: start))
    guard end - start > 1 else { return node }
    let divider = start + (end - start) / 2
    nodes[Int(node)].divider = divider
    let left = build(start, divider)
    let right = build(divider, end)
    nodes[Int(node)].left = left
    nodes[Int(node)].right = right
    findBridge(of: node)
    return node
  }

  /// Appends the part of a node's hull from `first` to `last`, which are points of that hull or lie
  /// outside the node.
  private func appendHull(
    of node: Int32, from first: Int32, through last: Int32, to indices: inout [Int32]
  ) {
    let here = nodes[Int(node)]
    if here.isLeaf {
      indices.append(here.bridgeLeft)
    } else if last <= here.bridgeLeft {
      appendHull(of: here.left, from: first, through: last, to: &indices)
    } else if first >= here.bridgeRight {
      appendHull(of: here.right, from: first, through: last, to: &indices)
    } else {
      appendHull(of: here.left, from: first, through: here.bridgeLeft, to: &indices)
      appendHull(of: here.right, from: here.bridgeRight, through: last, to: &indices)
    }
  }

  /// Removes `indices[start..<end]`, all of them below `node`, and returns the node that takes its
  /// place, or -1 if no point is left.
  private func remove(
    _ indices: UnsafeBufferPointer<Int32>, _ start: Int, _ end: Int, from node: Int32
  ) -> Int32 {
    let here = nodes[Int(node)]
    if here.isLeaf { return -1 }
    var middle = start
    var isBridgeBroken = false
    var index = start
    while index < end {
      let removed = indices[index]
      if removed < here.divider { middle = index + 1 }
      if removed == here.bridgeLeft || removed == here.bridgeRight { isBridgeBroken = true }
      index += 1
    }
    let left = middle > start ? remove(indices, start, middle, from: here.left) : here.left
    let right = middle < end ? remove(indices, middle, end, from: here.right) : here.right
    if left < 0 { return right }
    if right < 0 { return left }
    nodes[Int(node)].left = left
    nodes[Int(node)].right = right
    // A bridge that keeps both ends now lies above fewer points than before, and is still the
    // bridge.
    if isBridgeBroken { findBridge(of: node) }
    return node
  }

  /// Finds a node's bridge by descending from both children at once; each step discards half of one
  /// of them.
  private func findBridge(of node: Int32) {
    let parent = nodes[Int(node)]
    let dividerEast = points[Int(parent.divider)].eastMetres
    var left = nodes[Int(parent.left)]
    var right = nodes[Int(parent.right)]
    while !(left.isLeaf && right.isLeaf) {
      let (a, b) = (points[Int(left.bridgeLeft)], points[Int(left.bridgeRight)])
      let (c, d) = (points[Int(right.bridgeLeft)], points[Int(right.bridgeRight)])
      let turnAtB = left.isLeaf ? 0 : Orientation.sign(a, b, c)
      if turnAtB > 0 {
        // Seen from c, a is above b: the bridge leaves the left half at a or before it.
        left = nodes[Int(left.left)]
        continue
      }
      let turnAtC = right.isLeaf ? 0 : Orientation.sign(b, c, d)
      if turnAtC > 0 {
        right = nodes[Int(right.right)]
      } else if left.isLeaf {
        right = nodes[Int(right.left)]
      } else if right.isLeaf || turnAtC == 0 {
        left = nodes[Int(left.right)]
      } else {
        // The lines ab and cd cross between b and c. West of the crossing the left half is below
        // cd, east of it the right half is below ab; the divider tells which of the two halves is
        // entirely on its side. A turn of 0 at b means that the lines cross in c.
        let side =
          turnAtB == 0
          ? c.eastMetres - dividerEast
          : Orientation.crossingSide(a, b, c, d, dividerEast: dividerEast)
        if side <= 0 {
          left = nodes[Int(left.right)]
        } else {
          right = nodes[Int(right.left)]
        }
      }
    }
    nodes[Int(node)].bridgeLeft = left.bridgeLeft
    nodes[Int(node)].bridgeRight = right.bridgeLeft
  }
}
