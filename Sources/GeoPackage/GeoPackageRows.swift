import Exports

/// A sink that writes the rows of an export into a GeoPackage.
struct GeoPackageRows: GeoPackageSink {
  let writer: GeoPackageWriter

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

  @discardableResult
  func endRow(geometry: UnsafeBufferPointer<UInt8>, box: GeoPackageBox?) throws -> Int64 {
    try writer.endRow(
      geometry: geometry,
      box: box.map { (west: $0.west, south: $0.south, east: $0.east, north: $0.north) })
  }

  func end() throws { try writer.end() }

  func media(_ bytes: [UInt8], kind: String, ofPhoto row: Int64) throws {
    try writer.media(bytes, kind: kind, ofPhoto: row)
  }

  func style(_ qml: String, named name: String, of table: String) throws {
    try writer.style(qml, named: name, of: table)
  }
}
