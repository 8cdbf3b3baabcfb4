import Evidence
import Foundation
import GRDB
import Inspection
import Sync
import TimeAndText

/// A batch as it is kept on the device.
public struct StoredBatch: Hashable, Sendable {
  /// The batch's identifier.
  public var id: Identifier
  /// The thumbprint of the key whose chain the batch is a piece of.
  public var key: String
  /// The last place of the chain that the batch holds.
  public var head: Int
  /// The bytes of the message as it is sent.
  public var message: [UInt8]
  /// True if the message was sent after all of its files, and no answer came.
  public var wasTried = false

  /// Creates a batch that was not tried yet.
  public init(id: Identifier, key: String, head: Int, message: [UInt8]) {
    self.id = id
    self.key = key
    self.head = head
    self.message = message
  }
}

/// A person's batches with their receipts.
public struct FieldBatchTable: FieldTable {
  let session: FieldSession
}

extension FieldBatchTable {
  /// Returns the last place of a key's chain that a receipt names; 0 before the first receipt.
  public func deliveredHead(ofKey key: String) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT max(head) FROM batch WHERE key = :key AND agency = :agency
        AND inspector = :inspector AND delivered IS NOT NULL AND forgotten IS NULL
        """, arguments: arguments(["key": key])) ?? 0
  }

  /// Returns the batches that have begun and have no receipt yet, in the order in which they were made.
  public func unfinished() throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT id FROM batch WHERE agency = :agency AND inspector = :inspector
        AND delivered IS NULL ORDER BY rowid
        """, arguments: arguments()
    ).compactMap(Identifier.init(_:))
  }

  /// Returns one of the person's batches.
  /// - Throws: `StoreError.unknown`.
  public func batch(_ id: Identifier) throws -> StoredBatch {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM batch WHERE id = :id AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "batch", id: id.description) }
    let message: Data = row["message"]
    var batch = StoredBatch(
      id: id, key: row["key"], head: row["head"], message: Array(message))
    batch.wasTried = row["tried"]
    return batch
  }

  /// Returns the wholes whose entries a batch holds.
  public func wholes(of id: Identifier) throws -> Set<Identifier> {
    Set(
      try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT whole FROM outbox
          WHERE batch = :batch AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["batch": id.description])
      ).compactMap(Identifier.init(_:)))
  }

  /// Keeps a batch before its first byte travels. From now on its wholes cannot be taken back.
  /// - Parameters:
  ///   - entries: the entries of the outbox that the batch holds.
  ///   - wholes: the wholes that these entries belong to.
  public func insert(
    _ batch: StoredBatch, at time: DeviceTime, entries: [Identifier], ofWholes wholes: [Identifier]
  ) throws {
    try database.execute(
      sql: """
        INSERT INTO batch (id, agency, inspector, key, head, made, message)
        VALUES (:id, :agency, :inspector, :key, :head, :made, :message)
        """,
      arguments: arguments([
        "id": batch.id.description, "key": batch.key, "head": batch.head,
        "made": time.millisecondsSince1970, "message": Data(batch.message),
      ]))
    for whole in wholes {
      try database.execute(
        sql: """
          UPDATE outbox SET begun = 1
          WHERE whole = :whole AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["whole": whole.description]))
    }
    for entry in entries {
      try database.execute(
        sql: """
          UPDATE outbox SET batch = :batch
          WHERE id = :id AND agency = :agency AND inspector = :inspector
          """,
        arguments: arguments(["batch": batch.id.description, "id": entry.description]))
    }
  }

  /// Sets `StoredBatch.wasTried`: true before the message is sent after all of its files, false when
  /// the office says that it lacks some of them.
  public func setTried(_ isTried: Bool, of id: Identifier) throws {
    try database.execute(
      sql: """
        UPDATE batch SET tried = :tried
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description, "tried": isTried]))
  }

  /// Deletes a batch that was not delivered; its entries wait again.
  /// - Parameter intoSingles: true if each of its wholes goes into a batch of its own from now on.
  public func dissolve(_ id: Identifier, intoSingles: Bool = true) throws {
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
}
