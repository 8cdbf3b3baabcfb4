import Evidence
import Foundation
import GRDB
import Inspection
import Sync
import TimeAndText

/// The chains of sealed links of an agency's devices.
public struct ChainTable: AgencyTable, SealReading {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }

  /// All of the agency's rows.
  public var rows: VisibleRows {
    VisibleRows(database: database, agency: agency, inspector: nil)
  }
}

extension ChainTable {
  /// Keeps a link. A known link stays as it is, but a bare one gets its record.
  /// - Returns: true if the link's record is new here.
  @discardableResult
  public func keep(_ link: ReceivedLink, inspector: String, at time: DeviceTime) throws -> Bool {
    let known = try Row.fetchOne(
      database,
      sql: """
        SELECT record IS NOT NULL AS whole FROM link
        WHERE jws_digest = :digest AND agency = :agency
        """, arguments: arguments(["digest": link.seal.digest]))
    let isWhole: Bool? = known?["whole"]
    if isWhole == true || (isWhole == false && link.file == nil) { return false }
    let data = link.seal.link
    try database.execute(
      sql: """
        INSERT INTO link (jws_digest, agency, inspector, key, sequence, id, kind, jws,
          record_digest, file_digest, raw_digest, record, task, received)
        VALUES (:digest, :agency, :inspector, :key, :sequence, :id, :kind, :jws, :recordDigest,
          :file, :raw, :record, :task, :received)
        ON CONFLICT (jws_digest) DO UPDATE SET record = :record, task = :task
          WHERE agency = :agency
        """,
      arguments: arguments([
        "digest": link.seal.digest, "inspector": inspector, "key": data.key,
        "sequence": data.sequence, "id": data.id.description, "kind": data.kind.rawValue,
        "jws": link.seal.jws, "recordDigest": data.record, "file": data.file, "raw": data.raw,
        "record": link.file.map { String(decoding: $0.recordBytes, as: UTF8.self) },
        "task": link.file?.task?.description, "received": time.millisecondsSince1970,
      ]))
    try requireOwn("link", link.seal.digest)
    return link.file != nil
  }

  /// Returns all links of a key, in the order of their places.
  public func links(ofKey key: String) throws -> [ReceivedLink] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT jws, record FROM link WHERE key = :key AND agency = :agency
        ORDER BY sequence, received
        """, arguments: arguments(["key": key])
    ).map(LinkColumns.link)
  }

  /// Returns the end of a key's chain as field units are told it; nil until its first link.
  public func chainHead(ofKey key: String) throws -> ChainHead? {
    try Row.fetchOne(
      database,
      sql: """
        WITH whole AS (SELECT count(*) AS records FROM link
          WHERE key = :key AND agency = :agency AND record IS NOT NULL)
        SELECT sequence, jws_digest, records FROM link, whole
        WHERE key = :key AND agency = :agency ORDER BY sequence DESC, received LIMIT 1
        """, arguments: arguments(["key": key])
    ).map { ChainHead(sequence: $0["sequence"], link: $0["jws_digest"], records: $0["records"]) }
  }

  /// Returns the digests of the links that are known at some places of a key's chain.
  public func linkDigests(
    ofKey key: String, at places: ClosedRange<Int>
  ) throws -> [Int: Set<String>] {
    var digests: [Int: Set<String>] = [:]
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT sequence, jws_digest FROM link WHERE key = :key AND agency = :agency
        AND sequence BETWEEN :first AND :last
        """,
      arguments: arguments(["key": key, "first": places.lowerBound, "last": places.upperBound]))
    {
      digests[row["sequence"], default: []].insert(row["jws_digest"])
    }
    return digests
  }

  /// Returns the seals of a key's links as they came, in the order of their places.
  public func linkTexts(ofKey key: String) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT jws FROM link WHERE key = :key AND agency = :agency ORDER BY sequence, received
        """, arguments: arguments(["key": key]))
  }

  /// Returns the seal at the last place of a key's chain; nil until its first link.
  public func head(ofKey key: String) throws -> Seal? {
    try String.fetchOne(
      database,
      sql: """
        SELECT jws FROM link WHERE key = :key AND agency = :agency
        ORDER BY sequence DESC, received LIMIT 1
        """, arguments: arguments(["key": key])
    ).map { try Seal(jws: $0) }
  }

  /// Returns the sealed records that belong to a task: its own, those of photos that an officer has
  /// assigned to it, and deletions of its things.
  public func seals(ofTask id: Identifier) throws -> [SealFile] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT jws, record FROM link WHERE agency = :agency AND record IS NOT NULL AND jws_digest IN (
          SELECT jws_digest FROM link WHERE agency = :agency AND task = :task
          UNION SELECT link.jws_digest FROM photo CROSS JOIN link ON link.agency = :agency
            AND link.id = photo.id AND link.kind = 'capture'
            WHERE photo.agency = :agency AND photo.task = :task AND photo.assigned IS NOT NULL
          UNION SELECT deletion.jws_digest FROM link AS thing CROSS JOIN link AS deletion
            ON json_extract(deletion.record, '$.deletion.id') = +thing.id
              AND deletion.kind = 'deletion' AND deletion.agency = :agency
            WHERE thing.agency = :agency AND thing.task = :task)
        ORDER BY key, sequence
        """, arguments: arguments(["task": id.description])
    ).compactMap { try LinkColumns.link($0).file }
  }

  /// Returns up to which place of a key's chain the order of its times was checked; nil until its
  /// first record.
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

  /// Keeps up to which place of a key's chain the order of its times was checked.
  public func keep(_ clock: ChainClock, ofKey key: String) throws {
    try database.execute(
      sql: """
        INSERT INTO chain_clock (key, agency, sequence, latest) VALUES (:key, :agency, :sequence, :latest)
        ON CONFLICT (key) DO UPDATE SET sequence = :sequence, latest = :latest
          WHERE agency = :agency
        """,
      arguments: arguments([
        "key": key, "sequence": clock.sequence,
        "latest": clock.order.latest?.millisecondsSince1970,
      ]))
    try requireOwn("chain", key)
  }

  /// Calls `body` with the device times of a key's whole records, in the order of their places,
  /// without simulated ones.
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
}
