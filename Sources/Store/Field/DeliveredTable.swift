import Evidence
import GRDB
import Inspection
import Sync
import TimeAndText

/// A record that a receipt names.
public struct DeliveredThing: Hashable, Sendable {
  /// The record's identifier.
  public var id: Identifier
  /// The SHA-256 of the sealed record.
  public var record: String
  /// The batch in which the record came to the office.
  public var batch: Identifier
}

/// A person's records that receipts name, which are compared with what the office holds.
public struct DeliveredTable: FieldTable {
  let session: FieldSession
}

extension DeliveredTable {
  /// Returns records that an office's receipts name, in the order of their identifiers.
  /// - Parameters:
  ///   - office: the office's address. Receipts whose office an earlier version of this program did not
  ///     keep count for every office.
  ///   - id: the identifier after which the records begin; nil for the first.
  ///   - limit: the most records.
  public func things(
    at office: String, after id: Identifier?, limit: Int
  ) throws -> [DeliveredThing] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT link.id, link.record_digest, delivered_record.batch FROM delivered_record
        JOIN link ON link.id = delivered_record.id JOIN batch ON batch.id = delivered_record.batch
        WHERE delivered_record.agency = :agency AND delivered_record.inspector = :inspector
        AND coalesce(batch.office, :office) = :office
        AND (:after IS NULL OR link.id > :after) ORDER BY link.id LIMIT :limit
        """, arguments: arguments(["after": id?.description, "limit": limit, "office": office])
    ).map { row in
      guard let id = Identifier(row["id"]), let batch = Identifier(row["batch"]) else {
        throw StoreError.damagedRow("a delivered record")
      }
      return DeliveredThing(id: id, record: row["record_digest"], batch: batch)
    }
  }

  /// Counts the records of a key that an office's receipts name.
  public func count(ofKey key: String, at office: String) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM delivered_record JOIN link ON link.id = delivered_record.id
        JOIN batch ON batch.id = delivered_record.batch
        WHERE link.key = :key AND coalesce(batch.office, :office) = :office
        AND delivered_record.agency = :agency
        AND delivered_record.inspector = :inspector
        """, arguments: arguments(["key": key, "office": office])) ?? 0
  }

  /// Returns the time at which the first batch was delivered; nil before the first delivery.
  public func firstDelivery() throws -> DeviceTime? {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT min(delivered) FROM batch WHERE agency = :agency AND inspector = :inspector
        """, arguments: arguments()
    ).map(DeviceTime.init(millisecondsSince1970:))
  }

  /// Marks delivered photos, tracks and sets as confirmed: the office has said that it holds them.
  public func confirm(_ ids: [Identifier], at time: DeviceTime) throws {
    for id in ids {
      for table in ["photo", "track", "frame_set"] {
        try database.execute(
          sql: """
            UPDATE \(table) SET confirmed = :time
            WHERE id = :id AND agency = :agency AND inspector = :inspector AND delivered IS NOT NULL
            """,
          arguments: arguments(["id": id.description, "time": time.millisecondsSince1970]))
      }
    }
  }

  /// A confirmed thing whose bytes are on this device, with the time of its delivery and the state of
  /// its task; the state is nil for a standalone thing.
  public typealias Confirmed = (thing: DeliveredThing, delivered: DeviceTime, task: TaskState?)

  /// Returns the confirmed photos whose bytes are on this device.
  public func confirmedPhotos() throws -> [Confirmed] { try confirmed(in: "photo") }

  /// Returns the confirmed sets whose bytes are on this device.
  public func confirmedSets() throws -> [Confirmed] { try confirmed(in: "frame_set") }

  /// - Parameter table: constant text.
  private func confirmed(in table: String) throws -> [Confirmed] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT thing.id, thing.delivered, link.record_digest, delivered_record.batch, task.state
        FROM \(table) AS thing JOIN link ON link.id = thing.id
        JOIN delivered_record ON delivered_record.id = thing.id
        LEFT JOIN task ON task.id = thing.task
        WHERE thing.agency = :agency AND thing.inspector = :inspector
        AND thing.delivered IS NOT NULL AND thing.confirmed IS NOT NULL
        AND thing.removed IS NULL AND thing.deleted IS NULL ORDER BY thing.id
        """, arguments: arguments()
    ).map { row in
      guard let id = Identifier(row["id"]), let batch = Identifier(row["batch"]) else {
        throw StoreError.damagedRow("a delivered thing")
      }
      return (
        DeliveredThing(id: id, record: row["record_digest"], batch: batch),
        DeviceTime(millisecondsSince1970: row["delivered"]),
        (row["state"] as String?).flatMap(TaskState.init(rawValue:))
      )
    }
  }
}

