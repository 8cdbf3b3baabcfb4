import Foundation
import GRDB
import Synchronization

/// One SQLite file that several processes may use at once: WAL, synchronous FULL, foreign keys.
final class SQLiteFile: Sendable {
  let path: String
  let pool: DatabasePool
  /// The number of this process's transactions that write or wait to write: they wait for each
  /// other here, not in SQLite.
  private let writers = Mutex(0)
  private static let patienceMilliseconds = 10_000
  /// The most connections that read at once; the next transaction waits for one of them.
  static let readersAtMost = 5
  /// The size to which the write-ahead log is cut back, bytes: the rest is used again for later writing.
  static let logBytesKept = 256 << 20

  /// Opens the file, creates it if there is none, and brings it to today's schema.
  /// - Parameter writerCacheKiB: the part of the file that the writing connection keeps in memory,
  ///   KiB, at least 2000; nil for SQLite's default. More than 100,000, for a program that writes a
  ///   great deal at once, also means fewer checkpoints.
  /// - Parameter readerCacheKiB: the part that each of the `readersAtMost` reading connections
  ///   keeps, KiB, likewise.
  init(
    path: String, migrator: DatabaseMigrator, writerCacheKiB: Int? = nil,
    readerCacheKiB: Int? = nil
  ) throws(StoreError) {
    self.path = path
    var configuration = Configuration()
    configuration.maximumReaderCount = Self.readersAtMost
    if let readerCacheKiB {
      configuration.prepareDatabase { database in
        try database.execute(sql: "PRAGMA cache_size = \(-max(2000, readerCacheKiB))")
      }
    }
    configuration.busyMode = .timeout(Double(Self.patienceMilliseconds) / 1000)
    do {
      // Of two programs that begin at once on a new folder, the second finds the schema made,
      // instead of making it too.
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      pool = try DurableFile.withLock(folder: folder) {
        try Self.opened(path: path, configuration, migrator, writerCacheKiB)
      }
    } catch StoreError.unwritable(_, let reason) {
      throw .unavailable(path: path, reason: reason)
    } catch let error as StoreError {
      throw error
    } catch {
      throw .unavailable(path: path, reason: Self.words(error))
    }
  }

  /// Opens a connection that only tells of commits.
  func commitWatch() throws(StoreError) -> CommitWatch {
    do {
      return try CommitWatch(path: path)
    } catch {
      throw .unavailable(path: path, reason: Self.words(error))
    }
  }

