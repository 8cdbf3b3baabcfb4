// The problem: an outline that crosses itself has no inside. Outlines come from any source, with up
// to hundreds of thousands of corners, and there are hundreds of thousands of them.
//
// The obvious idea: compare every edge with every other. For 100 000 corners that is five thousand
// million pairs, minutes for one parcel.
//
// The solution: a binary tree over the edges in their order, each node with the rectangle around
// its edges. Edges that follow each other lie near each other, so rectangles of distant branches
// hardly meet, and pairs of nodes whose rectangles do not meet are skipped entirely. Exact turns
// decide if two edges touch; if rings meet in a corner, the order in which their edges leave it
// decides. An outline can be drawn on purpose so that this is slow; therefore the work is bounded,
// and such an outline is refused as too intricate.
//
// Cost: O(n log n) for outlines of land, 1 000 000 + 400 n steps at most. O(n) memory.

/// The reason why rings are no outline. Places are in the plane of longitude and latitude, in
/// degrees.
public enum RingFlaw: Hashable, Sendable {
  /// Two edges cross near this place.
  case crossing(longitudeDegrees: Double, latitudeDegrees: Double)
  /// A ring touches itself at this place.
  case touching(longitudeDegrees: Double, latitudeDegrees: Double)
  /// Two rings run along each other from this place on.
  case sharing(longitudeDegrees: Double, latitudeDegrees: Double)
  /// A ring turns back at this place and retraces the edge that led there.
  case doublingBack(longitudeDegrees: Double, latitudeDegrees: Double)
  /// Too many edges lie too close together for an answer within the bounded work.
  case tooIntricate

  /// Returns the first flaw of rings without a closing point; nil for sound rings.
  ///
  /// Different rings may meet in single points, but share no edge: the rule is that of simple
  /// features (OGC 06-103r4, 6.1.14), to which RFC 7946 refers. Therefore any point within a ring
  /// without a flaw tells where the whole ring lies, and no land is counted twice.
  public static func first(in rings: [[Coordinate]]) -> RingFlaw? {
    let edges = RingEdges(rings)
    return edges.flaw()
  }
}

private struct RingEdges {
  struct Edge {
    var start: PlanePoint
    var end: PlanePoint
    var ring: Int
    /// The edge's index in the ring.
    var place: Int
  }

  private let counts: [Int]
  private var edges: [Edge] = []
  /// A complete binary tree: the children of k are 2k and 2k + 1, the leaves begin at `width`.
  private var boxes: [DegreeBox]
  private let width: Int

  init(_ rings: [[Coordinate]]) {
    counts = rings.map(\.count)
    edges.reserveCapacity(counts.reduce(0, +))
    for (number, ring) in rings.enumerated() {
      for (place, corner) in ring.enumerated() {
        let next = place + 1 < ring.count ? ring[place + 1] : ring[0]
        edges.append(Edge(start: corner.degrees, end: next.degrees, ring: number, place: place))
      }
    }
    var width = 1
    while width < edges.count { width *= 2 }
    self.width = width
    boxes = Array(repeating: DegreeBox([]), count: 2 * width)
    for (index, edge) in edges.enumerated() {
      boxes[width + index] = DegreeBox(
        west: min(edge.start.eastMetres, edge.end.eastMetres),
        south: min(edge.start.northMetres, edge.end.northMetres),
        east: max(edge.start.eastMetres, edge.end.eastMetres),
        north: max(edge.start.northMetres, edge.end.northMetres))
    }
    for node in stride(from: width - 1, to: 0, by: -1) {
      let (one, other) = (boxes[2 * node], boxes[2 * node + 1])
      boxes[node] = DegreeBox(
        west: min(one.west, other.west), south: min(one.south, other.south),
        east: max(one.east, other.east), north: max(one.north, other.north))
    }
  }

  func flaw() -> RingFlaw? {
    guard edges.count > 1 else { return nil }
    for (index, edge) in edges.enumerated() {
      let isLast = edge.place + 1 == counts[edge.ring]
      let next = edges[isLast ? index - edge.place : index + 1]
      if let flaw = doublingBack(edge, next) { return flaw }
    }
    var steps = 1_000_000 + 400 * edges.count
    var pairs = [(1, 1)]
    while let (one, other) = pairs.popLast() {
      steps -= 1
      guard steps > 0 else { return .tooIntricate }
      if one == other {
        guard one < width else { continue }
        pairs.append((2 * one, 2 * one))
        pairs.append((2 * one + 1, 2 * one + 1))
        pairs.append((2 * one, 2 * one + 1))
        continue
      }
      let (left, right) = (boxes[one], boxes[other])
      // Leaves without an edge have empty rectangles and meet nothing.
      guard left.west <= right.east, left.east >= right.west, left.south <= right.north,
        left.north >= right.south
      else { continue }
      if one >= width {
        if let flaw = flaw(one - width, other - width) { return flaw }
      } else {
        pairs.append((2 * one, 2 * other))
        pairs.append((2 * one, 2 * other + 1))
        pairs.append((2 * one + 1, 2 * other))
        pairs.append((2 * one + 1, 2 * other + 1))
      }
    }
    return nil
  }

