import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning

extension FieldSession {
  /// The person's tracks that are not deleted, with their points, the oldest first. A track without
  /// points is none.
  public func tracks(_ selection: Selection = .all) throws -> [Track] {
    try rows(selection).map(track)
  }

  /// The same tracks without their points, for lists: a day's walk has thousands.
  public func trackHeads(_ selection: Selection = .all) throws -> [Track] {
    try rows(selection).map(head)
  }

  private func rows(_ selection: Selection) throws -> [Row] {
    var task: String?
    if case .task(let id) = selection { task = id.description }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM track
        WHERE agency = :agency AND inspector = :inspector AND deleted IS NULL
        AND (:everything OR (:task IS NULL AND task IS NULL) OR task = :task)
        AND EXISTS (SELECT 1 FROM track_point WHERE track = track.id)
        ORDER BY started, id
        """, arguments: arguments(["everything": selection == .all, "task": task]))
  }

  /// One of the person's tracks.
  /// - Throws: `StoreError.unknown` for one that was never there or is deleted.
  public func track(_ id: Identifier) throws -> Track {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM track WHERE id = :id AND agency = :agency AND inspector = :inspector
          AND deleted IS NULL
          """, arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "track", id: id.description) }
    return try track(row)
  }

  /// Begins a track.
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

  /// Marks a track that is being recorded as a simulator's.
  public func markSimulated(track id: Identifier) throws {
    try updateTrack("simulated = 1", id, [:])
  }

  /// What is sealed, or gone, gets no further points.
  private func requireRecording(_ id: Identifier) throws {
    let isThere = try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM track WHERE id = :id AND agency = :agency
          AND inspector = :inspector AND ended IS NULL AND deleted IS NULL)
        """, arguments: arguments(["id": id.description]))
    guard isThere == true else {
      throw StoreError.unknown(what: "unfinished track", id: id.description)
    }
  }

  /// Makes a point durable.
  /// - Throws: `StoreError.unknown` for a track that was finished or deleted meanwhile.
  public func append(_ point: TrackPoint, to track: Identifier) throws {
    try requireRecording(track)
    try database.execute(
      sql: """
        INSERT INTO track_point (track, number, agency, inspector, kind, time_of_day, day,
          latitude, longitude, ellipsoidal_height, mean_sea_level_height, uncertainty_95,
          gap_before, satellites_used, horizontal_dilution)
        VALUES (:track,
          (SELECT coalesce(max(number), 0) + 1 FROM track_point WHERE track = :track),
          :agency, :inspector, :kind, :timeOfDay, :day, :latitude, :longitude,
          :ellipsoidalHeight, :meanSeaLevelHeight, :uncertainty, :gap,
          :satellites, :dilution)
        """,
      arguments: arguments([
        "track": track.description, "kind": point.kind.rawValue,
        "timeOfDay": point.time.millisecondsSinceMidnight, "day": point.time.date?.daysSince1970,
        "latitude": point.coordinate.latitudeDegrees,
        "longitude": point.coordinate.longitudeDegrees,
        "ellipsoidalHeight": point.ellipsoidalHeightMetres,
        "meanSeaLevelHeight": point.meanSeaLevelHeightMetres,
        "uncertainty": point.horizontalUncertaintyMetres95, "gap": point.gapBefore?.rawValue,
        "satellites": point.satellitesUsed, "dilution": point.horizontalDilution,
      ]))
  }

  /// Deletes the last point of a track that is not finished; the one before it is returned.
  public func deleteLastPoint(of id: Identifier) throws -> TrackPoint? {
    try requireRecording(id)
    try database.execute(
      sql: """
        DELETE FROM track_point
        WHERE track = :id AND agency = :agency AND inspector = :inspector
        AND number = (SELECT max(number) FROM track_point WHERE track = :id)
        """, arguments: arguments(["id": id.description]))
    return try track(id).points.last
  }

  /// Ends a track; `bytes` is the size of the file that its seal is over.
  public func finish(track id: Identifier, at time: DeviceTime, bytes: Int) throws {
    try updateTrack(
      "ended = :time, bytes = :bytes", id,
      ["time": time.millisecondsSince1970, "bytes": bytes])
  }

  /// Forgets a track that got no point.
  public func removeEmpty(track id: Identifier) throws {
    try database.execute(
      sql: """
        DELETE FROM track WHERE id = :id AND agency = :agency AND inspector = :inspector
        AND NOT EXISTS (SELECT 1 FROM track_point WHERE track = :id)
        """, arguments: arguments(["id": id.description]))
  }

  /// Marks a track as delivered.
  public func markDelivered(track id: Identifier, at time: DeviceTime) throws {
    try updateTrack("delivered = :time", id, ["time": time.millisecondsSince1970])
  }

  /// Marks a track as sent.
  public func markSent(track id: Identifier, at time: DeviceTime?) throws {
    try updateTrack("sent = :time", id, ["time": time?.millisecondsSince1970])
  }

  /// Hides a track whose bytes are removed; its row and its link stay.
  public func markDeleted(track id: Identifier, at time: DeviceTime, reason: String) throws {
    try database.execute(
      sql: """
        DELETE FROM track_point WHERE track = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description]))
    try updateTrack(
      "deleted = :time, deleted_reason = :reason", id,
      ["time": time.millisecondsSince1970, "reason": reason])
  }

  /// Tracks whose bytes must not be there any more.
  public func deletedTracks() throws -> [Identifier] {
    try String.fetchAll(
      database, sql: "SELECT id FROM track WHERE deleted IS NOT NULL"
    ).compactMap(Identifier.init(_:))
  }

  /// Size of a finished track's file.
  public func fileBytes(ofTrack id: Identifier) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT bytes FROM track WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description])) ?? 0
  }

  private func updateTrack(
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

  private func track(_ row: Row) throws -> Track {
    var track = try head(row)
    let id = track.id.description
    track.points = try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM track_point
        WHERE track = :track AND agency = :agency AND inspector = :inspector ORDER BY number
        """, arguments: arguments(["track": id])
    ).map { row in
      guard let kind = TrackPoint.Kind(rawValue: row["kind"]),
        let time = GNSSTime(
          millisecondsSinceMidnight: row["time_of_day"],
          date: (row["day"] as Int?).map(CivilDate.init(daysSince1970:))),
        let coordinate = Coordinate(
          latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"])
      else { throw StoreError.damagedRow("a point of track \(id)") }
      return TrackPoint(
        kind: kind, time: time, coordinate: coordinate,
        ellipsoidalHeightMetres: row["ellipsoidal_height"],
        meanSeaLevelHeightMetres: row["mean_sea_level_height"],
        horizontalUncertaintyMetres95: row["uncertainty_95"],
        gapBefore: (row["gap_before"] as String?).flatMap(TrackPoint.Gap.init(rawValue:)),
        satellitesUsed: row["satellites_used"], horizontalDilution: row["horizontal_dilution"])
    }
    return track
  }

  /// A track as its own row says it, without its points.
  private func head(_ row: Row) throws -> Track {
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
