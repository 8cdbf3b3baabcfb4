import Evidence
import Foundation
import GRDB
import Inspection
import Sync

/// A sealed record as a backup looks at it: which files it has, whoever's it is.
public struct SealedThing: Hashable, Sendable {
  /// What was sealed.
  public var kind: RecordKind
  /// Its identifier.
  public var id: Identifier
  /// SHA-256 of its file; nil where it has none.
  public var file: String?
  /// SHA-256 of its raw window's file; nil where it has none.
  public var raw: String?
  /// Whether its bytes were deleted, or have left the device by rule: the seal alone is there.
  public var isGone: Bool
}

extension FieldStore {
  /// Everything that was sealed on this device, by whomever, in the order of the chains.
  /// - Throws: `StoreError.damagedRow`; what `body` throws.
  public func forEachSealed(_ body: (SealedThing) throws -> Void) throws {
    try readPages { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT link.kind, link.id, link.file_digest, link.raw_digest,
            EXISTS (SELECT 1 FROM photo WHERE photo.id = link.id
              AND (photo.deleted IS NOT NULL OR photo.removed IS NOT NULL))
            OR EXISTS (SELECT 1 FROM track WHERE track.id = link.id AND track.deleted IS NOT NULL)
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
            kind: record, id: identifier, file: row["file_digest"], raw: row["raw_digest"],
            isGone: row["gone"]))
      }
    }
  }

  /// Thumbprints of the keys that somebody seals with on this device.
  public func sealingKeys() throws -> [String] {
    try readPages {
      try String.fetchAll($0, sql: "SELECT DISTINCT key FROM identity ORDER BY key")
    }
  }

  /// Has everybody who has worked here compare with their office at the next delivery: the data came
  /// from a backup.
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
