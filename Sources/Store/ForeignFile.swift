import GRDB
import GRDBSQLite
import Synchronization

/// An SQLite file that somebody else has made, and what may be asked of it.
///
/// Such a file brings a schema of its own: where a table is expected may stand a view that computes without end,
/// or that makes texts that fill the memory. So views and triggers may call nothing that does more than compute,
/// rows have a largest size, and each question has a time after which it is cut off.
enum ForeignFile {
  /// No text, picture or row is larger, bytes.
  static let bytesAtMost = 8 << 20

  /// Restricts a connection for good, before its schema is read.
  static func restrict(_ database: Database) throws {
    for pragma in ["trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"] {
      try database.execute(sql: "PRAGMA \(pragma)")
    }
    for (limit, value) in [
      (SQLITE_LIMIT_LENGTH, bytesAtMost), (SQLITE_LIMIT_COLUMN, 200),
      (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 50),
      (SQLITE_LIMIT_VDBE_OP, 50_000), (SQLITE_LIMIT_FUNCTION_ARG, 20),
      (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    ] { sqlite3_limit(database.sqliteConnection, limit, Int32(value)) }
  }

  /// What a person is told of an error of such a file.
  static func words(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_INTERRUPT: "it takes too long to be read: its tiles have no index, or are computed"
    case .SQLITE_TOOBIG: "something in it is larger than \(bytesAtMost >> 20) MB"
    case .SQLITE_NOTADB: "it is not an SQLite database"
    case .SQLITE_CORRUPT: "it is damaged"
    default: error.message ?? "SQLite error \(error.resultCode.rawValue)"
    }
  }
}

/// Cuts off what one connection is asked, where it takes too long.
final class QuestionTime: Sendable {
  private let end = Mutex<ContinuousClock.Instant?>(nil)
  /// So many steps of SQLite's machine from one look at the time to the next: some tenths of a millisecond.
  private static let steps: Int32 = 10_000

  /// Watches a connection. Whoever prepares it holds this as long as there is the connection.
  func watch(_ database: Database) {
    sqlite3_progress_handler(
      database.sqliteConnection, Self.steps,
      { context in
        guard let context else { return 0 }
        return Unmanaged<QuestionTime>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque())
  }

  private var isOver: Bool { end.withLock { $0.map { ContinuousClock.now > $0 } ?? false } }

  /// Runs what asks; beyond the time it throws SQLite's `SQLITE_INTERRUPT`.
  func within<Value>(_ seconds: Double, _ body: () throws -> Value) rethrows -> Value {
    end.withLock { $0 = .now + .seconds(seconds) }
    defer { end.withLock { $0 = nil } }
    return try body()
  }
}
