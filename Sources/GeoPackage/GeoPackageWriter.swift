import GRDB
import GRDBSQLite
import TimeAndText

/// A writer that fills a GeoPackage, one table after the other. The columns of a row are bound in
/// any order, counted from 0; a column that is not bound is NULL.
public final class GeoPackageWriter {
  /// A column in addition to the number of the row and its geometry.
  public struct Column {
    /// The column's name.
    public var name: String
    /// The column's type: `TEXT`, `INTEGER`, `DOUBLE`, `BOOLEAN` or `DATETIME`.
    public var type: String
    /// The column's meaning, in words.
    public var meaning: String

    /// Creates a column.
    public init(name: String, type: String, meaning: String) {
      (self.name, self.type, self.meaning) = (name, type, meaning)
    }
  }

  let database: Database
  private let made: String
  private var table: GeoPackageOpenTable?
  var mediaCount: Int64 = 0

  init(_ database: Database, made: DeviceTime) {
    self.database = database
    self.made = made.rfc3339
  }

  /// Makes a table; the rows that follow belong to it.
  /// - Parameter geometry: the type of geometry, such as `POINT`; nil for rows without a place.
  public func begin(
    _ name: String, title: String, geometry: String?, columns: [Column]
  ) throws {
    let quoted = GeoPackageSchema.quoted(name)
    try database.execute(sql: GeoPackageSchema.table(name, geometry: geometry, columns: columns))
    try database.execute(
      sql: """
        INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change, srs_id)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        name, geometry == nil ? "attributes" : "features", name, title, made,
        geometry == nil ? nil : 4326,
      ])
    for column in columns {
      try database.execute(
        sql: """
          INSERT INTO gpkg_data_columns (table_name, column_name, name, title, description)
          VALUES (?, ?, ?, ?, ?)
          """,
        arguments: [name, column.name, column.name, column.name, column.meaning])
    }
    if let geometry {
      try database.execute(
        sql: """
          INSERT INTO gpkg_geometry_columns (table_name, column_name, geometry_type_name, srs_id, z, m)
          VALUES (?, 'geom', ?, 4326, 0, 0)
          """, arguments: [name, geometry])
      try database.execute(
        sql: """
          CREATE VIRTUAL TABLE \(GeoPackageSchema.tree(name)) USING rtree (id, minx, maxx, miny, maxy)
          """)
      try database.execute(
        sql: """
          DELETE FROM \(GeoPackageSchema.tree(name, "_node"));
          INSERT INTO gpkg_extensions VALUES (\(GeoPackageSchema.text(name)), 'geom', 'gpkg_rtree_index',
            'http://www.geopackage.org/spec120/#extension_rtree', 'write-only')
          """)
    }
    let values = Array(repeating: "?", count: columns.count + (geometry == nil ? 1 : 2))
    table = GeoPackageOpenTable(
      name: name, hasPlace: geometry != nil,
      insert: try database.makeStatement(
        sql: "INSERT INTO \(quoted) VALUES (\(values.joined(separator: ", ")))"),
      tree: geometry == nil ? nil : try GeoPackageTree(of: name, in: database))
  }

  private func open() throws -> GeoPackageOpenTable {
    guard let table else { throw DatabaseError(message: "no table is open") }
    return table
  }

  /// Binds text to a column.
  public func bind(_ column: Int, text: String) throws {
    var text = text
    let table = try open()
    try text.withUTF8 { try table.bind(column, $0) }
  }

  /// Binds ASCII text to a column.
  public func bind(_ column: Int, ascii: UnsafeBufferPointer<UInt8>) throws {
    try open().bind(column, ascii)
  }

  /// Binds a whole number to a column.
  public func bind(_ column: Int, integer: Int64) throws {
    let table = try open()
    sqlite3_bind_int64(table.insert.sqliteStatement, table.place(column), integer)
  }

  /// Binds a real number to a column.
  public func bind(_ column: Int, real: Double) throws {
    let table = try open()
    sqlite3_bind_double(table.insert.sqliteStatement, table.place(column), real)
  }

  /// Writes the row.
  /// - Parameters:
  ///   - geometry: the geometry in the GeoPackage's own form; empty for none.
  ///   - box: the geometry's west, south, east and north, degrees; nil for none.
  /// - Returns: the row's number, from 1.
  public func endRow(
    geometry: UnsafeBufferPointer<UInt8>,
    box: (west: Double, south: Double, east: Double, north: Double)?
  ) throws -> Int64 {
    let table = try open()
    let number = try table.endRow(geometry)
    if let box {
      try table.tree?.add(
        number, TreeBox(west: box.west, south: box.south, east: box.east, north: box.north))
      table.include(box)
    }
    return number
  }

  /// Ends the table, once all rows are there: finishes its index, and writes its bounds.
  public func end() throws {
    guard let table else { return }
    self.table = nil
    try table.tree?.finish()
    guard table.hasPlace else { return }
    // From here on, another program that changes the table must keep the index.
    try database.execute(sql: GeoPackageSchema.triggers(of: table.name))
    if let box = table.box {
      try database.execute(
        sql:
          "UPDATE gpkg_contents SET min_x = ?, min_y = ?, max_x = ?, max_y = ? WHERE table_name = ?",
        arguments: [box.west, box.south, box.east, box.north, table.name])
    }
  }

  func release() { table = nil }

  /// The time at which the GeoPackage says that it was made.
  var lastChange: String { made }
}

/// A table that is being filled.
private final class GeoPackageOpenTable {
  let name: String
  let hasPlace: Bool
  let insert: Statement
  let tree: GeoPackageTree?
  private var rows: Int64 = 0
  private(set) var box: (west: Double, south: Double, east: Double, north: Double)?

  init(name: String, hasPlace: Bool, insert: Statement, tree: GeoPackageTree?) {
    (self.name, self.hasPlace, self.insert, self.tree) = (name, hasPlace, insert, tree)
  }

  func place(_ column: Int) -> Int32 { Int32(column + (hasPlace ? 3 : 2)) }

  func bind(_ column: Int, _ text: UnsafeBufferPointer<UInt8>) throws {
    text.withMemoryRebound(to: CChar.self) { text in
      // SQLite binds NULL, and no empty text, if the address is nil.
      _ = sqlite3_bind_text(
        insert.sqliteStatement, place(column), text.baseAddress, Int32(text.count),
        SQLiteCopies.destructor)
    }
  }

  func endRow(_ geometry: UnsafeBufferPointer<UInt8>) throws -> Int64 {
    rows += 1
    let statement = insert.sqliteStatement
    sqlite3_bind_int64(statement, 1, rows)
    if hasPlace, let base = geometry.baseAddress, !geometry.isEmpty {
      sqlite3_bind_blob(statement, 2, base, Int32(geometry.count), SQLiteCopies.destructor)
    }
    let code = sqlite3_step(statement)
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return rows
  }

  func include(_ other: (west: Double, south: Double, east: Double, north: Double)) {
    guard let known = box else { return box = other }
    box = (
      min(known.west, other.west), min(known.south, other.south), max(known.east, other.east),
      max(known.north, other.north)
    )
  }
}

/// SQLite's destructor that makes it copy the bytes that are bound.
enum SQLiteCopies {
  static var destructor: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
