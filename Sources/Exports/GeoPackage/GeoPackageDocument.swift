import Geodesy
import Inspection
import Positioning
import TimeAndText

/// A GeoPackage (OGC 12-128r18): tables for tasks, parcels, photos, tracks and track points, with
/// the dictionary's names as columns, a spatial index for each table with places, the pictures as
/// related media, and styles for QGIS; tables for photo points and their repeats, for
/// sets and their frames, and for items and answers, if there are any. Shapes are cut at the antimeridian; heights are in columns.
public enum GeoPackageDocument {
  /// The pictures of a photo that are in the GeoPackage.
  public enum Pictures: String, Hashable, Sendable, CaseIterable {
    /// No pictures.
    case none
    /// Small pictures only.
    case thumbnails
    /// Small pictures and the photos' own files.
    case all
  }

  /// Fills an empty GeoPackage with a source.
  /// - Parameter media: returns the bytes of a photo's picture of a kind (`photo`, `thumbnail`);
  ///   nil if the bytes are not at hand.
  public static func write(
    _ source: some ExportSource, pictures: Pictures,
    media: (_ photo: Photo, _ kind: String) throws -> [UInt8]?, to sink: some GeoPackageSink
  ) throws {
    let rows = GeoPackageRows(sink: sink)
    let columns = try source.answerColumns()
    let tasks = columns.table(atMost: AnswerColumns.atMostInDatabase)
    try sink.begin(GeoPackageTable(tasks, geometry: nil))
    try source.forEachTask(with: columns) { try rows.add(tasks, $0) }
    try sink.end()

    try sink.begin(GeoPackageTable(ParcelFields.table, geometry: "MULTIPOLYGON"))
    try source.forEachTask { task in
      for land in ExportedParcel.all(of: task) {
        try rows.bind(ParcelFields.table, land)
        try sink.endRow(on: land.parcel)
      }
    }
    try sink.end()

    try sink.begin(GeoPackageTable(PhotoFields.table, geometry: "POINT"))
    try source.forEachGroup { task in
      try source.forEachPhoto(of: task) { exported in
        try rows.bind(PhotoFields.table, exported)
        try sink.endRow(at: exported.photo.position.coordinate)
      }
    }
    try sink.end()

    try sink.begin(GeoPackageTable(TrackFields.table, geometry: "MULTILINESTRING"))
    try source.forEachGroup { task in
      try source.forEachTrack(of: task) { track in
        try rows.bind(TrackFields.table, MeasuredTrack(track))
        try sink.endRow { body in
          try track.forEachPoint { try body($0.coordinate, $0.gapBefore != nil) }
        }
      }
    }
    try sink.end()

    try sink.begin(GeoPackageTable(PointFields.table, geometry: "POINT"))
    try source.forEachGroup { task in
      try source.forEachTrack(of: task) { try rows.addPoints(of: $0) }
    }
    try sink.end()

    if pictures != .none { try add(pictures, of: source, media: media, to: sink) }
    for style in GeoPackageStyle.all {
      try sink.style(style.qml, named: style.name, of: style.table)
    }
    try addPhotoPoints(of: source, rows)
    try addSets(of: source, rows)
    if columns.hasItems { try addItems(of: source, rows) }
  }

  /// Adds the items and the answers.
  private static func addItems(
    of source: some ExportSource, _ rows: GeoPackageRows<some GeoPackageSink>
  ) throws {
    let sink = rows.sink
    try sink.begin(GeoPackageTable(ItemFields.table, geometry: nil))
    try source.forEachTask { task in
      for item in try source.items(of: task)?.rows(of: task) ?? [] {
        try rows.add(ItemFields.table, item)
      }
    }
    try sink.end()
    try sink.begin(GeoPackageTable(AnswerFields.table, geometry: nil))
    try source.forEachTask { task in
      for answer in try source.items(of: task)?.answers ?? [] {
        try rows.add(AnswerFields.table, answer)
      }
    }
    try sink.end()
  }

  /// Adds the photo points and their repeats; no table if there are none.
  private static func addPhotoPoints(
    of source: some ExportSource, _ rows: GeoPackageRows<some GeoPackageSink>
  ) throws {
    let sink = rows.sink
    var isEmpty = true
    try source.forEachPhotoPoint { exported in
      if isEmpty { try sink.begin(GeoPackageTable(PhotoPointFields.table, geometry: "POINT")) }
      isEmpty = false
      try rows.bind(PhotoPointFields.table, exported.point)
      try sink.endRow(at: exported.point.stand.coordinate)
    }
    if isEmpty { return }
    try sink.end()
    try sink.begin(GeoPackageTable(RepeatFields.table, geometry: nil))
    try source.forEachPhotoPoint { exported in
      for repetition in exported.repeats { try rows.add(RepeatFields.table, repetition) }
    }
    try sink.end()
    let style = GeoPackageStyle.photoPoints
    try sink.style(style.qml, named: style.name, of: style.table)
  }

