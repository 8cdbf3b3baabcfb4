import GRDB
import Inspection

// The wall around one person's rows on a device that several people work with.
//
// A table of this folder holds no person of its own and takes none: it is made from a session, and binds
// its statements with `arguments`, which always adds the agency and the login of the session's person.
// Every statement names both. The few that must not are in `DeviceRows`, each with its reason.

/// One transaction of one person, table by table. No person sees or changes the rows of another.
public struct FieldSession {
  let database: Database
  /// The person whose transaction it is.
  public let person: Person

  init(database: Database, person: Person) {
    (self.database, self.person) = (database, person)
  }

  /// Tasks: orders, transitions and notes.
  public var tasks: FieldTaskTable { FieldTaskTable(session: self) }
  /// Photos.
  public var photos: FieldPhotoTable { FieldPhotoTable(session: self) }
  /// Tracks with their points.
  public var tracks: FieldTrackTable { FieldTrackTable(session: self) }
  /// Sets of frames.
  public var sets: FieldSetTable { FieldSetTable(session: self) }
  /// Answers to items of orders.
  public var answers: FieldAnswerTable { FieldAnswerTable(session: self) }
  /// Sealed records, chained by their links.
  public var chain: FieldChainTable { FieldChainTable(session: self) }
  /// Sent things that have no receipt yet.
  public var outbox: OutboxTable { OutboxTable(session: self) }
  /// Batches and their receipts.
  public var batches: FieldBatchTable { FieldBatchTable(session: self) }
  /// Records that receipts name.
  public var delivered: DeliveredTable { DeliveredTable(session: self) }
  /// The person's sign-in at their office.
  public var signIns: SignInTable { SignInTable(session: self) }
  /// The key with which the person seals.
  public var identities: IdentityTable { IdentityTable(session: self) }
  /// Photo points and their repeats.
  public var points: FieldPhotoPointTable { FieldPhotoPointTable(session: self) }
  /// Settings, and the agency's policy.
  public var settings: SettingTable { SettingTable(session: self) }
  /// The rows of everyone who works on this device.
  public var device: DeviceRows { DeviceRows(database: database) }

  /// Binds the named values of a statement, and the person's agency and login.
  func arguments(
    _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) -> StatementArguments {
    var all = values
    all["agency"] = person.agency
    all["inspector"] = person.login
    return StatementArguments(all)
  }
}

/// The rows of one kind that belong to the person of a session.
protocol FieldTable {
  var session: FieldSession { get }
}

extension FieldTable {
  var database: Database { session.database }

  /// Binds the named values of a statement, and the person's agency and login.
  func arguments(
    _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) -> StatementArguments {
    session.arguments(values)
  }

  /// Reads rows by a statement that is compiled once for all calls.
  func rows(
    _ sql: String, _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws -> [Row] {
    try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments(values))
  }

  /// Writes by a statement that is compiled once for all calls.
  func execute(_ sql: String, _ values: [String: (any DatabaseValueConvertible)?]) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments(values))
  }

  /// The condition for the person's photos or tracks of a selection that are not deleted; its values
  /// come from `arguments(_:_:)`.
  static var selected: String {
    """
    agency = :agency AND inspector = :inspector AND deleted IS NULL
    AND (:everything OR (:task IS NULL AND task IS NULL) OR task = :task)
    """
  }

  /// Binds the values of `selected`, and further named values.
  func arguments(
    _ selection: Selection, _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) -> StatementArguments {
    var values = values
    var task: String?
    if case .task(let id) = selection { task = id.description }
    values.updateValue(task, forKey: "task")
    values["everything"] = selection == .all
    return arguments(values)
  }
}
