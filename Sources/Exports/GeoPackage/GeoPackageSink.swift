import Geodesy
import Inspection
import TimeAndText

/// The description of a GeoPackage's table.
public struct GeoPackageTable: Sendable {
  /// A column, apart from the row's number and its geometry.
  public struct Column: Sendable {
    /// The name.
    public let name: String
    /// The kind of value that the column holds.
    public let kind: FieldKind
    /// The meaning, with the unit.
    public let meaning: String
  }

  /// The name.
  public let name: String
  /// The title for people.
  public let title: String
  /// The geometry: `POINT`, `MULTILINESTRING` or `MULTIPOLYGON`; nil if the rows have no place.
  public let geometry: String?
  /// True if the places have a spatial index, which is built when the table is full.
  public let isIndexed: Bool
  /// The columns, in their order.
  public let columns: [Column]

  init<Row>(_ table: FieldTable<Row>, geometry: String?) {
    (name, title, self.geometry) = (table.name, table.title, geometry)
    isIndexed = geometry != nil
    columns = table.fields.map { field in
      let unit = field.unit.map { " Unit: \($0)." } ?? ""
      let absence = field.absence.map { " Empty: \($0)." } ?? ""
      return Column(name: field.name, kind: field.kind, meaning: field.meaning + unit + absence)
    }
  }
}

/// The writer of a GeoPackage's rows: this module contains no SQL.
///
/// The tables are filled one after the other. The columns of a row are bound in any order, counted
/// from 0; a column that is not bound counts as not known.
public protocol GeoPackageSink {
  /// Makes a table; the rows that follow belong to it.
  func begin(_ table: GeoPackageTable) throws
  /// Binds words to a column. They are not kept after the call of `endRow`.
  func bind(_ column: Int, text: String) throws
  /// Binds a whole number to a column.
  func bind(_ column: Int, integer: Int64) throws
  /// Binds a number to a column.
  func bind(_ column: Int, real: Double) throws
  /// Binds ASCII text to a column.
  func bind(_ column: Int, ascii: UnsafeBufferPointer<UInt8>) throws
  /// Binds a time to a column; a time without a date counts as not known.
  func bind(_ column: Int, time: GNSSTime) throws
  /// Adds the row, which has no place.
  func endRow() throws
  /// Adds the row at a place.
  func endRow(at place: Coordinate) throws
  /// Adds the row on the land of a parcel.
  func endRow(on parcel: Parcel) throws
  /// Adds the row along a path, which is cut at gaps and at the antimeridian.
  /// - Parameter path: calls its argument with each place, and with true after a gap.
  func endRow(
    along path: ((_ place: Coordinate, _ isAfterGap: Bool) throws -> Void) throws -> Void
  ) throws
  /// Ends the table, of which all rows are there now, and builds its indexes.
  func end() throws
  /// Adds a picture that belongs to a row of `photos`.
  /// - Parameter kind: `photo` or `thumbnail`.
  func media(_ bytes: [UInt8], kind: String, ofPhoto row: Int64) throws
  /// Adds the style in which QGIS draws a table.
  func style(_ qml: String, named name: String, of table: String) throws
}
