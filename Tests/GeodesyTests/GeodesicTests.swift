import Foundation
import Geodesy
import TestSupport
import Testing

@Suite("Geodesics")
struct GeodesicTests {
  @Test("New York to London is what GeographicLib's manual says")
  func newYorkToLondon() throws {
    let way = Geodesic.inverse(from: try coordinate(40.6, -73.8), to: try coordinate(51.6, -0.5))
    #expect(abs(way.distanceMetres - 5_551_759.400) < 0.001)
    #expect(abs(way.initialAzimuthDegrees - 51.198_882_85) < 1e-8)
    #expect(abs(way.finalAzimuthDegrees - 107.821_776_74) < 1e-8)
  }

  @Test("Wellington to Salamanca, nearly antipodal, is what GeographicLib's manual says")
  func wellingtonToSalamanca() throws {
    let way = Geodesic.inverse(
      from: try coordinate(-41.32, 174.81), to: try coordinate(40.96, -5.50))
    #expect(abs(way.distanceMetres - 19_959_679.267) < 0.001)
    #expect(abs(way.initialAzimuthDegrees - 161.067_669_99) < 1e-8)
    #expect(abs(way.finalAzimuthDegrees - 18.825_195_12) < 1e-8)
  }

  @Test("20,000 km south-west of Perth is where GeographicLib's manual says")
  func southWestOfPerth() throws {
    let end = Geodesic.direct(
      from: try coordinate(-32.06, 115.74), initialAzimuthDegrees: 225, distanceMetres: 20_000_000)
    #expect(abs(end.latitudeDegrees - 32.111_955_29) < 1e-8)
    #expect(abs(end.longitudeDegrees - -63.959_252_78) < 1e-8)
  }

  @Test("Azimuths run from 0 to below 360")
  func azimuthRange() throws {
    let west = Geodesic.inverse(from: try coordinate(0, 0), to: try coordinate(0, -1))
    #expect(west.initialAzimuthDegrees == 270)
    let north = Geodesic.inverse(from: try coordinate(0, 0), to: try coordinate(1, -1e-300))
    #expect((0..<360).contains(north.initialAzimuthDegrees))
    let south = Geodesic.inverse(from: try coordinate(1, 0), to: try coordinate(0, 0))
    #expect(south.initialAzimuthDegrees == 180)
  }

  @Test("Direct and inverse undo each other everywhere")
  func directUndoesInverse() throws {
    try forEachSeed(0..<300) { seed, generator in
      let start = try coordinate(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let distance = Double.random(in: 0.001...15_000_000, using: &generator)
      let azimuth = Double.random(in: 0..<360, using: &generator)
      let end = Geodesic.direct(
        from: start, initialAzimuthDegrees: azimuth, distanceMetres: distance)
      let way = Geodesic.inverse(from: start, to: end)
      #expect(abs(way.distanceMetres - distance) < 1e-7, "seed \(seed)")
    }
  }

  @Test("A distance or azimuth that is not finite stays where it is")
  func directOfNonsense() throws {
    let start = try coordinate(50, 14)
    let end = Geodesic.direct(
      from: start, initialAzimuthDegrees: .nan, distanceMetres: 1)
    #expect(end == start)
    #expect(
      Geodesic.direct(from: start, initialAzimuthDegrees: 0, distanceMetres: .infinity) == start)
  }

  /// The outline of Antarctica from the manual of GeographicLib's Planimeter; clockwise from above.
  static let antarctica = [
    (-63.1, -58.0), (-72.9, -74), (-71.9, -102), (-74.9, -102), (-74.3, -131), (-77.5, -163),
    (-77.4, 163), (-71.7, 172), (-65.9, 140), (-65.7, 113), (-66.6, 88), (-66.9, 59), (-69.8, 25),
    (-70.0, -4), (-71.0, -14), (-77.3, -33), (-77.9, -46), (-74.7, -61),
  ]

