import Evidence
import GRDB
import Inspection
import Sync
import TimeAndText

/// An agency's log.
public struct LogTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension LogTable {
  /// Returns the agency's newest log entries, the newest first.
  public func newest(limit: Int) throws -> [LogEntry] {
    try Row.fetchAll(
      database,
      sql: "SELECT * FROM log WHERE agency = :agency ORDER BY number DESC LIMIT :limit",
      arguments: arguments(["limit": limit])
    ).map { row in
      LogEntry(
        agency: row["agency"], time: DeviceTime(millisecondsSince1970: row["time"]),
        person: row["person"], action: row["action"], subject: row["subject"],
        detail: row["detail"])
    }
  }

  /// Returns a page of the agency's log, the newest first.
  /// - Parameters:
  ///   - number: only entries older than this one; nil to begin with the newest.
  ///   - words: only entries whose person, action, subject or detail contain these words; nil for all.
  public func page(
    before number: Int64?, containing words: String?, limit: Int
  ) throws -> [(number: Int64, entry: LogEntry)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM log WHERE agency = :agency AND number < :before
        AND (:words IS NULL OR instr(lower(person || ' ' || action || ' ' || subject || ' '
          || coalesce(detail, '')), lower(:words)) > 0)
        ORDER BY number DESC LIMIT :limit
        """, arguments: arguments(["before": number ?? .max, "words": words, "limit": limit])
    ).map { row in
      (
        row["number"],
        LogEntry(
          agency: row["agency"], time: DeviceTime(millisecondsSince1970: row["time"]),
          person: row["person"], action: row["action"], subject: row["subject"],
          detail: row["detail"])
      )
    }
  }

  /// Adds an entry to the log, in the transaction that makes the change it tells of.
  public func add(_ entry: LogEntry) throws {
    var own = entry
    own.agency = agency
    try RegistrySession(database: database).log(own)
  }
}
