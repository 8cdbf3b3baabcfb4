import Evidence
import Foundation
import GRDB
import Inspection
import Positioning
import Sync

extension AgencySession {
  // MARK: devices

  /// The agency's devices, or those of one inspector, the newest first.
  public func devices(of inspector: String? = nil) throws -> [EnrolledDevice] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM device WHERE agency = :agency
        AND (:inspector IS NULL OR inspector = :inspector) ORDER BY enrolled DESC, key
        """, arguments: arguments(["inspector": inspector])
    ).map(device)
  }

  /// The device with a key; nil when this agency has none.
  public func device(withKey key: String) throws -> EnrolledDevice? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM device WHERE key = :key AND agency = :agency",
      arguments: arguments(["key": key])
    ).map(device)
  }

  /// Keeps a device that was enrolled.
  public func insert(_ device: EnrolledDevice) throws {
    try database.execute(
      sql: """
        INSERT INTO device (key, agency, inspector, device, certificate, software, enrolled)
        VALUES (:key, :agency, :inspector, :device, :certificate, :software, :enrolled)
        """,
      arguments: arguments([
        "key": device.key, "inspector": device.inspector, "device": device.device,
        "certificate": device.certificate, "software": device.software,
        "enrolled": device.enrolled.millisecondsSince1970,
      ]))
  }

  /// From now on a device may not deliver. What the office held by then stays valid.
  public func revokeDevice(withKey key: String, at time: DeviceTime, reason: String) throws {
    try database.execute(
      sql: """
        UPDATE device SET revoked = :time, revoked_reason = :reason
        WHERE key = :key AND agency = :agency AND revoked IS NULL
        """,
      arguments: arguments([
        "key": key, "time": time.millisecondsSince1970, "reason": reason,
      ]))
  }

  /// A sign-in on a device has ended, or begun again (nil).
  public func setSignedOut(_ time: DeviceTime?, deviceWithKey key: String) throws {
    try database.execute(
      sql: "UPDATE device SET signed_out = :time WHERE key = :key AND agency = :agency",
      arguments: arguments(["key": key, "time": time?.millisecondsSince1970]))
  }

  private func device(_ row: Row) -> EnrolledDevice {
    EnrolledDevice(
      key: row["key"], inspector: row["inspector"], device: row["device"],
      certificate: row["certificate"], software: row["software"],
      enrolled: DeviceTime(millisecondsSince1970: row["enrolled"]),
      revokedReason: row["revoked_reason"],
      revoked: (row["revoked"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      signedOut: (row["signed_out"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)))
  }

  // MARK: batches and links

  /// The receipt that a batch was answered with; nil for one that is not received yet.
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

  /// Receipts that name any of these records, the oldest first.
  public func receipts(ofKey key: String) throws -> [Receipt] {
    try String.fetchAll(
      database,
      sql: "SELECT receipt FROM batch WHERE key = :key AND agency = :agency ORDER BY received, id",
      arguments: arguments(["key": key])
    ).map { try Receipt(jws: $0) }
  }

  /// What of an inspector is kept under an identifier: the digest of its record, and its files.
  public func holding(
    of id: Identifier, inspector: String
  ) throws -> (kind: RecordKind, record: String, file: String?, raw: String?)? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT kind, record_digest, file_digest, raw_digest FROM link
        WHERE id = :id AND agency = :agency AND inspector = :inspector AND record IS NOT NULL
        ORDER BY received LIMIT 1
        """, arguments: arguments(["id": id.description, "inspector": inspector])
    ).flatMap { row in
      RecordKind(rawValue: row["kind"]).map {
        ($0, row["record_digest"], row["file_digest"], row["raw_digest"])
      }
    }
  }

  /// The records of a key that name a file.
  public func records(
    ofKey key: String, naming digest: String
  ) throws -> [(kind: RecordKind, id: Identifier, isRaw: Bool)] {
    // By the file: a key has as many records as its inspector has ever made.
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

  /// Whether an identifier stands for another record of the agency already.
  public func isTaken(_ id: Identifier, byOtherThan record: String) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM link WHERE agency = :agency AND id = :id
          AND record_digest <> :record)
        """, arguments: arguments(["id": id.description, "record": record])) ?? false
  }

  /// Keeps a link. One that is known stays as it is, but a bare one gets its record.
  /// - Returns: whether its record is new here.
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
        """,
      arguments: arguments([
        "digest": link.seal.digest, "inspector": inspector, "key": data.key,
        "sequence": data.sequence, "id": data.id.description, "kind": data.kind.rawValue,
        "jws": link.seal.jws, "recordDigest": data.record, "file": data.file, "raw": data.raw,
        "record": link.file.map { String(decoding: $0.recordBytes, as: UTF8.self) },
        "task": link.file?.task?.description, "received": time.millisecondsSince1970,
      ]))
    return link.file != nil
  }

  /// All links of a key, in the order of their places.
  public func links(ofKey key: String) throws -> [ReceivedLink] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT jws, record FROM link WHERE key = :key AND agency = :agency
        ORDER BY sequence, received
        """, arguments: arguments(["key": key])
    ).map(link)
  }

  /// The end of a key's chain as field units are told it; nil before its first link.
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

  /// Which links are known at some places of a key's chain: their digests.
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

  /// The signatures over a key's links as they came, in the order of their places.
  public func linkTexts(ofKey key: String) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT jws FROM link WHERE key = :key AND agency = :agency ORDER BY sequence, received
        """, arguments: arguments(["key": key]))
  }

  /// The last place of a key's chain, and its link; nil before the first.
  public func head(ofKey key: String) throws -> Seal? {
    try String.fetchOne(
      database,
      sql: """
        SELECT jws FROM link WHERE key = :key AND agency = :agency
        ORDER BY sequence DESC, received LIMIT 1
        """, arguments: arguments(["key": key])
    ).map { try Seal(jws: $0) }
  }

  /// The sealed records that belong to a task: its own, those of photos that an officer has given to it,
  /// and deletions of them.
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
    ).compactMap { try link($0).file }
  }

  /// The seal over a thing of a kind with its record; nil when there is none.
  public func seal(of id: Identifier, _ kind: RecordKind) throws -> SealFile? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT jws, record FROM link WHERE id = :id AND agency = :agency AND kind = :kind \(own())
        AND record IS NOT NULL ORDER BY received LIMIT 1
        """, arguments: arguments(["id": id.description, "kind": kind.rawValue])
    ).flatMap { try link($0).file }
  }

  private func link(_ row: Row) throws -> ReceivedLink {
    let seal = try Seal(jws: row["jws"])
    guard let record = row["record"] as String? else { return ReceivedLink(bare: seal) }
    return ReceivedLink(
      SealFile(record: try JSONValue(parsing: Array(record.utf8)), seal: seal))
  }

  // MARK: the log

  /// The agency's log, the newest first.
  public func log(limit: Int) throws -> [LogEntry] {
    try Row.fetchAll(
      database,
      sql: "SELECT * FROM log WHERE agency = :agency ORDER BY number DESC LIMIT :limit",
      arguments: arguments(["limit": limit])
    ).map { row in
      LogEntry(
        agency: row["agency"], time: DeviceTime(millisecondsSince1970: row["time"]),
        person: row["person"], action: row["action"], subject: row["subject"],
        detail: row["detail"])
    }
  }

  /// Adds to the log, in the same transaction as what it tells.
  public func log(_ entry: LogEntry) throws {
    try RegistrySession(database: database).log(entry)
  }
}
