import Geodesy
import Positioning
import TestSupport
import Testing

@Suite("The nearest of very many places")
struct NearestPlacesTests {
  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  private func candidates(
    _ places: [Coordinate]
  ) -> (CoordinateBox, Int) -> [(number: Int64, place: Coordinate)] {
    { box, most in
      places.enumerated().filter { _, place in
        place.longitudeDegrees >= box.westDegrees && place.longitudeDegrees <= box.eastDegrees
          && place.latitudeDegrees >= box.southDegrees && place.latitudeDegrees <= box.northDegrees
      }.prefix(most).map { (number: Int64($0.offset), place: $0.element) }
    }
  }

  @Test(
    "they are those that a look at all of them gives, also across the antimeridian and at a pole",
    arguments: [(49.1, 16.6), (-17.0, 179.999), (0.0, -180.0), (89.99, 12.0), (-90.0, 0.0)])
  func brute(middle: (Double, Double)) throws {
    var random = SeededGenerator(seed: 7)
    let here = try place(middle.0, middle.1)
    let places = try (0..<3000).map { _ in
      let latitude = min(90, max(-90, middle.0 + Double.random(in: -0.2...0.2, using: &random)))
      let longitude = middle.1 + Double.random(in: -0.3...0.3, using: &random)
      return try place(latitude, Coordinate.wrapped(longitudeDegrees: longitude))
    }
    for (metres, limit) in [(500.0, 10), (2500, 200), (20_000, 50), (50_000, 5000)] {
      let all = places.enumerated()
        .map { (Int64($0.offset), Geodesic.distanceMetres(from: here, to: $0.element)) }
        .filter { $0.1 <= metres }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(limit)
      let found = NearestPlaces.find(
        around: here, within: metres, limit: limit, candidates(places))
      #expect(found.map(\.number) == all.map(\.0), "\(middle) \(metres)")
    }
  }

  @Test("among ten thousand places at one spot the nearest are still found")
  func crowd() throws {
    var random = SeededGenerator(seed: 9)
    let here = try place(49.1, 16.6)
    let places = try (0..<10_000).map { _ in
      try place(
        49.1 + Double.random(in: -1e-4...1e-4, using: &random),
        16.6 + Double.random(in: -1e-4...1e-4, using: &random))
    }
    let all = places.enumerated()
      .map { (Int64($0.offset), Geodesic.distanceMetres(from: here, to: $0.element)) }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(20)
    let found = NearestPlaces.find(around: here, within: 2500, limit: 20, candidates(places))
    #expect(found.map(\.number) == all.map(\.0))
  }

  @Test("a circle's box holds what the geodesic reaches in every direction")
  func box() throws {
    for (latitude, longitude) in [(0.0, 0.0), (60, 179.9), (-84, -179.99), (89.9, 5)] {
      let here = try place(latitude, longitude)
      for metres in [100.0, 2500, 50_000] {
        let box = try #require(CoordinateBox.around(here, metres: metres))
        for azimuth in stride(from: 0.0, to: 360, by: 7.5) {
          let there = Geodesic.direct(
            from: here, initialAzimuthDegrees: azimuth, distanceMetres: metres)
          #expect(
            box.parts.contains { part in
              there.longitudeDegrees >= part.westDegrees
                && there.longitudeDegrees <= part.eastDegrees
                && there.latitudeDegrees >= part.southDegrees
                && there.latitudeDegrees <= part.northDegrees
            }, "\(latitude) \(longitude) \(metres) \(azimuth)")
        }
      }
    }
  }
}
