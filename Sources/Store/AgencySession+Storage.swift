import Evidence
import Foundation
import GRDB
import Inspection

extension AgencySession {
  /// How many bytes the agency's deliveries have brought, and how many they may; nil is any number.
  public func storage() throws -> (storedBytes: Int, quotaBytes: Int?) {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT stored_bytes, quota_bytes FROM agency_storage WHERE agency = :agency"),
      arguments: arguments())
    return (row?["stored_bytes"] ?? 0, row?["quota_bytes"])
  }

  /// So many bytes more are kept for the agency from now on.
  public func addStored(bytes: Int) throws {
    let (stored, _) = try storage()
    // A total that cannot be told any more stays the largest that can.
    let (sum, isOver) = stored.addingReportingOverflow(max(0, bytes))
    try database.execute(
      sql: "UPDATE agency_storage SET stored_bytes = :bytes WHERE agency = :agency",
      arguments: arguments(["bytes": isOver ? Int.max : sum]))
  }

  /// Lays down how many bytes the agency's deliveries may take; nil is any number.
  public func setQuota(bytes: Int?) throws {
    try database.execute(
      sql: "UPDATE agency_storage SET quota_bytes = :bytes WHERE agency = :agency",
      arguments: arguments(["bytes": bytes]))
  }

  /// Every sealed record of a key with the digests of its files, and whether it was deleted before it was
  /// sent: its files never came then. One after the other: a key may have a million.
  public func forEachHolding(
    ofKey key: String,
    _ body: (
      _ kind: RecordKind, _ id: Identifier, _ file: String?, _ raw: String?, _ isDeleted: Bool
    ) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT link.kind, link.id, link.file_digest, link.raw_digest,
          coalesce(photo.deleted, track.deleted) IS NOT NULL AS is_deleted
        FROM link LEFT JOIN photo ON photo.id = link.id AND photo.agency = :agency
          LEFT JOIN track ON track.id = link.id AND track.agency = :agency
        WHERE link.key = :key AND link.agency = :agency AND link.record IS NOT NULL
        ORDER BY link.sequence, link.received
        """, arguments: arguments(["key": key]))
    while let row = try rows.next() {
      guard let kind = RecordKind(rawValue: row["kind"]), let id = Identifier(row["id"]) else {
        throw StoreError.damagedRow("a record of key \(key)")
      }
      try body(kind, id, row["file_digest"], row["raw_digest"], row["is_deleted"])
    }
  }

  /// The batches of a key that have a receipt, each with it.
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
