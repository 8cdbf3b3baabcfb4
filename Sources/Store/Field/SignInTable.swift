import GRDB
import Inspection
import TimeAndText

/// A person's sign-in on a field unit.
public struct SignIn: Hashable, Sendable {
  /// The person.
  public var person: Person
  /// The person's full name; nil if the office has none.
  public var name: String?
  /// The office's address.
  public var office: String
  /// The certificate of the office's certification authority, PEM.
  public var authority: String
  /// The session token that the device shows to the office; nil after sign-out.
  public var token: String?
  /// The time of the sign-in.
  public var time: DeviceTime
  /// The certificates under which the office's TLS certificate must be, PEM; nil for the system's.
  public var tlsCertificate: String?

  /// Creates a sign-in.
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

/// A person's sign-in at their office.
public struct SignInTable: FieldTable {
  let session: FieldSession
}

extension SignInTable {
  /// Returns the person's latest sign-in, active or not; nil before the first.
  public func own() throws -> SignIn? {
    try Row.fetchOne(
      database,
      sql: "SELECT * FROM sign_in WHERE agency = :agency AND inspector = :inspector",
      arguments: arguments()
    ).map(SignIn.init)
  }

  /// Keeps the person's sign-in: from now on this person is the one signed in on the device.
  public func save(_ signIn: SignIn) throws {
    try session.device.endActiveSignIn()
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

  /// Keeps the token of a renewed session. A person who signed out meanwhile stays signed out.
  /// - Parameter old: the token of the session that was renewed. Nothing changes if the sign-in has
  ///   another one: the person has signed in again meanwhile.
  public func setToken(_ token: String, insteadOf old: String) throws {
    try database.execute(
      sql: """
        UPDATE sign_in SET token = :token
        WHERE agency = :agency AND inspector = :inspector AND active = 1 AND token = :old
        """, arguments: arguments(["token": token, "old": old]))
  }

  /// Signs the person out; all their data stay.
  public func signOut() throws {
    try database.execute(
      sql: """
        UPDATE sign_in SET active = NULL, token = NULL
        WHERE agency = :agency AND inspector = :inspector
        """, arguments: arguments())
  }
}
