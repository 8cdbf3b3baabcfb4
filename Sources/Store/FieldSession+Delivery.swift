import Evidence
import Foundation
import GRDB
import Inspection
import Positioning
import Sync

/// Who is signed in on a field unit, and at which office.
public struct SignIn: Hashable, Sendable {
  /// Who.
  public var person: Person
  /// Full name; nil when the office has none.
  public var name: String?
  /// The office's address.
  public var office: String
  /// The certificate of the office's certification authority, PEM.
  public var authority: String
  /// What the device shows to the office; nil after sign-out.
  public var token: String?
  /// When.
  public var time: DeviceTime

  /// A sign-in from its parts.
  public init(
    person: Person, name: String?, office: String, authority: String, token: String?,
    time: DeviceTime
  ) {
    self.person = person
    self.name = name
    self.office = office
    self.authority = authority
    self.token = token
    self.time = time
  }

  init(_ row: Row) {
    self.init(
      person: Person(agency: row["agency"], login: row["inspector"], role: .inspector),
      name: row["name"], office: row["office"], authority: row["authority"], token: row["token"],
      time: DeviceTime(millisecondsSince1970: row["time"]))
  }
}

/// A batch that was made and, if there is a receipt, delivered.
public struct StoredBatch: Hashable, Sendable {
  /// Its identifier.
  public var id: Identifier
  /// The key whose chain it is a piece of.
  public var key: String
  /// The last place of the chain that it holds.
  public var head: Int
  /// The message, byte by byte.
  public var message: [UInt8]

  /// A batch from its parts.
  public init(id: Identifier, key: String, head: Int, message: [UInt8]) {
    self.id = id
    self.key = key
    self.head = head
    self.message = message
  }
}

extension FieldSession {
  // MARK: sign-in

  /// The person's sign-in, active or not; nil before the first.
  public func signIn() throws -> SignIn? {
    try Row.fetchOne(
      database,
      sql: "SELECT * FROM sign_in WHERE agency = :agency AND inspector = :inspector",
      arguments: arguments()
    ).map(SignIn.init)
  }

  /// From now on this person is the one signed in.
  public func save(_ signIn: SignIn) throws {
    // One at a time on a device: the only statement that names no person.
    try database.execute(sql: "UPDATE sign_in SET active = NULL, token = NULL WHERE active = 1")
    try database.execute(
      sql: """
        INSERT INTO sign_in (agency, inspector, name, office, authority, token, time, active)
        VALUES (:agency, :inspector, :name, :office, :authority, :token, :time, 1)
        ON CONFLICT (agency, inspector) DO UPDATE SET name = :name, office = :office,
          authority = :authority, token = :token, time = :time, active = 1
        """,
      arguments: arguments([
        "name": signIn.name, "office": signIn.office, "authority": signIn.authority,
        "token": signIn.token, "time": signIn.time.millisecondsSince1970,
      ]))
  }

  /// The person is signed out; everything of theirs stays.
  public func signOut() throws {
    try database.execute(
      sql: """
        UPDATE sign_in SET active = NULL, token = NULL
        WHERE agency = :agency AND inspector = :inspector
        """, arguments: arguments())
  }

  // MARK: what goes into a batch

