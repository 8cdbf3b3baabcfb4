import GRDB
import Inspection
import TimeAndText

/// A person's tracks with their points.
public struct FieldTrackTable: FieldTable {
  let session: FieldSession
}

extension FieldTrackTable {
  /// Returns the person's tracks that are not deleted, with their points, the oldest first. Tracks
  /// without points are left out.
  public func list(_ selection: Selection = .all) throws -> [Track] {
    try rows(selection).map(track(in:))
  }

  /// Returns the tracks of `list` without their points, for lists: a day's walk has thousands.
  public func heads(_ selection: Selection = .all) throws -> [Track] {
    try rows(selection).map(head(in:))
  }

  private func rows(_ selection: Selection) throws -> [Row] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM track
        WHERE \(Self.selected)
        AND EXISTS (SELECT 1 FROM track_point WHERE track = track.id)
        ORDER BY started, id
        """, arguments: arguments(selection))
  }

  /// Returns one of the person's tracks, with its points.
  /// - Throws: `StoreError.unknown` if there was never such a track, or it is deleted.
  public func track(_ id: Identifier) throws -> Track {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM track WHERE id = :id AND agency = :agency AND inspector = :inspector
          AND deleted IS NULL
          """, arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "track", id: id.description) }
    return try track(in: row)
  }

  /// Returns one of the person's tracks without its points.
  /// - Throws: `StoreError.unknown` if there was never such a track, or it is deleted or has no points.
  public func head(_ id: Identifier) throws -> Track {
    guard let head = try heads().first(where: { $0.id == id }) else {
      throw StoreError.unknown(what: "track", id: id.description)
    }
    return head
  }

  /// Adds a track that begins.
  public func insert(_ track: Track) throws {
    try database.execute(
      sql: """
        INSERT INTO track (id, agency, inspector, task, name, started, simulated)
        VALUES (:id, :agency, :inspector, :task, :name, :started, :simulated)
        """,
      arguments: arguments([
        "id": track.id.description, "task": track.task?.description, "name": track.name,
        "started": track.started.millisecondsSince1970, "simulated": track.isSimulated,
      ]))
  }

  /// Marks a track as simulated.
  public func markSimulated(_ id: Identifier) throws {
    try update("simulated = 1", id, [:])
  }

  /// Ends a track.
  /// - Parameter bytes: the size of the file over which it is sealed.
  public func finish(_ id: Identifier, at time: DeviceTime, bytes: Int) throws {
    try update(
      "ended = :time, bytes = :bytes", id,
      ["time": time.millisecondsSince1970, "bytes": bytes])
  }

  /// Removes a track that got no point.
  public func removeEmpty(_ id: Identifier) throws {
    try database.execute(
      sql: """
        DELETE FROM track WHERE id = :id AND agency = :agency AND inspector = :inspector
        AND NOT EXISTS (SELECT 1 FROM track_point WHERE track = :id)
        """, arguments: arguments(["id": id.description]))
  }

  /// Marks a track as sent; nil as not sent.
  public func markSent(_ id: Identifier, at time: DeviceTime?) throws {
    try update("sent = :time", id, ["time": time?.millisecondsSince1970])
  }

  /// Marks a track as delivered.
  public func markDelivered(_ id: Identifier, at time: DeviceTime) throws {
    try update("delivered = :time", id, ["time": time.millisecondsSince1970])
  }

  /// Hides a track whose bytes are deleted, and deletes its points; its row and its link stay.
  public func markDeleted(_ id: Identifier, at time: DeviceTime, reason: String) throws {
    try database.execute(
      sql: """
        DELETE FROM track_point WHERE track = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description]))
    try update(
      "deleted = :time, deleted_reason = :reason", id,
      ["time": time.millisecondsSince1970, "reason": reason])
  }

  /// Returns the size of a finished track's file, bytes; 0 for a track that is not finished.
  public func fileBytes(of id: Identifier) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT bytes FROM track WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description])) ?? 0
  }

  /// Sets columns of one track.
  /// - Parameter assignment: constant text; values from outside are bound.
  private func update(
    _ assignment: String, _ id: Identifier, _ values: [String: (any DatabaseValueConvertible)?]
  ) throws {
    var values = values
    values["id"] = id.description
    try database.execute(
      sql: """
        UPDATE track SET \(assignment)
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(values))
  }

  /// Makes a track from its row, with its points.
  private func track(in row: Row) throws -> Track {
    var track = try head(in: row)
    track.points = try points(ofTrack: track.id)
    return track
  }

  /// Makes a track from its row alone, without its points.
  private func head(in row: Row) throws -> Track {
    let id: String = row["id"]
    guard let identifier = Identifier(id) else { throw StoreError.damagedRow("track \(id)") }
    return Track(
      id: identifier, agency: row["agency"], inspector: row["inspector"],
      task: (row["task"] as String?).flatMap(Identifier.init(_:)), name: row["name"],
      started: DeviceTime(millisecondsSince1970: row["started"]),
      ended: (row["ended"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      isSimulated: row["simulated"],
      sent: (row["sent"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      delivered: (row["delivered"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)))
  }
}
