import Evidence
import Geodesy
import Inspection
import Positioning
import Store
import Sync

/// Where the office keeps everything that is not a file. SQLite implements it. Another engine takes its place
/// by implementing this, the transactions and their records, and passing the contract suites of
/// `Tests/OfficeContracts`.
///
/// Each call is asynchronous: the engine works on a bounded pool of its own threads. A transaction's closure is
/// synchronous, so that nobody holds a transaction while waiting for something else.
public protocol OfficeDatabase: Sendable {
  /// Reads one agency's rows. They do not change while `body` runs.
  func read<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) async throws -> Value
  /// Reads the rows of one agency that somebody may see: one inspector's, or all (nil).
  func read<Value>(
    in agency: String, ofInspector inspector: String?,
    _ body: (any ReadingTransaction) throws -> Value
  ) async throws -> Value
  /// Reads and writes one agency's rows: all changes or none, one transaction after the other.
  func write<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) async throws -> Value
  /// Reads agencies, people and sessions.
  func readRegistry<Value>(_ body: (any RegistryTransaction) throws -> Value) async throws -> Value
  /// Reads and writes agencies, people and sessions: all changes or none.
  func writeRegistry<Value>(_ body: (any RegistryTransaction) throws -> Value) async throws -> Value
  /// Extends a session at once or not at all: a page must not wait for somebody else's writing.
  func refreshSession(digest: String, at time: DeviceTime, expires: DeviceTime) async throws
  /// Throws if the registry cannot be read, or not be written; does not wait for somebody else's writing.
  func checkReadiness() async throws
  /// Takes any number of parcels, all of them or none.
  /// - Parameters:
  ///   - offering: hands the parcels over while others write, and returns true if they are to be taken.
  ///   - taken: runs in the transaction that took them, with their count.
  /// - Returns: nil if they were not to be taken.
  func takeParcels<Value>(
    in agency: String, at time: DeviceTime,
    offering: (_ offer: @escaping (DeclaredParcel) throws -> Void) async throws -> Bool,
    taken: (any AgencyTransaction, ImportCount) throws -> Value
  ) async throws -> Value?
  /// Makes lists and maps quick for the first visitor of the day; takes seconds.
  func warmUp() async
}

/// Reads the rows of one agency that somebody may see. An inspector's transaction reaches no row of
/// another inspector.
public protocol ReadingTransaction {
  associatedtype Tasks: TaskReads
  associatedtype Photos: PhotoReads
  associatedtype Tracks: TrackReads
  associatedtype Seals: SealReads
  /// The agency's name.
  var agency: String { get }
  var tasks: Tasks { get }
  var photos: Photos { get }
  var tracks: Tracks { get }
  var seals: Seals { get }
}

/// One transaction on one agency's records, by service. It reaches no row of another agency.
public protocol AgencyTransaction: ReadingTransaction
where Tasks: TaskRecords, Photos: PhotoRecords, Tracks: TrackRecords {
  associatedtype Checks: CheckRecords
  associatedtype Devices: DeviceRecords
  associatedtype Chains: ChainRecords
  associatedtype Deliveries: DeliveryRecords
  associatedtype Places: MapRecords
  associatedtype Parcels: ParcelRecords
  associatedtype Policies: PolicyRecords
  associatedtype Log: LogRecords
  var checks: Checks { get }
  var devices: Devices { get }
  var chains: Chains { get }
  var deliveries: Deliveries { get }
  var map: Places { get }
  var parcels: Parcels { get }
  var policies: Policies { get }
  var log: Log { get }
}
