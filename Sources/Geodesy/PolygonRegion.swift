// The problem: whether a place lies in a parcel, and how far and in which direction its boundary is.
//
// The obvious idea: compare degrees as if they were a plane. Distances are then wrong by the cosine
// of the latitude, and parcels across the antimeridian or around a pole fall apart.
//
// What is done: the rings are projected to the tangent plane of the coordinate that is asked about.
// Seen from there every geodesic through that place is straight, so an edge is right exactly where
// it decides; an edge of 10 km at a distance of 10 km is 3 mm off. Whether the place is inside is
// decided by exact turns, so a place on an edge is inside of both neighbours.
//
// Land may have holes and lie in several parts, an island in a hole's lake among them. A place is
// inside where an odd number of rings lies round it: nobody has to say which ring is what.
//
// Cost: O(corners) for each question, no allocation.

import Foundation

/// A part of the Earth's surface: what an odd number of rings lies round. Rings do not cross each
/// other; one within another is a hole of it, one beside it is a further part. Edges are geodesics.
///
/// Meant for parcels up to some 100 km. The boundary belongs to the region, that of a hole as well.
public struct PolygonRegion: Hashable, Sendable {
  /// The outer ring, without a repeated closing point; its direction does not matter.
  public let exterior: [Coordinate]
  /// The other rings, holes and further parts, each without a repeated closing point; their
  /// direction does not matter.
  public let others: [[Coordinate]]

  /// All rings, the exterior first.
  public var rings: [[Coordinate]] { [exterior] + others }

  /// The region of these rings.
  ///
  /// Nil when there is no first ring or it has fewer than three distinct points. Another ring with
  /// fewer than three distinct points encloses nothing and is dropped.
  public init?(rings: [[Coordinate]]) {
    guard let first = rings.first else { return nil }
    exterior = Self.withoutClosingPoint(first)
    guard Self.canEnclose(exterior) else { return nil }
    others = rings.dropFirst().map(Self.withoutClosingPoint).filter(Self.canEnclose)
  }

  /// Area of the outlines less that of their holes, in square metres, never negative.
  public var areaSquareMetres: Double {
    parts.reduce(0) { sum, part in
      let whole = Geodesic.polygon(part.outline).areaSquareMetres
      return sum
        + max(0, part.holes.reduce(whole) { $0 - Geodesic.polygon($1).areaSquareMetres })
    }
  }

  /// Whether the coordinate lies in the region or on its boundary.
  public func contains(_ coordinate: Coordinate) -> Bool {
    contains(LocalPlane(origin: coordinate))
  }

  /// Metres from the coordinate to the nearest point of the region; 0 inside and on the boundary.
  public func distanceMetres(to coordinate: Coordinate) -> Double {
    wayToBoundary(from: coordinate)?.distanceMetres ?? 0
  }

  /// Direction from the coordinate to the nearest point of the boundary, in degrees from true north,
  /// 0 ..< 360; nil inside and on the boundary.
  public func bearingDegrees(from coordinate: Coordinate) -> Double? {
    wayToBoundary(from: coordinate)?.initialAzimuthDegrees
  }

  /// The geodesic to the nearest point of the boundary; nil inside.
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
    // The plane shortens long distances; the ellipsoid does not.
    return Geodesic.inverse(from: coordinate, to: plane.coordinate(of: nearest))
  }

  /// From the other side of the Earth an edge has no picture on the plane; corners are near enough.
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

  /// Where the plane's origin lies: an eastward ray from inside crosses the ring an odd number of
  /// times.
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
