import Geodesy
import Inspection
import Positioning
import TimeAndText

/// A GeoPackage (OGC 12-128r18): tables for tasks, parcels, photos, tracks and track points, with
/// the dictionary's names as columns, a spatial index for each table with places, the pictures as
/// related media, and styles for QGIS. Shapes are cut at the antimeridian; heights are in columns.
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
    var rows = GeoPackageRows(sink)
    try sink.begin(GeoPackageTable(TaskFields.table, geometry: nil))
    try source.forEachTask { try rows.add(TaskFields.table, $0) }
    try sink.end()

    try sink.begin(GeoPackageTable(ParcelFields.table, geometry: "MULTIPOLYGON"))
    try source.forEachTask { task in
      guard let parcel = ExportedParcel(of: task) else { return }
      rows.geometry.polygons(MapShape.polygons(of: parcel.parcel))
      try rows.add(ParcelFields.table, parcel, hasPlace: true)
    }
    try sink.end()

    try sink.begin(GeoPackageTable(PhotoFields.table, geometry: "POINT"))
    try source.forEachGroup { task in
      try source.forEachPhoto(of: task) { exported in
        rows.geometry.point(exported.photo.position.coordinate)
        try rows.add(PhotoFields.table, exported, hasPlace: true)
      }
    }
    try sink.end()

    try sink.begin(GeoPackageTable(TrackFields.table, geometry: "MULTILINESTRING"))
    try source.forEachGroup { task in
      try source.forEachTrack(of: task) { track in
        let row = try MeasuredTrack(track)
        try rows.geometry.lines { body in
          try track.forEachPoint { try body($0.coordinate, $0.gapBefore != nil) }
        }
        try rows.add(TrackFields.table, row, hasPlace: true)
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
  var geometry = GeoPackageGeometry()
  private let text: TextBuffer

  init(_ sink: Sink) {
    self.sink = sink
    text = TextBuffer()
  }

  @discardableResult
  mutating func add<Row>(
    _ table: FieldTable<Row>, _ row: Row, hasPlace: Bool = false
  ) throws -> Int64 {
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
      case .time(let time): try text.time(time) { try sink.bind(column, ascii: $0) }
      }
    }
    return try end(hasPlace)
  }

  private func end(_ hasPlace: Bool) throws -> Int64 {
    guard hasPlace else {
      return try sink.endRow(geometry: UnsafeBufferPointer(start: nil, count: 0), box: nil)
    }
    return try geometry.bytes.withUnsafeBufferPointer {
      try sink.endRow(
        geometry: $0, box: geometry.box.west <= geometry.box.east ? geometry.box : nil)
    }
  }

  /// Adds a row for each point of a track, with the columns in the order of the dictionary's table.
  mutating func addPoints(of exported: ExportedTrack) throws {
    let track = exported.track.id.description
    var number: Int64 = 0
    try exported.forEachPoint { point in
      number += 1
      try sink.bind(0, text: track)
      try sink.bind(1, integer: number)
      if point.time.date == nil {
        try sink.bind(3, text: point.time.timeOfDay)
      } else {
        try text.time(point.time) { try sink.bind(2, ascii: $0) }
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
      geometry.point(place)
      _ = try end(true)
    }
  }
}

/// A buffer for one short text at a time.
private final class TextBuffer {
  private var bytes: [UInt8] = []
  private var day: (number: Int, text: [UInt8]) = (.min, [])

  /// Calls `body` with a time as SQLite and GDAL read it; does not call it if the time has no date.
  func time(_ time: GNSSTime, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    guard let date = time.date else { return }
    if date.daysSince1970 != day.number {
      day = (date.daysSince1970, Array((date.iso8601 + "T").utf8))
    }
    bytes.removeAll(keepingCapacity: true)
    bytes += day.text
    let clock = time.clockReading
    two(clock.hours, UInt8(ascii: ":"))
    two(clock.minutes, UInt8(ascii: ":"))
    two(clock.seconds, UInt8(ascii: "."))
    bytes.append(UInt8(clock.milliseconds / 100) + 0x30)
    two(clock.milliseconds % 100, UInt8(ascii: "Z"))
    try bytes.withUnsafeBufferPointer { try body($0) }
  }

  private func two(_ value: Int, _ end: UInt8) {
    bytes.append(UInt8(value / 10) + 0x30)
    bytes.append(UInt8(value % 10) + 0x30)
    bytes.append(end)
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
