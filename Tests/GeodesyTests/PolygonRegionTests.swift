import Foundation
import Geodesy
import TestSupport
import Testing

@Suite("Polygon regions")
struct PolygonRegionTests {
  /// Returns a square about `centre`, whose corners are in plane metres, with an optional square
  /// hole.
  private func square(
    about centre: Coordinate, halfSide: Double = 100, hole: Double? = nil
  ) throws -> PolygonRegion {
    let plane = LocalPlane(origin: centre)
    func ring(_ half: Double) -> [Coordinate] {
      [(-half, -half), (half, -half), (half, half), (-half, half)].map {
        plane.coordinate(of: PlanePoint(eastMetres: $0.0, northMetres: $0.1))
      }
    }
    return try #require(
      PolygonRegion(rings: [ring(halfSide)] + (hole.map { [ring($0)] } ?? [])))
  }

  private func point(_ east: Double, _ north: Double, from centre: Coordinate) -> Coordinate {
    LocalPlane(origin: centre).coordinate(
      of: PlanePoint(eastMetres: east, northMetres: north))
  }

  @Test(
    "Inside, outside, distance and bearing are right everywhere",
    arguments: LocalPlaneTests.origins)
  func everywhere(latitude: Double, longitude: Double) throws {
    let centre = try coordinate(latitude, longitude)
    let region = try square(about: centre)
    #expect(region.contains(centre))
    #expect(region.distanceMetres(to: centre) == 0)
    #expect(region.bearingDegrees(from: centre) == nil)
    #expect(region.contains(point(99.999, -99.999, from: centre)))
    #expect(!region.contains(point(100.001, 0, from: centre)))
    #expect(abs(region.areaSquareMetres - 40_000) < 0.02)

    // The places are 50 m off each side, and off the north-east corner.
    for (east, north) in [(150.0, 0.0), (-150, 0), (0, 150), (0, -150)] {
      let outside = point(east, north, from: centre)
      #expect(!region.contains(outside))
      #expect(abs(region.distanceMetres(to: outside) - 50) < 1e-3)
    }
    let corner = point(130, 140, from: centre)
    #expect(abs(region.distanceMetres(to: corner) - 50) < 1e-3)
  }

  @Test("Distances are metres in both directions, not degrees")
  func bothDirections() throws {
    // At 60 degrees north a degree of longitude is half as long as one of latitude.
    let region = try #require(
      PolygonRegion(
        rings: [try coordinates([(60, 20), (60, 20.01), (60.01, 20.01), (60.01, 20)])]))
    let west = try coordinate(60.005, 19.99)
    let south = try coordinate(59.99, 20.005)
    #expect(abs(region.distanceMetres(to: west) - 557.9) < 1)
    #expect(abs(region.distanceMetres(to: south) - 1114.1) < 1)
    let bearingFromWest = try #require(region.bearingDegrees(from: west))
    let bearingFromSouth = try #require(region.bearingDegrees(from: south))
    #expect(abs(bearingFromWest - 90) < 0.1)
    #expect(min(bearingFromSouth, 360 - bearingFromSouth) < 0.1)
  }

  @Test("A hole is outside, its edge inside, and the way out of it leads to its edge")
  func holes() throws {
    let centre = try coordinate(50, 14)
    let region = try square(about: centre, hole: 40)
    #expect(!region.contains(point(10, 0, from: centre)))
    #expect(region.contains(point(60, 0, from: centre)))
    #expect(abs(region.distanceMetres(to: point(10, 0, from: centre)) - 30) < 1e-3)
    let bearing = try #require(region.bearingDegrees(from: point(10, 0, from: centre)))
    #expect(abs(bearing - 90) < 0.01)
    #expect(abs(region.areaSquareMetres - (40_000 - 6_400)) < 0.02)
    #expect(region.holes.count == 1)
    #expect(region.contains(region.holes[0][0]))
  }

  @Test("Corners and points on an edge belong to the region")
  func boundary() throws {
    let region = try #require(
      PolygonRegion(rings: [try coordinates([(0, 0), (0, 1), (1, 1), (1, 0)])]))
    for corner in region.exterior {
      #expect(region.contains(corner))
      #expect(region.distanceMetres(to: corner) == 0)
    }
    // The equator and the meridian are geodesics, and their places need no rounding.
    #expect(region.contains(try coordinate(0, 0.25)))
    #expect(region.contains(try coordinate(0.25, 0)))
    #expect(!region.contains(try coordinate(-1e-12, 0.25)))
  }

  @Test("Agrees with the winding of the angles seen from random places")
  func agreesWithWinding() throws {
    try forEachSeed(0..<60) { seed, generator in
      let centre = try coordinate(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      // A star has random radii about the centre, so that the ring is simple and not convex.
      let ring = (0..<12).map { corner in
        Geodesic.direct(
          from: centre, initialAzimuthDegrees: Double(corner) * 30,
          distanceMetres: .random(in: 100...1000, using: &generator))
      }
      let region = try #require(PolygonRegion(rings: [ring]))
      for _ in 0..<40 {
        let place = Geodesic.direct(
          from: centre, initialAzimuthDegrees: .random(in: 0..<360, using: &generator),
          distanceMetres: .random(in: 0...1200, using: &generator))
        var winding = 0.0
        for index in ring.indices {
          let from = Geodesic.inverse(from: place, to: ring[index]).initialAzimuthDegrees
          let to = Geodesic.inverse(from: place, to: ring[(index + 1) % ring.count])
            .initialAzimuthDegrees
          winding += (to - from).remainder(dividingBy: 360)
        }
        #expect(region.contains(place) == (abs(winding) > 180), "seed \(seed)")
        let distance = region.distanceMetres(to: place)
        #expect((distance == 0) == region.contains(place), "seed \(seed)")
        let toCorner = ring.map { Geodesic.distanceMetres(from: place, to: $0) }.min() ?? 0
        #expect(distance <= toCorner + 1e-6, "seed \(seed)")
      }
    }
  }

  @Test("The other side of the Earth is outside, and far away")
  func otherSide() throws {
    // On the equator the antipode's plane folds the region onto its own origin.
    let region = try square(about: try coordinate(0, 14))
    let antipode = try coordinate(0, -166)
    #expect(!region.contains(antipode))
    #expect(region.distanceMetres(to: antipode) > 19_900_000)
    #expect(region.bearingDegrees(from: antipode) != nil)
  }

  @Test("A ring needs three distinct points; a degenerate hole is dropped")
  func degenerate() throws {
    let a = try coordinate(50, 14)
    let b = try coordinate(50, 15)
    let c = try coordinate(51, 14)
    #expect(PolygonRegion(rings: []) == nil)
    #expect(PolygonRegion(rings: [[]]) == nil)
    #expect(PolygonRegion(rings: [[a, b, a, b]]) == nil)
    let region = try #require(PolygonRegion(rings: [[a, b, c, a], [a, b]]))
    #expect(region.exterior == [a, b, c])
    #expect(region.holes.isEmpty)
  }
}
