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
  /// The certificates under which the office's TLS certificate must be, PEM; nil for the system's.
  public var tlsCertificate: String?

  /// A sign-in from its parts.
  public init(
    person: Person, name: String?, office: String, authority: String, token: String?,
    time: DeviceTime, tlsCertificate: String? = nil
  ) {
    self.person = person
    self.name = name
    self.office = office
    self.authority = authority
    self.token = token
    self.time = time
    self.tlsCertificate = tlsCertificate
  }

  init(_ row: Row) {
    self.init(
      person: Person(agency: row["agency"], login: row["inspector"], role: .inspector),
      name: row["name"], office: row["office"], authority: row["authority"], token: row["token"],
      time: DeviceTime(millisecondsSince1970: row["time"]), tlsCertificate: row["tls_certificate"])
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
  /// Whether it was sent after all of its files, and its answer did not come.
  public var wasTried = false

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
        INSERT INTO sign_in (agency, inspector, name, office, authority, token, time, active,
          tls_certificate)
        VALUES (:agency, :inspector, :name, :office, :authority, :token, :time, 1, :tls)
        ON CONFLICT (agency, inspector) DO UPDATE SET name = :name, office = :office,
          authority = :authority, token = :token, time = :time, active = 1, tls_certificate = :tls
        """,
      arguments: arguments([
        "name": signIn.name, "office": signIn.office, "authority": signIn.authority,
        "token": signIn.token, "time": signIn.time.millisecondsSince1970,
        "tls": signIn.tlsCertificate,
      ]))
  }

  /// The session was renewed. Whoever has signed out meanwhile stays so.
  /// - Parameter old: the one before: who has signed in elsewhere meanwhile has another.
  public func setToken(_ token: String, insteadOf old: String) throws {
    try database.execute(
      sql: """
        UPDATE sign_in SET token = :token
        WHERE agency = :agency AND inspector = :inspector AND active = 1 AND token = :old
        """, arguments: arguments(["token": token, "old": old]))
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
        AND inspector = :inspector AND delivered IS NOT NULL AND forgotten IS NULL
        """, arguments: arguments(["key": key])) ?? 0
  }

  /// The person's links in a key's chain after a place and up to another, in their order, without those
  /// of these digests.
  public func links(
    ofKey key: String, after place: Int, upTo last: Int, except digests: Set<String>
  ) throws -> [Seal] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT jws, jws_digest FROM link WHERE key = :key AND sequence > :place AND sequence <= :last
        AND agency = :agency AND inspector = :inspector ORDER BY sequence
        """, arguments: arguments(["key": key, "place": place, "last": last])
    ).filter { !digests.contains($0["jws_digest"]) }.map { try Seal(jws: $0["jws"]) }
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

  /// The batches that were begun and have no receipt yet, in the order of their chains.
  public func unfinishedBatches() throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT id FROM batch WHERE agency = :agency AND inspector = :inspector
        AND delivered IS NULL ORDER BY rowid
        """, arguments: arguments()
    ).compactMap(Identifier.init(_:))
  }

  /// One of the person's batches.
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

  /// A batch is sent after all of its files; or the office has said that it lacks some.
  public func markTried(_ isTried: Bool, batch id: Identifier) throws {
    try database.execute(
      sql: """
        UPDATE batch SET tried = :tried
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description, "tried": isTried]))
  }

  /// Keeps a batch before its first byte travels; of the wholes that it is of, nothing can be taken back
  /// from now on.
  /// - Parameter entries: what of the outbox it holds.
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

  /// The links of the first photos and tracks of a whole that are in no batch yet, in the order of their
  /// chains.
  public func waitingLinks(ofWhole whole: Identifier, limit: Int) throws -> [Link] {
    try String.fetchAll(
      database,
      sql: """
        SELECT jws FROM outbox CROSS JOIN link ON link.id = outbox.id
        WHERE outbox.whole = :whole AND outbox.batch IS NULL
        AND outbox.agency = :agency AND outbox.inspector = :inspector
        AND outbox.kind IN ('photo', 'track') ORDER BY link.key, link.sequence LIMIT :limit
        """, arguments: arguments(["whole": whole.description, "limit": limit])
    ).map { try Seal(jws: $0).link }
  }

  /// Files of wholes that are in no batch yet begin to travel: nothing of them can be taken back any more.
  /// - Returns: those that still wait.
  public func begin(wholes: [Identifier]) throws -> Set<Identifier> {
    var begun: Set<Identifier> = []
    for whole in wholes {
      try database.execute(
        sql: """
          UPDATE outbox SET begun = 1
          WHERE whole = :whole AND batch IS NULL AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["whole": whole.description]))
      if database.changesCount > 0 { begun.insert(whole) }
    }
    return begun
  }

  /// What a batch was made of.
  public func wholes(ofBatch id: Identifier) throws -> Set<Identifier> {
    Set(
      try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT whole FROM outbox
          WHERE batch = :batch AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["batch": id.description])
      ).compactMap(Identifier.init(_:)))
  }

  /// All of a whole came to the office in other batches: it leaves the outbox.
  public func removeDelivered(whole id: Identifier) throws {
    try database.execute(
      sql: """
        DELETE FROM outbox WHERE whole = :id AND batch IS NULL AND agency = :agency
        AND inspector = :inspector
        """, arguments: arguments(["id": id.description]))
  }

  /// A matching receipt came: all that the batch holds is delivered, and leaves the outbox.
  /// - Returns: how many entries of the outbox it were.
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
    // Another process has dissolved it meanwhile: what it held waits in others.
    guard database.changesCount > 0 else { return 0 }
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
      // One whose bytes were not sent is no delivered photo, whatever became of its record.
      case .capture where link.file.map(files.contains) ?? true:
        try markDelivered(photo: link.id, at: time)
      case .track: try markDelivered(track: link.id, at: time)
      case .capture, .note, .transition, .deletion: break
      }
    }
    // A task that was sent once more while this batch was on its way waits for its next one.
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
    try database.execute(
      sql: """
        DELETE FROM outbox WHERE batch = :batch AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["batch": batch.id.description]))
    return database.changesCount
  }

  /// Whether a photo's bytes have left the device after they were delivered.
  public func isRemoved(_ id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM photo WHERE id = :id AND removed IS NOT NULL AND
          agency = :agency AND inspector = :inspector)
        """, arguments: arguments(["id": id.description])) ?? false
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
