import Geodesy
import Sync
import TestSupport
import Testing

@Suite("Which parts of base maps a field unit fetches")
struct TilePlanTests {
  private static let field = DegreeBox(west: 16.62, south: 49.07, east: 16.64, north: 49.09)

  @Test("each tile that lies within 500 m of a parcel is in one cell, and no cell comes twice")
  func around() throws {
    let cells = TilePlan.cells(around: [Self.field], zooms: 0...19)
    #expect(Set(cells).count == cells.count)
    #expect(cells.map(\.level).max() == 15, "no finer than 17")
    #expect(cells.first == TilePlan.Cell(level: 0, x: 0, y: 0), "coarse ones first")
    try forEachSeed { seed, random in
      let place = try #require(
        Coordinate(
          latitudeDegrees: .random(in: 49.0656...49.0944, using: &random),
          longitudeDegrees: .random(in: 16.6132...16.6468, using: &random)))
      for zoom in 0...17 {
        let tile = MapGrid(level: zoom).cell(of: place)
        let found = cells.filter { $0.holds(.init(zoom: zoom, x: tile.x, y: tile.y)) }
        #expect(found.count == 1, "seed \(seed), zoom \(zoom)")
      }
    }
    // A neighbour shares the cells in between.
    let east = DegreeBox(west: 16.64, south: 49.07, east: 16.66, north: 49.09)
    let both = TilePlan.cells(around: [Self.field, east], zooms: 0...19)
    #expect(Set(cells).isSubset(of: both) && both.count < 2 * cells.count)
  }

  @Test("a cell's box touches its own tiles and no others, everywhere")
  func boxes() throws {
    try forEachSeed { seed, random in
      let level = [0, 3, 6, 9, 12, 15].randomElement(using: &random) ?? 0
      let cell = TilePlan.Cell(
        level: level, x: .random(in: 0..<(1 << level), using: &random),
        y: .random(in: 0..<(1 << level), using: &random))
      let areas = TileExtract.areas(of: try #require(cell.box), zooms: cell.zooms)
      #expect(areas == cell.areas, "seed \(seed)")
      #expect(areas?.reduce(0) { $0 + $1.columns.count * $1.rows.count } == 21, "seed \(seed)")
    }
    #expect(TilePlan.Cell(level: 3, x: 8, y: 0).box == nil, "beside the world")
  }

  @Test("a map that is coarser is asked for no more, and one that is finer only for nothing")
  func zooms() {
    let coarse = TilePlan.cells(around: [Self.field], zooms: 4...7)
    #expect(Set(coarse.map(\.level)) == [3, 6])
    #expect(TilePlan.cells(around: [Self.field], zooms: 18...20).isEmpty)
    #expect(TilePlan.cells(around: [], zooms: 0...17).isEmpty)
  }

  @Test("the world as a parcel, the poles and a thousand parcels all over it are bounded")
  func bounded() {
    let world = DegreeBox(west: -180, south: -90, east: 180, north: 90)
    #expect(TilePlan.cells(around: [world], zooms: 0...17).count <= 100)
    let corner = DegreeBox(west: 179.999, south: 89.99, east: 180, north: 90)
    #expect(!TilePlan.cells(around: [corner], zooms: 0...17).isEmpty)
    let nothing = DegreeBox([])
    #expect(TilePlan.cells(around: [nothing], zooms: 0...17).isEmpty)
    let wrong = DegreeBox(west: .nan, south: 0, east: .infinity, north: 1)
    #expect(TilePlan.cells(around: [wrong], zooms: 0...17).isEmpty)
    let many = (0..<1000).map { number in
      let west = Double(number % 100) * 3 - 150
      let south = Double(number / 100) * 10 - 50
      return DegreeBox(west: west, south: south, east: west + 0.02, north: south + 0.02)
    }
    #expect(TilePlan.cells(around: many, zooms: 0...17).count == TilePlan.cellsAtMost)
  }

  @Test("a box that touches more than 256 tiles is none to be asked for")
  func tooMany() throws {
    let world = try #require(
      CoordinateBox(westDegrees: -180, southDegrees: -90, eastDegrees: 180, northDegrees: 90))
    #expect(TileExtract.areas(of: world, zooms: 4...4)?.count == 1, "16 by 16")
    #expect(TileExtract.areas(of: world, zooms: 3...4) == nil)
    #expect(TileExtract.areas(of: world, zooms: 0...30) == nil)
    #expect(TileExtract.areas(of: world, zooms: 30...30) == nil)
  }

  @Test("tiles come back as they went; cut off, lengthened or beside the world they are refused")
  func stream() throws {
    let extract = TileExtract(tiles: [
      .init(place: .init(zoom: 0, x: 0, y: 0), bytes: [1, 2, 3]),
      .init(place: .init(zoom: 17, x: 71_590, y: 44_940), bytes: Array(repeating: 9, count: 300)),
    ])
    let bytes = extract.bytes
    #expect(try TileExtract(bytes) == extract)
    #expect(try TileExtract(TileExtract(tiles: []).bytes).tiles.isEmpty)
    for count in 0..<bytes.count {
      #expect(throws: SyncError.self) { try TileExtract(Array(bytes.prefix(count))) }
    }
    #expect(throws: SyncError.self) { try TileExtract(bytes + [0]) }
    for (place, value) in [(11, UInt8(3)), (8, 255), (12, 31), (16, 1), (21, 255)] {
      var wrong = bytes
      wrong[place] = value
      #expect(throws: SyncError.self, "byte \(place)") { try TileExtract(wrong) }
    }
    forEachSeed { seed, random in
      var hostile = bytes
      hostile[.random(in: 0..<40, using: &random)] = .random(in: 0...255, using: &random)
      // A hostile extract does not trap, and every tile that is taken lies in the world.
      for tile in (try? TileExtract(hostile))?.tiles ?? [] {
        #expect(tile.place.x < 1 << tile.place.zoom, "seed \(seed)")
      }
    }
  }

  @Test("names lead nowhere else")
  func names() {
    for name in ["land", "Ortofoto 2025", "žluťoučký", "a.b"] {
      #expect(MapListMessage.isName(name), "\(name)")
    }
    for name in [
      "", ".", "..", ".hidden", "a/b", "a\0b", "a\nb", "a\u{7F}",
      String(repeating: "a", count: 181),
    ] {
      #expect(!MapListMessage.isName(name), "\(name)")
    }
  }
}
