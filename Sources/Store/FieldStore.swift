import GRDB
import Inspection
import Synchronization

/// The field unit's database: one SQLite file, which several processes may use at once.
public final class FieldStore: Sendable {
  /// Where it lies.
  public var path: String { file.path }
  let file: SQLiteFile
  private let count = Atomic(0)

  /// How often something was written through this one since it was opened, in vain or not. Whoever keeps what
  /// was read looks whether it is another number; what other programs write is not in it.
  public var writings: Int { count.load(ordering: .acquiring) }

  /// Opens the file, makes it when there is none, and brings it to today's schema.
  /// - Throws: `StoreError`.
  public init(path: String) throws(StoreError) {
    file = try SQLiteFile(path: path, migrator: FieldMigrations.migrator)
  }

  /// Closes the file; later use fails.
  public func close() throws {
    try file.pool.close()
  }

  /// Reads, for one person. What `body` sees does not change under it.
  public func read<Value>(as person: Person, _ body: (FieldSession) throws -> Value) throws -> Value
  {
    try file.read { try body(FieldSession(database: $0, person: person)) }
  }

  /// Reads and writes, for one person, in one transaction: all of it or nothing.
  public func write<Value>(
    as person: Person, _ body: (FieldSession) throws -> Value
  ) throws -> Value {
    defer { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    return try file.write { try body(FieldSession(database: $0, person: person)) }
  }

  /// Who is signed in on this field unit; nil when nobody is.
  public func signedIn() throws -> SignIn? {
    try file.read { database in
      try Row.fetchOne(database, sql: "SELECT * FROM sign_in WHERE active = 1").map(SignIn.init)
    }
  }

  /// The certificates that were given for an office's TLS, by whomever signed in there last; nil for none,
  /// and where they went back to the system's trust.
  public func tlsCertificate(ofOffice address: String) throws -> String? {
    try file.read { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT tls_certificate FROM sign_in WHERE office = ? ORDER BY active DESC, time DESC LIMIT 1
          """, arguments: [address])
    }
  }

  /// The identifier of this device, the same for everybody who works with it; nil before the first.
  public func device() throws -> String? {
    try file.read {
      try String.fetchOne($0, sql: "SELECT device FROM identity ORDER BY created LIMIT 1")
    }
  }

  /// Under which keys a login has worked on this device, and at which office it signed in.
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

  /// Copies the whole database as it stands at one moment into a new file, while others go on reading and
  /// writing. It is durable when this returns.
  /// - Throws: `StoreError`, also where there is such a file already; nothing new is left then.
  public func copy(to path: String) throws { try file.copyDurably(to: path) }

  /// What SQLite itself finds wrong with the file; empty where nothing is. It reads all of it.
  public func damages() throws -> [String] { try file.damages() }

  /// Reads the file itself, whoever its rows belong to.
  func readPages<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.read(body) }

  /// Changes the file itself, whoever its rows belong to.
  func writePages<Value>(_ body: (Database) throws -> Value) throws -> Value {
    defer { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    return try file.write(body)
  }

  /// What a connection's settings read back: journal mode, synchronous (2 is FULL), foreign keys.
  public func pragmas() throws -> (journalMode: String, synchronous: Int, foreignKeys: Bool) {
    try file.pragmas()
  }

  /// The tables, indexes and triggers as SQLite keeps them, in the order of their names.
  public func schema() throws -> String { try file.schema() }
}

/// One transaction of one person. Every query names the agency and the inspector: nobody sees what
/// is another's.
public struct FieldSession {
  let database: Database
  /// Whose transaction it is.
  public let person: Person

  /// The named arguments of a statement, the owner among them.
  func arguments(
    _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) -> StatementArguments {
    var all: [String: (any DatabaseValueConvertible)?] = values
    all["agency"] = person.agency
    all["inspector"] = person.login
    return StatementArguments(all)
  }
}
