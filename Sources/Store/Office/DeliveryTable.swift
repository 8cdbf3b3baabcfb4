import Evidence
import Foundation
import GRDB
import Inspection
import Sync
import TimeAndText

/// An agency's batches with their receipts, the records and files they brought, and the room they take.
public struct DeliveryTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension DeliveryTable {
  /// Returns the receipt that answered a batch; nil if the batch was not received yet.
  public func receipt(
    ofBatch id: Identifier
  ) throws -> (receipt: String, messageDigest: String, inspector: String)? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM batch WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description])
    ).map { ($0["receipt"], $0["message_digest"], $0["inspector"]) }
  }

  /// Keeps a batch's receipt.
  public func insert(_ receipt: Receipt, messageDigest: String) throws {
    try database.execute(
      sql: """
        INSERT INTO batch (id, agency, inspector, key, message_digest, received, receipt)
        VALUES (:id, :agency, :inspector, :key, :digest, :received, :receipt)
        """,
      arguments: arguments([
        "id": receipt.batch.description, "inspector": receipt.inspector, "key": receipt.key,
        "digest": messageDigest, "received": receipt.received.millisecondsSince1970,
        "receipt": receipt.jws,
      ]))
  }

  /// Returns the receipts of all batches of a key, the oldest first.
  public func receipts(ofKey key: String) throws -> [Receipt] {
    try String.fetchAll(
      database,
      sql: "SELECT receipt FROM batch WHERE key = :key AND agency = :agency ORDER BY received, id",
      arguments: arguments(["key": key])
    ).map { try Receipt(jws: $0) }
  }

  /// Returns those of the last 400 receipts of a key that lie behind one entry of the log and not behind another.
  public func loggedReceipts(
    ofKey key: String, after entry: Int, upTo last: Int, limit: Int
  ) throws -> [Receipt] {
    // A key may have thousands of batches: only the last ones are looked up in the log.
    try String.fetchAll(
      database,
      sql: """
        SELECT batch.receipt FROM (SELECT id FROM batch WHERE key = :key AND agency = :agency
          ORDER BY received DESC LIMIT 400) AS recent
        CROSS JOIN log INDEXED BY log_of_deliveries ON log.subject = recent.id
          AND log.action = 'delivery-received' AND log.number > :entry AND log.number <= :last
        JOIN batch ON batch.id = recent.id ORDER BY log.number LIMIT :limit
        """, arguments: arguments(["key": key, "entry": entry, "last": last, "limit": limit])
    ).map { try Receipt(jws: $0) }
  }

  /// Returns the kind of an inspector's record with an identifier, its digest and the files that it
  /// names; nil if there is no such record.
  public func holding(
    of id: Identifier, inspector: String
  ) throws -> (kind: RecordKind, record: String, parts: [PartDigest])? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT kind, record_digest, file_digest, raw_digest, \(Self.recordOfSet) FROM link
        WHERE id = :id AND agency = :agency AND inspector = :inspector AND record IS NOT NULL
        ORDER BY received LIMIT 1
        """, arguments: arguments(["id": id.description, "inspector": inspector])
    ).flatMap { row in
      try RecordKind(rawValue: row["kind"]).map {
        ($0, row["record_digest"], try Self.parts($0, row))
      }
    }
  }

  /// The record of a set, which names its frames; NULL for other kinds.
  private static let recordOfSet =
    "CASE WHEN link.kind IN ('around', 'turn') THEN link.record END AS record_of_set"

  private static func parts(_ kind: RecordKind, _ row: Row) throws -> [PartDigest] {
    PartDigest.all(
      of: kind, file: row["file_digest"], raw: row["raw_digest"],
      record: try (row["record_of_set"] as String?).map { try JSONValue(parsing: Array($0.utf8)) })
  }

  /// Returns the records of a key that name a file by its digest, as their file or as their raw window.
  public func records(
    ofKey key: String, naming digest: String
  ) throws -> [(kind: RecordKind, id: Identifier, isRaw: Bool)] {
    // Searched by the file: a key has as many records as its inspector has ever made.
    try Row.fetchAll(
      database,
      sql: """
        SELECT kind, id, 0 AS is_raw FROM link
        WHERE agency = :agency AND file_digest = :digest AND +key = :key AND record IS NOT NULL
        UNION ALL SELECT kind, id, 1 FROM link
        WHERE agency = :agency AND raw_digest = :digest AND +key = :key AND record IS NOT NULL
        """, arguments: arguments(["key": key, "digest": digest])
    ).compactMap { row in
      guard let kind = RecordKind(rawValue: row["kind"]), let id = Identifier(row["id"]) else {
        return nil
      }
      return (kind, id, row["is_raw"])
    }
  }

  /// Returns true if another record of the agency has the identifier already.
  public func isTaken(_ id: Identifier, byOtherThan record: String) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM link WHERE agency = :agency AND id = :id
          AND record_digest <> :record)
        """, arguments: arguments(["id": id.description, "record": record])) ?? false
  }

  /// Returns the time when the last link of each of these keys came: a device's last delivery of
  /// something new. Keys that have delivered nothing are left out.
  public func lastDeliveries(ofKeys keys: [String]) throws -> [String: DeviceTime] {
    // The end of the chain is read from the index: a key has as many links as its inspector has
    // made records.
    let statement = try database.cachedStatement(
      sql: """
        SELECT received FROM link WHERE key = :key AND agency = :agency
        ORDER BY sequence DESC, received DESC LIMIT 1
        """)
    var times: [String: DeviceTime] = [:]
    for key in keys {
      let found = try Int64.fetchOne(statement, arguments: arguments(["key": key]))
      times[key] = found.map(DeviceTime.init(millisecondsSince1970:))
    }
    return times
  }

  /// Returns the bytes that the agency's deliveries have taken, and its quota in bytes; a quota of
  /// nil means no limit.
  public func storage() throws -> (storedBytes: Int, quotaBytes: Int?) {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT stored_bytes, quota_bytes FROM agency_storage WHERE agency = :agency"),
      arguments: arguments())
    return (row?["stored_bytes"] ?? 0, row?["quota_bytes"])
  }

  /// Adds bytes to the total that the agency's deliveries have taken.
  public func addStored(bytes: Int) throws {
    let (stored, _) = try storage()
    // A total that would overflow stays at the largest number.
    let (sum, isOver) = stored.addingReportingOverflow(max(0, bytes))
    try database.execute(
      sql: "UPDATE agency_storage SET stored_bytes = :bytes WHERE agency = :agency",
      arguments: arguments(["bytes": isOver ? Int.max : sum]))
  }

  /// Sets the agency's quota, bytes; nil for no limit.
  public func setQuota(bytes: Int?) throws {
    try database.execute(
      sql: "UPDATE agency_storage SET quota_bytes = :bytes WHERE agency = :agency",
      arguments: arguments(["bytes": bytes]))
  }

  /// Calls `body` with every sealed record of a key, the digests of its files, and true if it was
  /// deleted before it was sent, so that its files never came. One after the other: a key may have
  /// a million.
  public func forEachHolding(
    ofKey key: String,
    _ body: (
      _ kind: RecordKind, _ id: Identifier, _ parts: [PartDigest], _ isDeleted: Bool
    ) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT link.kind, link.id, link.file_digest, link.raw_digest, \(Self.recordOfSet),
          coalesce(photo.deleted, track.deleted, frame_set.deleted) IS NOT NULL AS is_deleted
        FROM link LEFT JOIN photo ON photo.id = link.id AND photo.agency = :agency
          LEFT JOIN track ON track.id = link.id AND track.agency = :agency
          LEFT JOIN frame_set ON frame_set.id = link.id AND frame_set.agency = :agency
        WHERE link.key = :key AND link.agency = :agency AND link.record IS NOT NULL
        ORDER BY link.sequence, link.received
        """, arguments: arguments(["key": key]))
    while let row = try rows.next() {
      guard let kind = RecordKind(rawValue: row["kind"]), let id = Identifier(row["id"]) else {
        throw StoreError.damagedRow("a record of key \(key)")
      }
      try body(kind, id, try Self.parts(kind, row), row["is_deleted"])
    }
  }

  /// Calls `body` with each batch of a key and its receipt, in the order of arrival.
  public func forEachReceipt(
    ofKey key: String, _ body: (_ batch: Identifier, _ receipt: String) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      database,
      sql:
        "SELECT id, receipt FROM batch WHERE key = :key AND agency = :agency ORDER BY received, id",
      arguments: arguments(["key": key]))
    while let row = try rows.next() {
      guard let id = Identifier(row["id"]) else {
        throw StoreError.damagedRow("a batch of key \(key)")
      }
      try body(id, row["receipt"])
    }
  }
}