  /// Adds the sets of pictures and their frames; no table if there are none.
  private static func addSets(
    of source: some ExportSource, _ rows: GeoPackageRows<some GeoPackageSink>
  ) throws {
    let sink = rows.sink
    var isEmpty = true
    try source.forEachGroup { task in
      try source.forEachSet(of: task) { exported in
        if isEmpty { try sink.begin(GeoPackageTable(SetFields.table, geometry: "POINT")) }
        isEmpty = false
        try rows.bind(SetFields.table, JudgedSet(exported))
        try sink.endRow(at: exported.set.start.position.coordinate)
      }
    }
    if isEmpty { return }
    try sink.end()
    try sink.begin(GeoPackageTable(FrameFields.table, geometry: "POINT"))
    try source.forEachGroup { task in
      try source.forEachSet(of: task) { exported in
        try exported.forEachFrame { frame in
          try rows.bind(FrameFields.table, frame)
          try frame.frame.place.map { try sink.endRow(at: $0.coordinate) } ?? sink.endRow()
        }
      }
    }
    try sink.end()
  }

  private static func add(
    _ pictures: Pictures, of source: some ExportSource,
    media: (_ photo: Photo, _ kind: String) throws -> [UInt8]?, to sink: some GeoPackageSink
  ) throws {
    // The photos come in the same order as their rows, which are numbered from 1.
    var photo: Int64 = 0
    try source.forEachGroup { task in
      try source.forEachPhoto(of: task) { exported in
        photo += 1
        for kind in pictures == .all ? ["photo", "thumbnail"] : ["thumbnail"] {
          guard exported.hasFile, let bytes = try media(exported.photo, kind) else { continue }
          try sink.media(bytes, kind: kind, ofPhoto: photo)
        }
      }
    }
  }
}

/// The writer of rows, one by one.
private struct GeoPackageRows<Sink: GeoPackageSink> {
  let sink: Sink

  /// Adds a row without a place.
  func add<Row>(_ table: FieldTable<Row>, _ row: Row) throws {
    try bind(table, row)
    try sink.endRow()
  }

  /// Binds the fields of a row, which the caller adds.
  func bind<Row>(_ table: FieldTable<Row>, _ row: Row) throws {
    for (column, field) in table.fields.enumerated() {
      switch field(row) {
      case nil: break
      // SQLite's own functions end a text at a zero byte, so zero bytes are left out.
      case .text(let words):
        try sink.bind(column, text: words.contains("\0") ? words.filter { $0 != "\0" } : words)
      case .integer(let number): try sink.bind(column, integer: Int64(number))
      case .decimal(let number, let places):
        try sink.bind(column, real: number.rounded(to: places))
      case .flag(let flag): try sink.bind(column, integer: flag ? 1 : 0)
      case .time(let time): try sink.bind(column, time: time)
      }
    }
  }

  /// Adds a row for each point of a track, with the columns in the order of the dictionary's table.
  func addPoints(of exported: ExportedTrack) throws {
    let track = exported.track.id.description
    var number: Int64 = 0
    try exported.forEachPoint { point in
      number += 1
      try sink.bind(0, text: track)
      try sink.bind(1, integer: number)
      if point.time.date == nil {
        try sink.bind(3, text: point.time.timeOfDay)
      } else {
        try sink.bind(2, time: point.time)
      }
      try point.kind.exportName.bytes { try sink.bind(4, ascii: $0) }
      let place = point.coordinate
      try sink.bind(5, real: place.latitudeDegrees)
      try sink.bind(6, real: place.longitudeDegrees)
      if let height = point.ellipsoidalHeightMetres {
        try sink.bind(7, real: height.rounded(to: 3))
      }
      if let height = point.meanSeaLevelHeightMetres {
        try sink.bind(8, real: height.rounded(to: 3))
      }
      if let radius = point.horizontalUncertaintyMetres95 {
        try sink.bind(9, real: radius.rounded(to: 3))
      }
      if let gap = point.gapBefore { try gap.exportName.bytes { try sink.bind(10, ascii: $0) } }
      if let satellites = point.satellitesUsed { try sink.bind(11, integer: Int64(satellites)) }
      if let dilution = point.horizontalDilution {
        try sink.bind(12, real: dilution.rounded(to: 2))
      }
      try sink.endRow(at: place)
    }
  }
}

extension StaticString {
  fileprivate func bytes(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    try body(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
  }
}

extension Double {
  /// Returns the number rounded half away from zero, as the text formats have it.
  fileprivate func rounded(to places: Int) -> Double {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = self * scale
    // A number this large has no decimals to round, and its multiple may even be infinite.
    guard scaled.magnitude < 0x1p53 else { return self }
    return scaled.rounded(.toNearestOrAwayFromZero) / scale
  }
}
