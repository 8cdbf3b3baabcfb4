import Evidence
import GRDB
import Geodesy
import Inspection
import Sync
import TimeAndText

/// An agency's sets of frames; their frames are in files.
public struct SetTable: AgencyTable, SetReading {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }

  /// All of the agency's rows.
  public var rows: VisibleRows {
    VisibleRows(database: database, agency: agency, inspector: nil)
  }
}

extension SetTable {
  /// Returns true if the agency has a set of this identifier, deleted or not.
  public func isKnown(set id: Identifier) throws -> Bool { try exists(id, "1") }

  /// Returns true if a set was deleted before it was sent.
  public func isDeleted(set id: Identifier) throws -> Bool {
    try exists(id, "deleted IS NOT NULL")
  }

  private func exists(_ id: Identifier, _ condition: String) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM frame_set WHERE id = :id AND agency = :agency
          AND \(condition))
        """, arguments: arguments(["id": id.description])) ?? false
  }

  /// Adds a delivered set.
  /// - Parameter deletedReason: the reason why it was deleted before it was sent; nil for any other.
  public func insert(_ set: ReceivedSet, deletedReason: String?) throws {
    let head = set.head
    try database.execute(
      sql: """
        INSERT INTO frame_set (id, agency, inspector, task, late_task, kind, started, ended, latitude,
          longitude, sectors, filled, complete, simulated, delivered, deleted, deleted_reason)
        VALUES (:id, :agency, :inspector, :task, :late, :kind, :started, :ended, :latitude,
          :longitude, :sectors, :filled, :complete, :simulated, :delivered,
          CASE WHEN :reason IS NULL THEN NULL ELSE :delivered END, :reason)
        """,
      arguments: arguments([
        "id": head.id.description, "inspector": set.inspector, "task": head.task?.description,
        "late": set.lateTask?.description, "kind": head.kind.rawValue,
        "started": head.started.millisecondsSince1970, "ended": head.ended.millisecondsSince1970,
        "latitude": head.place.latitudeDegrees, "longitude": head.place.longitudeDegrees,
        "sectors": head.sectors, "filled": head.filled, "complete": head.isComplete,
        "simulated": head.isSimulated,
        "delivered": set.delivered.millisecondsSince1970, "reason": deletedReason,
      ]))
  }
}

/// Reads sets through the wall of visible rows.
public protocol SetReading {
  /// The rows that this reader may see.
  var rows: VisibleRows { get }
}

/// The sets that an inspector may see, or all of an agency's.
public struct VisibleSets: SetReading {
  /// The rows that this reader may see.
  public let rows: VisibleRows
}

extension SetReading {
  /// Returns the sets of a selection, the oldest first: those that were deleted before they were sent
  /// and those that an officer has hidden are left out.
  public func list(_ selection: Selection) throws -> [ReceivedSet] {
    let (condition, values) = selection.condition
    return try rows.all(
      rows.select(
        from: .frameSet, where: "deleted IS NULL AND hidden IS NULL AND \(condition)",
        "ORDER BY started, id"), values
    ).map(SetColumns.set)
  }

  /// Returns one set.
  /// - Throws: `StoreError.unknown`, also for a set that is not visible or was deleted before it was
  ///   sent.
  public func set(_ id: Identifier) throws -> ReceivedSet {
    let row = try rows.first(
      rows.select(from: .frameSet, where: "id = :id AND deleted IS NULL"),
      ["id": id.description])
    guard let row else { throw StoreError.unknown(what: "set", id: id.description) }
    return try SetColumns.set(row)
  }
}

/// A set as the columns of the office's table `frame_set`.
private enum SetColumns {
  static func set(_ row: Row) throws -> ReceivedSet {
    let text: String = row["id"]
    guard let id = Identifier(text), let kind = FrameSetKind(rawValue: row["kind"]),
      let place = Coordinate(latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"])
    else { throw StoreError.damagedRow("set \(text)") }
    let delivered = DeviceTime(millisecondsSince1970: row["delivered"])
    return ReceivedSet(
      head: FrameSetHead(
        id: id, task: (row["task"] as String?).flatMap(Identifier.init(_:)), kind: kind,
        started: DeviceTime(millisecondsSince1970: row["started"]),
        ended: DeviceTime(millisecondsSince1970: row["ended"]), place: place,
        sectors: row["sectors"], filled: row["filled"], isComplete: row["complete"],
        isSimulated: row["simulated"], delivered: delivered),
      inspector: row["inspector"],
      lateTask: (row["late_task"] as String?).flatMap(Identifier.init(_:)), delivered: delivered)
  }
}
