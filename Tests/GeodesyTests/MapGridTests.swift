import Geodesy
import TestSupport
import Testing

@Suite("The grid of maps in browsers")
struct MapGridTests {
  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  @Test("known tiles: the zero meridian at the equator, Prague, and the map's corners")
  func knownTiles() throws {
    let grid = MapGrid(level: 10)
    #expect(grid.cell(of: try place(-0.0001, 0)) == MapGrid.Cell(x: 512, y: 512))
    #expect(grid.cell(of: try place(0.0001, -0.0001)) == MapGrid.Cell(x: 511, y: 511))
    // The formula of the slippy map: x = 2^z (λ + 180) / 360.
    #expect(grid.cell(of: try place(50.0875, 14.4213)) == MapGrid.Cell(x: 553, y: 346))
    #expect(grid.cell(of: try place(90, -180)) == MapGrid.Cell(x: 0, y: 0))
    #expect(grid.cell(of: try place(-90, 180)) == MapGrid.Cell(x: 1023, y: 1023))
  }

  @Test("a cell of one level is a quarter of one of the level above")
  func levelsNest() throws {
    try forEachSeed { seed, random in
      let place = try place(
        .random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
      let finest = MapGrid(level: 18).cell(of: place)
      for level in 0..<18 {
        let cell = MapGrid(level: level).cell(of: place)
        #expect(
          cell == MapGrid.Cell(x: finest.x >> (18 - level), y: finest.y >> (18 - level)),
          "seed \(seed), level \(level)")
      }
    }
  }

  @Test(
    "what lies in a box lies in one of the cells that the box touches, over the antimeridian, too")
  func boxes() throws {
    try forEachSeed(0..<300) { seed, random in
      let (a, b) = (
        Double.random(in: -90...90, using: &random), Double.random(in: -90...90, using: &random)
      )
      let box = try #require(
        CoordinateBox(
          westDegrees: .random(in: -180...180, using: &random), southDegrees: min(a, b),
          eastDegrees: .random(in: -180...180, using: &random), northDegrees: max(a, b)))
      let inside = try place(
        .random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
      guard box.contains(inside) else { return }
      #expect(box.parts.contains { $0.contains(inside) }, "seed \(seed)")
      let grid = MapGrid(level: .random(in: 1...18, using: &random))
      let (columns, rows) = grid.cells(of: box)
      let cell = grid.cell(of: inside)
      #expect(columns.contains { $0.contains(cell.x) } && rows.contains(cell.y), "seed \(seed)")
    }
  }

  @Test("a box that goes nearly round the Earth has no cell twice")
  func nearlyTheWorld() throws {
    let box = try #require(
      CoordinateBox(westDegrees: 20, southDegrees: -80, eastDegrees: 11, northDegrees: 80))
    let (columns, _) = MapGrid(level: 2).cells(of: box)
    #expect(columns == [0...3])
  }

  @Test("a box whose south lies north of its north, or whose sides are no angles, is none")
  func noBoxes() {
    #expect(
      CoordinateBox(westDegrees: 0, southDegrees: 1, eastDegrees: 1, northDegrees: 0) == nil)
    #expect(
      CoordinateBox(westDegrees: .nan, southDegrees: 0, eastDegrees: 1, northDegrees: 1) == nil)
    #expect(
      CoordinateBox(westDegrees: 0, southDegrees: 0, eastDegrees: 181, northDegrees: 1) == nil)
  }
}
