import Foundation
import GRDB

extension SQLiteFile {
  /// Copies the whole database as it stands at one moment into a new file, page by page, while others go
  /// on reading and writing. It is durable when this returns.
  ///
  /// `VACUUM INTO` would make a smaller file, and may give rows other numbers: photos are looked at in
  /// the order of theirs. Pages are copied as they are.
  /// - Throws: `StoreError`, also where there is such a file already; nothing new is left then.
  func copyDurably(to path: String) throws {
    // Made here, so that nobody but its owner has ever been able to read it.
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    Glibc.close(descriptor)
    do {
      try copy(to: path)
      try DurableFile.sync(path)
    } catch {
      for end in ["", "-wal", "-shm", "-journal"] { try? DurableFile.remove(path + end) }
      throw error
    }
  }

  /// What SQLite itself finds wrong with the file; empty where nothing is. It reads all of it.
  func damages() throws -> [String] {
    try read { database in
      try String.fetchAll(database, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
        + Row.fetchAll(database, sql: "PRAGMA foreign_key_check").prefix(20).map {
          "a row of \($0["table"] as String? ?? "?") names one of \($0["parent"] as String? ?? "?")"
            + " that is not there"
        }
    }
  }
}
