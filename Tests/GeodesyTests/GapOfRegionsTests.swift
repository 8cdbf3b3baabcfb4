import Geodesy
import TestSupport
import Testing

@Suite("The gap between two regions")
struct GapOfRegionsTests {
  /// Returns a region whose rings have corners in plane metres about a centre.
  private func region(
    _ rings: [[(Double, Double)]], about centre: Coordinate
  ) throws -> PolygonRegion {
    let plane = LocalPlane(origin: centre)
    return try #require(
      PolygonRegion(
        rings: rings.map { ring in
          ring.map { plane.coordinate(of: PlanePoint(eastMetres: $0.0, northMetres: $0.1)) }
        }))
  }

  private func box(
    _ west: Double, _ south: Double, _ width: Double, _ height: Double
  ) -> [(Double, Double)] {
    [(west, south), (west + width, south), (west + width, south + height), (west, south + height)]
  }

  @Test("it is right in metres everywhere, both ways", arguments: LocalPlaneTests.origins)
  func everywhere(latitude: Double, longitude: Double) throws {
    let centre = try coordinate(latitude, longitude)
    let field = try region([box(0, 0, 100, 100)], about: centre)
    for (other, metres) in [
      (box(150, 20, 10, 10), 50.0), (box(130, 140, 10, 10), 50), (box(-40, -10, 20, 500), 20),
    ] {
      let other = try region([other], about: centre)
      for gap in [
        field.gapMetres(to: other, within: 60), other.gapMetres(to: field, within: 60),
      ] { #expect(abs(try #require(gap) - metres) < 1e-3) }
    }
  }

  @Test("neighbours that touch, overlap, cross or lie in each other have no gap")
  func touching() throws {
    let centre = try coordinate(49, 16)
    let field = try region([box(0, 0, 100, 100)], about: centre)
    for other in [
      box(100, 20, 50, 50), box(50, 50, 100, 100), box(-500, 40, 1100, 10), box(40, 40, 5, 5),
      box(-500, -500, 1100, 1100),
    ] {
      let other = try region([other], about: centre)
      #expect(abs(try #require(field.gapMetres(to: other, within: 1))) < 1e-6)
      #expect(abs(try #require(other.gapMetres(to: field, within: 1))) < 1e-6)
    }
  }

  @Test("what lies in a hole is as far as the hole's edge")
  func hole() throws {
    let centre = try coordinate(49, 16)
    let forest = try region([box(0, 0, 1000, 1000), box(100, 100, 800, 800)], about: centre)
    let meadow = try region([box(450, 450, 100, 100)], about: centre)
    #expect(abs(try #require(forest.gapMetres(to: meadow, within: 400)) - 350) < 1e-3)
    #expect(forest.gapMetres(to: meadow, within: 349.9) == nil)
    #expect(meadow.gapMetres(to: forest, within: 349.9) == nil)
  }

  @Test("the reach decides at its border, and the other side of the Earth is no neighbour")
  func reach() throws {
    let centre = try coordinate(49, 16)
    let field = try region([box(0, 0, 100, 100)], about: centre)
    let other = try region([box(400, 0, 100, 100)], about: centre)
    #expect(field.gapMetres(to: other, within: 300.01) != nil)
    #expect(field.gapMetres(to: other, within: 299.99) == nil)
    let far = try region([box(0, 0, 100, 100)], about: try coordinate(-49, -164))
    #expect(field.gapMetres(to: far, within: 300) == nil)
  }

  @Test("it is never more than the distance of a corner, and never less than that of a circle")
  func random() throws {
    let centre = try coordinate(49, 16)
    try forEachSeed { seed, random in
      func triangle(_ east: Double) -> [(Double, Double)] {
        (0..<3).map { _ in
          (east + .random(in: -50...50, using: &random), .random(in: -50...50, using: &random))
        }
      }
      let east = Double.random(in: 0...400, using: &random)
      let (one, two) = (
        try region([triangle(0)], about: centre), try region([triangle(east)], about: centre)
      )
      let gap = try #require(one.gapMetres(to: two, within: 1000), "seed \(seed)")
      let ofCorners = (two.exterior.map(one.distanceMetres) + one.exterior.map(two.distanceMetres))
        .min()
      #expect(gap <= (ofCorners ?? 0) + 1e-3, "seed \(seed)")
      // Regions that do not cross are nearest at a corner of one of them.
      if gap > 0 { #expect(gap >= (ofCorners ?? 0) - 1e-3, "seed \(seed)") }
      #expect(gap >= east - 100 - 1e-3, "seed \(seed)")
    }
  }

  @Test("regions with very many corners are compared by their rectangles")
  func many() throws {
    let centre = try coordinate(49, 16)
    func comb(_ west: Double) throws -> PolygonRegion {
      let teeth = (0...3000).map { (west + ($0.isMultiple(of: 2) ? 0 : 5), Double($0) / 10) }
      return try region([teeth + [(west + 20, 300), (west + 20, 0)]], about: centre)
    }
    let gap = try comb(0).gapMetres(to: try comb(70), within: 300)
    #expect(abs(try #require(gap) - 50) < 0.01)
  }
}
