// The problem: samples within metres of each other have to become plane points in metres, without
// losing millimetres, at every longitude and at the poles.
//
// The obvious idea: scale the differences of latitude and longitude by metres a degree. At the
// antimeridian the difference is 360 degrees, at a pole a degree of longitude has no length, and
// elsewhere the scale changes across the plane.
//
// The solution: the east and north components of the vector from the origin in Earth-centred
// coordinates (ECEF to ENU), on the tangent plane of the ellipsoid. Subtracting two vectors of
// 6,400 km loses a nanometre, so the difference is written out in the differences of the angles,
// which are exact between near coordinates: the rounding error stays in picometres.
//
// The way back is a root: the ellipsoid's point with the given east and north. Newton's steps with
// the derivative of the plane at that point converge quadratically from a geodesic's end.
//
// Cost: constant, a few sines and cosines a point, no allocation.

import Foundation

/// The plane that touches the WGS 84 ellipsoid at an origin, in metres east and north.
///
/// Distances from the origin are right to 4 mm at 10 km and to 4 m at 100 km (they come out too
/// short). Beyond a quarter of the Earth points fold back onto the plane; see `facesOrigin`.
public struct LocalPlane: Sendable {
  /// The coordinate at which the plane touches the ellipsoid.
  public let origin: Coordinate

  private let originSine: Double
  private let originCosine: Double
  /// N sin(latitude) of the origin, in metres.
  private let originAxial: Double

  /// Creates the plane that touches the ellipsoid at `origin`.
  public init(origin: Coordinate) {
    self.origin = origin
    (originSine, originCosine) = Self.sineAndCosine(degrees: origin.latitudeDegrees)
    originAxial = Self.normalRadiusMetres(sine: originSine) * originSine
  }

  /// Returns the plane point of a coordinate, in metres east and north of the origin.
  public func project(_ coordinate: Coordinate) -> PlanePoint {
    let (sine, cosine) = Self.sineAndCosine(degrees: coordinate.latitudeDegrees)
    let latitudeStep = coordinate.latitudeDegrees - origin.latitudeDegrees
    let longitudeStep = longitudeStepDegrees(to: coordinate)
    let (eastSine, _) = Self.sineAndCosine(degrees: longitudeStep)
    let (halfSine, _) = Self.sineAndCosine(degrees: longitudeStep / 2)
    let (northSine, _) = Self.sineAndCosine(degrees: latitudeStep)

    let radius = Self.normalRadiusMetres(sine: sine)
    let sphericalNorth = northSine + 2 * cosine * originSine * halfSine * halfSine
    let flatteningNorth =
      Ellipsoid.eccentricitySquared * originCosine * (radius * sine - originAxial)
    return PlanePoint(
      eastMetres: radius * cosine * eastSine,
      northMetres: radius * sphericalNorth - flatteningNorth)
  }

  /// Returns the coordinate whose projection is `point`: the inverse of `project` near the origin.
  ///
  /// The result is as exact as degrees in a double can be, which are up to 1.6 nm apart at latitude
  /// 90 and up to 3.2 nm at longitude 180. A point further from the origin than the edge of the
  /// Earth seen from above has no coordinate on the ellipsoid; the nearest coordinate at that edge
  /// is returned instead. A point that is not finite gives the origin.
  public func coordinate(of point: PlanePoint) -> Coordinate {
    let length = (point.eastMetres * point.eastMetres + point.northMetres * point.northMetres)
      .squareRoot()
    guard length.isFinite, length > 0 else { return origin }

    // The tangent plane lies over a sphere of nearly the same radius. A geodesic in the point's
    // direction, over the angle whose sine is the point's distance in radii, ends near the
    // coordinate.
    let sine = min(length / Ellipsoid.semiMajorAxisMetres, 1)
    var guess = Geodesic.direct(
      from: origin,
      initialAzimuthDegrees: atan2(point.eastMetres, point.northMetres) * 180 / .pi,
      distanceMetres: Ellipsoid.semiMajorAxisMetres * asin(sine))
    guard sine < 0.99 else { return guess }

    // The error that is left on the plane is walked on the ground, until another step makes it no
    // smaller: then the last digit of the degrees is reached.
    var best = guess
    var leastMissing = Double.infinity
    for _ in 0..<8 {
      let reached = project(guess)
      let missingEast = point.eastMetres - reached.eastMetres
      let missingNorth = point.northMetres - reached.northMetres
      let missing = (missingEast * missingEast + missingNorth * missingNorth).squareRoot()
      guard missing < leastMissing else { break }
      (best, leastMissing) = (guess, missing)
      if missing < 1e-10 { break }
      guess = step(from: guess, east: missingEast, north: missingNorth)
    }
    return best
  }

