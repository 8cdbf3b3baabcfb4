import Evidence
import Foundation
import GRDB
import Inspection
import Positioning
import Sync

extension FieldSession {
  /// What waits to be delivered, the oldest first; what belongs together stands together.
  public func outbox() throws -> [OutboxEntry] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM outbox WHERE agency = :agency AND inspector = :inspector
        ORDER BY queued, whole, kind = 'task', id
        """, arguments: arguments()
    ).map(Self.entry)
  }

  static func entry(_ row: Row) throws -> OutboxEntry {
    guard let id = Identifier(row["id"]), let kind = OutboxEntry.Kind(rawValue: row["kind"]),
      let whole = Identifier(row["whole"])
    else { throw StoreError.damagedRow("an entry of the outbox") }
    return OutboxEntry(
      id: id, kind: kind, task: (row["task"] as String?).flatMap(Identifier.init(_:)),
      whole: whole, digest: row["digest"], bytes: row["bytes"],
      queued: DeviceTime(millisecondsSince1970: row["queued"]), attempts: row["attempts"],
      hasBegun: row["begun"],
      lastWording: (row["last_answer"] as String?).map(Wording.init(stored:)),
      nextAttempt: (row["next_attempt"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)))
  }

  /// What of a whole waits.
  public func outboxEntries(ofWhole id: Identifier) throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT id FROM outbox WHERE whole = :whole AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["whole": id.description])
    ).compactMap(Identifier.init(_:))
  }

  /// Send puts something into the outbox. What is there already stays as it is.
  public func insert(_ entry: OutboxEntry) throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO outbox (id, agency, inspector, kind, task, whole, digest, bytes, queued)
        VALUES (:id, :agency, :inspector, :kind, :task, :whole, :digest, :bytes, :queued)
        """,
      arguments: arguments([
        "id": entry.id.description, "kind": entry.kind.rawValue,
        "task": entry.task?.description, "whole": entry.whole.description, "digest": entry.digest,
        "bytes": entry.bytes, "queued": entry.queued.millisecondsSince1970,
      ]))
  }

  /// Taking back removes a whole, as long as its batch has not begun.
  public func removeFromOutbox(whole id: Identifier) throws {
    try database.execute(
      sql: """
        DELETE FROM outbox WHERE whole = :id AND agency = :agency AND inspector = :inspector
        AND begun = 0
        """, arguments: arguments(["id": id.description]))
  }

  /// The person's notes on a task, or on a photo, that no receipt names yet: identifier, digest and
  /// bytes of their records.
  public func undeliveredNotes(
    onTask task: Identifier?, photo: Identifier?
  ) throws -> [(id: Identifier, digest: String, bytes: Int)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, record_digest, length(record) AS bytes FROM link
        WHERE agency = :agency AND inspector = :inspector AND kind = 'note'
        AND id IN (SELECT id FROM link WHERE json_extract(record, '$.task.id') = :task
          UNION SELECT id FROM link WHERE json_extract(record, '$.note.photo') = :photo)
        AND id NOT IN (SELECT id FROM delivered_record) ORDER BY key, sequence
        """,
      arguments: arguments(["task": task?.description, "photo": photo?.description])
    ).compactMap { row in Identifier(row["id"]).map { ($0, row["record_digest"], row["bytes"]) } }
  }

  /// The wholes of which something waits that is in no batch yet, the oldest first.
  public func waitingWholes() throws -> [BatchPlan.Waiting] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT whole, max(alone = 1 OR whole = task) AS is_alone FROM outbox
        WHERE agency = :agency AND inspector = :inspector
        AND batch IS NULL GROUP BY whole ORDER BY min(queued), whole
        """, arguments: arguments()
    ).compactMap { row in
      // A thing without a task is compared with nothing: it stands alone, and shares a batch.
      Identifier(row["whole"]).map {
        BatchPlan.Waiting(id: $0, isAlone: row["is_alone"] ?? false)
      }
    }
  }

  /// A batch of several wholes was refused: its wholes wait again.
  /// - Parameter intoSingles: whether each of them goes in a batch of its own from now on.
  public func dissolve(batch id: Identifier, intoSingles: Bool = true) throws {
    let values = arguments(["batch": id.description])
    try database.execute(
      sql: """
        UPDATE outbox SET batch = NULL, alone = max(alone, :alone)
        WHERE batch = :batch AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["batch": id.description, "alone": intoSingles]))
    try database.execute(
      sql: """
        DELETE FROM batch WHERE id = :batch AND agency = :agency AND inspector = :inspector
        AND delivered IS NULL
        """, arguments: values)
  }

  /// The sealed records that belong to a whole and that no receipt names yet: with a task all that was
  /// recorded for it, with a photo or a track its own and its notes.
  public func undeliveredSeals(ofWhole id: Identifier) throws -> [SealFile] {
    // A deletion names its subject; of what it deletes the record itself belongs to the task. Each part
    // has its index: joined by OR, SQLite would walk through all records there are.
    try Row.fetchAll(
      database,
      sql: """
        SELECT record, jws FROM link
        WHERE agency = :agency AND inspector = :inspector AND id IN (
          SELECT :id
          UNION SELECT id FROM link WHERE json_extract(record, '$.task.id') = :id
          UNION SELECT id FROM link WHERE json_extract(record, '$.note.photo') = :id
          UNION SELECT deletion.id FROM link AS thing CROSS JOIN link AS deletion
            ON json_extract(deletion.record, '$.deletion.id') = +thing.id
            WHERE json_extract(thing.record, '$.task.id') = :id)
        AND id NOT IN (SELECT id FROM delivered_record)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE photo.id = link.id AND sent IS NULL
          AND deleted IS NULL)
        AND NOT EXISTS (SELECT 1 FROM track WHERE track.id = link.id AND sent IS NULL
          AND deleted IS NULL)
        ORDER BY key, sequence
        """, arguments: arguments(["id": id.description])
    ).map { row in
      let record: String = row["record"]
      return SealFile(
        record: try JSONValue(parsing: Array(record.utf8)), seal: try Seal(jws: row["jws"]))
    }
  }

  /// Steps of tasks that the inspector has in hand, and notes on them, that no receipt names yet, in the order of the
  /// chain. A task that waits in the outbox brings its own.
  public func undeliveredSteps(limit: Int) throws -> [SealFile] {
    let states = TaskState.allCases.filter(\.isEditable).map { "'\($0.rawValue)'" }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT link.record, link.jws FROM task CROSS JOIN link
          ON json_extract(link.record, '$.task.id') = task.id
        WHERE task.agency = :agency AND task.inspector = :inspector
        AND task.state IN (\(states.joined(separator: ", ")))
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.whole = task.id)
        AND link.agency = :agency AND link.inspector = :inspector
        AND link.kind IN ('transition', 'note') AND json_extract(link.record, '$.note.photo') IS NULL
        AND link.id NOT IN (SELECT id FROM delivered_record)
        ORDER BY link.key, link.sequence LIMIT :limit
        """, arguments: arguments(["limit": limit])
    ).map { row in
      let record: String = row["record"]
      return SealFile(
        record: try JSONValue(parsing: Array(record.utf8)), seal: try Seal(jws: row["jws"]))
    }
  }

  // MARK: tries

  /// What came of a try, in words for the outbox.
  /// - Parameters:
  ///   - batch: the batch that was tried; nil for all that waits.
  ///   - whole: the whole that was tried and has no batch yet.
  public func noteAttempt(
    batch: Identifier? = nil, whole: Identifier? = nil, answer: Wording
  ) throws {
    try database.execute(
      sql: """
        UPDATE outbox SET attempts = attempts + 1, last_answer = :answer, next_attempt = NULL
        WHERE agency = :agency AND inspector = :inspector AND (:batch IS NULL OR batch = :batch)
        AND (:whole IS NULL OR whole = :whole)
        """,
      arguments: arguments([
        "batch": batch?.description, "whole": whole?.description, "answer": answer.stored,
      ]))
  }

  /// When all that waits is tried next.
  public func planNextAttempt(at time: DeviceTime) throws {
    try database.execute(
      sql: """
        UPDATE outbox SET next_attempt = :next
        WHERE agency = :agency AND inspector = :inspector AND attempts > 0
        """, arguments: arguments(["next": time.millisecondsSince1970]))
  }
}
