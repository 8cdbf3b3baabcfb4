import Foundation
import Testing

@testable import Geodesy

/// Tests of the directions in which a parcel is seen, and of its extent along one.
@Suite("The view of a region")
struct ViewOfRegionTests {
  private static func place(_ east: Double, _ north: Double, _ origin: Coordinate) -> Coordinate {
    LocalPlane(origin: origin).coordinate(of: PlanePoint(eastMetres: east, northMetres: north))
  }

  /// Returns a region with corners in metres round an origin.
  private static func region(
    _ corners: [(Double, Double)], _ origin: Coordinate, holes: [[(Double, Double)]] = []
  ) throws -> PolygonRegion {
    try #require(
      PolygonRegion(
        rings: ([corners] + holes).map { ring in ring.map { place($0.0, $0.1, origin) } }))
  }

  private static let origins = [
    (49.0, 16.0), (-33.0, -70.0), (0.0, 180.0), (89.999, 0.0), (-89.9999, 120.0),
  ].compactMap { Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1) }

  @Test("a square in front is seen from its left to its right corner, everywhere on Earth")
  func square() throws {
    for origin in Self.origins {
      // A square of 100 m whose near edge is 50 m north of the place, and the same in other
      // directions.
      for (turn, corners) in [
        (0.0, [(-50.0, 50.0), (50.0, 50.0), (50.0, 150.0), (-50.0, 150.0)]),
        (90.0, [(50.0, 50.0), (50.0, -50.0), (150.0, -50.0), (150.0, 50.0)]),
        (180.0, [(50.0, -50.0), (-50.0, -50.0), (-50.0, -150.0), (50.0, -150.0)]),
        (270.0, [(-50.0, -50.0), (-50.0, 50.0), (-150.0, 50.0), (-150.0, -50.0)]),
      ] {
        for ring in [corners, corners.reversed()] {
          let region = try Self.region(ring, origin)
          let span = region.span(from: origin)
          #expect(abs(span.widthDegrees - 90) < 1e-4)
          #expect(span.missDegrees(azimuthDegrees: turn) == 0)
          #expect(abs(span.missDegrees(azimuthDegrees: turn + 60) - 15) < 1e-4)
          #expect(abs(span.missDegrees(azimuthDegrees: turn - 60) - 15) < 1e-4)
          #expect(abs(span.missDegrees(azimuthDegrees: turn + 180) - 135) < 1e-4)
          let stretch = try #require(region.stretch(from: origin, azimuthDegrees: turn))
          #expect(abs(stretch.startMetres - 50) < 1e-3)
          #expect(abs(stretch.lengthMetres - 100) < 1e-3)
          #expect(region.stretch(from: origin, azimuthDegrees: turn + 90) == nil)
          #expect(region.stretch(from: origin, azimuthDegrees: turn + 180) == nil)
        }
      }
    }
  }

  @Test("from inside, from the boundary and from a hole a region is all round")
  func inside() throws {
    let origin = Self.origins[0]
    let outline = [(-100.0, -100.0), (100.0, -100.0), (100.0, 100.0), (-100.0, 100.0)]
    let region = try Self.region(outline, origin)
    #expect(region.span(from: origin).widthDegrees == 360)
    #expect(region.span(from: region.exterior[0]).widthDegrees == 360)
    #expect(region.span(from: origin).missDegrees(azimuthDegrees: 123) == 0)
    let ahead = try #require(region.stretch(from: origin, azimuthDegrees: 90))
    #expect(ahead.startMetres == 0 && abs(ahead.lengthMetres - 100) < 1e-3)
    let holed = try Self.region(
      outline, origin, holes: [[(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)]])
    #expect(!holed.contains(origin))
    #expect(holed.span(from: origin).widthDegrees == 360)
    let beyond = try #require(holed.stretch(from: origin, azimuthDegrees: 0))
    #expect(abs(beyond.startMetres - 10) < 1e-3 && abs(beyond.lengthMetres - 90) < 1e-3)
  }

  @Test("a horseshoe round the place leaves only its opening free")
  func horseshoe() throws {
    let origin = Self.origins[1]
    // The opening is in the north, between 40 m left and right, at a distance of 40 m.
    let region = try Self.region(
      [
        (-40, 40), (-60, 60), (-60, -60), (60, -60), (60, 60), (40, 40), (40, -40), (-40, -40),
      ], origin)
    let span = region.span(from: origin)
    #expect(abs(span.widthDegrees - 270) < 1e-3)
    #expect(abs(span.missDegrees(azimuthDegrees: 0) - 45) < 1e-3)
    #expect(span.missDegrees(azimuthDegrees: 180) == 0)
    #expect(span.missDegrees(azimuthDegrees: 80) == 0)
    #expect(region.stretch(from: origin, azimuthDegrees: 0) == nil)
  }

  @Test("the other side of the Earth is seen in one direction and never met")
  func farAway() throws {
    let origin = Self.origins[0]
    let region = try Self.region([(0, 0), (10, 0), (0, 10)], Self.origins[1])
    #expect(region.span(from: origin).widthDegrees < 0.01)
    #expect(region.stretch(from: origin, azimuthDegrees: 10) == nil)
  }
}
