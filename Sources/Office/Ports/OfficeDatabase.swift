import Evidence
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// The database of everything that is not a file. SQLite implements it. To replace SQLite, another
/// engine implements this protocol, the transactions and their records, and passes the contract
/// suites of `Tests/OfficeContracts`.
///
/// Each call is asynchronous: the engine works on a bounded pool of its own threads. A
/// transaction's closure is synchronous, so that no transaction stays open while its caller waits
/// for something else.
public protocol OfficeDatabase: Sendable {
  /// Reads one agency's rows. They do not change while `body` runs.
  func read<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) async throws -> Value
  /// Reads the rows of one agency that a person may see: one inspector's, or all (nil).
  func read<Value>(
    in agency: String, ofInspector inspector: String?,
    _ body: (any ReadingTransaction) throws -> Value
  ) async throws -> Value
  /// Reads and writes one agency's rows: all changes or none, one transaction after the other. Before it
  /// commits, an engine calls its `BeforeCommit`, and again in further transactions while that returns
  /// true.
  func write<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) async throws -> Value
  /// Reads agencies, people and sessions.
  func readRegistry<Value>(_ body: (any RegistryTransaction) throws -> Value) async throws -> Value
  /// Reads and writes agencies, people and sessions: all changes or none.
  func writeRegistry<Value>(_ body: (any RegistryTransaction) throws -> Value) async throws -> Value
  /// Returns a session as it is after the last commit of any program; nil if there is no such
  /// session. A session that has expired may still be there. Every request begins with this call,
  /// so an engine may remember its answer until the next commit.
  /// - Parameter digest: the digest of the session's token.
  func session(digest: String) async throws -> KnownSession?
  /// Extends a session at once or not at all: a page must not wait for another writer.
  func refreshSession(digest: String, at time: DeviceTime, expires: DeviceTime) async throws
  /// Throws if the registry cannot be read or written; does not wait for another writer.
  func checkReadiness() async throws
  /// Takes any number of parcels, all of them or none.
  /// - Parameters:
  ///   - offering: calls its argument with each parcel, while other transactions may write; returns
  ///     true if the parcels are to be taken.
  ///   - taken: called in the transaction that took the parcels, with their count.
  /// - Returns: the result of `taken`; nil if the parcels were not to be taken.
  func takeParcels<Value>(
    in agency: String, at time: DeviceTime,
    offering: (_ offer: @escaping (DeclaredParcel) throws -> Void) async throws -> Bool,
    taken: (any AgencyTransaction, ImportCount) throws -> Value
  ) async throws -> Value?
  /// Runs `body` where its reads begin at once. Each read from elsewhere is a way to the engine's
  /// threads and back, and a page makes several. `body` does nothing that keeps a thread for long.
  func near<Value>(_ body: () async throws -> Value) async throws -> Value
  /// Reads ahead what lists and maps need, so that they are quick for the first visitor of the day;
  /// takes seconds.
  func warmUp() async
}

/// Brings what is computed from an agency's rows up to date before a transaction commits.
/// - Returns: true if there is more to do, which one more transaction does.
public typealias BeforeCommit = @Sendable (any AgencyTransaction) throws -> Bool

/// Reads the rows of one agency that a person may see. An inspector's transaction reaches no row of
/// another inspector.
public protocol ReadingTransaction {
  /// The reading of tasks.
  associatedtype Tasks: TaskReads
  /// The reading of photos.
  associatedtype Photos: PhotoReads
  /// The reading of tracks.
  associatedtype Tracks: TrackReads
  /// The reading of sets.
  associatedtype Sets: SetReads
  /// The reading of answers.
  associatedtype Answers: AnswerReads
  /// The reading of seals.
  associatedtype Seals: SealReads
  /// The agency's name.
  var agency: String { get }
  /// The agency's tasks.
  var tasks: Tasks { get }
  /// The agency's delivered photos.
  var photos: Photos { get }
  /// The agency's delivered tracks.
  var tracks: Tracks { get }
  /// The agency's delivered sets.
  var sets: Sets { get }
  /// The agency's answers to items of orders.
  var answers: Answers { get }
  /// The seals over delivered records.
  var seals: Seals { get }
}

/// One transaction on one agency's records, with one member for each service. It reaches no row of
/// another agency.
public protocol AgencyTransaction: ReadingTransaction
where
  Tasks: TaskRecords, Photos: PhotoRecords, Tracks: TrackRecords, Sets: SetRecords,
  Answers: AnswerRecords
{
  /// The standing of items.
  associatedtype Standings: StandingRecords
  /// The results of checks.
  associatedtype Checks: CheckRecords
  /// The enrolled devices.
  associatedtype DeviceRows: DeviceRecords
  /// The chains of sealed links.
  associatedtype Chains: ChainRecords
  /// The batches with their receipts.
  associatedtype DeliveryRows: DeliveryRecords
  /// The finding of photos and tasks by place.
  associatedtype PlaceRows: MapRecords
  /// The register of parcels.
  associatedtype Parcels: ParcelRecords
  /// The capture policies.
  associatedtype PolicyRows: PolicyRecords
  /// The templates of items.
  associatedtype TemplateRows: TemplateRecords
  /// The photo points.
  associatedtype PointRows: PhotoPointRecords
  /// The acts on many tasks.
  associatedtype BulkRows: BulkRecords
  /// The log.
  associatedtype Log: LogRecords
  /// Does `body` whole or not at all, within this transaction: an error undoes what it wrote, and is
  /// thrown on.
  func attempt(_ body: () throws -> Void) throws
  /// The standing of tasks' items.
  var standings: Standings { get }
  /// The results of checks of photos, and the values that checks compare.
  var checks: Checks { get }
  /// The agency's enrolled devices.
  var devices: DeviceRows { get }
  /// The chains of sealed links of the agency's devices.
  var chains: Chains { get }
  /// The agency's batches with their receipts, and the room that deliveries take.
  var deliveries: DeliveryRows { get }
  /// The finding of photos and tasks by place.
  var map: PlaceRows { get }
  /// The agency's register of parcels.
  var parcels: Parcels { get }
  /// The agency's capture policies.
  var policies: PolicyRows { get }
  /// The agency's templates of items.
  var templates: TemplateRows { get }
  /// The agency's photo points, with the photos that repeat them.
  var points: PointRows { get }
  /// The agency's acts on many tasks at once.
  var bulk: BulkRows { get }
  /// The agency's log.
  var log: Log { get }
}
