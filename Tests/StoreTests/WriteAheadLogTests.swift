import Foundation
import GRDB
import TestSupport
import Testing

@testable import Store

@Suite("The log that a database is written ahead to")
struct WriteAheadLogTests {
  @Test("it grows while somebody reads for long, and is cut back once they have ended")
  func cutBack() throws {
    try withTemporaryDirectory { folder in
      let store = try FieldStore(path: folder.appendingPathComponent("standpoint.sqlite").path)
      let pool = store.file.pool
      let limit = try pool.writeWithoutTransaction {
        try Int.fetchOne($0, sql: "PRAGMA journal_size_limit")
      }
      #expect(limit == SQLiteFile.logBytesKept)
      // The rest runs with a limit that a test can reach.
      let kept = 1 << 20
      try pool.writeWithoutTransaction { database in
        _ = try Int.fetchOne(database, sql: "PRAGMA journal_size_limit = \(kept)")
        try database.execute(sql: "CREATE TABLE filler (bytes BLOB)")
      }
      func write(_ bytes: Int) throws {
        try pool.write { database in
          try database.execute(sql: "INSERT INTO filler VALUES (zeroblob(?))", arguments: [bytes])
        }
      }
      func logBytes() -> Int { FileStatus(ofPath: store.path + "-wal")?.bytes ?? 0 }
      var snapshot: DatabaseSnapshot? = try pool.makeSnapshot()
      for _ in 0..<8 { try write(1 << 20) }
      #expect(logBytes() > 8 << 20)
      withExtendedLifetime(snapshot) {}
      snapshot = nil
      // The first write after the reader's end empties the log, and the next one begins it anew.
      for _ in 0..<3 { try write(100) }
      #expect(logBytes() <= kept)
      try store.close()
    }
  }
}
