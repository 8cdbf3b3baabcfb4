import Evidence
import Geodesy
import Inspection
import Positioning
import Store
import Sync

extension VisibleTasks: TaskReads {}
extension VisiblePhotos: PhotoReads {}
extension VisibleTracks: TrackReads {}
extension VisibleSeals: SealReads {}
extension TaskTable: TaskRecords {}
extension PhotoTable: PhotoRecords {}
extension TrackTable: TrackRecords {}
extension CheckTable: CheckRecords {}
extension DeviceTable: DeviceRecords {}
extension ChainTable: ChainRecords {}
extension DeliveryTable: DeliveryRecords {}
extension MapTable: MapRecords {}
extension ParcelTable: ParcelRecords {}
extension PolicyTable: PolicyRecords {}
extension LogTable: LogRecords {}
extension AgencyReading: ReadingTransaction {}
extension AgencySession: AgencyTransaction {}
extension RegistrySession: RegistryTransaction {}

// The office's database on SQLite.
extension OfficeStore: OfficeDatabase {
  /// Reads one agency's things.
  public func read<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) throws -> Value {
    try read(in: agency) { (session: AgencySession) in try body(session) }
  }

  /// Reads what pages show of one agency's things, or of one inspector's alone of them.
  public func read<Value>(
    in agency: String, ofInspector inspector: String?,
    _ body: (any ReadingTransaction) throws -> Value
  ) throws -> Value {
    try read(in: agency, ofInspector: inspector) { (session: AgencyReading) in try body(session) }
  }

  /// Reads and writes one agency's things.
  public func write<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) throws -> Value {
    try write(in: agency) { (session: AgencySession) in try body(session) }
  }

  /// Reads who there is.
  public func readRegistry<Value>(
    _ body: (any RegistryTransaction) throws -> Value
  ) throws -> Value {
    try read { (session: RegistrySession) in try body(session) }
  }

  /// Reads and writes who there is.
  public func writeRegistry<Value>(
    _ body: (any RegistryTransaction) throws -> Value
  ) throws -> Value {
    try write { (session: RegistrySession) in try body(session) }
  }

  /// Extends a session at once or not at all.
  public func refreshSession(digest: String, at time: DeviceTime, expires: DeviceTime) throws {
    _ = try writeIfFree { try $0.extendSession(digest: digest, at: time, expires: expires) }
  }

  /// Throws if the registry cannot be read, or not be written.
  public func checkReadiness() throws {
    // A transaction that may write, and does not. Somebody else's writing shows that it can be done.
    if try writeIfFree({ try $0.agencies().count }) == nil {
      _ = try readRegistry { try $0.agencies().count }
    }
  }

  /// Takes any number of parcels, all of them or none.
  public func takeParcels<Value>(
    in agency: String, at time: DeviceTime,
    offering: (_ offer: @escaping (DeclaredParcel) throws -> Void) throws -> Bool,
    taken: (any AgencyTransaction, ImportCount) throws -> Value
  ) throws -> Value? {
    try takeParcels(in: agency, at: time, staging: offering) {
      (session: AgencySession, count: ImportCount) in try taken(session, count)
    }
  }

  /// Reads from the disk what lists and maps walk.
  public func warmUp() { readAhead() }
}
