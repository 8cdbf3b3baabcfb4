import Evidence
import GRDB
import Inspection
import Positioning
import Sync
import TimeAndText

/// Reads tracks through the wall of visible rows.
public protocol TrackReading {
  /// The rows that this reader may see.
  var rows: VisibleRows { get }
}

/// The tracks that an inspector may see, or all of an agency's.
public struct VisibleTracks: TrackReading {
  /// The rows that this reader may see.
  public let rows: VisibleRows
}

extension TrackReading {
  /// Reads the identifiers of delivered tracks, the oldest first: those of one task, those without
  /// a task that are not hidden, or all. Their points are in their files.
  public func identifiers(_ selection: Selection) throws -> [Identifier] {
    let (condition, values) = selection.condition
    return try rows.identifiers(
      rows.select(
        "id", from: .track, where: "deleted IS NULL AND \(condition)", "ORDER BY started, id"),
      values
    ).compactMap(Identifier.init(_:))
  }

  /// Reads one whole track.
  /// - Throws: `StoreError.unknown`, also for a track that is not visible.
  public func track(_ id: Identifier) throws -> ReceivedTrack {
    let row = try rows.first(
      rows.select(from: .track, where: "id = :id AND deleted IS NULL"), ["id": id.description])
    guard let row else { throw StoreError.unknown(what: "track", id: id.description) }
    return try TrackColumns.track(row)
  }

  private func condition(isHidden: Bool) -> String {
    """
    deleted IS NULL AND hidden IS \(isHidden ? "NOT NULL" : "NULL")
    AND (:inspector IS NULL OR inspector = :inspector)
    """
  }

  /// Reads a page of tracks, the newest first; without those deleted before they were sent.
  public func page(
    isHidden: Bool, inspector: String?, limit: Int, offset: Int
  ) throws -> [ReceivedTrack] {
    try rows.all(
      rows.select(
        from: .track, where: condition(isHidden: isHidden),
        "ORDER BY started DESC, id DESC LIMIT :limit OFFSET :offset"),
      ["inspector": inspector, "limit": limit, "offset": offset]
    ).map(TrackColumns.track)
  }

  /// Counts the tracks of `page`.
  public func count(isHidden: Bool, inspector: String?) throws -> Int {
    try rows.value(
      rows.select("count(*)", from: .track, where: condition(isHidden: isHidden)),
      ["inspector": inspector]) ?? 0
  }
}

/// A track as the columns of the office's table `track`.
enum TrackColumns {
  static func track(_ row: Row) throws -> ReceivedTrack {
    guard let id = Identifier(row["id"]) else { throw StoreError.damagedRow("a track") }
    return ReceivedTrack(
      id: id, inspector: row["inspector"],
      task: (row["task"] as String?).flatMap(Identifier.init(_:)), name: row["name"],
      started: DeviceTime(millisecondsSince1970: row["started"]),
      delivered: DeviceTime(millisecondsSince1970: row["delivered"]),
      hidden: (row["hidden"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      lateTask: (row["late_task"] as String?).flatMap(Identifier.init(_:)),
      measures: measures(row))
  }

  /// Reads the measures of a track; nil if none were kept, because an older version received it or
  /// its points are not here.
  private static func measures(_ row: Row) -> TrackMeasures? {
    guard let points = row["points"] as Int?, let length = row["length"] as Double?,
      let duration = row["duration"] as Double?
    else { return nil }
    return TrackMeasures(
      points: points, lengthMetres: length, durationSeconds: duration,
      areaSquareMetres: row["area"], areaUncertaintySquareMetres95: row["area_uncertainty"])
  }
}
