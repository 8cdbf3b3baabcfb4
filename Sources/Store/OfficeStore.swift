import GRDB
import Inspection
import Sync
import TimeAndText

/// The office's database: one SQLite file, which several processes may use at once.
public final class OfficeStore: Sendable {
  /// The path of the database file.
  public var path: String { file.path }
  private let file: SQLiteFile
  private let commits: CommitWatch
  private let sessions: SessionMemory
  /// The most transactions that read at once.
  public static let readersAtMost = SQLiteFile.readersAtMost

  /// Opens the file, creates it if there is none, and brings it to today's schema.
  /// - Throws: `StoreError`.
  /// - Parameter writerCacheKiB: the part of the file that the writing connection keeps in memory, KiB.
  public init(path: String, writerCacheKiB: Int = 16_384) throws(StoreError) {
    file = try SQLiteFile(
      path: path, migrator: OfficeSchema.migrator, writerCacheKiB: writerCacheKiB,
      readerCacheKiB: 12_288)
    commits = try file.commitWatch()
    sessions = SessionMemory(commits)
    // A file that cannot be removed now does no harm.
    try? StagingFile.sweep(StagingFile.folder(beside: path))
  }

  /// Reads the tables of every list and every map from the disk. Otherwise the first request in the
  /// morning would wait for them page by page: with 100,000 tasks 70 ms and more for a list that
  /// takes 25 (docs/measured.md).
  /// - Returns: the number of bytes read.
  @discardableResult
  public func readAhead() -> Int {
    file.readAhead([
      "task", "task_cell", "task_year_cell", "task_tally", "map_cell", "photo_place_node",
      "parcel_place_node",
    ])
  }

  /// Closes the file; later use fails.
  public func close() throws {
    defer { commits.close() }
    try file.pool.close()
  }

  /// Reads one agency's data. `body` sees an unchanging state of the database.
  public func read<Value>(
    in agency: String, _ body: (AgencySession) throws -> Value
  ) throws -> Value {
    try file.read { try body(AgencySession(database: $0, agency: agency)) }
  }

  /// Reads one agency's data, or only one inspector's part of it.
  /// - Parameter inspector: the inspector's login; nil for all of the agency.
  public func read<Value>(
    in agency: String, ofInspector inspector: String?, _ body: (AgencyReading) throws -> Value
  ) throws -> Value {
    try file.read {
      try body(
        AgencyReading(
          rows: VisibleRows(database: $0, agency: agency, inspector: inspector)))
    }
  }

  /// Reads and writes one agency's data in one transaction: all of it or nothing.
  public func write<Value>(
    in agency: String, _ body: (AgencySession) throws -> Value
  ) throws -> Value {
    try file.write { try body(AgencySession(database: $0, agency: agency)) }
  }

  /// Reads the registry: agencies, people, sessions.
  public func read<Value>(_ body: (RegistrySession) throws -> Value) throws -> Value {
    try file.read { try body(RegistrySession(database: $0)) }
  }

  /// Returns a session that is in memory and is still as the database has it; nil if it has to be
  /// looked up with `session`. Takes microseconds, and never waits for another transaction.
  /// - Parameter digest: the digest of the session's token.
  public func rememberedSession(digest: String) -> KnownSession? {
    sessions.session(digest: digest)
  }

  /// Looks a session up, and remembers it until the next commit; nil if there is no such session.
  /// - Parameter digest: the digest of the session's token.
  public func session(digest: String) throws -> KnownSession? {
    try sessions.session(digest: digest) {
      try read { (registry: RegistrySession) in try registry.session(digest: digest) }
    }
  }

  /// Reads and writes the registry in one transaction.
  public func write<Value>(_ body: (RegistrySession) throws -> Value) throws -> Value {
    try file.write { try body(RegistrySession(database: $0)) }
  }

  /// Reads and writes the registry if no other transaction is writing; returns nil at once
  /// otherwise. For work that can be done another time.
  public func writeIfFree<Value>(_ body: (RegistrySession) throws -> Value) throws -> Value? {
    try file.writeIfFree { try body(RegistrySession(database: $0)) }
  }

  /// Creates an empty stage, which takes any number of one agency's parcels while others write.
  public func parcelStage(in agency: String) throws -> ParcelStage {
    try ParcelStage(beside: path, agency: agency)
  }

  /// Takes all parcels of a stage over in one transaction; other writers wait for this transaction only.
  /// - Parameter body: runs afterwards in the same transaction, with the numbers of new, changed
  ///   and known parcels.
  public func takeParcels<Value>(
    from stage: ParcelStage, at time: DeviceTime,
    _ body: (AgencySession, ImportCount) throws -> Value
  ) throws -> Value {
    try stage.finish()
    return try file.write(beside: stage.path) { database in
      let session = AgencySession(database: database, agency: stage.agency)
      return try body(session, try session.parcels.keepStaged(at: time))
    }
  }

  /// Copies the whole database, as it is at one moment, into a new file, while others go on reading
  /// and writing. The copy is durable when this returns.
  /// - Throws: `StoreError`, also if the file exists already; a failed copy leaves no new file.
  public func copy(to path: String) throws { try file.copyDurably(to: path) }

  /// Returns the faults that SQLite itself finds in the file; empty if there are none. All of the
  /// file is read.
  public func damages() throws -> [String] { try file.damages() }

  /// Reads the file itself, with the rows of all agencies.
  func readPages<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.read(body) }

  /// Returns a connection's settings as read back: journal mode, synchronous (2 is FULL), foreign keys.
  public func pragmas() throws -> (journalMode: String, synchronous: Int, foreignKeys: Bool) {
    try file.pragmas()
  }

  /// Returns the SQL of the tables, indexes and triggers as SQLite keeps it, by table.
  public func schema() throws -> String { try file.schema() }
}

/// One transaction on the data that belong to no single agency: agencies, people and their sessions.
public struct RegistrySession {
  let database: Database
}
