import Foundation
import GRDB

extension SQLiteFile {
  /// Copies the whole database, as it is at one moment, into a new file, page by page, while others
  /// go on reading and writing. The copy is durable when this returns.
  ///
  /// `VACUUM INTO` would make a smaller file, but may give rows other numbers, and photos are
  /// checked in the order of their rows' numbers. So pages are copied unchanged.
  /// - Throws: `StoreError`, also if the file exists already; a failed copy leaves no new file.
  func copyDurably(to path: String) throws {
    // The file is made here with the owner's rights only, so that no other user can read it at any time.
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

  /// Returns the faults that SQLite itself finds in the file; empty if there are none. All of the
  /// file is read.
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
