import Foundation
import GRDB
import Sync

/// A base map on a field unit that grows cell by cell out of the office's: an MBTiles archive like any
/// other, which also knows the mark of the office's file and which cells of it are here. Each cell is one
/// transaction: what was cut off goes on behind the last.
///
/// It has a rollback journal and no write-ahead log, since its readers open the file alone, to read.
public final class FetchedTiles: Sendable {
  /// Where it lies.
  public let path: String
  /// The mark of the office's file that it is part of.
  public let mark: String
  private let database: DatabaseQueue

  private static let markKey = "standpoint:mark"

  /// Opens one that is there.
  /// - Throws: `StoreError.unavailable` where it is none of these, or cannot be read.
  public convenience init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw StoreError.unavailable(path: path, reason: "it is not there")
    }
    let database = try Self.opened(path)
    let mark = try Self.translating(path) {
      try database.read { database -> String? in
        // It is written to: whoever made it otherwise than here would have a say in what is.
        let others = try Int.fetchOne(
          database, sql: "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')")
        guard others == 0 else { return nil }
        return try String.fetchOne(
          database, sql: "SELECT value FROM metadata WHERE name = ?", arguments: [Self.markKey])
      }
    }
    guard let mark else {
      throw StoreError.unavailable(path: path, reason: "it is somebody's own")
    }
    self.init(path: path, mark: mark, database: database)
  }

  /// Makes a new one, without tiles.
  /// - Throws: `StoreError.unavailable`, and there is none.
  public static func make(path: String, for map: MapListMessage.Map) throws -> FetchedTiles {
    let database = try opened(path)
    let kind = map.mediaType.split(separator: "/").last.map(String.init) ?? ""
    try translating(path) {
      try database.write { database in
        try database.execute(
          sql: """
            CREATE TABLE metadata (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
            CREATE TABLE tiles (
              zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
              tile_data BLOB NOT NULL,
              PRIMARY KEY (zoom_level, tile_column, tile_row)
            ) STRICT;
            CREATE TABLE cells (
              level INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL, tag TEXT NOT NULL,
              PRIMARY KEY (level, x, y)
            ) STRICT;
            """)
        for (name, value) in [
          ("name", map.title), ("format", kind == "jpeg" ? "jpg" : kind), ("type", "baselayer"),
          ("version", "1.3"), ("attribution", map.attribution), (markKey, map.mark),
        ] {
          guard let value else { continue }
          try database.execute(
            sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
        }
      }
    }
    return FetchedTiles(path: path, mark: map.mark, database: database)
  }

  private init(path: String, mark: String, database: DatabaseQueue) {
    (self.path, self.mark, self.database) = (path, mark, database)
  }

  /// Closes the file, before it gets another name. Nothing can be asked of it afterwards.
  public func close() { try? database.close() }

  // MARK: what is here

  /// The cells that are here, also those in which the office has no tile, with the digest of what came.
  public func cells() throws -> [TilePlan.Cell: String] {
    try reading { database in
      var cells: [TilePlan.Cell: String] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT level, x, y, tag FROM cells") {
        guard let level = Int.fromDatabaseValue(row[0]), let x = Int.fromDatabaseValue(row[1]),
          let y = Int.fromDatabaseValue(row[2]), let tag = String.fromDatabaseValue(row[3])
        else { continue }
        cells[TilePlan.Cell(level: level, x: x, y: y)] = tag
      }
      return cells
    }
  }

  /// How many tiles there are.
  public func tileCount() throws -> Int {
    try reading { try Int.fetchOne($0, sql: "SELECT count(*) FROM tiles") ?? 0 }
  }

  /// How many bytes of the file are in use. What was forgotten is written over before it grows.
  public func usedBytes() throws -> Int { try reading(Self.usedBytes) }

  /// The tiles of a cell.
  public func tiles(of cell: TilePlan.Cell) throws -> [TileExtract.Tile] {
    try reading { database in
      try cell.areas.flatMap { area in
        try Row.fetchAll(
          database,
          sql: "SELECT tile_column, tile_row, tile_data FROM tiles WHERE \(Self.within)",
          arguments: Self.arguments(area)
        ).compactMap { row -> TileExtract.Tile? in
          guard let x = Int.fromDatabaseValue(row[0]), let y = Int.fromDatabaseValue(row[1]),
            let data = Data.fromDatabaseValue(row[2])
          else { return nil }
          let place = TileExtract.Place(zoom: area.zoom, x: x, y: (1 << area.zoom) - 1 - y)
          return TileExtract.Tile(place: place, bytes: Array(data))
        }
      }
    }
  }

  // MARK: changing it

  /// Keeps a cell: all of it, or nothing.
  /// - Parameters:
  ///   - tag: the digest of what came.
  ///   - bytes: how large the file may be.
  /// - Returns: whether it fits.
  public func keep(
    _ tiles: [TileExtract.Tile], of cell: TilePlan.Cell, tag: String, within bytes: Int
  ) throws -> Bool {
    try Self.translating(path) {
      var isKept = false
      try database.inTransaction(.immediate) { database in
        for tile in tiles where cell.holds(tile.place) {
          let place = tile.place
          try database.execute(
            sql: "INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?)",
            arguments: [
              place.zoom, place.x, (1 << place.zoom) - 1 - place.y, Data(tile.bytes),
            ])
        }
        try database.execute(
          sql: "INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?)",
          arguments: [cell.level, cell.x, cell.y, tag])
        isKept = try Self.usedBytes(database) <= bytes
        return isKept ? .commit : .rollback
      }
      return isKept
    }
  }

  /// Lets go of all cells but these.
  /// - Returns: how many went.
  public func forget(allBut wanted: Set<TilePlan.Cell>) throws -> Int {
    let gone = try cells().keys.filter { !wanted.contains($0) }
    guard !gone.isEmpty else { return 0 }
    try Self.translating(path) {
      try database.inTransaction(.immediate) { database in
        for cell in gone {
          for area in cell.areas {
            try database.execute(
              sql: "DELETE FROM tiles WHERE \(Self.within)", arguments: Self.arguments(area))
          }
          try database.execute(
            sql: "DELETE FROM cells WHERE level = ? AND x = ? AND y = ?",
            arguments: [cell.level, cell.x, cell.y])
        }
        return .commit
      }
    }
    return gone.count
  }

  // MARK: SQLite

  private static let within = """
    zoom_level = :zoom AND tile_column BETWEEN :west AND :east
    AND tile_row BETWEEN :south AND :north
    """

  /// MBTiles counts rows from the south.
  private static func arguments(_ area: TileExtract.Area) -> StatementArguments {
    let last = (1 << area.zoom) - 1
    return [
      "zoom": area.zoom, "west": area.columns.lowerBound, "east": area.columns.upperBound,
      "south": last - area.rows.upperBound, "north": last - area.rows.lowerBound,
    ]
  }

  private static func usedBytes(_ database: Database) throws -> Int {
    let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
    return (pages - free) * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096)
  }

  private static func opened(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { try ForeignFile.restrict($0) }
    return try translating(path) { try DatabaseQueue(path: path, configuration: configuration) }
  }

  private func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try Self.translating(path) { try database.read(body) }
  }

  private static func translating<Value>(_ path: String, _ body: () throws -> Value) throws -> Value
  {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError.unavailable(path: path, reason: error.message ?? "\(error.resultCode)")
    }
  }
}
