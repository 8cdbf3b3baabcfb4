import Evidence
import Foundation
import GRDB
import Inspection
import Sync

/// A sealed record as a backup needs it: the files that belong to it, of any person.
public struct SealedThing: Hashable, Sendable {
  /// The kind of the record.
  public var kind: RecordKind
  /// The identifier of the capture, track, note, transition or deletion.
  public var id: Identifier
  /// The files that the record and its link name.
  public var parts: [PartDigest]
  /// True if its files were deleted, or removed from the device by rule: only the seal is still there.
  public var isGone: Bool
}

extension FieldStore {
  /// Calls `body` with everything that any person sealed on this device, in the order of the chains.
  /// - Throws: `StoreError.damagedRow`; any error of `body`.
  public func forEachSealed(_ body: (SealedThing) throws -> Void) throws {
    try readPages { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT link.kind, link.id, link.file_digest, link.raw_digest,
            CASE WHEN link.kind IN ('around', 'turn') THEN link.record END AS record,
            EXISTS (SELECT 1 FROM photo WHERE photo.id = link.id
              AND (photo.deleted IS NOT NULL OR photo.removed IS NOT NULL))
            OR EXISTS (SELECT 1 FROM track WHERE track.id = link.id AND track.deleted IS NOT NULL)
            OR EXISTS (SELECT 1 FROM frame_set WHERE frame_set.id = link.id
              AND (frame_set.deleted IS NOT NULL OR frame_set.removed IS NOT NULL))
            AS gone
          FROM link ORDER BY link.key, link.sequence
          """)
      while let row = try rows.next() {
        let (id, kind): (String, String) = (row["id"], row["kind"])
        guard let identifier = Identifier(id), let record = RecordKind(rawValue: kind) else {
          throw StoreError.damagedRow("link \(id)")
        }
        try body(
          SealedThing(
            kind: record, id: identifier,
            parts: PartDigest.all(
              of: record, file: row["file_digest"], raw: row["raw_digest"],
              record: try (row["record"] as String?).map { try JSONValue(parsing: Array($0.utf8)) }),
            isGone: row["gone"]))
      }
    }
  }

  /// Returns the thumbprints of all keys that people seal with on this device.
  public func sealingKeys() throws -> [String] {
    try readPages {
      try String.fetchAll($0, sql: "SELECT DISTINCT key FROM identity ORDER BY key")
    }
  }

  /// Makes everyone who has worked here compare with their office at the next delivery: the data
  /// came from a backup.
  public func askForComparisons() throws {
    try writePages { database in
      for name in ["reconciled", "reconciled-heads"] {
        try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
      }
      try database.execute(
        sql: """
          INSERT INTO setting (agency, inspector, name, value)
          SELECT agency, inspector, 'reconciled', '0' FROM identity
          """)
    }
  }
}
