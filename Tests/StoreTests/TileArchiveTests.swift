import Foundation
import Store
import TestSupport
import Testing

@Suite("Base maps from MBTiles archives")
struct TileArchiveTests {
  @Test("tiles are found by rows from the north, and nothing is found elsewhere")
  func tiles() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("land.mbtiles").path
      try BaseMapFixture.write(to: path)
      let archive = try TileArchive(path: path)
      #expect(archive.name == "land")
      #expect(archive.title == "Land")
      #expect(archive.attribution == "made up", "its markup is taken off")
      #expect(archive.mediaType == "image/png")
      #expect(archive.zooms == 0...2)
      #expect(try archive.tile(zoom: 0, x: 0, y: 0) == BaseMapFixture.tile)
      #expect(try archive.tile(zoom: 2, x: 1, y: 2) == BaseMapFixture.tile)
      #expect(try archive.tile(zoom: 2, x: 1, y: 1) == nil)
      for (zoom, x, y) in [(3, 0, 0), (-1, 0, 0), (2, 4, 0), (2, 0, -1), (Int.max, 0, 0)] {
        #expect(try archive.tile(zoom: zoom, x: x, y: y) == nil)
      }
    }
  }

  @Test("what is no archive of pictures is refused with the reason")
  func refused() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("bad.mbtiles").path
      try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: StoreError.self) { try TileArchive(path: path) }
      let vector = folder.appendingPathComponent("vector.mbtiles").path
      try BaseMapFixture.write(to: vector, format: "pbf")
      #expect {
        try TileArchive(path: vector)
      } throws: { error in
        "\(error)".contains("png, jpg or webp")
      }
    }
  }
}
