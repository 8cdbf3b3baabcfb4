// The problem: how far is one parcel from another, if they may touch, overlap, or lie one within
// the other?
//
// The obvious idea: the least distance of the corners of each from the other. Two strips that cross
// each other are then far apart, and each corner projects all corners of the other region again.
//
// The solution: both regions are projected to one plane, and their edges are compared, edge with
// edge, as far as their rectangles let them be within reach. If no edges meet, a ring of one region
// may still lie inside the other: its first corner decides.
//
// Cost: O(corners) for the plane, then O(edges of one × edges of the other) of those within reach.
// Beyond `edgePairsAtMost` pairs the rectangles of the regions decide, which are never further
// apart than the regions.

extension PolygonRegion {
  /// The most pairs of edges that are compared, some hundredths of a second.
  static let edgePairsAtMost = 4_000_000

  /// Returns the metres between two regions; 0 if they touch or overlap, nil if they are further
  /// apart than a reach.
  /// - Parameter reachMetres: the greatest distance of interest, at most some 10 km, metres.
  public func gapMetres(to other: PolygonRegion, within reachMetres: Double) -> Double? {
    guard let corner = other.exterior.first else { return nil }
    let plane = LocalPlane(origin: corner)
    guard isFaced(by: plane), other.isFaced(by: plane) else { return nil }
    let (own, theirs) = (edges(in: plane), other.edges(in: plane))
    let (ownBox, theirBox) = (PlaneBox(around: own), PlaneBox(around: theirs))
    let rough = ownBox.gapMetres(to: theirBox)
    guard rough <= reachMetres else { return nil }
    let first = own.filter { PlaneBox(around: [$0]).gapMetres(to: theirBox) <= reachMetres }
    let second = theirs.filter { PlaneBox(around: [$0]).gapMetres(to: ownBox) <= reachMetres }
    guard first.count * second.count <= Self.edgePairsAtMost else { return rough }
    if Self.reaches(rings, into: theirs, plane) || Self.reaches(other.rings, into: own, plane) {
      return 0
    }
    var least = Double.infinity
    for edge in first {
      for opposite in second { least = min(least, edge.squaredGap(to: opposite)) }
      if least == 0 { return 0 }
    }
    let gap = least.squareRoot()
    return gap <= reachMetres ? gap : nil
  }

  private func edges(in plane: LocalPlane) -> [PlaneEdge] {
    var edges: [PlaneEdge] = []
    for ring in rings {
      Self.forEachEdge(of: ring, in: plane) { edges.append(PlaneEdge(start: $0, end: $1)) }
    }
    return edges
  }

  /// Returns true if the first corner of a ring is inside the region that some edges bound.
  private static func reaches(
    _ rings: [[Coordinate]], into edges: [PlaneEdge], _ plane: LocalPlane
  ) -> Bool {
    rings.contains { ring in
      guard let corner = ring.first.map(plane.project) else { return false }
      // An eastward ray from inside crosses the edges an odd number of times.
      return !edges.count { $0.isCrossed(byRayFrom: corner) }.isMultiple(of: 2)
    }
  }
}

/// An edge of a region on a plane.
private struct PlaneEdge {
  var start: PlanePoint
  var end: PlanePoint

  func isCrossed(byRayFrom point: PlanePoint) -> Bool {
    guard (start.northMetres > point.northMetres) != (end.northMetres > point.northMetres) else {
      return false
    }
    let part =
      (point.northMetres - start.northMetres) / (end.northMetres - start.northMetres)
    return start.eastMetres + part * (end.eastMetres - start.eastMetres) > point.eastMetres
  }

  /// Returns the square of the metres to another edge; 0 if they cross.
  func squaredGap(to other: PlaneEdge) -> Double {
    if turn(to: other.start) * turn(to: other.end) < 0,
      other.turn(to: start) * other.turn(to: end) < 0
    {
      return 0
    }
    return min(
      squaredGap(to: other.start), squaredGap(to: other.end), other.squaredGap(to: start),
      other.squaredGap(to: end))
  }

  /// Returns a number above 0 for a point on the left of the edge, and below 0 on the right.
  private func turn(to point: PlanePoint) -> Double {
    (end.eastMetres - start.eastMetres) * (point.northMetres - start.northMetres)
      - (end.northMetres - start.northMetres) * (point.eastMetres - start.eastMetres)
  }

  private func squaredGap(to point: PlanePoint) -> Double {
    let (east, north) = (end.eastMetres - start.eastMetres, end.northMetres - start.northMetres)
    let (pointEast, pointNorth) = (
      point.eastMetres - start.eastMetres, point.northMetres - start.northMetres
    )
    let squared = east * east + north * north
    let part = squared > 0 ? min(max((pointEast * east + pointNorth * north) / squared, 0), 1) : 0
    let (missEast, missNorth) = (pointEast - part * east, pointNorth - part * north)
    return missEast * missEast + missNorth * missNorth
  }
}

/// The rectangle around some edges on a plane.
private struct PlaneBox {
  private var west = Double.infinity
  private var east = -Double.infinity
  private var south = Double.infinity
  private var north = -Double.infinity

  init(around edges: [PlaneEdge]) {
    for edge in edges {
      west = min(west, edge.start.eastMetres, edge.end.eastMetres)
      east = max(east, edge.start.eastMetres, edge.end.eastMetres)
      south = min(south, edge.start.northMetres, edge.end.northMetres)
      north = max(north, edge.start.northMetres, edge.end.northMetres)
    }
  }

  /// Returns the metres between two rectangles; 0 if they meet.
  func gapMetres(to other: PlaneBox) -> Double {
    let aside = max(0, other.west - east, west - other.east)
    let up = max(0, other.south - north, south - other.north)
    return (aside * aside + up * up).squareRoot()
  }
}
