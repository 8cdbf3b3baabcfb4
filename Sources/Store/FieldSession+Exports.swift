import GRDB
import GRDBSQLite
import Geodesy
import Inspection
import Positioning

// What exports read: one row at a time, however many there are.
extension FieldSession {
  /// Hands over the person's photos that are not deleted, the oldest first.
  public func forEachPhoto(_ selection: Selection, _ body: (Photo) throws -> Void) throws {
    var task: String?
    if case .task(let id) = selection { task = id.description }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT * FROM photo
        WHERE agency = :agency AND inspector = :inspector AND deleted IS NULL
        AND (:everything OR (:task IS NULL AND task IS NULL) OR task = :task)
        ORDER BY device_time, id
        """, arguments: arguments(["everything": selection == .all, "task": task]))
    while let row = try rows.next() { try body(PhotoColumns.photo(row)) }
  }

  /// A track without its points.
  /// - Throws: `StoreError.unknown` for one that was never there or is deleted.
  public func trackHead(_ id: Identifier) throws -> Track {
    guard let head = try trackHeads().first(where: { $0.id == id }) else {
      throw StoreError.unknown(what: "track", id: id.description)
    }
    return head
  }

  /// Hands over a track's points in their order. A million of them are read so: columns are taken from SQLite
  /// as they are, and nothing is kept.
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

  /// Most points recorded themselves: their word is not made a string.
  private static func kind(_ row: OpaquePointer) -> TrackPoint.Kind? {
    if sqlite3_column_bytes(row, 0) == 8, sqlite3_column_text(row, 0)?[0] == UInt8(ascii: "r") {
      return .recorded
    }
    return text(row, 0).flatMap(TrackPoint.Kind.init(rawValue:))
  }
}
