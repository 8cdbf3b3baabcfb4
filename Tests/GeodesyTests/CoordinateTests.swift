import Geodesy
import Testing

/// Returns a coordinate of a test; one out of range is a mistake in the test.
func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
  try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
}

/// Returns a ring or path from (latitude, longitude) pairs.
func coordinates(_ pairs: [(Double, Double)]) throws -> [Coordinate] {
  try pairs.map { try coordinate($0.0, $0.1) }
}

@Suite("Coordinates")
struct CoordinateTests {
  @Test(
    "Angles up to the limits are accepted as they are",
    arguments: [(90.0, 180.0), (-90, -180), (0, 0)])
  func limits(latitude: Double, longitude: Double) throws {
    let place = try coordinate(latitude, longitude)
    #expect(place.latitudeDegrees == latitude)
    #expect(place.longitudeDegrees == longitude)
  }

  @Test(
    "Angles beyond the limits and numbers that are not finite are refused",
    arguments: [
      (90.0.nextUp, 0.0), ((-90.0).nextDown, 0), (0, 180.0.nextUp), (0, (-180.0).nextDown),
      (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity),
    ])
  func refused(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) == nil)
  }

  @Test(
    "A longitude that goes round the Earth names the same meridian, and -180 to 180 stay as they are",
    arguments: [
      (-181.0, 179.0), (181, -179), (-180, -180), (180, 180), (-359, 1), (359, -1), (720, 0),
      (-545, 175), (16.6, 16.6),
    ])
  func meridian(given: Double, kept: Double) {
    #expect(Coordinate.wrapped(longitudeDegrees: given) == kept)
    #expect(!Coordinate.wrapped(longitudeDegrees: .infinity).isFinite)
  }
}
