import Evidence
import Foundation
import GRDB
import Inspection
import Positioning
import Sync

// What no record shows alone: the order of its device's clock, and whether the receiver's epochs were used before.
extension AgencySession {
  // MARK: clocks

  /// How far the order of a key's clock was followed; nil before its first record.
  public func chainClock(ofKey key: String) throws -> ChainClock? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM chain_clock WHERE key = :key AND agency = :agency",
      arguments: arguments(["key": key])
    ).map { row in
      ChainClock(
        sequence: row["sequence"],
        order: ClockOrder(
          latest: (row["latest"] as Int64?).map(DeviceTime.init(millisecondsSince1970:))))
    }
  }

  /// Keeps how far the order of a key's clock was followed.
  public func keep(_ clock: ChainClock, ofKey key: String) throws {
    try database.execute(
      sql: """
        INSERT INTO chain_clock (key, agency, sequence, latest) VALUES (:key, :agency, :sequence, :latest)
        ON CONFLICT (key) DO UPDATE SET sequence = :sequence, latest = :latest
        """,
      arguments: arguments([
        "key": key, "sequence": clock.sequence,
        "latest": clock.order.latest?.millisecondsSince1970,
      ]))
  }

  /// The times of a key's whole records, in the order of their places; those of simulated ones are left out.
  public func forEachDeviceTime(
    ofKey key: String,
    _ body: (_ id: Identifier, _ sequence: Int, _ time: DeviceTime) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, sequence, json_extract(record, '$.time.device') AS time FROM link
        WHERE key = :key AND agency = :agency AND record IS NOT NULL
        AND json_extract(record, '$.simulated') IS NOT TRUE ORDER BY sequence, received
        """, arguments: arguments(["key": key]))
    while let row = try rows.next() {
      guard let id = Identifier(row["id"]),
        let time = (row["time"] as String?).flatMap(DeviceTime.init(rfc3339:))
      else { continue }
      try body(id, row["sequence"], time)
    }
  }

  // MARK: raw windows

  /// Captures whose raw windows reach into the time of this one, in the order of their identifiers.
  public func windows(
    overlapping use: WindowUse, except id: Identifier
  ) throws -> [(photo: Identifier, use: WindowUse)] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM raw_window WHERE agency = :agency AND last BETWEEN :first AND :latest
          AND first <= :last AND photo <> :photo ORDER BY photo
          """),
      arguments: arguments([
        "first": use.first, "last": use.last, "photo": id.description,
        "latest": use.last + Int64(WindowUse.maximumSpanSeconds * 1000),
      ])
    ).map { row in
      let bytes: Data = row["epochs"]
      let epochs = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
        bytes.dropFirst(start).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      guard let photo = Identifier(row["photo"]),
        let use = WindowUse(
          key: row["key"], first: row["first"], last: row["last"], epochs: epochs)
      else { throw StoreError.damagedRow("a raw window's epochs") }
      return (photo, use)
    }
  }

  /// Other captures of this agency with the same raw window, byte by byte, simulated ones left out.
  public func photos(withRawWindow digest: String, except id: Identifier) throws -> [Identifier] {
    try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT photo.id FROM link CROSS JOIN photo ON photo.id = link.id AND photo.agency = :agency
          WHERE link.agency = :agency AND link.raw_digest = :digest AND link.id <> :id
          AND link.record IS NOT NULL AND photo.simulated = 0 ORDER BY photo.id
          """), arguments: arguments(["digest": digest, "id": id.description])
    ).compactMap(Identifier.init(_:))
  }

  /// Keeps which epochs a capture rests on.
  public func keep(_ use: WindowUse, ofPhoto id: Identifier) throws {
    let bytes = use.epochs.flatMap { epoch in
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: epoch >> (8 * $0)) }
    }
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO raw_window (photo, agency, key, first, last, epochs)
        VALUES (:photo, :agency, :key, :first, :last, :epochs)
        """
    ).execute(
      arguments: arguments([
        "photo": id.description, "key": use.key, "first": use.first, "last": use.last,
        "epochs": Data(bytes),
      ]))
  }
}
