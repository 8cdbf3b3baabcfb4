import Foundation
import GRDB

/// Base maps of made-up tiles, as an administrator may put them there.
public enum BaseMapFixture {
  /// The tile's bytes, into which no test looks.
  public static let tile = Data([0x89, 0x50, 0x4E, 0x47, 1, 2, 3])

  /// Writes an MBTiles archive with one tile at zoom 0 and one at zoom 2, column 1, third row from
  /// the north.
  public static func write(
    to path: String, format: String = "png", attribution: String? = "<a href=\"x\">made up</a>"
  ) throws {
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
          """)
      for (name, value) in [
        ("name", "Land"), ("format", format), ("attribution", attribution),
      ] {
        try database.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
      }
      // The archive counts rows from the south: 2^2 - 1 - 2.
      for (zoom, column, row) in [(0, 0, 0), (2, 1, 1)] {
        try database.execute(
          sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)", arguments: [zoom, column, row, tile])
      }
    }
    try queue.close()
  }

  /// Returns the tile of one place: its bytes tell the place, and of which year the map is.
  public static func tile(zoom: Int, x: Int, y: Int, year: Int = 2025) -> Data {
    tile + Data("\(zoom)/\(x)/\(y) \(year)".utf8)
  }

  /// Writes an MBTiles archive with all tiles of some columns and rows, counted from the north.
  /// - Parameter year: the year of the tiles at zoom 15 and above; those below are the same in all
  ///   years.
  public static func write(
    to path: String, areas: [(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>)],
    year: Int = 2025
  ) throws {
    try? FileManager.default.removeItem(atPath: path)
    try write(to: path, attribution: "Office of Land <b>Survey</b>")
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(sql: "DELETE FROM tiles")
      for area in areas {
        for x in area.columns {
          for y in area.rows {
            try database.execute(
              sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
              arguments: [
                area.zoom, x, (1 << area.zoom) - 1 - y,
                tile(zoom: area.zoom, x: x, y: y, year: area.zoom < 15 ? 2025 : year),
              ])
          }
        }
      }
    }
    try queue.close()
  }
}
