import Geodesy
import Testing

@testable import Exports

@Suite("Shapes on a flat map")
struct MapShapeTests {
  private func ring(_ places: [(Double, Double)]) throws -> [Coordinate] {
    try places.map { try ExportFixture.coordinate($0.1, $0.0) }
  }

  @Test("what stays within is as it was, the outline counter-clockwise and closed")
  func within() throws {
    let polygons = MapShape.cut([try ring([(1, 1), (1, 2), (2, 2), (2, 1)])])
    try #require(polygons.count == 1)
    let outline = polygons[0][0]
    #expect(outline.first == outline.last && outline.count == 5)
    #expect(area(outline) == 1)
  }

  @Test(
    "a parcel across the antimeridian becomes two, which hold as much land, with its hole in both")
  func antimeridian() throws {
    let polygons = MapShape.cut([
      try ring([(179, 0), (-179, 0), (-179, 2), (179, 2)]),
      try ring([(179.5, 0.5), (-179.5, 0.5), (-179.5, 1.5), (179.5, 1.5)]),
    ])
    try #require(polygons.count == 2)
    for polygon in polygons {
      try #require(polygon.count == 2)
      #expect(polygon.allSatisfy { $0.first == $0.last })
      #expect(polygon.allSatisfy { $0.allSatisfy { abs($0.longitude) <= 180 } })
      let sides = Set(polygon[0].map { $0.longitude > 0 })
      #expect(sides.count == 1, "each lies on one side")
    }
    #expect(abs(polygons.map { area($0[0]) }.reduce(0, +) - 4) < 1e-9)
    #expect(abs(polygons.map { area($0[1]) }.reduce(0, +) + 1) < 1e-9)
  }

  @Test("a ring round a pole is closed along the map's edge")
  func pole() throws {
    let polygons = MapShape.cut([try ring([(0, 80), (90, 80), (180, 80), (-90, 80)])])
    let whole = polygons.map { area($0[0]) }.reduce(0, +)
    #expect(abs(whole - 3600) < 1e-6)
    #expect(polygons.allSatisfy { $0[0].contains { $0.latitude == 90 } })
    #expect(polygons.allSatisfy { $0[0].allSatisfy { abs($0.longitude) <= 180 } })
  }

  @Test("a way across the antimeridian is cut where it crosses")
  func crossing() throws {
    let west = try ExportFixture.coordinate(0, 179)
    let east = try ExportFixture.coordinate(2, -179)
    let cut = try #require(MapShape.crossing(from: west, to: east))
    #expect(cut.side == 180 && cut.latitude == 1)
    #expect(MapShape.crossing(from: east, to: west)?.side == -180)
    #expect(MapShape.crossing(from: west, to: west) == nil)
  }

  private func area(_ ring: [MapPlace]) -> Double {
    zip(ring, ring.dropFirst()).reduce(0) {
      $0 + ($1.0.longitude * $1.1.latitude - $1.1.longitude * $1.0.latitude) / 2
    }
  }
}
