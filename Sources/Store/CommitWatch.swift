import GRDB

/// Tells whether a database file has changed since, in microseconds and without a thread of its
/// own: SQLite counts the commits of all connections and of all processes in shared memory.
final class CommitWatch: Sendable {
  private let queue: DatabaseQueue

  /// Opens a further connection to a database that is open already.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    // The caller shares its thread with all requests: it must not wait here.
    configuration.busyMode = .immediateError
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Returns a number that is another one after each commit; nil if it cannot be read now, and what
  /// was read earlier may have changed.
  func version() -> Int? {
    do {
      return try queue.unsafeRead { database in
        try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version"))
      }
    } catch {
      // The caller then reads the database itself, and gets the error if there still is one.
      return nil
    }
  }

  /// Closes the connection; later versions are nil.
  func close() {
    // A connection that only reads has nothing to lose.
    try? queue.close()
  }
}
