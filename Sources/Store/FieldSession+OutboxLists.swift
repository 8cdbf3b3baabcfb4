import Evidence
import Foundation
import GRDB
import Inspection
import Positioning
import Sync

/// An entry of the outbox with what a person calls it.
public struct OutboxListing: Hashable, Sendable {
  /// What waits.
  public var entry: OutboxEntry
  /// The name of the task or of the track; for a photo or a note, of the task that it belongs to. Nil
  /// where there is none.
  public var name: String?
  /// When a photo was taken; nil for all else.
  public var taken: DeviceTime?
}

/// A receipt with the office that gave it.
public struct ReceiptListing: Hashable, Sendable {
  /// What the office has signed.
  public var receipt: Receipt
  /// The office's address; nil where an earlier version of this program has not kept it.
  public var office: String?
}

extension FieldSession {
  /// What waits to be delivered, in the order of `outbox`, with its names.
  /// - Parameters:
  ///   - limit: at most so many.
  ///   - offset: how many are passed over.
  public func outboxListings(limit: Int, offset: Int) throws -> [OutboxListing] {
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

  /// How many entries wait, and of how many bytes; and what was said last, where it is the same of all.
  public func outboxTotals() throws -> (entries: Int, bytes: Int, commonAnswer: Wording?) {
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

  /// Receipts of what was delivered, the newest first.
  /// - Parameters:
  ///   - limit: at most so many.
  ///   - offset: how many are passed over.
  public func receiptListings(limit: Int, offset: Int) throws -> [ReceiptListing] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT receipt, office FROM batch WHERE agency = :agency AND inspector = :inspector
        AND receipt IS NOT NULL ORDER BY delivered DESC, id DESC LIMIT :limit OFFSET :offset
        """, arguments: arguments(["limit": limit, "offset": offset])
    ).map { ReceiptListing(receipt: try Receipt(jws: $0["receipt"]), office: $0["office"]) }
  }

  /// How many receipts there are.
  public func receiptCount() throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM batch WHERE agency = :agency AND inspector = :inspector
        AND receipt IS NOT NULL
        """, arguments: arguments()) ?? 0
  }
}
