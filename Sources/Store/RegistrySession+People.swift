import Evidence
import GRDB
import Inspection
import Sync
import TimeAndText

extension RegistrySession {
  // MARK: agencies

  /// Returns all agencies, by name.
  public func agencies() throws -> [Agency] {
    try Row.fetchAll(database, sql: "SELECT * FROM agency ORDER BY agency").map(agency)
  }

  /// Returns an agency; nil if there is none of that name.
  public func agency(_ name: String) throws -> Agency? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM agency WHERE agency = :agency", arguments: ["agency": name]
    ).map(agency)
  }

  /// Changes an agency's title, its name on the screen.
  public func setTitle(_ title: String, ofAgency name: String) throws {
    try database.execute(
      sql: "UPDATE agency SET title = :title WHERE agency = :agency",
      arguments: ["title": title, "agency": name])
  }

  /// Adds an agency.
  public func insert(_ agency: Agency) throws {
    try database.execute(
      sql: "INSERT INTO agency (agency, title, created) VALUES (:agency, :title, :created)",
      arguments: [
        "agency": agency.name, "title": agency.title,
        "created": agency.created.millisecondsSince1970,
      ])
  }

  private func agency(_ row: Row) -> Agency {
    Agency(
      name: row["agency"], title: row["title"],
      created: DeviceTime(millisecondsSince1970: row["created"]))
  }

  // MARK: people

  /// Returns all people, or those of one agency, by login.
  public func accounts(ofAgency agency: String? = nil) throws -> [Account] {
    try Row.fetchAll(
      database,
      sql: "SELECT * FROM person WHERE :agency IS NULL OR agency = :agency ORDER BY login",
      arguments: ["agency": agency]
    ).map(account)
  }

  /// Returns a person with the stored password; nil if no person has that login.
  public func account(_ login: String) throws -> (account: Account, password: String)? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM person WHERE login = :login", arguments: ["login": login]
    ).map { (try account($0), $0["password"]) }
  }

  /// Adds a person; `password` is the stored form.
  public func insert(_ account: Account, password: String, at time: DeviceTime) throws {
    try database.execute(
      sql: """
        INSERT INTO person (login, agency, role, name, password, created)
        VALUES (:login, :agency, :role, :name, :password, :created)
        """,
      arguments: [
        "login": account.login, "agency": account.agency, "role": account.role.rawValue,
        "name": account.name, "password": password, "created": time.millisecondsSince1970,
      ])
  }

  /// Sets a person's stored password, and ends all of the person's sessions.
  public func setPassword(_ password: String, of login: String) throws {
    try database.execute(
      sql: "UPDATE person SET password = :password WHERE login = :login",
      arguments: ["password": password, "login": login])
    try endSessions(of: login)
  }

  /// Disables a person, or enables the person again if `time` is nil; ends all of the person's sessions.
  public func setDisabled(_ time: DeviceTime?, login: String) throws {
    try database.execute(
      sql: "UPDATE person SET disabled = :time WHERE login = :login",
      arguments: ["time": time?.millisecondsSince1970, "login": login])
    try endSessions(of: login)
  }

  private func account(_ row: Row) throws -> Account {
    let login: String = row["login"]
    guard let role = Role(rawValue: row["role"]) else {
      throw StoreError.damagedRow("person \(login)")
    }
    return Account(
      login: login, agency: row["agency"], role: role, name: row["name"],
      disabled: (row["disabled"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)))
  }

  // MARK: sessions

  /// Begins a session. `key` is the device's key for a field unit's session, nil for a browser's.
  public func insertSession(
    digest: String, account: Account, key: String?, at time: DeviceTime, expires: DeviceTime
  ) throws {
    try database.execute(
      sql: """
        INSERT INTO session (token_digest, agency, login, kind, key, created, used, expires)
        VALUES (:digest, :agency, :login, :kind, :key, :time, :time, :expires)
        """,
      arguments: [
        "digest": digest, "agency": account.agency, "login": account.login,
        "kind": key == nil ? "browser" : "device", "key": key,
        "time": time.millisecondsSince1970, "expires": expires.millisecondsSince1970,
      ])
  }

  /// Returns a session; nil if there is no such session.
  func session(digest: String) throws -> KnownSession? {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM session WHERE token_digest = :digest",
        arguments: ["digest": digest]), let found = try account(row["login"])
    else { return nil }
    return KnownSession(
      account: found.account, key: row["key"],
      expires: DeviceTime(millisecondsSince1970: row["expires"]))
  }

  /// Returns all valid sessions of a person, the most recently used first.
  public func sessions(of login: String, at time: DeviceTime) throws -> [OpenSession] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM session WHERE login = :login AND expires > :time
        ORDER BY used DESC, created DESC
        """, arguments: ["login": login, "time": time.millisecondsSince1970]
    ).map { row in
      OpenSession(
        digest: row["token_digest"], key: row["key"],
        created: DeviceTime(millisecondsSince1970: row["created"]),
        used: DeviceTime(millisecondsSince1970: row["used"]))
    }
  }

  /// Extends a session that was used, until `expires`.
  public func extendSession(digest: String, at time: DeviceTime, expires: DeviceTime) throws {
    try database.execute(
      sql: "UPDATE session SET used = :time, expires = :expires WHERE token_digest = :digest",
      arguments: [
        "time": time.millisecondsSince1970, "expires": expires.millisecondsSince1970,
        "digest": digest,
      ])
  }

  /// Ends one session.
  public func endSession(digest: String) throws {
    try database.execute(
      sql: "DELETE FROM session WHERE token_digest = :digest", arguments: ["digest": digest])
  }

  /// Ends all sessions of a person.
  public func endSessions(of login: String) throws {
    // Phones send no token: their logins, which take the place of sessions, end too.
    for table in ["session", "phone_login"] {
      try database.execute(
        sql: "DELETE FROM \(table) WHERE login = :login", arguments: ["login": login])
    }
  }

  /// Deletes all sessions that have expired.
  public func removeExpiredSessions(at time: DeviceTime) throws {
    try database.execute(
      sql: "DELETE FROM session WHERE expires < :time",
      arguments: ["time": time.millisecondsSince1970])
  }

  // MARK: the log

  /// Adds an entry to the log. Each entry's digest covers the one before it, so that none can be
  /// removed or changed unnoticed.
  public func log(_ entry: LogEntry) throws {
    let last = try Row.fetchOne(
      database, sql: "SELECT number, digest FROM log ORDER BY number DESC LIMIT 1")
    let number = (last?["number"] as Int? ?? 0) + 1
    let digest = entry.digest(number: number, after: last?["digest"])
    try database.execute(
      sql: """
        INSERT INTO log (number, agency, time, person, action, subject, detail, digest)
        VALUES (:number, :agency, :time, :person, :action, :subject, :detail, :digest)
        """,
      arguments: [
        "number": number, "agency": entry.agency, "time": entry.time.millisecondsSince1970,
        "person": entry.person, "action": entry.action, "subject": entry.subject,
        "detail": entry.detail, "digest": digest,
      ])
  }

  /// Calls `body` with each entry of the log, from the first on.
  public func forEachLogEntry(_ body: (LogEntry) throws -> Void) throws {
    let rows = try Row.fetchCursor(database, sql: "SELECT * FROM log ORDER BY number")
    while let row = try rows.next() { try body(Self.logEntry(row)) }
  }

  /// Calls `body` with number and digest of each entry of the log, from the one of this number on.
  public func forEachLogDigest(from number: Int, _ body: (Int, String) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT number, digest FROM log WHERE number >= :number ORDER BY number",
      arguments: ["number": number])
    while let row = try rows.next() { try body(row[0], row[1]) }
  }

  /// Finds the log's entry of a delivery, with its number and the digest of the entry before; nil if there is none.
  public func logEntry(ofDelivery batch: Identifier) throws -> LoggedEntry? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT own.*, before.digest AS previous FROM log AS own INDEXED BY log_of_deliveries
        LEFT JOIN log AS before ON before.number = own.number - 1
        WHERE own.subject = :batch AND own.action = 'delivery-received' ORDER BY own.number LIMIT 1
        """, arguments: ["batch": batch.description])
    return row.map {
      LoggedEntry(Self.logEntry($0), number: $0["number"], previous: $0["previous"])
    }
  }

  private static func logEntry(_ row: Row) -> LogEntry {
    LogEntry(
      agency: row["agency"], time: DeviceTime(millisecondsSince1970: row["time"]),
      person: row["person"], action: row["action"], subject: row["subject"],
      detail: row["detail"])
  }

  /// Returns the number of the first entry that does not continue the one before it; nil if all do.
  public func brokenLogPlace() throws -> Int? {
    var before: String?
    var expected = 1
    let rows = try Row.fetchCursor(database, sql: "SELECT * FROM log ORDER BY number")
    while let row = try rows.next() {
      let number: Int = row["number"]
      let entry = Self.logEntry(row)
      let digest: String = row["digest"]
      guard number == expected, digest == entry.digest(number: number, after: before) else {
        return expected
      }
      before = digest
      expected += 1
    }
    return nil
  }
}