  private static func opened(
    path: String, _ configuration: Configuration, _ migrator: DatabaseMigrator,
    _ writerCacheKiB: Int?
  ) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: configuration)
    // GRDB sets synchronous to NORMAL when it turns on WAL, after any preparation of the
    // connection. Only a setting here keeps FULL, so that acknowledged data survive a power cut.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    // During a long read, such as an export of everything, the log grows by all that is written.
    // The limit cuts it back after the read; otherwise it would keep its size.
    try pool.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_size_limit = \(Self.logBytesKept)")
    }
    if let writerCacheKiB {
      try pool.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA cache_size = \(-max(2000, writerCacheKiB))")
        if writerCacheKiB > 100_000 {
          try database.execute(sql: "PRAGMA wal_autocheckpoint = 50000")
        }
      }
    }
    guard try pool.read({ try migrator.hasBeenSuperseded($0) }) == false else {
      throw StoreError.newerSchema(path: path)
    }
    try migrator.migrate(pool)
    return pool
  }

  /// Reads. `body` sees an unchanging state of the database.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try translating { try pool.read(body) }
  }

  /// Reads and writes in one transaction: all of it or nothing. GRDB begins it as IMMEDIATE, so
  /// that the data read in it cannot change before they are written.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try writing { try translating { try pool.write(body) } }
  }

  /// Reads and writes in one transaction with another file attached as `staging`, which is only read.
  func write<Value>(beside path: String, _ body: (Database) throws -> Value) throws -> Value {
    try writing {
      try translating {
        try pool.writeWithoutTransaction { database in
          try database.execute(sql: "ATTACH DATABASE ? AS staging", arguments: [path])
          defer { try? database.execute(sql: "DETACH DATABASE staging") }
          return try Self.transaction(database, body)
        }
      }
    }
  }

  /// Reads and writes in one transaction if no other one is writing, in this process or another;
  /// returns nil at once otherwise. For work that can be done another time.
  func writeIfFree<Value>(_ body: (Database) throws -> Value) throws -> Value? {
    let isFree = writers.withLock { count in
      guard count == 0 else { return false }
      count = 1
      return true
    }
    guard isFree else { return nil }
    defer { writers.withLock { $0 -= 1 } }
    return try translating {
      try pool.writeWithoutTransaction { database -> Value? in
        try database.execute(sql: "PRAGMA busy_timeout = 0")
        defer {
          try? database.execute(sql: "PRAGMA busy_timeout = \(Self.patienceMilliseconds)")
        }
        do {
          return try Self.transaction(database, body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
          return nil
        }
      }
    }
  }

  private static func transaction<Value>(
    _ database: Database, _ body: (Database) throws -> Value
  ) throws -> Value {
    var value: Value?
    try database.inTransaction(.immediate) {
      value = try body(database)
      return .commit
    }
    guard let value else { throw DatabaseError(message: "a transaction came to nothing") }
    return value
  }

  private func writing<Value>(_ body: () throws -> Value) rethrows -> Value {
    writers.withLock { $0 += 1 }
    defer { writers.withLock { $0 -= 1 } }
    return try body()
  }

  /// Copies every page, as it is at one moment, into another file; no other transaction waits for the copy.
  func copy(to path: String) throws {
    try translating {
      let target = try DatabaseQueue(path: path)
      do {
        try pool.backup(to: target)
        try target.close()
      } catch {
        try? target.close()
        throw error
      }
    }
  }

  /// Reads tables and their indexes from the disk, so that the system has them in memory at the
  /// first request. Does nothing if SQLite was built without `dbstat`, which walks the pages.
  /// - Returns: the number of bytes read.
  func readAhead(_ tables: [String]) -> Int {
    do {
      let names = try pool.read { database in
        try Row.fetchAll(
          database, sql: "SELECT name, tbl_name FROM sqlite_master WHERE rootpage > 0"
        ).filter { tables.contains($0[1]) }.map { $0[0] as String }
      }
      // One transaction for each name: a long transaction would keep the log from being emptied.
      return try names.reduce(0) { bytes, name in
        let size = try pool.read { database in
          try Int.fetchOne(
            database, sql: "SELECT sum(pgsize) FROM dbstat WHERE name = ? AND aggregate = TRUE",
            arguments: [name])
        }
        return bytes + (size ?? 0)
      }
    } catch {
      // Reading ahead only saves time: the next reader gets the error.
      return 0
    }
  }

  /// Returns a connection's settings as read back: journal mode, synchronous (2 is FULL), foreign keys.
  func pragmas() throws -> (journalMode: String, synchronous: Int, foreignKeys: Bool) {
    try pool.writeWithoutTransaction { database in
      (
        try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
        try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1,
        try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") ?? false
      )
    }
  }

  /// Returns the SQL of the tables, indexes and triggers as SQLite keeps it, by table; without the
  /// shadow tables of virtual tables.
  func schema() throws -> String {
    try pool.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT sql FROM sqlite_master
          WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
          AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
          ORDER BY tbl_name, type DESC, name
          """)
    }.map { $0 + ";\n" }.joined(separator: "\n")
  }

  private func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError.unavailable(path: path, reason: Self.words(error))
    }
  }

  private static func words(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    switch error.resultCode {
    case .SQLITE_CANTOPEN: return "it cannot be opened or made: check the folder and its rights"
    case .SQLITE_READONLY, .SQLITE_PERM: return "it cannot be written: check its rights"
    case .SQLITE_NOTADB: return "it is not an SQLite database"
    case .SQLITE_FULL: return "the disk is full"
    case .SQLITE_BUSY, .SQLITE_LOCKED: return "another program has held it for 10 s"
    case .SQLITE_CORRUPT: return "it is damaged: restore a backup"
    default: return error.message ?? "SQLite error \(error.resultCode.rawValue)"
    }
  }
}
