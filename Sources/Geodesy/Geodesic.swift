import CGeodesic

/// The shortest path between two coordinates, as `Geodesic.inverse` finds it.
public struct GeodesicInverse: Hashable, Sendable {
  /// Length along the ellipsoid in metres, never negative.
  public let distanceMetres: Double
  /// Direction of the path at its start, in degrees clockwise from true north, 0 ..< 360.
  public let initialAzimuthDegrees: Double
  /// Direction of the path at its end (forward), in degrees clockwise from true north, 0 ..< 360.
  public let finalAzimuthDegrees: Double
}

/// The area, direction and perimeter of a closed ring of geodesic edges.
public struct GeodesicPolygon: Hashable, Sendable {
  /// Area on the ellipsoid in square metres, never negative; 0 for fewer than three points.
  public let areaSquareMetres: Double
  /// True if the ring keeps its area on its left; false for a ring without area.
  public let isCounterClockwise: Bool
  /// Length of the closed ring in metres; for two points, there and back.
  public let perimeterMetres: Double
}

/// Distances, directions and areas on the WGS 84 ellipsoid.
///
/// Source: C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87, 43–55 (2013), in the author's
/// own library, GeographicLib; accurate to about 15 nanometres and 0.1 m².
public enum Geodesic {
  /// Returns the shortest path from `start` to `end`.
  ///
  /// The azimuths of two equal coordinates have no meaning, though they are numbers in range.
  public static func inverse(from start: Coordinate, to end: Coordinate) -> GeodesicInverse {
    var distance = 0.0
    var initial = 0.0
    var final = 0.0
    geodesic_inverse(
      start.latitudeDegrees, start.longitudeDegrees, end.latitudeDegrees, end.longitudeDegrees,
      &distance, &initial, &final)
    return GeodesicInverse(
      distanceMetres: distance, initialAzimuthDegrees: compassDegrees(initial),
      finalAzimuthDegrees: compassDegrees(final))
  }

  /// Returns the length of the shortest path in metres, never negative.
  public static func distanceMetres(from start: Coordinate, to end: Coordinate) -> Double {
    inverse(from: start, to: end).distanceMetres
  }

  /// Returns the end of the geodesic that leaves `start` at `initialAzimuthDegrees` (from true
  /// north, clockwise, any finite number of degrees) and is `distanceMetres` long.
  ///
  /// A negative distance goes backwards; `start` is returned if the distance or the azimuth is not
  /// finite.
  public static func direct(
    from start: Coordinate, initialAzimuthDegrees: Double, distanceMetres: Double
  ) -> Coordinate {
    guard distanceMetres.isFinite, initialAzimuthDegrees.isFinite else { return start }
    var latitude = 0.0
    var longitude = 0.0
    geodesic_direct(
      start.latitudeDegrees, start.longitudeDegrees, initialAzimuthDegrees, distanceMetres,
      &latitude, &longitude)
    return Coordinate(computedLatitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// Returns the area, direction and perimeter of the ring, which is closed from its last point to
  /// its first.
  ///
  /// A closing point that repeats the first is tolerated. A ring around a pole is an ordinary ring.
  /// A ring divides the Earth into two parts; the smaller one is its area.
  public static func polygon(_ ring: [Coordinate]) -> GeodesicPolygon {
    var corners = ring[...]
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    let grown = GeodesicRing()
    for corner in corners { grown.add(corner) }
    var (area, perimeter) = grown.measured
    if corners.count < 3 { area = 0 }
    return GeodesicPolygon(
      areaSquareMetres: abs(area), isCounterClockwise: area > 0, perimeterMetres: perimeter)
  }

  /// Returns the length in metres of the open path through the coordinates in order; 0 for fewer
  /// than two.
  public static func lengthMetres(of path: [Coordinate]) -> Double {
    zip(path, path.dropFirst()).reduce(0) { length, leg in
      length + distanceMetres(from: leg.0, to: leg.1)
    }
  }

  /// Returns the direction of an angle in degrees as 0 ..< 360 degrees, however many turns it has.
  public static func compassDegrees(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let turned = rest < 0 ? rest + 360 : rest + 0
    // A tiny negative rest has rounded up to 360 itself.
    return turned >= 360 ? 0 : turned
  }
}
