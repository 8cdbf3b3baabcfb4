import Foundation
import GRDB
import Inspection

/// The field unit's database: one SQLite file, which several processes may use at once.
public final class FieldStore: Sendable {
  /// Where it lies.
  public let path: String
  private let pool: DatabasePool

  /// Opens the file, makes it when there is none, and brings it to today's schema.
  /// - Throws: `StoreError`.
  public init(path: String) throws(StoreError) {
    self.path = path
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    do {
      pool = try DatabasePool(path: path, configuration: configuration)
      // GRDB sets synchronous to NORMAL when it turns on WAL, after any preparation of the
      // connection: only here is FULL kept, and a photo that was acknowledged survives a power cut.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      let migrator = FieldMigrations.migrator
      guard try pool.read({ try migrator.hasBeenSuperseded($0) }) == false else {
        throw StoreError.newerSchema(path: path)
      }
      try migrator.migrate(pool)
    } catch let error as StoreError {
      throw error
    } catch {
      throw .unavailable(path: path, reason: Self.words(error))
    }
  }

  /// Closes the file; later use fails.
  public func close() throws {
    try pool.close()
  }

  /// Reads, for one person. What `body` sees does not change under it.
  public func read<Value>(as person: Person, _ body: (FieldSession) throws -> Value) throws -> Value
  {
    try translating { try pool.read { try body(FieldSession(database: $0, person: person)) } }
  }

  /// Reads and writes, for one person, in one transaction: all of it or nothing. GRDB begins it as
  /// IMMEDIATE, so that what is read in it cannot change before it is written.
  public func write<Value>(
    as person: Person, _ body: (FieldSession) throws -> Value
  ) throws -> Value {
    try translating { try pool.write { try body(FieldSession(database: $0, person: person)) } }
  }

  /// What a connection's settings read back: journal mode, synchronous (2 is FULL), foreign keys.
  public func pragmas() throws -> (journalMode: String, synchronous: Int, foreignKeys: Bool) {
    try pool.writeWithoutTransaction { database in
      (
        try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
        try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1,
        try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") ?? false
      )
    }
  }

  /// The tables, indexes and triggers as SQLite keeps them, in the order of their names.
  public func schema() throws -> String {
    try pool.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT sql FROM sqlite_master
          WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
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

/// One transaction of one person. Every query names the agency and the inspector: nobody sees what
/// is another's.
public struct FieldSession {
  let database: Database
  /// Whose transaction it is.
  public let person: Person

  /// The named arguments of a statement, the owner among them.
  func arguments(
    _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) -> StatementArguments {
    var all: [String: (any DatabaseValueConvertible)?] = values
    all["agency"] = person.agency
    all["inspector"] = person.login
    return StatementArguments(all)
  }
}
