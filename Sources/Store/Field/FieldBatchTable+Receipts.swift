import Evidence
import GRDB
import Inspection
import Sync
import TimeAndText

/// A receipt with the office that gave it.
public struct ReceiptListing: Hashable, Sendable {
  /// The receipt.
  public var receipt: Receipt
  /// The office's address; nil if an earlier version of this program did not keep it.
  public var office: String?
}

extension FieldBatchTable {
  /// Marks a batch and everything in it as delivered by its receipt, and removes its entries from the
  /// outbox.
  /// - Returns: the number of entries that left the outbox.
  public func markDelivered(
    _ batch: BatchMessage, receipt: Receipt, at time: DeviceTime, office: String
  ) throws -> Int {
    try database.execute(
      sql: """
        UPDATE batch SET delivered = :time, receipt = :receipt, office = :office, forgotten = NULL
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """,
      arguments: arguments([
        "id": batch.id.description, "time": time.millisecondsSince1970, "receipt": receipt.jws,
        "office": office,
      ]))
    // If another process has dissolved the batch meanwhile, its entries wait in others.
    guard database.changesCount > 0 else { return 0 }
    try markRecordsDelivered(batch, at: time)
    try keepTasksSentAgain(of: batch)
    try database.execute(
      sql: """
        DELETE FROM outbox WHERE batch = :batch AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["batch": batch.id.description]))
    return database.changesCount
  }

  private func markRecordsDelivered(_ batch: BatchMessage, at time: DeviceTime) throws {
    let files = batch.fileDigests
    for file in batch.seals {
      let link = file.seal.link
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO delivered_record (id, agency, inspector, batch)
          VALUES (:id, :agency, :inspector, :batch)
          """,
        arguments: arguments([
          "id": link.id.description, "batch": batch.id.description,
        ]))
      switch link.kind {
      // A photo whose bytes were not in the batch is not delivered, although its record is.
      case .capture where link.file.map(files.contains) ?? true:
        try session.photos.markDelivered(link.id, at: time)
      case .track: try session.tracks.markDelivered(link.id, at: time)
      case .around where link.file.map(files.contains) ?? true,
        .turn where link.file.map(files.contains) ?? true:
        try session.sets.markDelivered(link.id, at: time)
      case .capture, .around, .turn, .note, .transition, .deletion, .answer: break
      }
    }
  }

  /// Takes a task out of its delivered batch if it was sent once more while the batch was on its way:
  /// the task waits for its next batch.
  private func keepTasksSentAgain(of batch: BatchMessage) throws {
    try database.execute(
      sql: """
        UPDATE outbox SET batch = NULL, last_answer = NULL,
          begun = EXISTS (SELECT 1 FROM outbox AS other WHERE other.whole = outbox.whole
            AND other.agency = :agency AND other.inspector = :inspector
            AND other.batch IS NULL AND other.begun = 1)
        WHERE batch = :batch AND kind = 'task' AND agency = :agency AND inspector = :inspector
        AND EXISTS (SELECT 1 FROM task WHERE task.id = outbox.id AND state = :sent)
        AND EXISTS (SELECT 1 FROM link WHERE kind = 'transition'
          AND json_extract(record, '$.task.id') = outbox.id
          AND link.id NOT IN (SELECT id FROM delivered_record))
        """,
      arguments: arguments([
        "batch": batch.id.description, "sent": TaskState.dataProvided.rawValue,
      ]))
  }

  /// Returns all receipts, the newest first.
  public func receipts() throws -> [Receipt] {
    try String.fetchAll(
      database,
      sql: """
        SELECT receipt FROM batch WHERE agency = :agency AND inspector = :inspector
        AND receipt IS NOT NULL ORDER BY delivered DESC, id DESC
        """, arguments: arguments()
    ).map { try Receipt(jws: $0) }
  }

  /// Returns rows of a list of receipts, the newest first.
  /// - Parameters:
  ///   - limit: the most rows.
  ///   - offset: the number of rows that are skipped.
  public func receiptListings(limit: Int, offset: Int) throws -> [ReceiptListing] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT receipt, office FROM batch WHERE agency = :agency AND inspector = :inspector
        AND receipt IS NOT NULL ORDER BY delivered DESC, id DESC LIMIT :limit OFFSET :offset
        """, arguments: arguments(["limit": limit, "offset": offset])
    ).map { ReceiptListing(receipt: try Receipt(jws: $0["receipt"]), office: $0["office"]) }
  }

  /// Counts the receipts.
  public func receiptCount() throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM batch WHERE agency = :agency AND inspector = :inspector
        AND receipt IS NOT NULL
        """, arguments: arguments()) ?? 0
  }
}