  private func flaw(_ first: Int, _ second: Int) -> RingFlaw? {
    let (one, other) = (edges[first], edges[second])
    if one.ring == other.ring {
      let count = counts[one.ring]
      // Neighbouring edges share a corner, and were checked before.
      if (one.place + 1) % count == other.place || (other.place + 1) % count == one.place {
        return nil
      }
    }
    let (a, b, c, d) = (one.start, one.end, other.start, other.end)
    let turns = (
      Orientation.sign(a, b, c), Orientation.sign(a, b, d), Orientation.sign(c, d, a),
      Orientation.sign(c, d, b)
    )
    if turns.0 != 0, turns.1 != 0, turns.2 != 0, turns.3 != 0 {
      guard (turns.0 > 0) != (turns.1 > 0), (turns.2 > 0) != (turns.3 > 0) else { return nil }
      let share = turns.0 / (turns.0 - turns.1)
      return .crossing(
        longitudeDegrees: c.eastMetres + share * (d.eastMetres - c.eastMetres),
        latitudeDegrees: c.northMetres + share * (d.northMetres - c.northMetres))
    }
    for (turn, point, from, to) in [
      (turns.0, c, a, b), (turns.1, d, a, b), (turns.2, a, c, d), (turns.3, b, c, d),
    ] where turn == 0 && isBetween(point, from, to) {
      guard one.ring != other.ring else {
        return .touching(
          longitudeDegrees: point.eastMetres, latitudeDegrees: point.northMetres)
      }
      if let flaw = meeting(at: point, first, second) { return flaw }
    }
    return nil
  }

  /// Returns the flaw of two rings that meet in a point that is a corner of one of them; nil if
  /// they only touch. The rings run along each other if two of the four edges that leave the point
  /// have the same direction; they cross if each ring has an edge on either side of the other.
  private func meeting(at point: PlanePoint, _ first: Int, _ second: Int) -> RingFlaw? {
    let (one, other) = (ways(from: point, first), ways(from: point, second))
    for way in [one.0, one.1] {
      if isSameWay(from: point, way, other.0) || isSameWay(from: point, way, other.1) {
        return .sharing(longitudeDegrees: point.eastMetres, latitudeDegrees: point.northMetres)
      }
    }
    guard isWithin(one.0, other, from: point) != isWithin(one.1, other, from: point) else {
      return nil
    }
    return .crossing(longitudeDegrees: point.eastMetres, latitudeDegrees: point.northMetres)
  }

  /// Returns the points to which a ring leads in both directions from a point of one of its edges.
  private func ways(from point: PlanePoint, _ index: Int) -> (PlanePoint, PlanePoint) {
    let edge = edges[index]
    let (start, count) = (index - edge.place, counts[edge.ring])
    if point == edge.start {
      return (edges[start + (edge.place + count - 1) % count].start, edge.end)
    }
    if point == edge.end { return (edge.start, edges[start + (edge.place + 1) % count].end) }
    return (edge.start, edge.end)
  }

  private func isSameWay(from point: PlanePoint, _ one: PlanePoint, _ other: PlanePoint) -> Bool {
    Orientation.sign(point, one, other) == 0
      && (one.eastMetres > point.eastMetres) == (other.eastMetres > point.eastMetres)
      && (one.eastMetres < point.eastMetres) == (other.eastMetres < point.eastMetres)
      && (one.northMetres > point.northMetres) == (other.northMetres > point.northMetres)
      && (one.northMetres < point.northMetres) == (other.northMetres < point.northMetres)
  }

  /// Returns true if a direction lies between two others, counter-clockwise from the first of them.
  /// No two of the three are equal.
  private func isWithin(
    _ way: PlanePoint, _ sides: (PlanePoint, PlanePoint), from point: PlanePoint
  ) -> Bool {
    let turn = Orientation.sign(point, sides.0, sides.1)
    let afterFirst = Orientation.sign(point, sides.0, way) > 0
    // At a point that is no corner of a ring, its two directions form a straight line.
    if turn == 0 { return afterFirst }
    if turn > 0 { return afterFirst && Orientation.sign(point, way, sides.1) > 0 }
    return
      !(Orientation.sign(point, sides.1, way) > 0
      && Orientation.sign(point, way, sides.0) > 0)
  }

  /// Returns the flaw if `other`, which begins at the end of `one`, leads back along it.
  private func doublingBack(_ one: Edge, _ other: Edge) -> RingFlaw? {
    guard Orientation.sign(one.start, one.end, other.end) == 0 else { return nil }
    let corner = one.end
    let along =
      (one.start.eastMetres - corner.eastMetres) * (other.end.eastMetres - corner.eastMetres)
      + (one.start.northMetres - corner.northMetres) * (other.end.northMetres - corner.northMetres)
    guard along > 0 else { return nil }
    return .doublingBack(
      longitudeDegrees: corner.eastMetres, latitudeDegrees: corner.northMetres)
  }

  /// Returns true if a point on the line through an edge lies on the edge.
  private func isBetween(_ point: PlanePoint, _ from: PlanePoint, _ to: PlanePoint) -> Bool {
    min(from.eastMetres, to.eastMetres) <= point.eastMetres
      && point.eastMetres <= max(from.eastMetres, to.eastMetres)
      && min(from.northMetres, to.northMetres) <= point.northMetres
      && point.northMetres <= max(from.northMetres, to.northMetres)
  }
}