  /// Returns true if the coordinate lies on the half of the Earth that faces the plane.
  ///
  /// Only on that half does a projected point belong to one coordinate alone.
  func facesOrigin(_ coordinate: Coordinate) -> Bool {
    let (sine, cosine) = Self.sineAndCosine(degrees: coordinate.latitudeDegrees)
    let (_, longitudeCosine) = Self.sineAndCosine(
      degrees: longitudeStepDegrees(to: coordinate))
    return sine * originSine + cosine * originCosine * longitudeCosine > 0
  }

  /// Returns the difference of longitude from the origin in degrees, -180 ... 180, exact between
  /// near coordinates.
  private func longitudeStepDegrees(to coordinate: Coordinate) -> Double {
    let step = coordinate.longitudeDegrees - origin.longitudeDegrees
    if abs(step) <= 180 { return step }
    // A step of nearly 360 degrees has already lost 3 nm. Both longitudes are shifted by half a
    // turn first, which is exact near the antimeridian.
    let half = step < 0 ? 180.0 : -180.0
    return (coordinate.longitudeDegrees + half) - (origin.longitudeDegrees - half)
  }

  /// Takes one Newton step: applies the inverse of the derivative of (east, north) by the ground's
  /// own east and north at `guess` to the error that is left, in metres.
  private func step(from guess: Coordinate, east: Double, north: Double) -> Coordinate {
    let (sine, cosine) = Self.sineAndCosine(degrees: guess.latitudeDegrees)
    let (turnSine, turnCosine) = Self.sineAndCosine(
      degrees: longitudeStepDegrees(to: guess))
    // Unit vectors of east and north at the guess, seen in the plane of the origin.
    let eastOfEast = turnCosine
    let northOfEast = originSine * turnSine
    let eastOfNorth = -sine * turnSine
    let northOfNorth = originSine * sine * turnCosine + originCosine * cosine
    let determinant = eastOfEast * northOfNorth - eastOfNorth * northOfEast
    guard determinant > 1e-3 else { return guess }
    let groundEast = (east * northOfNorth - eastOfNorth * north) / determinant
    let groundNorth = (eastOfEast * north - northOfEast * east) / determinant
    let radius = Self.normalRadiusMetres(sine: sine)
    let axisDistance = radius * cosine
    let length = (groundEast * groundEast + groundNorth * groundNorth).squareRoot()
    guard length < 1, length < axisDistance / 1000 else {
      return Geodesic.direct(
        from: guess, initialAzimuthDegrees: atan2(groundEast, groundNorth) * 180 / .pi,
        distanceMetres: length)
    }
    // A short step is added to the degrees themselves, which rounds once; a geodesic rounds many
    // times.
    let meridianRadius =
      radius * (1 - Ellipsoid.eccentricitySquared)
      / (1 - Ellipsoid.eccentricitySquared * sine * sine)
    return Coordinate(
      computedLatitudeDegrees: guess.latitudeDegrees + groundNorth / meridianRadius * 180 / .pi,
      longitudeDegrees: guess.longitudeDegrees + groundEast / axisDistance * 180 / .pi)
  }

  /// Returns the radius of curvature across the meridian, in metres.
  private static func normalRadiusMetres(sine: Double) -> Double {
    Ellipsoid.semiMajorAxisMetres
      / (1 - Ellipsoid.eccentricitySquared * sine * sine).squareRoot()
  }

  /// Returns sine and cosine, the cosine to full relative precision near the poles.
  ///
  /// Beyond 45 degrees the complement is taken, whose subtraction is exact: the cosine of a rounded
  /// π/2 would put the pole 0.4 nm off the axis, and places near it up to 3 nm.
  private static func sineAndCosine(degrees: Double) -> (Double, Double) {
    let size = abs(degrees)
    guard size > 45, size <= 90 else {
      let radians = degrees * (.pi / 180)
      return (sin(radians), cos(radians))
    }
    let complement = (90 - size) * (.pi / 180)
    return (degrees < 0 ? -cos(complement) : cos(complement), sin(complement))
  }
}
