import Foundation
import GRDB
import MapLayers
import Store
import Sync
import TestSupport
import Testing

@Suite("Base maps that grow out of the office's")
struct FetchedTilesTests {
  private static let mark = String(repeating: "a", count: 32)
  private static let map = MapListMessage.Map(
    name: "land", title: "Land", attribution: "Survey", mediaType: "image/jpeg", zooms: 0...17,
    mark: mark)

  private func tiles(of cell: TilePlan.Cell, bytes: Int = 10) -> [TileExtract.Tile] {
    cell.areas.flatMap { area in
      area.columns.flatMap { x in
        area.rows.map { y in
          TileExtract.Tile(
            place: .init(zoom: area.zoom, x: x, y: y),
            bytes: Array(repeating: UInt8(truncatingIfNeeded: x ^ y), count: bytes))
        }
      }
    }
  }

  private func withMap(_ body: (FetchedTiles, String) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("office-land.mbtiles").path
      let map = try FetchedTiles.make(path: path, for: Self.map)
      defer { map.close() }
      try body(map, path)
    }
  }

  @Test("what is kept is read as any base map, while it grows and after it was opened anew")
  func kept() throws {
    try withMap { map, path in
      let cell = TilePlan.Cell(level: 12, x: 2237, y: 1404)
      #expect(try map.keep(tiles(of: cell), of: cell, tag: "t", within: 1 << 20))
      let archive = try TileArchive(path: path)
      #expect(archive.title == "Land" && archive.attribution == "Survey")
      #expect(archive.mediaType == "image/jpeg" && archive.zooms == 12...14)
      #expect(try archive.tile(zoom: 14, x: 2237 * 4 + 3, y: 1404 * 4)?.count == 10)
      #expect(try archive.tile(zoom: 14, x: 2238 * 4, y: 1404 * 4) == nil)
      // The reader stays open, and sees the tiles that come afterwards.
      let next = TilePlan.Cell(level: 12, x: 2238, y: 1404)
      #expect(try map.keep(tiles(of: next), of: next, tag: "u", within: 1 << 20))
      #expect(try archive.tile(zoom: 14, x: 2238 * 4, y: 1404 * 4)?.count == 10)
      map.close()
      let again = try FetchedTiles(path: path)
      #expect(again.mark == Self.mark)
      #expect(try again.cells() == [cell: "t", next: "u"])
      #expect(
        try Set(again.tiles(of: cell)) == Set(tiles(of: cell)), "rows come back as they went")
    }
  }

  @Test("a file that cannot be made leaves nothing behind")
  func unmade() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("office-land.mbtiles").path
      #expect(throws: StoreError.self) {
        try FetchedTiles.make(path: path + "/absent/map", for: Self.map)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      try FetchedTiles.make(path: path, for: Self.map).close()
      // A file that is there stays.
      #expect(throws: StoreError.self) { try FetchedTiles.make(path: path, for: Self.map) }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path) == [
          "office-land.mbtiles"
        ])
      #expect(try FetchedTiles(path: path).mark == Self.mark)
    }
  }

  @Test("a reader finds the whole file or none, whenever it looks")
  func neverHalf() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = (0..<30).map { folder.appendingPathComponent("office-\($0).mbtiles").path }
    // The reader waits for each file in turn, while they are made.
    let reader = Task.detached {
      for path in paths {
        while FileStatus(ofPath: path) == nil {
          try Task.checkCancellation()
          await Task.yield()
        }
        try FetchedTiles(path: path).close()
      }
    }
    defer { reader.cancel() }
    for path in paths {
      try FetchedTiles.make(path: path, for: Self.map).close()
      await Task.yield()
    }
    try await reader.value
  }

  @Test("a cell that does not fit leaves nothing behind; one without tiles is remembered")
  func bound() throws {
    try withMap { map, _ in
      let cell = TilePlan.Cell(level: 15, x: 17_900, y: 11_230)
      let before = try map.usedBytes()
      #expect(
        try !map.keep(tiles(of: cell, bytes: 5000), of: cell, tag: "t", within: before + 50_000))
      #expect(try map.cells().isEmpty && map.tileCount() == 0 && map.usedBytes() == before)
      #expect(try map.keep([], of: cell, tag: "none", within: before + 50_000))
      #expect(try map.cells() == [cell: "none"])
      // A tile of another cell is not kept for this one.
      let other = TilePlan.Cell(level: 15, x: 17_901, y: 11_230)
      #expect(try map.keep(tiles(of: other), of: cell, tag: "t", within: 1 << 20))
      #expect(try map.tileCount() == 0)
    }
  }

  @Test("what nobody wants any more goes, and its room is used again")
  func forgotten() throws {
    try withMap { map, path in
      let cells = (0..<8).map { TilePlan.Cell(level: 15, x: 17_900 + $0, y: 11_230) }
      for cell in cells {
        #expect(try map.keep(tiles(of: cell, bytes: 4000), of: cell, tag: "t", within: 1 << 22))
      }
      let size = FileStatus(ofPath: path)?.bytes ?? 0
      let used = try map.usedBytes()
      #expect(try map.forget(allBut: Set(cells.prefix(2))) == 6)
      #expect(try Set(map.cells().keys) == Set(cells.prefix(2)))
      #expect(try map.tileCount() == 42 && map.usedBytes() < used / 2)
      for cell in cells.suffix(6) {
        #expect(try map.keep(tiles(of: cell, bytes: 4000), of: cell, tag: "t", within: 1 << 22))
      }
      #expect(FileStatus(ofPath: path)?.bytes ?? 0 <= size + 65_536)
      #expect(try map.forget(allBut: Set(cells)) == 0)
    }
  }

  @Test("somebody's own archive, and what is none, are not taken for one of these")
  func others() throws {
    try withTemporaryDirectory { folder in
      let own = folder.appendingPathComponent("own.mbtiles").path
      try BaseMapFixture.write(to: own)
      let broken = folder.appendingPathComponent("broken.mbtiles").path
      try Data("no archive".utf8).write(to: URL(fileURLWithPath: broken))
      // This file is a map of the right form, with a trigger that deletes tiles whenever a cell is
      // written.
      let sly = folder.appendingPathComponent("sly.mbtiles").path
      try FetchedTiles.make(path: sly, for: Self.map).close()
      let queue = try DatabaseQueue(path: sly)
      try queue.write { database in
        try database.execute(
          sql: "CREATE TRIGGER t AFTER INSERT ON cells BEGIN DELETE FROM tiles; END")
      }
      try queue.close()
      for path in [own, broken, sly, folder.path + "/none.mbtiles", folder.path] {
        #expect(throws: StoreError.self, "\(path)") { try FetchedTiles(path: path) }
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/none.mbtiles"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: broken)) == Data("no archive".utf8))
      #expect(try TileArchive(path: own).title == "Land")
    }
  }

  @Test("base maps that cannot be used are told once for each state of their files")
  func told() throws {
    try withTemporaryDirectory { folder in
      let maps = BaseMaps(folder: folder.path) { _ in }
      try BaseMapFixture.write(to: folder.path + "/land.mbtiles")
      #expect(maps.broken().isEmpty)
      let path = folder.appendingPathComponent("bad.mbtiles")
      try Data("no archive".utf8).write(to: path)
      #expect(maps.broken() == ["bad"])
      #expect(maps.untold(of: maps.broken()) == ["bad"])
      #expect(maps.untold(of: maps.broken()).isEmpty)
      try Data("no archive, either".utf8).write(to: path)
      #expect(maps.untold(of: maps.broken()) == ["bad"], "it is another one")
      try FileManager.default.removeItem(at: path)
      #expect(maps.broken().isEmpty && maps.all().map(\.name) == ["land"])
    }
  }
}
