import GRDB
import Inspection

/// The rows of one agency in one transaction. Every statement names the agency: no agency sees the
/// rows of another.
protocol AgencyTable {
  var database: Database { get }
  var agency: String { get }
}

extension AgencyTable {
  /// Binds the named values of a statement, and the agency.
  func arguments(
    _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) -> StatementArguments {
    var all = values
    all["agency"] = agency
    return StatementArguments(all)
  }

  /// Requires that the statement before this has written a row: it writes none if the row is another
  /// agency's.
  /// - Throws: `StoreError.unknown`.
  func requireOwn(_ what: String, _ id: String) throws {
    guard database.changesCount > 0 else { throw StoreError.unknown(what: what, id: id) }
  }

  /// Throws `StoreError.unknown` if the agency has no such task.
  func requireTask(_ id: Identifier) throws {
    let isOwn = try Bool.fetchOne(
      database.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM task WHERE id = :id AND agency = :agency)"),
      arguments: arguments(["id": id.description]))
    guard isOwn == true else { throw StoreError.unknown(what: "task", id: id.description) }
  }

  /// The places of photos and tasks for maps, which are changed together with them.
  var map: MapTable { MapTable(database: database, agency: agency) }

  /// The checks of photos.
  var checks: CheckTable { CheckTable(database: database, agency: agency) }
}

/// One transaction on one agency's rows, table by table.
public struct AgencySession: AgencyTable {
  let database: Database
  /// The agency's name.
  public let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }

  /// Does `body` whole or not at all, within this transaction: an error undoes what it wrote.
  public func attempt(_ body: () throws -> Void) throws {
    try database.inSavepoint {
      try body()
      return .commit
    }
  }

  /// Tasks: orders, transitions and notes.
  public var tasks: TaskTable { TaskTable(database: database, agency: agency) }
  /// Delivered photos.
  public var photos: PhotoTable { PhotoTable(database: database, agency: agency) }
  /// Delivered tracks.
  public var tracks: TrackTable { TrackTable(database: database, agency: agency) }
  /// Sets of frames.
  public var sets: SetTable { SetTable(database: database, agency: agency) }
  /// Answers to items of orders.
  public var answers: AnswerTable { AnswerTable(database: database, agency: agency) }
  /// The standing of tasks' items.
  public var standings: StandingTable { StandingTable(database: database, agency: agency) }
  /// Results of checks.
  public var checks: CheckTable { CheckTable(database: database, agency: agency) }
  /// Places of photos and tasks.
  public var map: MapTable { MapTable(database: database, agency: agency) }
  /// Enrolled devices.
  public var devices: DeviceTable { DeviceTable(database: database, agency: agency) }
  /// Chains of sealed links, with their seals.
  public var chains: ChainTable { ChainTable(database: database, agency: agency) }
  /// Seals over single records.
  public var seals: ChainTable { chains }
  /// Batches, receipts, files and the room they take.
  public var deliveries: DeliveryTable { DeliveryTable(database: database, agency: agency) }
  /// The register of parcels.
  public var parcels: ParcelTable { ParcelTable(database: database, agency: agency) }
  /// Capture policies.
  public var policies: PolicyTable { PolicyTable(database: database, agency: agency) }
  /// Templates of items.
  public var templates: TemplateTable { TemplateTable(database: database, agency: agency) }
  /// Photo points and their repeats.
  public var points: PhotoPointTable { PhotoPointTable(database: database, agency: agency) }
  /// Acts on many tasks at once.
  public var bulk: BulkActTable { BulkActTable(database: database, agency: agency) }
  /// The log.
  public var log: LogTable { LogTable(database: database, agency: agency) }
  /// The predecessor's phones, and the data that older offices brought.
  public var phones: PhoneTable { PhoneTable(database: database, agency: agency) }
}

/// One transaction that reads only visible rows: all of an agency's, or one inspector's.
public struct AgencyReading {
  let rows: VisibleRows
  /// The agency's name.
  public var agency: String { rows.agency }
  /// Visible tasks.
  public var tasks: VisibleTasks { VisibleTasks(rows: rows) }
  /// Visible photos.
  public var photos: VisiblePhotos { VisiblePhotos(rows: rows) }
  /// Visible tracks.
  public var tracks: VisibleTracks { VisibleTracks(rows: rows) }
  /// Visible sets of frames.
  public var sets: VisibleSets { VisibleSets(rows: rows) }
  /// Visible answers.
  public var answers: VisibleAnswers { VisibleAnswers(rows: rows) }
  /// Visible seals.
  public var seals: VisibleSeals { VisibleSeals(rows: rows) }
  /// Visible rows of the predecessor's phones.
  public var phones: VisiblePhoneRows { VisiblePhoneRows(rows: rows) }
}
