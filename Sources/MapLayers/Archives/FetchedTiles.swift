import Foundation
import GRDB
import Store
import Sync

/// A base map on a field unit that is fetched cell by cell from the office's map. It is an MBTiles
/// archive, with two additions: the mark of the office's file, and the list of cells that are here.
/// Each cell is kept in one transaction: after an interruption, fetching goes on after the last
/// cell.
///
/// The file has a rollback journal and no write-ahead log, since its readers open the file alone, to read.
public final class FetchedTiles: Sendable {
  /// The path of the file.
  public let path: String
  /// The mark of the office's file from which the tiles come.
  public let mark: String
  private let database: DatabaseQueue

  private static let markKey = "standpoint:mark"

  /// Opens a file that is there.
  /// - Throws: `StoreError.unavailable` if the file is missing, was not made here, or cannot be read.
  public convenience init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw StoreError.unavailable(path: path, reason: "it is not there")
    }
    let database = try Self.opened(path)
    let mark = try Self.translating(path) {
      try database.read { database -> String? in
        // The program writes into the file: a view or a trigger of another maker could redirect
        // the writing.
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

  /// The mark in the name of a file that has no tables yet. Nobody looks for one.
  public static let makingMark = "-making-"

  /// Creates a new file, without tiles. Its tables are made under another name, so that a reader
  /// never finds a file without them; if that fails, nothing of it is left.
  /// - Throws: `StoreError.unavailable` if the file cannot be made, or one is there.
  public static func make(path: String, for map: MapListMessage.Map) throws -> FetchedTiles {
    guard FileStatus(ofPath: path) == nil else {
      throw StoreError.unavailable(path: path, reason: "it is there already")
    }
    // Another program may be making the same map: each has a name of its own.
    let making = path + makingMark + UUID().uuidString
    do {
      let database = try opened(making)
      let filling = Result { try fill(database, making, for: map) }
      try translating(making) { try database.close() }
      try filling.get()
      try DurableFile.rename(making, to: path)
    } catch {
      for ending in ["", "-journal"] { try DurableFile.remove(making + ending) }
      throw error
    }
    return try FetchedTiles(path: path)
  }

  private static func fill(
    _ database: DatabaseQueue, _ path: String, for map: MapListMessage.Map
  ) throws {
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
  }

  private init(path: String, mark: String, database: DatabaseQueue) {
    (self.path, self.mark, self.database) = (path, mark, database)
  }

  /// Closes the file, before it is renamed. No other method may be called afterwards.
  public func close() { try? database.close() }

  // MARK: reading

  /// Returns the cells that are here, with the digest of the office's answer: also cells without
  /// any tile there.
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

  /// Returns the number of tiles.
  public func tileCount() throws -> Int {
    try reading { try Int.fetchOne($0, sql: "SELECT count(*) FROM tiles") ?? 0 }
  }

  /// Returns the bytes of the file that are in use. The space of forgotten cells is used again
  /// before the file grows.
  public func usedBytes() throws -> Int { try reading(Self.usedBytes) }

  /// Returns the tiles of a cell.
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

  // MARK: changing

  /// Keeps a cell with all of its tiles, or nothing of it. Tiles outside the cell are left out.
  /// - Parameters:
  ///   - tag: the digest of the office's answer.
  ///   - bytes: the most that the file may have in use, bytes.
  /// - Returns: true if the cell fits; false if it was not kept.
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

  /// Deletes all cells except `wanted`, with their tiles.
  /// - Returns: the number of cells that were deleted.
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

  /// Gives the space of forgotten cells back to the disk, as far as the file was made for it.
  public func giveBack() throws {
    try Self.translating(path) {
      try database.writeWithoutTransaction {
        _ = try Row.fetchAll($0, sql: "PRAGMA incremental_vacuum")
      }
    }
  }

  // MARK: SQLite

  private static let within = """
    zoom_level = :zoom AND tile_column BETWEEN :west AND :east
    AND tile_row BETWEEN :south AND :north
    """

  /// Binds an area. MBTiles counts rows from the south.
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
    configuration.prepareDatabase { database in
      try ForeignFile.restrict(database)
      // For a new file: `giveBack` can then make it smaller.
      try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
    }
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
