import Foundation
import GRDB
import Synchronization

/// One SQLite file that several processes may use at once: WAL, synchronous FULL, foreign keys.
final class SQLiteFile: Sendable {
  let path: String
  let pool: DatabasePool
  /// How many of this process write or wait for it: they wait for each other, not in SQLite.
  private let writers = Mutex(0)
  private static let patienceMilliseconds = 10_000
  /// So many connections read at once; the next transaction waits for one of them.
  static let readersAtMost = 5
  /// So much of the write-ahead log stays for what is written next, bytes.
  static let logBytesKept = 256 << 20

  /// Opens the file, makes it when there is none, and brings it to today's schema.
  /// - Parameter writerCacheKiB: how much of the file the writing connection keeps in memory; nil is
  ///   SQLite's own measure. Much of it, and fewer checkpoints, is for whoever writes a great deal at once.
  /// - Parameter readerCacheKiB: the same for each connection that reads, of which there are `readersAtMost`.
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
      // Two programs begun at once on a new folder: the second one finds the schema made, instead
      // of making it too.
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

  private static func opened(
    path: String, _ configuration: Configuration, _ migrator: DatabaseMigrator,
    _ writerCacheKiB: Int?
  ) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: configuration)
    // GRDB sets synchronous to NORMAL when it turns on WAL, after any preparation of the
    // connection: only here is FULL kept, and what was acknowledged survives a power cut.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    // While somebody reads for long, as an export of everything does, the log grows by all that is written: it
    // is cut back once they have ended, and would keep its size otherwise.
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

  /// Reads. What `body` sees does not change under it.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try translating { try pool.read(body) }
  }

  /// Reads and writes in one transaction: all of it or nothing. GRDB begins it as IMMEDIATE, so that
  /// what is read in it cannot change before it is written.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try writing { try translating { try pool.write(body) } }
  }

  /// The same with another file beside it, as `staging`, which is only read.
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

  /// The same for what can be done another time: nil at once where somebody else writes just now, in this
  /// process or another one.
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

  /// Copies every page into another file, as they stand at one moment; nobody waits for it.
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

  /// Reads these tables and their indexes from the disk, so that the system has them in its memory when
  /// somebody first asks. Where SQLite was built without what walks its pages, nothing happens.
  /// - Returns: how many bytes they have.
  func readAhead(_ tables: [String]) -> Int {
    do {
      let names = try pool.read { database in
        try Row.fetchAll(
          database, sql: "SELECT name, tbl_name FROM sqlite_master WHERE rootpage > 0"
        ).filter { tables.contains($0[1]) }.map { $0[0] as String }
      }
      // One after the other: a transaction that lasts keeps the log from being emptied.
      return try names.reduce(0) { bytes, name in
        let size = try pool.read { database in
          try Int.fetchOne(
            database, sql: "SELECT sum(pgsize) FROM dbstat WHERE name = ? AND aggregate = TRUE",
            arguments: [name])
        }
        return bytes + (size ?? 0)
      }
    } catch {
      // It saves time, and nothing else: whoever reads next is told what is wrong.
      return 0
    }
  }

  /// What a connection's settings read back: journal mode, synchronous (2 is FULL), foreign keys.
  func pragmas() throws -> (journalMode: String, synchronous: Int, foreignKeys: Bool) {
    try pool.writeWithoutTransaction { database in
      (
        try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
        try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1,
        try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") ?? false
      )
    }
  }

  /// The tables, indexes and triggers as SQLite keeps them, in the order of their names; without what a
  /// virtual table keeps itself in.
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
