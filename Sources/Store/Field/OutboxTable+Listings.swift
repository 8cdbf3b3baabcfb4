import GRDB
import Inspection
import Sync
import TimeAndText

/// An entry of the outbox as a row of a list.
public struct OutboxListing: Hashable, Sendable {
  /// The entry.
  public var entry: OutboxEntry
  /// The name of the track or of the task; for a photo or a note, of the task that it belongs to. Nil
  /// if there is no such name.
  public var name: String?
  /// The device's time at a photo's shutter; nil for other kinds.
  public var taken: DeviceTime?
}

extension OutboxTable {
  /// Returns rows of a list of the outbox, in the order of `list`.
  /// - Parameters:
  ///   - limit: the most rows.
  ///   - offset: the number of rows that are skipped.
  public func listings(limit: Int, offset: Int) throws -> [OutboxListing] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT outbox.*, task.name AS task_name, track.name AS track_name,
          photo.device_time AS photo_time
        FROM outbox LEFT JOIN task ON task.id = coalesce(outbox.task, outbox.id)
        LEFT JOIN track ON track.id = outbox.id LEFT JOIN photo ON photo.id = outbox.id
        WHERE outbox.agency = :agency AND outbox.inspector = :inspector
        ORDER BY outbox.queued, outbox.whole, outbox.kind = 'task', outbox.id
        LIMIT :limit OFFSET :offset
        """, arguments: arguments(["limit": limit, "offset": offset])
    ).map { row in
      OutboxListing(
        entry: try Self.entry(row), name: row["track_name"] ?? row["task_name"],
        taken: (row["photo_time"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)))
    }
  }

  /// Counts the entries and sums their bytes.
  /// - Returns: the number of entries, their bytes, and the office's last answer if all entries have
  ///   the same one, otherwise nil.
  public func totals() throws -> (entries: Int, bytes: Int, commonAnswer: Wording?) {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*) AS entries, coalesce(sum(bytes), 0) AS total,
          CASE WHEN count(DISTINCT last_answer) = 1 AND count(last_answer) = count(*)
            THEN min(last_answer) END AS answer
        FROM outbox WHERE agency = :agency AND inspector = :inspector
        """, arguments: arguments())
    return (
      row?["entries"] ?? 0, row?["total"] ?? 0,
      (row?["answer"] as String?).map(Wording.init(stored:))
    )
  }
}
