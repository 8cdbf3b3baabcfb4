import GRDB
import Inspection
import Positioning
import Sync

// What phones with the EGNSS4CAP and EGNSS4ALL apps sent, and by which numbers they know things.
extension AgencySession {
  /// Numbers up to here are whole in every app and every JSON reader; below the first they would be guessed.
  private static let numbers: ClosedRange<Int64> = 1_000_000_000_000...9_007_199_254_740_991

  /// The number by which phones know a thing of the agency; nil where none has asked yet.
  public func phoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT number FROM phone_number
          WHERE agency = :agency AND kind = :kind AND subject = :subject
          """), arguments: arguments(["kind": kind.rawValue, "subject": subject]))
  }

  /// The same; one is drawn where there is none yet.
  public func makePhoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64 {
    while true {
      if let known = try phoneNumber(kind, of: subject) { return known }
      var random = SystemRandomNumberGenerator()
      // One that is taken, by any agency's thing, is drawn again.
      try database.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO phone_number (number, agency, kind, subject)
          VALUES (:number, :agency, :kind, :subject)
          """
      ).execute(
        arguments: arguments([
          "number": Int64.random(in: Self.numbers, using: &random), "kind": kind.rawValue,
          "subject": subject,
        ]))
    }
  }

  /// What of the agency a number stands for; nil where it stands for nothing of it, or for another kind.
  public func phoneSubject(_ kind: PhoneNumberKind, number: Int64) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT subject FROM phone_number
          WHERE number = :number AND agency = :agency AND kind = :kind
          """), arguments: arguments(["number": number, "kind": kind.rawValue]))
  }

  /// Somebody has logged in from a network.
  public func notePhoneLogin(of login: String, network: String, at time: DeviceTime) throws {
    try database.execute(
      sql: """
        INSERT INTO phone_login (agency, login, network, began)
        VALUES (:agency, :login, :network, :time)
        ON CONFLICT DO UPDATE SET began = max(began, :time)
        """,
      arguments: arguments([
        "login": login, "network": network, "time": time.millisecondsSince1970,
      ]))
  }

  /// Whether somebody who may work for the agency as an inspector has logged in from a network since a moment.
  public func hasPhoneLogin(
    of login: String, network: String, since time: DeviceTime
  ) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM phone_login JOIN person ON person.login = phone_login.login
            WHERE phone_login.agency = :agency AND phone_login.login = :login
            AND network = :network AND began > :time AND person.agency = :agency
            AND person.role = 'inspector' AND person.disabled IS NULL)
          """),
      arguments: arguments([
        "login": login, "network": network, "time": time.millisecondsSince1970,
      ])) ?? false
  }

  /// Whether anybody has logged in from a network since a moment.
  public func hasPhoneLogin(network: String, since time: DeviceTime) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM phone_login JOIN person ON person.login = phone_login.login
            WHERE phone_login.agency = :agency AND network = :network AND began > :time
            AND person.agency = :agency AND person.role = 'inspector' AND person.disabled IS NULL)
          """),
      arguments: arguments(["network": network, "time": time.millisecondsSince1970])) ?? false
  }

  // MARK: photos

  /// Keeps what a phone sent with a photo that is there.
  public func insert(_ phone: PhonePhoto, fileDigest: String) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO phone_photo (photo, agency, inspector, file_digest, user_number, created,
          digest, digest_holds, fields, received)
        VALUES (:photo, :agency, :inspector, :file, :user, :created, :digest, :holds, :fields, :time)
        """
    ).execute(
      arguments: arguments([
        "photo": phone.photo.description, "inspector": phone.inspector, "file": fileDigest,
        "user": phone.userNumber, "created": phone.created, "digest": phone.digest,
        "holds": phone.digestHolds, "fields": phone.fields,
        "time": phone.received.millisecondsSince1970,
      ]))
  }

  /// The photo of an inspector with these bytes which the office has already, and a phone sends: with the same time or the
  /// same digest, since Android writes the time otherwise of a photo that it has fetched here, and keeps the digest. Of one
  /// that was carried over from an older office the app's own words for the time may be lost: there the bytes decide. A
  /// field unit's photo, which phones fetch with the file's digest in the place of the app's, is sent back by that.
  public func phonePhoto(
    ofInspector login: String, fileDigest: String, created: String?, digest: String?,
    task: Identifier?
  ) throws -> Identifier? {
    let sent = try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT photo FROM phone_photo WHERE agency = :agency AND inspector = :login
          AND file_digest = :file AND (coalesce(created, '') = :created OR digest = :digest
            OR EXISTS (SELECT 1 FROM carried_over WHERE carried_over.agency = :agency
              AND kind = 'photo' AND subject = phone_photo.photo))
          ORDER BY coalesce(created, '') = :created DESC LIMIT 1
          """),
      arguments: arguments([
        "login": login, "file": fileDigest, "created": created ?? "", "digest": digest,
      ]))
    guard sent == nil, digest == fileDigest else { return sent.flatMap(Identifier.init(_:)) }
    return try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id FROM photo WHERE agency = :agency AND task IS :task AND inspector = :login
          AND file_digest = :file AND deleted IS NULL LIMIT 1
          """),
      arguments: arguments(["login": login, "file": fileDigest, "task": task?.description])
    ).flatMap(Identifier.init(_:))
  }

  /// What a phone sent with a photo; nil for a photo that came otherwise.
  public func phonePhoto(_ id: Identifier) throws -> PhonePhoto? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT phone_photo.*, phone_number.number FROM phone_photo LEFT JOIN phone_number
            ON phone_number.agency = phone_photo.agency AND kind = 'photo' AND subject = phone_photo.photo
          WHERE phone_photo.photo = :id AND phone_photo.agency = :agency \(own())
          """), arguments: arguments(["id": id.description])
    ).map { row in
      PhonePhoto(
        photo: id, inspector: row["inspector"], number: row["number"] ?? 0,
        userNumber: row["user_number"], created: row["created"], digest: row["digest"],
        digestHolds: row["digest_holds"], fields: row["fields"],
        received: DeviceTime(millisecondsSince1970: row["received"]))
    }
  }

  /// The files of every photo that came from a phone and was not deleted, with their digests.
  public func forEachPhonePhoto(_ body: (_ id: Identifier, _ digest: String) throws -> Void) throws
  {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT photo, file_digest FROM phone_photo WHERE agency = :agency",
      arguments: arguments())
    while let row = try rows.next() {
      guard let id = Identifier(row["photo"]) else {
        throw StoreError.damagedRow("a phone's photo")
      }
      try body(id, row["file_digest"])
    }
  }

  // MARK: tracks

  /// Keeps what a phone sent of a track that is there.
  public func insert(_ phone: PhoneTrack) throws {
    try database.execute(
      sql: """
        INSERT INTO phone_track (track, agency, inspector, content_digest, fields, points, received)
        VALUES (:track, :agency, :inspector, :digest, :fields, :points, :time)
        """,
      arguments: arguments([
        "track": phone.track.description, "inspector": phone.inspector,
        "digest": phone.contentDigest, "fields": phone.fields, "points": phone.points,
        "time": phone.received.millisecondsSince1970,
      ]))
  }

  /// The path of an inspector with this content, which a phone has sent before.
  public func phoneTrack(
    ofInspector login: String, contentDigest: String
  ) throws -> Identifier? {
    try String.fetchOne(
      database,
      sql: """
        SELECT track FROM phone_track WHERE agency = :agency AND inspector = :login
        AND content_digest = :digest
        """, arguments: arguments(["login": login, "digest": contentDigest])
    ).flatMap(Identifier.init(_:))
  }

  /// What a phone sent of a track; nil for one that came otherwise.
  public func phoneTrack(_ id: Identifier) throws -> PhoneTrack? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT phone_track.*, phone_number.number FROM phone_track LEFT JOIN phone_number
          ON phone_number.agency = phone_track.agency AND kind = 'track' AND subject = phone_track.track
        WHERE phone_track.track = :id AND phone_track.agency = :agency \(own())
        """, arguments: arguments(["id": id.description])
    ).map { row in
      PhoneTrack(
        track: id, inspector: row["inspector"], number: row["number"] ?? 0,
        contentDigest: row["content_digest"], fields: row["fields"], points: row["points"],
        received: DeviceTime(millisecondsSince1970: row["received"]))
    }
  }

  /// The newest tracks that an inspector's phones have sent, in the order in which they came.
  public func phoneTracks(ofInspector login: String, limit: Int) throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT phone_track.track FROM phone_track JOIN track ON track.id = phone_track.track
        WHERE phone_track.agency = :agency AND phone_track.inspector = :login
        AND track.agency = :agency AND track.deleted IS NULL AND track.hidden IS NULL
        ORDER BY phone_track.rowid DESC LIMIT :limit
        """, arguments: arguments(["login": login, "limit": limit])
    ).reversed().compactMap(Identifier.init(_:))
  }
}
