import GRDB
import Inspection
import Positioning

/// The office's database: one SQLite file, which several processes may use at once.
public final class OfficeStore: Sendable {
  /// Where it lies.
  public var path: String { file.path }
  private let file: SQLiteFile
  /// So many transactions read at once.
  public static let readersAtMost = SQLiteFile.readersAtMost

  /// Opens the file, makes it when there is none, and brings it to today's schema.
  /// - Throws: `StoreError`.
  /// - Parameter writerCacheKiB: how much of it the writing connection keeps in memory, KiB.
  public init(path: String, writerCacheKiB: Int = 16_384) throws(StoreError) {
    file = try SQLiteFile(
      path: path, migrator: OfficeMigrations.migrator, writerCacheKiB: writerCacheKiB,
      readerCacheKiB: 8192)
    // What cannot be cleared away is in nobody's way.
    try? StagingFile.sweep(StagingFile.folder(beside: path))
  }

  /// Reads from the disk what every list and every map walks. Else the first who asks in the morning
  /// waits for it page by page: with 100,000 tasks 70 ms and more for a list that takes 25 (docs/measured.md).
  /// - Returns: how many bytes that are.
  @discardableResult
  public func readAhead() -> Int {
    file.readAhead([
      "task", "task_cell", "task_tally", "map_cell", "photo_place_node", "parcel_place_node",
    ])
  }

  /// Closes the file; later use fails.
  public func close() throws {
    try file.pool.close()
  }

  /// Reads one agency's things. What `body` sees does not change under it.
  public func read<Value>(
    in agency: String, _ body: (AgencySession) throws -> Value
  ) throws -> Value {
    try file.read { try body(AgencySession(database: $0, agency: agency)) }
  }

  /// Reads one agency's things, or one inspector's alone of them.
  /// - Parameter inspector: whose; nil for all of the agency.
  public func read<Value>(
    in agency: String, ofInspector inspector: String?, _ body: (AgencyReading) throws -> Value
  ) throws -> Value {
    try file.read {
      try body(
        AgencyReading(
          rows: VisibleRows(database: $0, agency: agency, inspector: inspector)))
    }
  }

  /// Reads and writes one agency's things in one transaction: all of it or nothing.
  public func write<Value>(
    in agency: String, _ body: (AgencySession) throws -> Value
  ) throws -> Value {
    try file.write { try body(AgencySession(database: $0, agency: agency)) }
  }

  /// Reads who there is: agencies, people, sessions.
  public func read<Value>(_ body: (RegistrySession) throws -> Value) throws -> Value {
    try file.read { try body(RegistrySession(database: $0)) }
  }

  /// Reads and writes who there is, in one transaction.
  public func write<Value>(_ body: (RegistrySession) throws -> Value) throws -> Value {
    try file.write { try body(RegistrySession(database: $0)) }
  }

  /// Reads and writes who there is, where nobody else writes just now: nil at once otherwise. For what can
  /// be done another time.
  public func writeIfFree<Value>(_ body: (RegistrySession) throws -> Value) throws -> Value? {
    try file.writeIfFree { try body(RegistrySession(database: $0)) }
  }

  /// Makes an empty stage, which takes any number of one agency's parcels while others write.
  public func parcelStage(in agency: String) throws -> ParcelStage {
    try ParcelStage(beside: path, agency: agency)
  }

  /// Takes all parcels of a stage in one transaction; others wait for this alone.
  /// - Parameter body: runs behind it in the same transaction, with the count of what was new, changed and
  ///   known.
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

  /// Copies the whole database as it stands at one moment into a new file, while others go on reading and
  /// writing. It is durable when this returns.
  /// - Throws: `StoreError`, also where there is such a file already; nothing new is left then.
  public func copy(to path: String) throws { try file.copyDurably(to: path) }

  /// What SQLite itself finds wrong with the file; empty where nothing is. It reads all of it.
  public func damages() throws -> [String] { try file.damages() }

  /// Reads the file itself, whoever its rows belong to.
  func readPages<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.read(body) }

  /// What a connection's settings read back: journal mode, synchronous (2 is FULL), foreign keys.
  public func pragmas() throws -> (journalMode: String, synchronous: Int, foreignKeys: Bool) {
    try file.pragmas()
  }

  /// The tables, indexes and triggers as SQLite keeps them, in the order of their names.
  public func schema() throws -> String { try file.schema() }
}

/// One transaction on what belongs to no single agency: who there is, and who is signed in.
public struct RegistrySession {
  let database: Database
}
