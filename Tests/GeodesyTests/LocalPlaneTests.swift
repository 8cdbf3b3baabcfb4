import Foundation
import Geodesy
import TestSupport
import Testing

@Suite("The local plane")
struct LocalPlaneTests {
  /// Origins at mid-latitudes, on the equator, on both sides of the antimeridian, at both poles and
  /// beside them.
  static let origins: [(Double, Double)] = [
    (50, 14), (-33, -70), (0, 0), (0, 180), (10, 179.999_99), (-17, -179.999_99), (65, -180),
    (90, 0), (90, 123), (-90, 0), (89.9999, 45), (-89.9999, -135),
  ]

  @Test("The origin is zero", arguments: origins)
  func origin(latitude: Double, longitude: Double) throws {
    let origin = try coordinate(latitude, longitude)
    let plane = LocalPlane(origin: origin)
    #expect(plane.project(origin) == PlanePoint(eastMetres: 0, northMetres: 0))
    #expect(plane.coordinate(of: PlanePoint(eastMetres: 0, northMetres: 0)) == origin)
  }

  @Test("Distance and direction agree with the geodesic, to 1 mm within 5 km", arguments: origins)
  func agreesWithGeodesic(latitude: Double, longitude: Double) throws {
    let origin = try coordinate(latitude, longitude)
    let plane = LocalPlane(origin: origin)
    forEachSeed(0..<40) { seed, generator in
      let azimuth = Double.random(in: 0..<360, using: &generator)
      let distance = Double.random(in: 0...5000, using: &generator)
      let point = plane.project(
        Geodesic.direct(from: origin, initialAzimuthDegrees: azimuth, distanceMetres: distance))
      let expectedEast = distance * sin(azimuth * .pi / 180)
      let expectedNorth = distance * cos(azimuth * .pi / 180)
      #expect(abs(point.eastMetres - expectedEast) < 1e-3, "seed \(seed)")
      #expect(abs(point.northMetres - expectedNorth) < 1e-3, "seed \(seed)")
    }
  }

  /// Returns half the distance between neighbouring doubles, the resolution of degrees: up to 0.8
  /// nm of latitude and 1.6 nm of longitude.
  private func notationMetres(of place: Coordinate) -> Double {
    let radians = place.latitudeDegrees * .pi / 180
    return 111_700 / 2
      * (place.latitudeDegrees.ulp + place.longitudeDegrees.ulp * abs(cos(radians)))
  }

  @Test("Coordinate to plane and back is the same to a nanometre within 10 km", arguments: origins)
  func coordinateRoundTrip(latitude: Double, longitude: Double) throws {
    let origin = try coordinate(latitude, longitude)
    let plane = LocalPlane(origin: origin)
    forEachSeed(0..<100) { seed, generator in
      let place = Geodesic.direct(
        from: origin, initialAzimuthDegrees: .random(in: 0..<360, using: &generator),
        distanceMetres: .random(in: 0...10_000, using: &generator))
      let back = plane.coordinate(of: plane.project(place))
      let apart = LocalPlane(origin: place).project(back)
      let distance = (apart.eastMetres * apart.eastMetres + apart.northMetres * apart.northMetres)
        .squareRoot()
      #expect(distance < 1e-9 + notationMetres(of: place), "seed \(seed)")
    }
  }

  @Test("Plane to coordinate and back is the same to a nanometre within 10 km", arguments: origins)
  func planeRoundTrip(latitude: Double, longitude: Double) throws {
    let plane = LocalPlane(origin: try coordinate(latitude, longitude))
    forEachSeed(0..<100) { seed, generator in
      let point = PlanePoint(
        eastMetres: .random(in: -7000...7000, using: &generator),
        northMetres: .random(in: -7000...7000, using: &generator))
      let place = plane.coordinate(of: point)
      let back = plane.project(place)
      let allowed = 1e-9 + notationMetres(of: place)
      #expect(abs(back.eastMetres - point.eastMetres) < allowed, "seed \(seed)")
      #expect(abs(back.northMetres - point.northMetres) < allowed, "seed \(seed)")
    }
  }

  @Test("Agrees with the difference of two Earth-centred vectors, also 2,000 km away")
  func agreesWithEarthCentred() throws {
    try forEachSeed(0..<200) { seed, generator in
      let origin = try coordinate(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let place = Geodesic.direct(
        from: origin, initialAzimuthDegrees: .random(in: 0..<360, using: &generator),
        distanceMetres: .random(in: 0...2_000_000, using: &generator))
      let from = earthCentred(origin)
      let to = earthCentred(place)
      let (dx, dy, dz) = (to.0 - from.0, to.1 - from.1, to.2 - from.2)
      let latitude = origin.latitudeDegrees * .pi / 180
      let longitude = origin.longitudeDegrees * .pi / 180
      let east = -sin(longitude) * dx + cos(longitude) * dy
      let north =
        -sin(latitude) * (cos(longitude) * dx + sin(longitude) * dy) + cos(latitude) * dz
      let plane = LocalPlane(origin: origin)
      let point = plane.project(place)
      #expect(abs(point.eastMetres - east) < 1e-8, "seed \(seed)")
      #expect(abs(point.northMetres - north) < 1e-8, "seed \(seed)")
      let apart = Geodesic.distanceMetres(from: place, to: plane.coordinate(of: point))
      #expect(apart < 1e-7, "seed \(seed)")
    }
  }

  private func earthCentred(_ place: Coordinate) -> (Double, Double, Double) {
    let latitude = place.latitudeDegrees * .pi / 180
    let longitude = place.longitudeDegrees * .pi / 180
    let flattening = 1 / 298.257_223_563
    let squared = flattening * (2 - flattening)
    let radius = 6_378_137 / (1 - squared * sin(latitude) * sin(latitude)).squareRoot()
    return (
      radius * cos(latitude) * cos(longitude), radius * cos(latitude) * sin(longitude),
      radius * (1 - squared) * sin(latitude)
    )
  }

  @Test("Points off the Earth's edge and numbers that are not finite still give a coordinate")
  func impossiblePoints() throws {
    let plane = LocalPlane(origin: try coordinate(50, 14))
    for east in [6_378_000.0, 1e9, -1e300, .infinity, .nan] {
      let place = plane.coordinate(of: PlanePoint(eastMetres: east, northMetres: 0))
      #expect(place.latitudeDegrees.isFinite && place.longitudeDegrees.isFinite)
    }
  }
}
