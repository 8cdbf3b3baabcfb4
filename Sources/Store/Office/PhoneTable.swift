import GRDB
import Inspection
import Positioning
import Sync
import TimeAndText

/// The predecessor's phones: the numbers by which they know things, and the data that they and
/// older offices sent.
public struct PhoneTable: AgencyTable, PhoneReading {
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

extension PhoneTable {
  /// The range of numbers: every app and every JSON reader holds them exactly, and smaller ones
  /// could be guessed.
  private static let numbers: ClosedRange<Int64> = 1_000_000_000_000...9_007_199_254_740_991

  /// Returns the number by which phones know a thing of the agency; nil if none has been drawn for it yet.
  public func phoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT number FROM phone_number
          WHERE agency = :agency AND kind = :kind AND subject = :subject
          """), arguments: arguments(["kind": kind.rawValue, "subject": subject]))
  }

  /// Returns the number by which phones know a thing of the agency; draws one at random if there is
  /// none yet.
  public func makePhoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64 {
    while true {
      if let known = try phoneNumber(kind, of: subject) { return known }
      var random = SystemRandomNumberGenerator()
      // A number that any agency's thing has already is not inserted, and another one is drawn.
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

  /// Returns the agency's thing that a number names; nil if the number is unknown there or names
  /// another kind.
  public func phoneSubject(_ kind: PhoneNumberKind, number: Int64) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT subject FROM phone_number
          WHERE number = :number AND agency = :agency AND kind = :kind
          """), arguments: arguments(["number": number, "kind": kind.rawValue]))
  }

  /// Records that a person has logged in from a network.
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

  /// Returns true if a person who may work for the agency as an inspector has logged in from a
  /// network since `time`.
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

  /// Returns true if any of the agency's inspectors has logged in from a network since `time`.
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

  /// Keeps the facts that a phone sent with a photo; the photo must be there already.
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

  /// Finds the photo that the office has already, among an inspector's, when a phone sends its
  /// bytes again; nil if there is none.
  ///
  /// The bytes must agree, and the time or the app's digest as well: Android writes the time of a
  /// photo that it has fetched here in another way, but keeps the digest. For a photo that was
  /// carried over from an older office the bytes are enough, because the app's own words for the
  /// time may be lost. Phones fetch a field unit's photo with the file's digest in place of the
  /// app's: if they send that digest back, the photo is found by it.
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

  /// Calls `body` with each photo that came from a phone and the digest of its file.
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

  /// Keeps the facts that a phone sent of a track; the track must be there already.
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

  /// Finds the path with this content that an inspector's phone has sent before; nil if there is none.
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

  /// Returns the newest `limit` tracks that an inspector's phones have sent, in the order of their
  /// arrival; deleted and hidden ones are left out.
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

  /// Returns the phones' numbers of an inspector's tasks; tasks without a number are left out.
  public func phoneTaskNumbers(ofInspector login: String) throws -> [Identifier: Int64] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT task.id, phone_number.number FROM task JOIN phone_number
            ON phone_number.agency = :agency AND kind = 'task' AND subject = task.id
          WHERE task.agency = :agency AND task.inspector = :login
          """), arguments: arguments(["login": login]))
    var numbers: [Identifier: Int64] = [:]
    while let row = try rows.next() {
      guard let id = Identifier(row["id"]) else { throw StoreError.damagedRow("a task") }
      numbers[id] = row["number"]
    }
    return numbers
  }

  /// Returns the photos of each of an inspector's tasks, the oldest first; deleted ones are left out.
  public func phonePhotos(ofTasksOf login: String) throws -> [Identifier: [NumberedPhoto]] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT photo.task, photo.id, phone_number.number FROM task
          JOIN photo ON photo.agency = :agency AND photo.task = task.id AND photo.deleted IS NULL
          LEFT JOIN phone_number
            ON phone_number.agency = :agency AND kind = 'photo' AND subject = photo.id
          WHERE task.agency = :agency AND task.inspector = :login
          ORDER BY photo.device_time, photo.id
          """), arguments: arguments(["login": login]))
    var photos: [Identifier: [NumberedPhoto]] = [:]
    while let row = try rows.next() {
      guard let task = Identifier(row["task"]) else { throw StoreError.damagedRow("a photo") }
      photos[task, default: []].append(try numbered(row))
    }
    return photos
  }

  /// Returns the newest `limit` of an inspector's photos without a task, the oldest of them first;
  /// deleted and hidden ones are left out.
  public func phonePhotosWithoutTask(
    ofInspector login: String, limit: Int
  ) throws -> [NumberedPhoto] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT photo.id, phone_number.number FROM photo INDEXED BY photo_alone
          LEFT JOIN phone_number
            ON phone_number.agency = :agency AND kind = 'photo' AND subject = photo.id
          WHERE photo.agency = :agency AND task IS NULL AND hidden IS NULL AND deleted IS NULL
          AND inspector = :login ORDER BY device_time DESC, id DESC LIMIT :limit
          """), arguments: arguments(["login": login, "limit": limit])
    ).reversed().map(numbered)
  }

  private func numbered(_ row: Row) throws -> NumberedPhoto {
    guard let id = Identifier(row["id"]) else { throw StoreError.damagedRow("a photo") }
    return NumberedPhoto(id: id, number: row["number"])
  }

  /// Returns the logins on phones, since `time`, of people who may work for the agency as
  /// inspectors: by login, the latest first.
  public func phoneLogins(since time: DeviceTime, limit: Int) throws -> [PhoneLogin] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT phone_login.login, network, began FROM phone_login
          JOIN person ON person.login = phone_login.login
        WHERE phone_login.agency = :agency AND began > :time AND person.agency = :agency
        AND person.role = 'inspector' AND person.disabled IS NULL
        ORDER BY phone_login.login, began DESC, network LIMIT :limit
        """,
      arguments: arguments(["time": time.millisecondsSince1970, "limit": limit])
    ).map { row in
      PhoneLogin(
        login: row["login"], network: row["network"],
        began: DeviceTime(millisecondsSince1970: row["began"]))
    }
  }

  /// Ends all of a person's logins on phones: the person has to log in again on each.
  /// - Returns: the number of logins that have ended.
  @discardableResult
  public func endPhoneLogins(of login: String) throws -> Int {
    try database.execute(
      sql: "DELETE FROM phone_login WHERE agency = :agency AND login = :login",
      arguments: arguments(["login": login]))
    return database.changesCount
  }

  /// Counts the photos and paths that phones have sent since `time`.
  /// - Parameter limit: the number up to which each kind is counted.
  public func phoneArrivals(since time: DeviceTime, limit: Int) throws -> PhoneArrivals {
    // Identifiers begin with the time of their making, which is that of the arrival. The key's
    // index thus leads to the latest rows, and earlier ones are not walked through. The sign before
    // `agency` keeps SQLite from the other index.
    let first = String(Identifier(at: time).description.prefix(13))
    func count(_ table: String, _ key: String) throws -> Int {
      try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE +agency = :agency AND \(key) >= :first
            AND received >= :time LIMIT :limit)
          """,
        arguments: arguments([
          "first": first, "time": time.millisecondsSince1970, "limit": limit,
        ])) ?? 0
    }
    return PhoneArrivals(
      photos: try count("phone_photo", "photo"), tracks: try count("phone_track", "track"))
  }

  /// Finds a photo of an inspector by the app's digest or by its bytes; nil if there is none.
  ///
  /// Equal bytes are enough if one of the two photos has no digest, or if the app's words for the
  /// time are equal or missing in both. Otherwise the digests must agree: they are over the time,
  /// too, and the same bytes at another time are another photo, for which an inspector may have
  /// sent a picture once more.
  public func phonePhoto(
    ofInspector login: String, fileDigest: String, orDigest digest: String?, created: String?
  ) throws -> Identifier? {
    let byBytes = try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT photo FROM phone_photo WHERE agency = :agency AND inspector = :login
          AND file_digest = :file
          AND (phone_photo.digest IS NULL OR :digest IS NULL OR lower(phone_photo.digest) = :digest
            OR coalesce(created, '') = :created)
          ORDER BY rowid LIMIT 1
          """),
      arguments: arguments([
        "login": login, "file": fileDigest, "digest": digest, "created": created ?? "",
      ])
    ).flatMap(Identifier.init(_:))
    guard byBytes == nil, let digest else { return byBytes }
    return try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT photo FROM phone_photo WHERE agency = :agency AND inspector = :login
          AND digest = :digest AND digest IS NOT NULL ORDER BY rowid LIMIT 1
          """), arguments: arguments(["login": login, "digest": digest])
    ).flatMap(Identifier.init(_:))
  }

  /// Records that a thing was carried over. It is kept for this agency, whatever agency `carried` names.
  public func insert(_ carried: CarriedOver) throws {
    try database.cachedStatement(sql: CarriedOverColumns.insert).execute(
      arguments: arguments(CarriedOverColumns.values(carried)))
  }

  /// Returns the thing that a number of an older database has become; nil if it was not carried
  /// over to this agency.
  public func carriedOver(
    _ kind: CarriedOver.Kind, number: Int64, source: String
  ) throws -> CarriedOver? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT * FROM carried_over WHERE agency = :agency AND source = :source
          AND kind = :kind AND number = :number
          """), arguments: arguments(["source": source, "kind": kind.rawValue, "number": number])
    ).map(CarriedOverColumns.carriedOver)
  }
}
