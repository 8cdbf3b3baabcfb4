import Evidence
import GRDB
import Inspection
import Positioning
import Sync
import TimeAndText

/// A person's outbox: sent things that have no receipt yet.
public struct OutboxTable: FieldTable {
  let session: FieldSession
}

extension OutboxTable {
  /// Returns the outbox, the oldest entries first; entries of one whole follow each other.
  public func list() throws -> [OutboxEntry] {
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

  /// Returns the identifiers of a whole's entries.
  public func entries(ofWhole id: Identifier) throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT id FROM outbox WHERE whole = :whole AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["whole": id.description])
    ).compactMap(Identifier.init(_:))
  }

  /// Adds an entry, as Send does. An entry that is there already stays as it is.
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

  /// Removes a whole that the inspector takes back. Entries whose delivery has begun stay.
  public func remove(whole id: Identifier) throws {
    try database.execute(
      sql: """
        DELETE FROM outbox WHERE whole = :id AND agency = :agency AND inspector = :inspector
        AND begun = 0
        """, arguments: arguments(["id": id.description]))
  }

  /// Removes the entries of a whole that are in no batch, because all of the whole came to the office
  /// in other batches.
  public func removeDelivered(whole id: Identifier) throws {
    try database.execute(
      sql: """
        DELETE FROM outbox WHERE whole = :id AND batch IS NULL AND agency = :agency
        AND inspector = :inspector
        """, arguments: arguments(["id": id.description]))
  }

  // MARK: the way into a batch

  /// Returns the wholes with entries that are in no batch yet, the oldest first.
  public func waitingWholes() throws -> [BatchPlan.Waiting] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT whole, max(alone = 1 OR whole = task) AS is_alone FROM outbox
        WHERE agency = :agency AND inspector = :inspector
        AND batch IS NULL GROUP BY whole ORDER BY min(queued), whole
        """, arguments: arguments()
    ).compactMap { row in
      // For a standalone photo or track the comparison with its task is NULL: it shares a batch.
      Identifier(row["whole"]).map {
        BatchPlan.Waiting(id: $0, isAlone: row["is_alone"] ?? false)
      }
    }
  }

  /// Returns the first photos, tracks and sets of a whole that are in no batch yet, in the order of
  /// their chains.
  public func waitingThings(ofWhole whole: Identifier, limit: Int) throws -> [SealFile] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT record, jws FROM outbox CROSS JOIN link ON link.id = outbox.id
        WHERE outbox.whole = :whole AND outbox.batch IS NULL
        AND outbox.agency = :agency AND outbox.inspector = :inspector
        AND outbox.kind IN ('photo', 'track', 'set') ORDER BY link.key, link.sequence LIMIT :limit
        """, arguments: arguments(["whole": whole.description, "limit": limit])
    ).map(FieldChainTable.sealFile)
  }

  /// Marks wholes that are in no batch yet as begun, before their files travel: they cannot be taken
  /// back any more.
  /// - Returns: the wholes that still wait; the others were taken back or are in a batch meanwhile.
  public func begin(wholes: [Identifier]) throws -> Set<Identifier> {
    var begun: Set<Identifier> = []
    for whole in wholes {
      try database.execute(
        sql: """
          UPDATE outbox SET begun = 1
          WHERE whole = :whole AND batch IS NULL AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["whole": whole.description]))
      if database.changesCount > 0 { begun.insert(whole) }
    }
    return begun
  }

  // MARK: attempts

  /// Counts an attempt to deliver, and keeps its answer in words.
  /// - Parameters:
  ///   - batch: the batch of the attempt; nil for all entries.
  ///   - whole: the whole of an attempt without a batch; nil for all wholes.
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

  /// Sets the time of the next attempt for all entries with an attempt.
  public func planNextAttempt(at time: DeviceTime) throws {
    try database.execute(
      sql: """
        UPDATE outbox SET next_attempt = :next
        WHERE agency = :agency AND inspector = :inspector AND attempts > 0
        """, arguments: arguments(["next": time.millisecondsSince1970]))
  }
}
