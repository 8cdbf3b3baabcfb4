// The problem: does a place lie in a parcel, and how far away and in which direction is its
// boundary?
//
// The obvious idea: compare degrees as if they were coordinates in a plane. Distances are then
// wrong by the cosine of the latitude, and parcels across the antimeridian or around a pole fall
// apart.
//
// The solution: the rings are projected to the tangent plane of the coordinate in question. On that
// plane every geodesic through the coordinate is straight, so an edge is exact at the place that
// decides; an edge of 10 km at a distance of 10 km is 3 mm off. Exact turns decide if the place is
// inside, so a place on an edge is inside both neighbours.
//
// Land may have holes and several parts, such as an island in the lake of a hole. A place is inside
// if an odd number of rings lies around it, so that no ring needs to be marked as an outline or a
// hole.
//
// Cost: O(corners) for each question, no allocation.

import Foundation

/// A part of the Earth's surface: all places with an odd number of rings around them. Rings do not
/// cross each other; a ring within another is a hole of it, a ring outside all others is a further
/// part. Edges are geodesics.
///
/// Regions are meant for parcels up to some 100 km. The region includes its boundary, and that of
/// its holes.
public struct PolygonRegion: Hashable, Sendable {
  /// The outer ring, without a repeated closing point; its direction does not matter.
  public let exterior: [Coordinate]
  /// The other rings, holes and further parts, each without a repeated closing point; their
  /// direction does not matter.
  public let others: [[Coordinate]]

  /// All rings, the exterior first.
  public var rings: [[Coordinate]] { [exterior] + others }

  /// Creates the region of these rings.
  ///
  /// Nil if there is no first ring or it has fewer than three distinct points. Another ring with
  /// fewer than three distinct points encloses nothing and is dropped.
  public init?(rings: [[Coordinate]]) {
    guard let first = rings.first else { return nil }
    exterior = Self.withoutClosingPoint(first)
    guard Self.canEnclose(exterior) else { return nil }
    others = rings.dropFirst().map(Self.withoutClosingPoint).filter(Self.canEnclose)
  }

  /// Area of the outlines minus that of their holes, in square metres, never negative.
  public var areaSquareMetres: Double {
    parts.reduce(0) { sum, part in
      let whole = Geodesic.polygon(part.outline).areaSquareMetres
      return sum
        + max(0, part.holes.reduce(whole) { $0 - Geodesic.polygon($1).areaSquareMetres })
    }
  }

  /// Returns true if the coordinate lies in the region or on its boundary.
  public func contains(_ coordinate: Coordinate) -> Bool {
    contains(LocalPlane(origin: coordinate))
  }

  /// Returns the metres from the coordinate to the nearest point of the region; 0 inside and on the
  /// boundary.
  public func distanceMetres(to coordinate: Coordinate) -> Double {
    wayToBoundary(from: coordinate)?.distanceMetres ?? 0
  }

  /// Returns the direction from the coordinate to the nearest point of the boundary, in degrees
  /// clockwise from true north, 0 ..< 360; nil inside and on the boundary.
  public func bearingDegrees(from coordinate: Coordinate) -> Double? {
    wayToBoundary(from: coordinate)?.initialAzimuthDegrees
  }

  /// Returns the geodesic to the nearest point of the boundary; nil inside and on the boundary.
  private func wayToBoundary(from coordinate: Coordinate) -> GeodesicInverse? {
    let plane = LocalPlane(origin: coordinate)
    if contains(plane) { return nil }
    guard isFaced(by: plane) else { return wayToNearestCorner(from: coordinate) }
    var nearest = PlanePoint(eastMetres: .infinity, northMetres: .infinity)
    var nearestSquared = Double.infinity
    for ring in rings {
      Self.forEachEdge(of: ring, in: plane) { start, end in
        let point = Self.nearestToOrigin(on: start, end)
        let squared =
          point.eastMetres * point.eastMetres + point.northMetres * point.northMetres
        if squared < nearestSquared { (nearest, nearestSquared) = (point, squared) }
      }
    }
    // The distance is taken on the ellipsoid, because the plane shortens long distances.
    return Geodesic.inverse(from: coordinate, to: plane.coordinate(of: nearest))
  }

  /// Returns the geodesic to the nearest corner. An edge on the other side of the Earth cannot be
  /// projected to the plane, and at that distance a corner is near enough.
  private func wayToNearestCorner(from coordinate: Coordinate) -> GeodesicInverse? {
    rings.joined().map { Geodesic.inverse(from: coordinate, to: $0) }
      .min { $0.distanceMetres < $1.distanceMetres }
  }

  func isFaced(by plane: LocalPlane) -> Bool {
    exterior.allSatisfy(plane.facesOrigin)
      && others.allSatisfy { $0.allSatisfy(plane.facesOrigin) }
  }

  private func contains(_ plane: LocalPlane) -> Bool {
    guard isFaced(by: plane) else { return false }
    var isInside = false
    for index in -1..<others.count {
      switch Self.side(of: index < 0 ? exterior : others[index], in: plane) {
      case .outside: break
      case .boundary: return true
      case .inside: isInside.toggle()
      }
    }
    return isInside
  }

  enum Side { case inside, boundary, outside }

  /// Returns the place of the plane's origin in relation to a ring: an eastward ray from inside
  /// crosses the ring an odd number of times.
  static func side(of ring: [Coordinate], in plane: LocalPlane) -> Side {
    let origin = PlanePoint(eastMetres: 0, northMetres: 0)
    var isInside = false
    var isOnBoundary = false
    forEachEdge(of: ring, in: plane) { start, end in
      let turn = Orientation.sign(start, end, origin)
      if turn == 0, min(start.eastMetres, end.eastMetres) <= 0,
        max(start.eastMetres, end.eastMetres) >= 0,
        min(start.northMetres, end.northMetres) <= 0,
        max(start.northMetres, end.northMetres) >= 0
      {
        isOnBoundary = true
      }
      let goesNorth = start.northMetres <= 0 && end.northMetres > 0
      let goesSouth = start.northMetres > 0 && end.northMetres <= 0
      if (goesNorth && turn > 0) || (goesSouth && turn < 0) { isInside.toggle() }
    }
    return isOnBoundary ? .boundary : isInside ? .inside : .outside
  }

  private static func nearestToOrigin(on start: PlanePoint, _ end: PlanePoint) -> PlanePoint {
    let east = end.eastMetres - start.eastMetres
    let north = end.northMetres - start.northMetres
    let squared = east * east + north * north
    guard squared > 0 else { return start }
    let along = -(start.eastMetres * east + start.northMetres * north) / squared
    let part = min(max(along, 0), 1)
    return PlanePoint(
      eastMetres: start.eastMetres + part * east, northMetres: start.northMetres + part * north)
  }

  static func forEachEdge(
    of ring: [Coordinate], in plane: LocalPlane, _ body: (PlanePoint, PlanePoint) -> Void
  ) {
    guard let last = ring.last else { return }
    var start = plane.project(last)
    for corner in ring {
      let end = plane.project(corner)
      body(start, end)
      start = end
    }
  }

  private static func withoutClosingPoint(_ ring: [Coordinate]) -> [Coordinate] {
    ring.count > 1 && ring.first == ring.last ? Array(ring.dropLast()) : ring
  }

  private static func canEnclose(_ ring: [Coordinate]) -> Bool {
    Set(ring).count >= 3
  }
}
