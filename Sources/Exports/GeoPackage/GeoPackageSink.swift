/// A table of a GeoPackage as it is to be made.
public struct GeoPackageTable: Sendable {
  /// A column beside the number of the row and its geometry.
  public struct Column: Sendable {
    /// Its name.
    public let name: String
    /// What it holds.
    public let kind: FieldKind
    /// What it means, with its unit.
    public let meaning: String
  }

  /// Its name.
  public let name: String
  /// Its name for people.
  public let title: String
  /// `POINT`, `MULTILINESTRING` or `MULTIPOLYGON`; nil for rows without a place.
  public let geometry: String?
  /// Whether its places have an index. It is built when the table is full.
  public let isIndexed: Bool
  /// Its columns, in their order.
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

/// The box round a geometry, degrees.
public struct GeoPackageBox: Sendable {
  /// Its edges.
  public var (west, south, east, north) = (
    Double.infinity, Double.infinity, -Double.infinity, -Double.infinity
  )

  /// A box round nothing.
  public init() {}

  mutating func include(_ longitude: Double, _ latitude: Double) {
    west = min(west, longitude)
    east = max(east, longitude)
    south = min(south, latitude)
    north = max(north, latitude)
  }
}

/// Who keeps the rows of a GeoPackage: SQL is no matter of this module.
///
/// One table is filled after the other. The columns of a row are bound in any order, from 0; what is not bound
/// is not known.
public protocol GeoPackageSink {
  /// Makes a table; the rows that follow are its own.
  func begin(_ table: GeoPackageTable) throws
  /// Words in a column. They are not kept beyond the call of `endRow`.
  func bind(_ column: Int, text: String) throws
  /// A whole number in a column.
  func bind(_ column: Int, integer: Int64) throws
  /// A number in a column.
  func bind(_ column: Int, real: Double) throws
  /// ASCII in a column.
  func bind(_ column: Int, ascii: UnsafeBufferPointer<UInt8>) throws
  /// Keeps the row.
  /// - Parameters:
  ///   - geometry: as a GeoPackage has it; empty for none.
  ///   - box: the box round it; nil for none.
  /// - Returns: the row's number.
  @discardableResult
  func endRow(geometry: UnsafeBufferPointer<UInt8>, box: GeoPackageBox?) throws -> Int64
  /// All rows of the table are there: indexes are built.
  func end() throws
  /// A picture that belongs to a row of `photos`.
  /// - Parameter kind: `photo` or `thumbnail`.
  func media(_ bytes: [UInt8], kind: String, ofPhoto row: Int64) throws
  /// How QGIS draws a table.
  func style(_ qml: String, named name: String, of table: String) throws
}
