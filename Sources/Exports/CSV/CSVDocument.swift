import Geodesy
import Inspection
import Positioning
import TimeAndText

/// A table of exported things as CSV (RFC 4180): UTF-8 without a byte order mark, commas, lines
/// that end in CR and LF, and the dictionary's names in the first line. A value that is not known
/// is empty.
///
/// CSV has no end mark: a file that was cut off at the end of a line looks whole. So the file never
/// gets its name before it is complete, and a server that sends it says its length in the answer's
/// head.
public enum CSVDocument {
  /// The kind of thing that each row describes.
  public enum Rows: String, Hashable, Sendable, CaseIterable {
    case tasks, parcels, photos, tracks, points, sets, frames, items, answers
  }

  /// Writes a table, piece by piece.
  public static func write(
    _ rows: Rows, of source: some ExportSource, to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    let out = ByteWriter(to: sink)
    switch rows {
    case .tasks:
      let columns = try source.answerColumns()
      let table = columns.table()
      try head(table, out)
      try source.forEachTask(with: columns) { try row(table, $0, out) }
    case .parcels: try parcels(of: source, out)
    case .photos:
      try head(PhotoFields.table, out)
      try source.forEachGroup { task in
        try source.forEachPhoto(of: task) { try row(PhotoFields.table, $0, out) }
      }
    case .tracks:
      try head(TrackFields.table, out)
      try source.forEachGroup { task in
        try source.forEachTrack(of: task) { track in
          try row(TrackFields.table, MeasuredTrack(track), out)
        }
      }
    case .points:
      try head(PointFields.table, out)
      try source.forEachGroup { task in
        try source.forEachTrack(of: task) { try points(of: $0, out) }
      }
    case .sets:
      try head(SetFields.table, out)
      try source.forEachGroup { task in
        try source.forEachSet(of: task) { try row(SetFields.table, JudgedSet($0), out) }
      }
    case .frames:
      try head(FrameFields.table, out)
      try source.forEachGroup { task in
        try source.forEachSet(of: task) { set in
          try set.forEachFrame { try row(FrameFields.table, $0, out) }
        }
      }
    case .items:
      try head(ItemFields.table, out)
      try source.forEachTask { task in
        for item in try source.items(of: task)?.rows(of: task) ?? [] {
          try row(ItemFields.table, item, out)
        }
      }
    case .answers:
      try head(AnswerFields.table, out)
      try source.forEachTask { task in
        for answer in try source.items(of: task)?.answers ?? [] {
          try row(AnswerFields.table, answer, out)
        }
      }
    }
    try out.finish()
  }

  private static func head(
    _ table: FieldTable<some Any>, _ out: ByteWriter, and last: String? = nil
  ) throws {
    let names = table.fields.map(\.name) + (last.map { [$0] } ?? [])
    try out.plain(names.joined(separator: ","))
    try out.words("\r\n")
  }

  private static func values<Row>(
    _ table: FieldTable<Row>, _ row: Row, _ out: ByteWriter
  ) throws {
    for (index, field) in table.fields.enumerated() {
      if index > 0 { try out.words(",") }
      if let value = field(row) { try out.field(value) { try out.csv($0) } }
    }
  }

  private static func row<Row>(_ table: FieldTable<Row>, _ row: Row, _ out: ByteWriter) throws {
    try values(table, row, out)
    try out.words("\r\n")
  }

  /// Writes the parcels, with the outline of each as well-known text in one further column, `wkt`.
  private static func parcels(of source: some ExportSource, _ out: ByteWriter) throws {
    try head(ParcelFields.table, out, and: "wkt")
    try source.forEachTask { task in
      for land in ExportedParcel.all(of: task) {
        try values(ParcelFields.table, land, out)
        try out.words(",\"")
        try wellKnownText(MapShape.polygons(of: land.parcel), out)
        try out.words("\"\r\n")
      }
    }
  }

  private static func wellKnownText(_ polygons: [[[MapPlace]]], _ out: ByteWriter) throws {
    try out.words(polygons.count == 1 ? "POLYGON " : "MULTIPOLYGON (")
    for (index, rings) in polygons.enumerated() {
      if index > 0 { try out.words(",") }
      try out.words("(")
      for (index, ring) in rings.enumerated() {
        if index > 0 { try out.words(",") }
        try out.words("(")
        for (index, place) in ring.enumerated() {
          if index > 0 { try out.words(",") }
          try out.degrees(place.longitude)
          try out.words(" ")
          try out.degrees(place.latitude)
        }
        try out.words(")")
      }
      try out.words(")")
    }
    if polygons.count != 1 { try out.words(")") }
  }

  private static func points(of exported: ExportedTrack, _ out: ByteWriter) throws {
    let track = exported.track.id.description
    var number = 0
    try exported.forEachPoint { point in
      number += 1
      try out.plain(track)
      try out.words(",")
      try out.integer(number)
      try out.words(",")
      try out.time(point.time)
      try out.words(",")
      if point.time.date == nil { try out.timeOfDay(point.time) }
      try out.words(",")
      try out.words(point.kind.exportName)
      try out.words(",")
      try out.degrees(point.coordinate.latitudeDegrees)
      try out.words(",")
      try out.degrees(point.coordinate.longitudeDegrees)
      try out.words(",")
      if let height = point.ellipsoidalHeightMetres { try out.decimal(height, places: 3) }
      try out.words(",")
      if let height = point.meanSeaLevelHeightMetres { try out.decimal(height, places: 3) }
      try out.words(",")
      if let radius = point.horizontalUncertaintyMetres95 { try out.decimal(radius, places: 3) }
      try out.words(",")
      if let gap = point.gapBefore { try out.words(gap.exportName) }
      try out.words(",")
      if let satellites = point.satellitesUsed { try out.integer(satellites) }
      try out.words(",")
      if let dilution = point.horizontalDilution { try out.decimal(dilution, places: 2) }
      try out.words("\r\n")
    }
  }
}

extension ExportSource {
  /// Calls `body` with each task, and at the end with nil for the things without a task.
  func forEachGroup(_ body: (InspectionTask?) throws -> Void) throws {
    try forEachTask { try body($0) }
    try body(nil)
  }
}
