import GRDB
import GRDBSQLite
import Geodesy
import Inspection
import Positioning
import TimeAndText

extension FieldTrackTable {
  /// Appends a point to a track that is being recorded. The point is durable once the transaction is
  /// committed.
  /// - Throws: `StoreError.unknown` if the track was finished or deleted meanwhile.
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

  /// Deletes the last point of a track that is being recorded.
  /// - Returns: the point before it; nil if the deleted point was the only one.
  /// - Throws: `StoreError.unknown` if the track was finished or deleted meanwhile.
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

  /// Throws unless a track is being recorded: sealed and deleted tracks get no further points.
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

  /// Returns a track's points in their order.
  func points(ofTrack id: Identifier) throws -> [TrackPoint] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM track_point
        WHERE track = :track AND agency = :agency AND inspector = :inspector ORDER BY number
        """, arguments: arguments(["track": id.description])
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
  }

  /// Calls `body` with each point of a track in their order. Exports read a million points so: columns
  /// are read directly from SQLite, and no row is kept.
  public func forEachPoint(
    ofTrack id: Identifier, _ body: (TrackPoint) throws -> Void
  ) throws {
    let statement = try database.cachedStatement(
      sql: """
        SELECT kind, time_of_day, day, latitude, longitude, ellipsoidal_height,
          mean_sea_level_height, uncertainty_95, gap_before, satellites_used,
          horizontal_dilution FROM track_point
        WHERE track = :track AND agency = :agency AND inspector = :inspector ORDER BY number
        """)
    try statement.setArguments(arguments(["track": id.description]))
    let row = statement.sqliteStatement
    sqlite3_reset(row)
    defer { sqlite3_reset(row) }
    func number(_ column: Int32) -> Double? {
      sqlite3_column_type(row, column) == SQLITE_NULL ? nil : sqlite3_column_double(row, column)
    }
    while true {
      let code = sqlite3_step(row)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else {
          throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        return
      }
      let date =
        sqlite3_column_type(row, 2) == SQLITE_NULL
        ? nil : CivilDate(daysSince1970: Int(sqlite3_column_int64(row, 2)))
      guard let kind = Self.kind(row),
        let time = GNSSTime(
          millisecondsSinceMidnight: Int(sqlite3_column_int64(row, 1)), date: date),
        let place = Coordinate(
          latitudeDegrees: sqlite3_column_double(row, 3),
          longitudeDegrees: sqlite3_column_double(row, 4))
      else { throw StoreError.damagedRow("a point of track \(id)") }
      try body(
        TrackPoint(
          kind: kind, time: time, coordinate: place, ellipsoidalHeightMetres: number(5),
          meanSeaLevelHeightMetres: number(6), horizontalUncertaintyMetres95: number(7),
          gapBefore: Self.text(row, 8).flatMap(TrackPoint.Gap.init(rawValue:)),
          satellitesUsed: number(9).flatMap(Int.init(exactly:)), horizontalDilution: number(10)))
    }
  }

  private static func text(_ row: OpaquePointer, _ column: Int32) -> String? {
    sqlite3_column_text(row, column).map { String(cString: $0) }
  }

  /// Returns the kind of a point. For recorded points, the most by far, no string is made.
  private static func kind(_ row: OpaquePointer) -> TrackPoint.Kind? {
    if sqlite3_column_bytes(row, 0) == 8, sqlite3_column_text(row, 0)?[0] == UInt8(ascii: "r") {
      return .recorded
    }
    return text(row, 0).flatMap(TrackPoint.Kind.init(rawValue:))
  }
}
