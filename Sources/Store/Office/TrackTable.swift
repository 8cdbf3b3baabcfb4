import Evidence
import GRDB
import Inspection
import Positioning
import Sync
import TimeAndText

/// An agency's tracks; their points are in files.
public struct TrackTable: AgencyTable, TrackReading {
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

extension TrackTable {
  /// Returns a page of the agency's tracks, the newest first; deleted ones are left out.
  /// - Parameters:
  ///   - isHidden: true for the tracks that an officer has hidden, false for all others.
  ///   - inspector: the inspector's login; nil for all.
  /// - Returns: the tracks, and the place of the next page; nil if there are no more.
  public func page(
    isHidden: Bool, inspector: String?, after place: ListPlace?, limit: Int
  ) throws -> (tracks: [ReceivedTrack], next: ListPlace?) {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT *, started AS k0, id AS k1 FROM track WHERE agency = :agency AND deleted IS NULL
        AND hidden IS \(isHidden ? "NOT NULL" : "NULL")
        AND (:inspector IS NULL OR inspector = :inspector)
        AND (:k0 IS NULL OR (started, id) < (:k0, :k1))
        ORDER BY started DESC, id DESC LIMIT :limit
        """, arguments: arguments(ListPlace.bound(place, limit, inspector)))
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { ListPlace(of: $0, keys: 2) } : nil
    return (try page.map { row in try TrackColumns.track(row) }, next)
  }

  /// Returns true if a track was deleted before it was sent.
  public func isDeleted(track id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: "SELECT deleted IS NOT NULL FROM track WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description])) ?? false
  }

  /// Adds a delivered track.
  /// - Parameter measures: the measures of its points; nil if the points are not here or cannot be read.
  public func insert(
    track id: Identifier, inspector: String, task: Identifier?, lateTask: Identifier?,
    name: String, started: DeviceTime, at time: DeviceTime, deletedReason: String?,
    measures: TrackMeasures?
  ) throws {
    try database.execute(
      sql: """
        INSERT INTO track (id, agency, inspector, task, late_task, name, started, delivered, deleted,
          deleted_reason, points, length, duration, area, area_uncertainty)
        VALUES (:id, :agency, :inspector, :task, :late, :name, :started, :time,
          CASE WHEN :reason IS NULL THEN NULL ELSE :time END, :reason, :points, :length, :duration,
          :area, :areaUncertainty)
        """,
      arguments: arguments([
        "points": measures?.points, "length": measures?.lengthMetres,
        "duration": measures?.durationSeconds, "area": measures?.areaSquareMetres,
        "areaUncertainty": measures?.areaUncertaintySquareMetres95,
        "id": id.description, "inspector": inspector, "task": task?.description,
        "late": lateTask?.description, "name": name, "started": started.millisecondsSince1970,
        "time": time.millisecondsSince1970,
        "reason": deletedReason,
      ]))
  }

  /// Hides a track from the lists, or shows it again if `time` is nil. The track is kept.
  public func setHidden(_ time: DeviceTime?, track id: Identifier) throws {
    try database.execute(
      sql: "UPDATE track SET hidden = :time WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description, "time": time?.millisecondsSince1970]))
    try requireOwn("track", id.description)
  }
}
