import Evidence
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText
import Web

extension VisibleTasks: TaskReads {}
extension VisiblePhotos: PhotoReads {}
extension VisibleTracks: TrackReads {}
extension VisibleSets: SetReads {}
extension VisibleAnswers: AnswerReads {}
extension VisibleSeals: SealReads {}
extension TaskTable: TaskRecords {}
extension PhotoTable: PhotoRecords {}
extension TrackTable: TrackRecords {}
extension SetTable: SetRecords {}
extension AnswerTable: AnswerRecords {}
extension StandingTable: StandingRecords {}
extension CheckTable: CheckRecords {}
extension DeviceTable: DeviceRecords {}
extension ChainTable: ChainRecords {}
extension DeliveryTable: DeliveryRecords {}
extension MapTable: MapRecords {}
extension ParcelTable: ParcelRecords {}
extension PolicyTable: PolicyRecords {}
extension TemplateTable: TemplateRecords {}
extension PhotoPointTable: PhotoPointRecords {}
extension BulkActTable: BulkRecords {}
extension LogTable: LogRecords {}
extension AgencyReading: ReadingTransaction {}
extension AgencySession: AgencyTransaction {}
extension RegistrySession: RegistryTransaction {}

/// The office's database on SQLite, with threads of its own.
public final class SQLiteOfficeDatabase: OfficeDatabase {
  /// The store of the database file.
  public let store: OfficeStore
  /// The threads that read: as many as SQLite has connections for reading.
  private let reading = WorkLane(width: OfficeStore.readersAtMost)
  /// The thread that writes: SQLite writes one transaction at a time.
  private let writing = WorkLane(width: 1)

  /// See `OfficeDatabase.write`.
  private let beforeCommit: BeforeCommit

  /// Creates the database on an open store.
  public init(_ store: OfficeStore, beforeCommit: @escaping BeforeCommit) {
    (self.store, self.beforeCommit) = (store, beforeCommit)
  }

  /// Reads one agency's rows.
  public func read<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) async throws -> Value {
    try await reading.run {
      try store.read(in: agency) { (session: AgencySession) in try body(session) }
    }
  }

  /// Reads the rows of one agency that a person may see: one inspector's, or all (nil).
  public func read<Value>(
    in agency: String, ofInspector inspector: String?,
    _ body: (any ReadingTransaction) throws -> Value
  ) async throws -> Value {
    try await reading.run {
      try store.read(in: agency, ofInspector: inspector) { (session: AgencyReading) in
        try body(session)
      }
    }
  }

  /// Reads and writes one agency's rows.
  public func write<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) async throws -> Value {
    try await writing.run {
      var hasMore = false
      let value = try store.write(in: agency) { (session: AgencySession) in
        let value = try body(session)
        hasMore = try beforeCommit(session)
        return value
      }
      while hasMore {
        hasMore = try store.write(in: agency) { (session: AgencySession) in
          try beforeCommit(session)
        }
      }
      return value
    }
  }

  /// Reads agencies, people and sessions.
  public func readRegistry<Value>(
    _ body: (any RegistryTransaction) throws -> Value
  ) async throws -> Value {
    try await reading.run { try store.read { (session: RegistrySession) in try body(session) } }
  }

  /// Reads and writes agencies, people and sessions.
  public func writeRegistry<Value>(
    _ body: (any RegistryTransaction) throws -> Value
  ) async throws -> Value {
    try await writing.run { try store.write { (session: RegistrySession) in try body(session) } }
  }

  /// Returns a session, from memory if nothing was committed since it was looked up.
  public func session(digest: String) async throws -> KnownSession? {
    if let known = store.rememberedSession(digest: digest) { return known }
    return try await reading.run { try store.session(digest: digest) }
  }

  /// Extends a session at once or not at all.
  public func refreshSession(
    digest: String, at time: DeviceTime, expires: DeviceTime
  ) async throws {
    // Not in the lane for writing, where the call would wait for the writers.
    _ = try await reading.run {
      try store.writeIfFree { try $0.extendSession(digest: digest, at: time, expires: expires) }
    }
  }

  /// Throws if the registry cannot be read or written.
  public func checkReadiness() async throws {
    try await reading.run {
      // A transaction that may write, but does not. If another transaction is writing, that shows
      // that writing works.
      if try store.writeIfFree({ try $0.agencies().count }) == nil {
        _ = try store.read { (session: RegistrySession) in try session.agencies().count }
      }
    }
  }

  /// Takes any number of parcels, all of them or none; nil if `offering` returns false.
  public func takeParcels<Value>(
    in agency: String, at time: DeviceTime,
    offering: (_ offer: @escaping (DeclaredParcel) throws -> Void) async throws -> Bool,
    taken: (any AgencyTransaction, ImportCount) throws -> Value
  ) async throws -> Value? {
    let stage = try store.parcelStage(in: agency)
    defer { stage.remove() }
    guard try await offering({ try stage.add($0) }) else { return nil }
    return try await writing.run {
      try store.takeParcels(from: stage, at: time) { session, count in try taken(session, count) }
    }
  }

  /// Runs `body` on the threads that read.
  public func near<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await reading.near(body)
  }

  /// Reads ahead from the disk what lists and maps need.
  public func warmUp() async {
    store.readAhead()
  }
}
