import Foundation
import GRDB
import Store
import TimeAndText

/// A GeoPackage that is filled once: an SQLite file that other programs open (OGC 12-128r18, GeoPackage
/// 1.3). The caller names tables and columns; the metadata that machines read is written here.
public enum GeoPackageFile {
  /// Makes a GeoPackage at a path at which no file is. If `body` throws, or the disk is full, no
  /// file is left.
  /// - Parameter made: the time at which the file says that it was made.
  /// - Throws: `StoreError.unwritable`; the error of `body`.
  public static func make(
    at path: String, made: DeviceTime, _ body: (GeoPackageWriter) throws -> Void
  ) throws {
    // SQLite would make the file readable for everyone.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: path, reason: DurableFile.reason())
    }
    close(descriptor)
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { database in
        // A file that a crash leaves is thrown away as a whole: the caller gives the file its name
        // only at the end.
        for pragma in [
          "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE",
          "cache_size = -8000",
        ] { try database.execute(sql: "PRAGMA \(pragma)") }
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { database in
        // The application's id is "GPKG", the user version is the version times 10,000.
        try database.execute(
          sql: "PRAGMA application_id = \(0x4750_4B47); PRAGMA user_version = 10300")
        try database.inTransaction {
          try database.execute(sql: GeoPackageSchema.tables)
          let writer = GeoPackageWriter(database, made: made)
          try body(writer)
          writer.release()
          return .commit
        }
      }
      try queue.close()
      try DurableFile.sync(path)
    } catch {
      for end in ["", "-journal"] { unlink(path + end) }
      guard let error = error as? DatabaseError else { throw error }
      throw StoreError.unwritable(path: path, reason: words(error))
    }
  }

  /// Returns SQLite's error in words for people.
  static func words(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_FULL: "the disk is full"
    case .SQLITE_IOERR: "the disk does not take it"
    case .SQLITE_CANTOPEN: "it cannot be opened: check the folder and its rights"
    case .SQLITE_READONLY, .SQLITE_PERM: "its permissions do not allow it"
    case .SQLITE_NOMEM: "there is not enough memory for it"
    case .SQLITE_TOOBIG: "one of its texts or pictures is larger than SQLite takes"
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: "something else has changed it while it was made"
    default: "SQLite says: \(error.message ?? "error \(error.resultCode.rawValue)")"
    }
  }

  /// Returns the contents of a GeoPackage as SQL in a fixed order, for comparison; of a picture
  /// only its size.
  package static func dump(_ path: String) throws -> String {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read { database in
      var lines: [String] = []
      for name in ["application_id", "user_version"] {
        lines.append("\(name) \(try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0)")
      }
      let tables = try Row.fetchAll(
        database,
        sql: """
          SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
          ORDER BY type, name
          """)
      for row in tables { lines.append(row["sql"]) }
      let names = try String.fetchAll(
        database,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name
          """)
      for name in names {
        lines.append("-- \(name)")
        let quoted = GeoPackageSchema.quoted(name)
        for row in try Row.fetchAll(database, sql: "SELECT * FROM \(quoted) ORDER BY 1, 2") {
          lines.append(row.map { Self.text($0.1) }.joined(separator: "|"))
        }
      }
      return lines.joined(separator: "\n") + "\n"
    }
  }

  /// Returns the faults that SQLite finds in a file and in its spatial indexes; empty if there are none.
  package static func damages(_ path: String) throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read { database in
      var found = try String.fetchAll(database, sql: "PRAGMA integrity_check")
      let trees = try String.fetchAll(
        database,
        sql: "SELECT 'rtree_' || table_name || '_geom' FROM gpkg_geometry_columns ORDER BY 1")
      for tree in trees {
        found += try String.fetchAll(database, sql: "SELECT rtreecheck(?)", arguments: [tree])
      }
      return found.filter { $0 != "ok" }
    }
  }

  private static func text(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: "NULL"
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): "'\(text.replacingOccurrences(of: "'", with: "''"))'"
    case .blob(let data):
      data.count > 4096
        ? "\(data.count) bytes"
        : "x'" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    }
  }
}