  /// The last place of a key's chain that a receipt names; 0 before the first receipt.
  public func deliveredHead(ofKey key: String) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT max(head) FROM batch WHERE key = :key AND agency = :agency
        AND inspector = :inspector AND delivered IS NOT NULL
        """, arguments: arguments(["key": key])) ?? 0
  }

  /// The person's links in a key's chain after a place, in their order.
  public func links(ofKey key: String, after place: Int) throws -> [Seal] {
    try String.fetchAll(
      database,
      sql: """
        SELECT jws FROM link WHERE key = :key AND sequence > :place AND agency = :agency
        AND inspector = :inspector ORDER BY sequence
        """, arguments: arguments(["key": key, "place": place])
    ).map { try Seal(jws: $0) }
  }

  /// The sealed records that belong to what was sent and that no receipt names yet: with a task all
  /// that was recorded for it, with a photo or a track its own, its notes and its deletion.
  public func undeliveredSeals(of entry: OutboxEntry) throws -> [SealFile] {
    // A deletion names its subject; of what it deletes the record itself belongs to the task.
    let subject =
      entry.kind == .task
      ? """
      json_extract(record, '$.task.id') = :id
      OR json_extract(record, '$.deletion.id') IN
        (SELECT id FROM link WHERE json_extract(record, '$.task.id') = :id)
      """
      : """
      id = :id OR json_extract(record, '$.note.photo') = :id
      """
    return try Row.fetchAll(
      database,
      sql: """
        SELECT record, jws FROM link
        WHERE agency = :agency AND inspector = :inspector AND (\(subject))
        AND id NOT IN (SELECT id FROM delivered_record) ORDER BY key, sequence
        """, arguments: arguments(["id": entry.id.description])
    ).map { row in
      let record: String = row["record"]
      return SealFile(
        record: try JSONValue(parsing: Array(record.utf8)), seal: try Seal(jws: row["jws"]))
    }
  }

  /// Whether a photo's or a track's bytes were removed before they were sent.
  public func isDeleted(_ id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM photo WHERE id = :id AND deleted IS NOT NULL AND
            agency = :agency AND inspector = :inspector)
          OR EXISTS (SELECT 1 FROM track WHERE id = :id AND deleted IS NOT NULL AND
            agency = :agency AND inspector = :inspector)
        """, arguments: arguments(["id": id.description])) ?? false
  }

  // MARK: batches

  /// The batch that was begun and has no receipt yet; nil when there is none.
  public func unfinishedBatch() throws -> StoredBatch? {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM batch WHERE agency = :agency AND inspector = :inspector
          AND delivered IS NULL ORDER BY made, id LIMIT 1
          """, arguments: arguments())
    else { return nil }
    guard let id = Identifier(row["id"]) else { throw StoreError.damagedRow("a batch") }
    let message: Data = row["message"]
    return StoredBatch(id: id, key: row["key"], head: row["head"], message: Array(message))
  }

  /// Keeps a batch before its first byte travels; its entries have begun from now on.
  public func insert(_ batch: StoredBatch, at time: DeviceTime, entries: [Identifier]) throws {
    try database.execute(
      sql: """
        INSERT INTO batch (id, agency, inspector, key, head, made, message)
        VALUES (:id, :agency, :inspector, :key, :head, :made, :message)
        """,
      arguments: arguments([
        "id": batch.id.description, "key": batch.key, "head": batch.head,
        "made": time.millisecondsSince1970, "message": Data(batch.message),
      ]))
    for entry in entries {
      try database.execute(
        sql: """
          UPDATE outbox SET batch = :batch, begun = 1
          WHERE id = :id AND agency = :agency AND inspector = :inspector
          """,
        arguments: arguments(["batch": batch.id.description, "id": entry.description]))
    }
  }

  /// What came of a try: words for the outbox, and when it is tried next.
  public func noteAttempt(
    batch: Identifier?, answer: String, nextAttempt: DeviceTime?
  ) throws {
    try database.execute(
      sql: """
        UPDATE outbox SET attempts = attempts + 1, last_answer = :answer, next_attempt = :next
        WHERE agency = :agency AND inspector = :inspector AND (:batch IS NULL OR batch = :batch)
        """,
      arguments: arguments([
        "batch": batch?.description, "answer": answer,
        "next": nextAttempt?.millisecondsSince1970,
      ]))
  }

  /// When all that waits is tried next.
  public func planNextAttempt(at time: DeviceTime) throws {
    try database.execute(
      sql: """
        UPDATE outbox SET next_attempt = :next
        WHERE agency = :agency AND inspector = :inspector AND attempts > 0
        """, arguments: arguments(["next": time.millisecondsSince1970]))
  }

  /// A matching receipt came: all that the batch holds is delivered, and leaves the outbox.
  public func markDelivered(
    _ batch: BatchMessage, receipt: Receipt, at time: DeviceTime
  ) throws {
    try database.execute(
      sql: """
        UPDATE batch SET delivered = :time, receipt = :receipt
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """,
      arguments: arguments([
        "id": batch.id.description, "time": time.millisecondsSince1970, "receipt": receipt.jws,
      ]))
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
      case .capture: try markDelivered(photo: link.id, at: time)
      case .track: try markDelivered(track: link.id, at: time)
      case .note, .transition, .deletion: break
      }
    }
    try database.execute(
      sql: """
        DELETE FROM outbox WHERE batch = :batch AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["batch": batch.id.description]))
  }

  /// Receipts of what was delivered, the newest first.
  public func receipts() throws -> [Receipt] {
    try String.fetchAll(
      database,
      sql: """
        SELECT receipt FROM batch WHERE agency = :agency AND inspector = :inspector
        AND receipt IS NOT NULL ORDER BY delivered DESC, id DESC
        """, arguments: arguments()
    ).map { try Receipt(jws: $0) }
  }
}
