import Foundation
import GRDB
import Store
import Sync
import TimeAndText

/// The tiles of one map service on the office's disk. It is a cache: if the service's settings change,
/// it begins anew, and if it is damaged or too large, tiles go.
final class TileCache: Sendable {
  /// A kept answer.
  struct Entry: Sendable {
    /// The tile; nil for a place where the service has none.
    var tile: LayerTile?
    /// The moment up to which the answer is fresh.
    var fresh: DeviceTime
    /// The service's entity tag; nil if it gave none.
    var tag: String?
  }

  /// The most bytes of the tiles of one service.
  static let bytesAtMost = 2 << 30
  /// The tiles between two looks at the size.
  private static let tilesBetweenLooks = 200

  let path: String
  private let database: DatabaseQueue
  private let bytesAtMost: Int

  /// Opens the cache; one that is damaged, or belongs to other settings, begins anew.
  /// - Parameters:
  ///   - mark: the mark of the settings that the pictures depend on.
  ///   - patienceSeconds: the longest wait for another program that writes to the file.
  /// - Throws: `StoreError.unavailable` if the file cannot be used now, and nothing of it is lost.
  init(
    path: String, mark: String, bytesAtMost: Int = TileCache.bytesAtMost,
    patienceSeconds: Double = 5
  ) throws {
    self.path = path
    self.bytesAtMost = bytesAtMost
    try DurableFile.makeFolder((path as NSString).deletingLastPathComponent)
    do {
      do {
        database = try Self.opened(path, mark, patienceSeconds)
      } catch let error as DatabaseError where Self.saysDamaged(error) {
        try Self.remove(path)
        database = try Self.opened(path, mark, patienceSeconds)
      }
    } catch let error as DatabaseError {
      throw StoreError.unavailable(path: path, reason: error.message ?? "\(error.resultCode)")
    }
  }

  /// Returns true if an error says that the file itself is damaged. A file that is busy, on a full
  /// disk or on one that fails for a moment is as good as it was.
  static func saysDamaged(_ error: DatabaseError) -> Bool {
    [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
  }

  /// Removes a cache from the disk.
  static func remove(_ path: String) throws {
    for ending in ["", "-wal", "-shm", "-journal"] { try DurableFile.remove(path + ending) }
  }

  private static func opened(
    _ path: String, _ mark: String, _ patienceSeconds: Double
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patienceSeconds)
    configuration.prepareDatabase { database in
      // Tiles that a power cut takes are fetched again.
      try database.execute(sql: "PRAGMA synchronous = OFF")
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    try database.write { database in
      try database.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
          CREATE TABLE IF NOT EXISTS tiles (
            zoom INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL, data BLOB, type TEXT,
            fetched INTEGER NOT NULL, fresh INTEGER NOT NULL, tag TEXT,
            PRIMARY KEY (zoom, x, y)
          ) STRICT;
          CREATE INDEX IF NOT EXISTS tiles_by_age ON tiles (fetched);
          """)
      let known = try String.fetchOne(database, sql: "SELECT value FROM about WHERE name = 'mark'")
      guard known != mark else { return }
      try database.execute(sql: "DELETE FROM tiles")
      try database.execute(
        sql: "INSERT OR REPLACE INTO about VALUES ('mark', ?)", arguments: [mark])
    }
    return database
  }

  /// Returns the answer that is kept for a place; nil if there is none.
  func entry(of place: TileExtract.Place) throws -> Entry? {
    try database.read { database in
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: "SELECT data, type, fresh, tag FROM tiles WHERE zoom = ? AND x = ? AND y = ?"),
        arguments: [place.zoom, place.x, place.y])
      guard let row else { return nil }
      let (data, type): (Data?, String?) = (row["data"], row["type"])
      let tile = data.flatMap { data in type.map { LayerTile(bytes: Array(data), mediaType: $0) } }
      return Entry(
        tile: tile, fresh: DeviceTime(millisecondsSince1970: row["fresh"]), tag: row["tag"])
    }
  }

  /// Keeps an answer in the place of the earlier one.
  func keep(_ entry: Entry, of place: TileExtract.Place, at now: DeviceTime) throws {
    try database.write { database in
      try database.cachedStatement(
        sql: "INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
      ).execute(
        arguments: [
          place.zoom, place.x, place.y, entry.tile.map { Data($0.bytes) }, entry.tile?.mediaType,
          now.millisecondsSince1970, entry.fresh.millisecondsSince1970, entry.tag,
        ])
      if database.lastInsertedRowID % Int64(Self.tilesBetweenLooks) == 0 {
        try removeOldest(database)
      }
    }
  }

  /// Removes a tenth of the tiles, the oldest first, for as long as there are too many bytes.
  private func removeOldest(_ database: Database) throws {
    while try Self.usedBytes(database) > bytesAtMost {
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM tiles") ?? 0
      guard count > 0 else { return }
      try database.execute(
        sql: """
          DELETE FROM tiles WHERE rowid IN (SELECT rowid FROM tiles ORDER BY fetched LIMIT ?)
          """, arguments: [count / 10 + 1])
    }
  }

  /// The number of tiles, and the bytes in use.
  func extent() throws -> (tiles: Int, bytes: Int) {
    try database.read { database in
      (
        try Int.fetchOne(database, sql: "SELECT count(*) FROM tiles WHERE data IS NOT NULL") ?? 0,
        try Self.usedBytes(database)
      )
    }
  }

  private static func usedBytes(_ database: Database) throws -> Int {
    let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
    return (pages - free) * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096)
  }
}

/// A tile as it is served.
package struct LayerTile: Hashable, Sendable {
  /// The picture.
  package var bytes: [UInt8]
  /// The media type of the picture.
  package var mediaType: String
}
