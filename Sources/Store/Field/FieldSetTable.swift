import GRDB
import Geodesy
import Inspection
import TimeAndText

/// A person's sets of frames; what is known of each frame is in the sealed list.
public struct FieldSetTable: FieldTable {
  let session: FieldSession
}

extension FieldSetTable {
  /// Returns the person's sets that are not deleted, the oldest first.
  public func list(_ selection: Selection = .all) throws -> [FrameSetHead] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM frame_set WHERE \(Self.selected) ORDER BY started, id",
      arguments: arguments(selection)
    ).map(Self.head)
  }

  /// Returns one of the person's sets.
  /// - Throws: `StoreError.unknown` if there was never such a set, or it is deleted.
  public func head(_ id: Identifier) throws -> FrameSetHead {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM frame_set WHERE id = :id AND agency = :agency AND inspector = :inspector
          AND deleted IS NULL
          """, arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "set", id: id.description) }
    return try Self.head(row)
  }

  /// Adds a set whose link is in the chain already.
  public func insert(_ head: FrameSetHead) throws {
    try database.execute(
      sql: """
        INSERT INTO frame_set (id, agency, inspector, task, kind, started, ended, latitude, longitude,
          sectors, filled, complete, bytes, simulated)
        VALUES (:id, :agency, :inspector, :task, :kind, :started, :ended, :latitude, :longitude,
          :sectors, :filled, :complete, :bytes, :simulated)
        """,
      arguments: arguments([
        "id": head.id.description, "task": head.task?.description, "kind": head.kind.rawValue,
        "started": head.started.millisecondsSince1970, "ended": head.ended.millisecondsSince1970,
        "latitude": head.place.latitudeDegrees, "longitude": head.place.longitudeDegrees,
        "sectors": head.sectors, "filled": head.filled, "complete": head.isComplete,
        "bytes": head.bytes, "simulated": head.isSimulated,
      ]))
  }

  /// Marks a set as sent; nil as not sent.
  public func markSent(_ id: Identifier, at time: DeviceTime?) throws {
    try update("sent = :time", id, time)
  }

  /// Marks a set as delivered.
  public func markDelivered(_ id: Identifier, at time: DeviceTime) throws {
    try update("delivered = :time", id, time)
  }

  /// Marks a set as removed from the device: its bytes may go.
  public func markRemoved(_ id: Identifier, at time: DeviceTime) throws {
    try update("removed = :time", id, time)
  }

  /// Hides a set whose bytes are deleted; its row and its link stay.
  public func markDeleted(_ id: Identifier, at time: DeviceTime, reason: String) throws {
    try update("deleted = :time, deleted_reason = :reason", id, time, reason: reason)
  }

  /// Returns true if the bytes of a set have left the device by rule.
  public func isRemoved(_ id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT removed IS NOT NULL FROM frame_set
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description])) ?? false
  }

  /// Sets columns of one set.
  /// - Parameter assignment: constant text; values from outside are bound.
  private func update(
    _ assignment: String, _ id: Identifier, _ time: DeviceTime?, reason: String? = nil
  ) throws {
    var values: [String: (any DatabaseValueConvertible)?] = ["id": id.description]
    values.updateValue(time?.millisecondsSince1970, forKey: "time")
    if let reason { values["reason"] = reason }
    try database.execute(
      sql: """
        UPDATE frame_set SET \(assignment)
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(values))
  }

  private static func head(_ row: Row) throws -> FrameSetHead {
    let text: String = row["id"]
    guard let id = Identifier(text), let kind = FrameSetKind(rawValue: row["kind"]),
      let place = Coordinate(latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"])
    else { throw StoreError.damagedRow("set \(text)") }
    func time(_ name: String) -> DeviceTime? {
      (row[name] as Int64?).map(DeviceTime.init(millisecondsSince1970:))
    }
    return FrameSetHead(
      id: id, task: (row["task"] as String?).flatMap(Identifier.init(_:)), kind: kind,
      started: DeviceTime(millisecondsSince1970: row["started"]),
      ended: DeviceTime(millisecondsSince1970: row["ended"]), place: place,
      sectors: row["sectors"], filled: row["filled"], isComplete: row["complete"],
      bytes: row["bytes"], isSimulated: row["simulated"], sent: time("sent"),
      delivered: time("delivered"), removed: time("removed"))
  }
}