// Records that an office has lost.
extension DeliveredTable {
  /// Puts all records of a batch into the outbox again, because the office does not hold them although
  /// it signed for them.
  /// - Parameters:
  ///   - isWhole: true if all files of the batch are on this device: it is sent again as it was.
  ///     Otherwise its remaining records go into a new batch.
  ///   - words: the reason, as the outbox shows it.
  public func takeUpAgain(
    _ batch: BatchMessage, isWhole: Bool, at time: DeviceTime, because words: Wording
  ) throws {
    try database.execute(
      sql: isWhole
        ? """
        UPDATE batch SET delivered = NULL, receipt = NULL, forgotten = NULL
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """
        : """
        UPDATE batch SET forgotten = coalesce(forgotten, :time)
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """,
      arguments: isWhole
        ? arguments(["id": batch.id.description])
        : arguments(["id": batch.id.description, "time": time.millisecondsSince1970]))
    // Photos and tracks that were delivered without their task's transition go alone: the rest of the
    // task may not be sent yet.
    let sentTasks = Set(batch.seals.filter { $0.seal.link.kind == .transition }.compactMap(\.task))
    for file in batch.seals {
      let link = file.seal.link
      try forgetDelivery(of: link.id)
      guard var entry = try Self.entry(for: file, queued: time),
        try !session.chain.isDeleted(link.id)
      else { continue }
      if let task = entry.task, !sentTasks.contains(task),
        [.photo, .track, .set].contains(entry.kind)
      {
        entry.whole = entry.id
      }
      try session.outbox.insert(entry)
      // An entry that waits already, such as a task that was sent once more, keeps its own way.
      guard database.changesCount > 0 else { continue }
      try database.execute(
        sql: """
          UPDATE outbox SET begun = 1, last_answer = :words, batch = :batch
          WHERE id = :id AND agency = :agency AND inspector = :inspector
          """,
        arguments: arguments([
          "id": entry.id.description, "words": words.stored,
          "batch": isWhole ? batch.id.description : nil,
        ]))
    }
  }

  private func forgetDelivery(of id: Identifier) throws {
    try database.execute(
      sql: """
        DELETE FROM delivered_record
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description]))
    for table in ["photo", "track", "frame_set"] {
      try database.execute(
        sql: """
          UPDATE \(table) SET delivered = NULL, confirmed = NULL
          WHERE id = :id AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["id": id.description]))
    }
  }

  /// Makes the entry that a sealed record has in the outbox; nil for a deletion, which goes with its
  /// task, and for a transition that names no task.
  private static func entry(for file: SealFile, queued time: DeviceTime) throws -> OutboxEntry? {
    let link = file.seal.link
    let bytes = file.recordBytes.count
    switch link.kind {
    case .capture:
      return OutboxEntry(
        id: link.id, kind: .photo, task: file.task, digest: link.file,
        bytes: file.record["photo"]?["bytes"]?.wholeNumber ?? bytes, queued: time)
    case .track:
      return OutboxEntry(
        id: link.id, kind: .track, task: file.task, digest: link.file, bytes: bytes, queued: time)
    case .around, .turn:
      return OutboxEntry(
        id: link.id, kind: .set, task: file.task, digest: link.file, bytes: bytes, queued: time)
    case .note:
      let note = try file.note()
      return OutboxEntry(
        id: link.id, kind: .note, task: note.task, whole: note.task ?? note.photo,
        digest: link.record, bytes: bytes, queued: time)
    // An answer goes with its task, as a transition does.
    case .transition, .answer:
      return file.task.map {
        OutboxEntry(
          id: $0, kind: .task, task: $0, digest: link.record, bytes: bytes, queued: time)
      }
    case .deletion: return nil
    }
  }
}
