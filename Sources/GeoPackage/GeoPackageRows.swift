import Exports
import Geodesy
import Inspection
import TimeAndText

/// A sink that writes the rows of an export into a GeoPackage.
final class GeoPackageRows: GeoPackageSink {
  private let writer: GeoPackageWriter
  private var geometry = GeoPackageGeometry()
  private var time = TimeBuffer()

  init(writer: GeoPackageWriter) { self.writer = writer }

  func begin(_ table: GeoPackageTable) throws {
    try writer.begin(
      table.name, title: table.title, geometry: table.geometry,
      columns: table.columns.map { column in
        let type =
          switch column.kind {
          case .text: "TEXT"
          case .integer: "INTEGER"
          case .decimal: "DOUBLE"
          case .flag: "BOOLEAN"
          case .time: "DATETIME"
          }
        return GeoPackageWriter.Column(name: column.name, type: type, meaning: column.meaning)
      })
  }

  func bind(_ column: Int, text: String) throws { try writer.bind(column, text: text) }
  func bind(_ column: Int, integer: Int64) throws { try writer.bind(column, integer: integer) }
  func bind(_ column: Int, real: Double) throws { try writer.bind(column, real: real) }
  func bind(_ column: Int, ascii: UnsafeBufferPointer<UInt8>) throws {
    try writer.bind(column, ascii: ascii)
  }
  func bind(_ column: Int, time: GNSSTime) throws {
    guard let date = time.date else { return }
    self.time.set(time, on: date)
    try self.time.bytes.withUnsafeBufferPointer { try writer.bind(column, ascii: $0) }
  }

  func endRow() throws {
    _ = try writer.endRow(geometry: UnsafeBufferPointer(start: nil, count: 0), box: nil)
  }

  func endRow(at place: Coordinate) throws {
    geometry.point(place)
    try endPlacedRow()
  }

  func endRow(on parcel: Parcel) throws {
    geometry.polygons(MapShape.polygons(of: parcel))
    try endPlacedRow()
  }

  func endRow(
    along path: ((_ place: Coordinate, _ isAfterGap: Bool) throws -> Void) throws -> Void
  ) throws {
    try geometry.lines(path)
    try endPlacedRow()
  }

  private func endPlacedRow() throws {
    let box = geometry.box
    _ = try geometry.bytes.withUnsafeBufferPointer { bytes in
      try writer.endRow(
        geometry: bytes,
        box: box.west <= box.east
          ? (west: box.west, south: box.south, east: box.east, north: box.north) : nil)
    }
  }

  func end() throws { try writer.end() }

  func media(_ bytes: [UInt8], kind: String, ofPhoto row: Int64) throws {
    try writer.media(bytes, kind: kind, ofPhoto: row)
  }

  func style(_ qml: String, named name: String, of table: String) throws {
    try writer.style(qml, named: name, of: table)
  }
}

/// A buffer for the text of one time after the other, as SQLite and GDAL read it.
private struct TimeBuffer {
  private(set) var bytes: [UInt8] = []
  private var day: (number: Int, text: [UInt8]) = (.min, [])

  /// Sets the time of a day.
  mutating func set(_ time: GNSSTime, on date: CivilDate) {
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
  }

  private mutating func two(_ value: Int, _ end: UInt8) {
    bytes.append(UInt8(value / 10) + 0x30)
    bytes.append(UInt8(value % 10) + 0x30)
    bytes.append(end)
  }
}
