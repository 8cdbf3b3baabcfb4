import GRDB
import GRDBSQLite
import Synchronization

/// The limits on an SQLite file that another program made, and on the questions that it may be asked.
///
/// Such a file brings its own schema: instead of an expected table there may be a view that
/// computes without end, or that makes texts that fill the memory. So its views and triggers may
/// only call functions without side effects, rows have a largest size, and each question is cut off
/// after a time.
enum ForeignFile {
  /// The largest size of a text, a picture or a row, bytes.
  static let bytesAtMost = 8 << 20

  /// Restricts a connection permanently, before its schema is read.
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

  /// Returns the words for people about an error of such a file.
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

/// A timer that cuts off a connection's question if it takes too long.
final class QuestionTime: Sendable {
  private let end = Mutex<ContinuousClock.Instant?>(nil)
  /// The steps of SQLite's machine between two looks at the time: some tenths of a millisecond.
  private static let steps: Int32 = 10_000

  /// Watches a connection. The caller must keep this object as long as the connection exists.
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

  /// Runs `body` with a limit of time; a question that exceeds it throws SQLite's `SQLITE_INTERRUPT`.
  func within<Value>(_ seconds: Double, _ body: () throws -> Value) rethrows -> Value {
    end.withLock { $0 = .now + .seconds(seconds) }
    defer { end.withLock { $0 = nil } }
    return try body()
  }
}
