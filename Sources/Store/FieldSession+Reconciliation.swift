import Evidence
import Foundation
import GRDB
import Inspection
import Positioning
import Sync

/// A record that a receipt names.
public struct DeliveredThing: Hashable, Sendable {
  /// Its identifier.
  public var id: Identifier
  /// SHA-256 of its sealed record.
  public var record: String
  /// The batch in which it came to the office.
  public var batch: Identifier
}

extension FieldSession {
  /// Records that an office's receipts name, in the order of their identifiers.
  public func deliveredThings(
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

  /// How many records of a key an office's receipts name.
  public func deliveredCount(ofKey key: String, at office: String) throws -> Int {
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

  /// When the first batch was delivered; nil before.
  public func firstDelivery() throws -> DeviceTime? {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT min(delivered) FROM batch WHERE agency = :agency AND inspector = :inspector
        """, arguments: arguments()
    ).map(DeviceTime.init(millisecondsSince1970:))
  }

  /// The office has said that it holds these photos and tracks.
  public func markConfirmed(_ ids: [Identifier], at time: DeviceTime) throws {
    for id in ids {
      for table in ["photo", "track"] {
        try database.execute(
          sql: """
            UPDATE \(table) SET confirmed = :time
            WHERE id = :id AND agency = :agency AND inspector = :inspector AND delivered IS NOT NULL
            """,
          arguments: arguments(["id": id.description, "time": time.millisecondsSince1970]))
      }
    }
  }

  /// Photos that the office has confirmed to hold and whose bytes are here, with the moment of their
  /// delivery and where their tasks stand (nil for those that stand alone).
  public func confirmedPhotos() throws -> [(
    thing: DeliveredThing, delivered: DeviceTime, task: TaskState?
  )] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT photo.id, photo.delivered, link.record_digest, delivered_record.batch, task.state
        FROM photo JOIN link ON link.id = photo.id
        JOIN delivered_record ON delivered_record.id = photo.id
        LEFT JOIN task ON task.id = photo.task
        WHERE photo.agency = :agency AND photo.inspector = :inspector
        AND photo.delivered IS NOT NULL AND photo.confirmed IS NOT NULL
        AND photo.removed IS NULL AND photo.deleted IS NULL ORDER BY photo.id
        """, arguments: arguments()
    ).map { row in
      guard let id = Identifier(row["id"]), let batch = Identifier(row["batch"]) else {
        throw StoreError.damagedRow("a delivered photo")
      }
      return (
        DeliveredThing(id: id, record: row["record_digest"], batch: batch),
        DeviceTime(millisecondsSince1970: row["delivered"]),
        (row["state"] as String?).flatMap(TaskState.init(rawValue:))
      )
    }
  }

  /// Photos whose bytes have left the device, and when.
  public func removedPhotos() throws -> [Identifier: DeviceTime] {
    var removed: [Identifier: DeviceTime] = [:]
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT id, removed FROM photo
        WHERE agency = :agency AND inspector = :inspector AND removed IS NOT NULL
        """, arguments: arguments())
    {
      if let id = Identifier(row["id"]) {
        removed[id] = DeviceTime(millisecondsSince1970: row["removed"])
      }
    }
    return removed
  }

  /// Photos whose bytes leave the device: the office holds them, and the rule says so.
  /// - Returns: those of which it still holds: another process may have learned otherwise just now.
  public func markRemoved(_ ids: [Identifier], at time: DeviceTime) throws -> [Identifier] {
    try ids.filter { id in
      try database.execute(
        sql: """
          UPDATE photo SET removed = :time
          WHERE id = :id AND agency = :agency AND inspector = :inspector AND confirmed IS NOT NULL
          AND delivered IS NOT NULL AND id NOT IN (SELECT id FROM outbox)
          """,
        arguments: arguments(["id": id.description, "time": time.millisecondsSince1970]))
      return database.changesCount > 0
    }
  }

  /// The office does not hold what it has signed for. All that the batch held waits again.
  /// - Parameter isWhole: whether all of its files are here: then the batch goes again as it was, and
  ///   otherwise what is left goes in a new one.
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
    // What went ahead of its task, or as a part of it, goes by itself: the rest may not be sent yet.
    let sentTasks = Set(batch.seals.filter { $0.seal.link.kind == .transition }.compactMap(\.task))
    for file in batch.seals {
      let link = file.seal.link
      try database.execute(
        sql: """
          DELETE FROM delivered_record
          WHERE id = :id AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["id": link.id.description]))
      for table in ["photo", "track"] {
        try database.execute(
          sql: """
            UPDATE \(table) SET delivered = NULL, confirmed = NULL
            WHERE id = :id AND agency = :agency AND inspector = :inspector
            """, arguments: arguments(["id": link.id.description]))
      }
      guard var entry = try Self.entry(for: file, queued: time), try !isDeleted(link.id) else {
        continue
      }
      if let task = entry.task, !sentTasks.contains(task), [.photo, .track].contains(entry.kind) {
        entry.whole = entry.id
      }
      try insert(entry)
      // What waits already, such as the task that was sent once more, keeps its own way.
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
    case .note:
      let note = try file.note()
      return OutboxEntry(
        id: link.id, kind: .note, task: note.task, whole: note.task ?? note.photo,
        digest: link.record, bytes: bytes, queued: time)
    case .transition:
      return file.task.map {
        OutboxEntry(
          id: $0, kind: .task, task: $0, digest: link.record, bytes: bytes, queued: time)
      }
    // It goes with what belongs to its task.
    case .deletion: return nil
    }
  }
}