  @Test("Antarctica, around a pole, has the manual's area and perimeter in both directions")
  func aroundThePole() throws {
    let ring = try coordinates(Self.antarctica)
    for direction in [ring, ring.reversed()] {
      let polygon = Geodesic.polygon(direction)
      #expect(abs(polygon.areaSquareMetres - 13_662_703_680_020) < 1)
      #expect(abs(polygon.perimeterMetres - 16_831_067.893) < 0.001)
    }
    #expect(
      Geodesic.polygon(ring).isCounterClockwise
        != Geodesic.polygon(ring.reversed()).isCounterClockwise)
  }

  /// Compares areas with Planimeter's. The arguments are the south-west corner, the sides in
  /// degrees of latitude and longitude, and Planimeter's answer.
  @Test(
    "A field has Planimeter's area in every hemisphere, across the antimeridian and the equator",
    arguments: [
      (50.0, 14.0, 0.005, 0.01, 398_712.1), (50, -14, 0.005, -0.01, 398_712.1),
      (-50, 14, 0.005, 0.01, 398_753.1), (-50, -14, 0.005, -0.01, 398_753.1),
      (10, 179.995, 0.01, -359.99, 1_212_678.3), (-0.005, -0.005, 0.01, 0.01, 1_230_907.2),
    ])
  func fields(
    latitude: Double, longitude: Double, high: Double, wide: Double, area: Double
  ) throws {
    let ring = try coordinates([
      (latitude, longitude), (latitude, longitude + wide), (latitude + high, longitude + wide),
      (latitude + high, longitude),
    ])
    for start in ring.indices {
      let turned = Array(ring[start...] + ring[..<start])
      #expect(abs(Geodesic.polygon(turned).areaSquareMetres - area) < 0.1)
      #expect(abs(Geodesic.polygon(turned.reversed()).areaSquareMetres - area) < 0.1)
    }
    // A negative width of less than half a turn runs west, so that the ring is clockwise.
    let isCounterClockwise = Geodesic.polygon(ring).isCounterClockwise
    #expect(isCounterClockwise == (wide > 0 || wide < -180))
  }

  @Test("A closing point that repeats the first changes nothing")
  func closingPoint() throws {
    let ring = try coordinates([(50, 14), (50, 14.01), (50.005, 14.01)])
    #expect(Geodesic.polygon(ring) == Geodesic.polygon(ring + [ring[0]]))
  }

  @Test("Fewer than three points have no area")
  func degenerateRings() throws {
    let a = try coordinate(50, 14)
    let b = try coordinate(50, 14.01)
    for ring in [[], [a], [a, a], [a, b], [a, b, a]] {
      let polygon = Geodesic.polygon(ring)
      #expect(polygon.areaSquareMetres == 0)
      #expect(!polygon.isCounterClockwise)
    }
    #expect(Geodesic.polygon([]).perimeterMetres == 0)
    #expect(
      abs(
        Geodesic.polygon([a, b]).perimeterMetres - 2 * Geodesic.distanceMetres(from: a, to: b))
        < 1e-8)
  }

  @Test(
    "A direction is 0 to below 360 degrees, however many turns it has",
    arguments: [
      (0.0, 0.0), (-90, 270), (360, 0), (450, 90), (-720, 0), (359.5, 359.5), (-1e-20, 0),
      (-180, 180),
    ])
  func compass(given: Double, kept: Double) {
    #expect(Geodesic.compassDegrees(given) == kept)
  }

  @Test("The length of a path is the sum of its legs, and is not closed")
  func pathLength() throws {
    let path = try coordinates([(0, 0), (0, 1), (0, 3)])
    #expect(Geodesic.lengthMetres(of: []) == 0)
    #expect(Geodesic.lengthMetres(of: [path[0]]) == 0)
    // Along the equator the length is the arc of the semi-major axis.
    #expect(abs(Geodesic.lengthMetres(of: path) - 6_378_137 * 3 * .pi / 180) < 1e-6)
  }
}
