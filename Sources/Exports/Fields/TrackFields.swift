import Geodesy
import Inspection
import Positioning
import TimeAndText

/// A track with its measures.
public struct MeasuredTrack {
  /// The track.
  public var exported: ExportedTrack
  /// The measures of the track's points.
  public var measures: TrackMeasures

  /// Creates a measured track; reads all points once if the measures were not kept.
  public init(_ exported: ExportedTrack) throws {
    self.exported = exported
    measures = try exported.measures()
  }
}

/// The fields of a track.
public enum TrackFields {
  private typealias Field = ExportField<MeasuredTrack>

  /// The table of a track's fields.
  public static let table = FieldTable<MeasuredTrack>(
    name: "tracks", rowName: "track", title: "Tracks",
    fields: [
      Field("track", .text, "The track's identifier.") { .words($0.exported.track.id) },
      Field("task", .text, "Identifier of its task.", nil: "it has none") {
        .words($0.exported.track.task)
      },
      Field(
        "taskName", .text, "What that is called.", nil: "it has none, or is exported without it"
      ) {
        .words($0.exported.task?.name)
      },
      Field("name", .text, "What the track is called.") { .text($0.exported.track.name) },
      Field("agency", .text, "The agency.") { .text($0.exported.track.agency) },
      Field("inspector", .text, "Login of who recorded it.") { .text($0.exported.track.inspector) },
      Field(
        "origin", .text,
        "`fieldUnit`: recorded and sealed by a field unit; `egnss4cap`: by a phone's app, not sealed."
      ) {
        .text($0.exported.track.origin.rawValue)
      },
      Field("simulated", .flag, "Whether a simulator or a replay stood in for the receiver.") {
        .flag($0.exported.track.isSimulated)
      },
      Field("started", .time, "The device's time at its start.") {
        .moment($0.exported.track.started)
      },
      Field("ended", .time, "The device's time at its end.", nil: "it is being recorded") {
        .moment($0.exported.track.ended)
      },
      Field("points", .integer, "How many points it has.") { .integer($0.measures.points) },
      Field(
        "lengthMetres", .decimal, "m", "Length of the path; the closing side is not part of it."
      ) {
        .decimal($0.measures.lengthMetres, places: 1)
      },
      Field("durationSeconds", .decimal, "s", "From the first point to the last.") {
        .decimal($0.measures.durationSeconds, places: 3)
      },
      Field(
        "areaSquareMetres", .decimal, "m²",
        "What it encloses when its end is joined to its beginning.",
        nil: "it has fewer than three points"
      ) {
        $0.measures.areaSquareMetres.map { .decimal($0, places: 1) }
      },
      Field(
        "areaUncertaintySquareMetres95", .decimal, "m²",
        "Half the width of the area's 95 % interval.", nil: "a point has no uncertainty"
      ) {
        $0.measures.areaUncertaintySquareMetres95.map { .decimal($0, places: 1) }
      },
      Field("sent", .time, "When Send put it into the outbox.", nil: "it was not sent") {
        .moment($0.exported.track.sent)
      },
      Field("delivered", .time, "When the office's receipt came.", nil: "it did not") {
        .moment($0.exported.track.delivered)
      },
    ])
}

/// A point of a track with its number.
public struct NumberedPoint {
  /// The track's identifier.
  public var track: String
  /// The point's place in the track, counted from 1.
  public var number: Int
  /// The point.
  public var point: TrackPoint
}

/// The fields of a track's point. For speed the formats write points without this table; a test
/// compares what they write with it.
public enum PointFields {
  private typealias Field = ExportField<NumberedPoint>
  private static let pointUnknown =
    "not known, a centroid of samples, or recorded before they were kept"

  /// The table of a point's fields.
  public static let table = FieldTable<NumberedPoint>(
    name: "track_points", rowName: "point", title: "Track points",
    fields: [
      Field("track", .text, "Identifier of its track.") { .text($0.track) },
      Field("number", .integer, "Its place in the track, from 1.") { .integer($0.number) },
      Field("time", .time, "The receiver's time.", nil: "the receiver said no date") {
        .time($0.point.time)
      },
      Field("timeOfDay", .text, "The same without a date, hh:mm:ss.sss UTC.", nil: "time is there")
      {
        $0.point.time.date == nil ? .text($0.point.time.timeOfDay) : nil
      },
      Field(
        "kind", .text,
        "`recorded` by itself, `vertex` by hand, `centroid-vertex` by hand from samples."
      ) {
        .text($0.point.kind.rawValue)
      },
      Field("latitudeDegrees", .decimal, "°", "Latitude (WGS 84).") {
        .degrees($0.point.coordinate.latitudeDegrees)
      },
      Field("longitudeDegrees", .decimal, "°", "Longitude.") {
        .degrees($0.point.coordinate.longitudeDegrees)
      },
      Field(
        "ellipsoidalHeightMetres", .decimal, "m", "Height above the ellipsoid.", nil: "not known"
      ) {
        .metres($0.point.ellipsoidalHeightMetres)
      },
      Field(
        "meanSeaLevelHeightMetres", .decimal, "m", "Height above mean sea level.", nil: "not known"
      ) {
        .metres($0.point.meanSeaLevelHeightMetres)
      },
      Field(
        "uncertaintyMetres95", .decimal, "m",
        "Radius that holds the true position with 95 % probability.", nil: "not known"
      ) {
        .metres($0.point.horizontalUncertaintyMetres95)
      },
      Field(
        "gapBefore", .text,
        "Why nothing is between the point before and this one: `no-fix`, `silence`, `paused`, `interrupted`, `deleted`.",
        nil: "nothing is missing"
      ) {
        .words($0.point.gapBefore?.rawValue)
      },
      Field("satellitesUsed", .integer, "Satellites in the solution.", nil: pointUnknown) {
        .count($0.point.satellitesUsed)
      },
      Field(
        "horizontalDilution", .decimal, "Horizontal dilution of precision.", nil: pointUnknown
      ) {
        $0.point.horizontalDilution.map { .decimal($0, places: 2) }
      },
    ])
}
