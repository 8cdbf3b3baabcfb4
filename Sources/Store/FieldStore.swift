import GRDB
import Inspection
import Migrations
import Synchronization

/// The field unit's database: one SQLite file, which several processes may use at once.
public final class FieldStore: Sendable {
  /// The path of the database file.
  public var path: String { file.path }
  let file: SQLiteFile
  private let count = Atomic(0)

  /// The number of writing transactions through this object since it was opened, failed ones too. A
  /// cache is out of date as soon as the number differs. Writing by other programs is not counted.
  public var writings: Int { count.load(ordering: .acquiring) }

  /// Opens the file, creates it if there is none, and brings it to today's schema.
  /// - Throws: `StoreError`.
  public init(path: String) throws(StoreError) {
    file = try SQLiteFile(path: path, migrator: FieldMigrations.migrator)
  }

  /// Closes the file; later use fails.
  public func close() throws {
    try file.pool.close()
  }

  /// Reads for one person. `body` sees an unchanging state of the database.
  public func read<Value>(as person: Person, _ body: (FieldSession) throws -> Value) throws -> Value
  {
    try file.read { try body(FieldSession(database: $0, person: person)) }
  }

  /// Reads and writes for one person, in one transaction: all of it or nothing.
  public func write<Value>(
    as person: Person, _ body: (FieldSession) throws -> Value
  ) throws -> Value {
    defer { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    return try file.write { try body(FieldSession(database: $0, person: person)) }
  }

  /// Returns the sign-in that is active on this field unit; nil if there is none.
  public func signedIn() throws -> SignIn? {
    try file.read { database in
      try Row.fetchOne(database, sql: "SELECT * FROM sign_in WHERE active = 1").map(SignIn.init)
    }
  }

  /// Returns the certificates for an office's TLS, as given at the latest sign-in there (the active
  /// one first); nil if none were given, or if that sign-in went back to the system's trust.
  public func tlsCertificate(ofOffice address: String) throws -> String? {
    try file.read { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT tls_certificate FROM sign_in WHERE office = ? ORDER BY active DESC, time DESC LIMIT 1
          """, arguments: [address])
    }
  }

  /// Returns this device's identifier, the same for everyone who works with it; nil until the first
  /// sign-in.
  public func device() throws -> String? {
    try file.read {
      try String.fetchOne($0, sql: "SELECT device FROM identity ORDER BY created LIMIT 1")
    }
  }

  /// Returns the keys under which a login has worked on this device, newest first, and the offices
  /// it signed in at.
  public func identities(
    ofLogin login: String
  ) throws -> [(agency: String, office: String?, identity: DeviceIdentity)] {
    try file.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT identity.*, sign_in.office FROM identity LEFT JOIN sign_in
          USING (agency, inspector) WHERE identity.inspector = :login ORDER BY identity.created DESC
          """, arguments: ["login": login]
      ).map {
        ($0["agency"], $0["office"], DeviceIdentity(device: $0["device"], key: $0["key"]))
      }
    }
  }

  /// Copies the whole database, as it is at one moment, into a new file, while others go on reading
  /// and writing. The copy is durable when this returns.
  /// - Throws: `StoreError`, also if the file exists already; a failed copy leaves no new file.
  public func copy(to path: String) throws { try file.copyDurably(to: path) }

  /// Returns the faults that SQLite itself finds in the file; empty if there are none. All of the
  /// file is read.
  public func damages() throws -> [String] { try file.damages() }

  /// Reads the file itself, with the rows of all people.
  func readPages<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.read(body) }

  /// Changes the file itself, with the rows of all people.
  func writePages<Value>(_ body: (Database) throws -> Value) throws -> Value {
    defer { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    return try file.write(body)
  }

  /// Returns a connection's settings as read back: journal mode, synchronous (2 is FULL), foreign keys.
  public func pragmas() throws -> (journalMode: String, synchronous: Int, foreignKeys: Bool) {
    try file.pragmas()
  }

  /// Returns the SQL of the tables, indexes and triggers as SQLite keeps it, by table.
  public func schema() throws -> String { try file.schema() }
}
