import Foundation
import GRDB

extension GeoPackageWriter {
  /// Adds a picture to a row of the table `photos`.
  public func media(_ bytes: [UInt8], kind: String, ofPhoto row: Int64) throws {
    if mediaCount == 0 {
      try database.execute(sql: GeoPackageSchema.media)
      try contents("photo_media", "Pictures of the photos")
    }
    mediaCount += 1
    try database.cachedStatement(
      sql: "INSERT INTO photo_media (id, data, content_type, kind) VALUES (?, ?, 'image/jpeg', ?)"
    ).execute(arguments: [mediaCount, Data(bytes), kind])
    try database.cachedStatement(sql: "INSERT INTO photos_photo_media VALUES (?, ?)").execute(
      arguments: [row, mediaCount])
  }

  /// Adds the style with which QGIS draws a table.
  public func style(_ qml: String, named name: String, of table: String) throws {
    let isThere = try Bool.fetchOne(
      database, sql: "SELECT count(*) > 0 FROM gpkg_contents WHERE table_name = 'layer_styles'")
    if isThere != true {
      try database.execute(sql: GeoPackageSchema.styles)
      try contents("layer_styles", "How QGIS draws the tables")
    }
    try database.execute(
      sql: """
        INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column,
          styleName, styleQML, styleSLD, useAsDefault, description, owner, update_time)
        VALUES ('', '', ?, 'geom', ?, ?, '', 1, '', '', ?)
        """, arguments: [table, name, qml, lastChange])
  }

  private func contents(_ table: String, _ title: String) throws {
    try database.execute(
      sql: """
        INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change)
        VALUES (?, 'attributes', ?, ?, ?)
        """, arguments: [table, table, title, lastChange])
  }
}
