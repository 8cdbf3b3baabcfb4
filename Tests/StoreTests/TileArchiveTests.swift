import Foundation
import GRDB
import Sync
import TestSupport
import Testing

@testable import MapLayers
@testable import Store

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

  /// Writes an archive whose tiles this SQL makes.
  private func write(_ sql: String, to path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          INSERT INTO metadata VALUES ('format', 'png'), ('json', zeroblob(20000000));
          """)
      try database.execute(sql: sql)
    }
    try queue.close()
  }

  private static let table =
    "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"

  @Test(
    "a view without end, a picture without measure, and zooms that are none are refused in time")
  func hostileSchema() throws {
    try withTemporaryDirectory { folder in
      let endless = """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM n
        """
      let huge =
        "SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, zeroblob(2000000000) AS tile_data"
      for (number, (sql, words)) in [
        ("CREATE VIEW tiles AS \(endless)", "it takes too long to be read"),
        ("CREATE VIEW tiles AS \(huge)", "larger than 8 MB"),
        ("\(Self.table) INSERT INTO tiles VALUES (5, 0, 0, x'00'), ('x', 0, 0, x'00')", "no tiles"),
        ("\(Self.table) INSERT INTO tiles VALUES (-1, 0, 0, x'00')", "no tiles"),
      ].enumerated() {
        let path = folder.appendingPathComponent("\(number).mbtiles").path
        try write(sql, to: path)
        let patience = TileArchive.Patience(openingSeconds: 0.2)
        #expect {
          try TileArchive(path: path, patience: patience)
        } throws: { error in
          "\(error)".contains(words)
        }
      }
    }
  }

  @Test(
    "a tile that is too large, or takes too long to be found, is none; its neighbours are there")
  func largeTiles() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("land.mbtiles").path
      try write(
        """
        \(Self.table)
        INSERT INTO tiles VALUES (1, 0, 0, zeroblob(20000000)), (1, 1, 0, zeroblob(4194305)),
          (1, 0, 1, zeroblob(4194304)), (1, 1, 1, x'0102');
        """, to: path)
      let archive = try TileArchive(path: path)
      #expect(try archive.tile(zoom: 1, x: 0, y: 1) == nil)
      #expect(try archive.tile(zoom: 1, x: 1, y: 1) == nil)
      #expect(try archive.tile(zoom: 1, x: 0, y: 0)?.count == 4_194_304)
      #expect(try archive.tile(zoom: 1, x: 1, y: 0) == Data([1, 2]))
      let all = TileExtract.Area(zoom: 1, columns: 0...1, rows: 0...1)
      #expect(try archive.extract([all])?.tiles.map(\.bytes) == [[1, 2]])

      let wide = folder.appendingPathComponent("wide.mbtiles").path
      try write(
        """
        \(Self.table)
        INSERT INTO tiles WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
          SELECT 15, i, 0, x'00' FROM n;
        """, to: wide)
      #expect(try TileArchive(path: wide).tile(zoom: 15, x: 20_000, y: 32_767) == Data([0]))
      let hurried = try TileArchive(
        path: wide, patience: TileArchive.Patience(tileSeconds: -1, extractSeconds: -1))
      #expect(try hurried.tile(zoom: 15, x: 20_000, y: 32_767) == nil)
      let area = TileExtract.Area(zoom: 15, columns: 0...20_000, rows: 0...32_767)
      #expect {
        try hurried.extract([area])
      } throws: { error in
        "\(error)".contains("it takes too long to be read")
      }
    }
  }

  @Test("what it says of itself is read as far as a page has room for it")
  func longWords() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("long.mbtiles").path
      try BaseMapFixture.write(to: path, attribution: String(repeating: "<", count: 1_000_000))
      #expect(try TileArchive(path: path).attribution?.count == 2000)
    }
  }

  @Test("what is no file is not waited for")
  func pipe() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("pipe.mbtiles").path
      try #require(mkfifo(path, 0o600) == 0)
      #expect {
        try TileArchive(path: path)
      } throws: { error in
        "\(error)".contains("it is not a file")
      }
    }
  }

  @Test("a journal beside it is named, and once it is gone the same file is a map")
  func journal() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("land.mbtiles").path
      try BaseMapFixture.write(to: path)
      // A journal's head, as the SQLite file format has it.
      let head: [UInt8] =
        [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
        + [0, 0, 2, 0, 0, 0, 0x10, 0]
      let journal = URL(fileURLWithPath: path + "-journal")
      try Data(head + Array(repeating: 0, count: 512 - head.count)).write(to: journal)
      #expect {
        try TileArchive(path: path)
      } throws: { error in
        "\(error)".contains("land.mbtiles-journal lies beside it")
      }
      let maps = BaseMaps(folder: folder.path) { _ in }
      #expect(maps.archive("land") == nil && maps.broken() == ["land"])
      try FileManager.default.removeItem(at: journal)
      #expect(try maps.archive("land")?.tile(zoom: 0, x: 0, y: 0) == BaseMapFixture.tile)
    }
  }

  /// A weak reference, which shows if an archive is still held.
  private final class Watch {
    weak var archive: TileArchive?
    init(_ archive: TileArchive?) { self.archive = archive }
  }

  @Test("a map that is taken away is let go of, with its open file")
  func forgotten() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("land.mbtiles").path
      try BaseMapFixture.write(to: path)
      let maps = BaseMaps(folder: folder.path) { _ in }
      let watch = Watch(maps.archive("land"))
      #expect(watch.archive != nil)
      try FileManager.default.removeItem(atPath: path)
      #expect(maps.all().isEmpty)
      #expect(watch.archive == nil)
    }
  }
}
