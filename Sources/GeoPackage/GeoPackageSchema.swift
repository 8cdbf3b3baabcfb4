/// The SQL that GeoPackage asks for (OGC 12-128r18, annexes C and D; extensions: R-tree, schema, related
/// tables) and QGIS's own table of styles.
enum GeoPackageSchema {
  static let tables = """
    CREATE TABLE gpkg_spatial_ref_sys (
      srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
      organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES
      ('Undefined cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined cartesian coordinate reference system'),
      ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate reference system'),
      ('WGS 84 geodetic', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]', 'longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid');
    CREATE TABLE gpkg_contents (
      table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
      description TEXT DEFAULT '',
      last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
      CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_geometry_columns (
      table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
      srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
      CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
      CONSTRAINT uk_gc_table_name UNIQUE (table_name),
      CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
      CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
    CREATE TABLE gpkg_extensions (
      table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL,
      scope TEXT NOT NULL, CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name));
    CREATE TABLE gpkg_data_columns (
      table_name TEXT NOT NULL, column_name TEXT NOT NULL, name TEXT, title TEXT, description TEXT,
      mime_type TEXT, constraint_name TEXT,
      CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name),
      CONSTRAINT gdc_tn UNIQUE (table_name, name));
    CREATE TABLE gpkg_data_column_constraints (
      constraint_name TEXT NOT NULL, constraint_type TEXT NOT NULL, value TEXT, min NUMERIC,
      min_is_inclusive BOOLEAN, max NUMERIC, max_is_inclusive BOOLEAN, description TEXT,
      CONSTRAINT gdcc_ntv UNIQUE (constraint_name, constraint_type, value));
    INSERT INTO gpkg_extensions VALUES
      ('gpkg_data_columns', NULL, 'gpkg_schema', 'http://www.geopackage.org/spec121/#extension_schema', 'read-write'),
      ('gpkg_data_column_constraints', NULL, 'gpkg_schema', 'http://www.geopackage.org/spec121/#extension_schema', 'read-write');
    """

  static let media = """
    CREATE TABLE gpkgext_relations (
      id INTEGER PRIMARY KEY AUTOINCREMENT, base_table_name TEXT NOT NULL,
      base_primary_column TEXT NOT NULL DEFAULT 'id', related_table_name TEXT NOT NULL,
      related_primary_column TEXT NOT NULL DEFAULT 'id', relation_name TEXT NOT NULL,
      mapping_table_name TEXT NOT NULL UNIQUE);
    CREATE TABLE photo_media (
      id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, data BLOB NOT NULL, content_type TEXT NOT NULL,
      kind TEXT NOT NULL);
    CREATE TABLE photos_photo_media (base_id INTEGER NOT NULL, related_id INTEGER NOT NULL);
    INSERT INTO gpkgext_relations VALUES (1, 'photos', 'fid', 'photo_media', 'id', 'media',
      'photos_photo_media');
    INSERT INTO gpkg_extensions VALUES
      ('gpkgext_relations', NULL, 'gpkg_related_tables', 'http://www.opengis.net/doc/IS/gpkg-rte/1.0', 'read-write'),
      ('photos_photo_media', NULL, 'gpkg_related_tables', 'http://www.opengis.net/doc/IS/gpkg-rte/1.0', 'read-write');
    """

  static let styles = """
    CREATE TABLE layer_styles (
      id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT(256),
      f_table_schema TEXT(256), f_table_name TEXT(256), f_geometry_column TEXT(256),
      styleName TEXT(30), styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT,
      owner TEXT(30), ui TEXT(30),
      update_time DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')));
    """

  /// Returns a name in SQL's quotes.
  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// Returns a text as an SQL literal.
  static func text(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  /// Returns the quoted name of a table's index, or of one of the tables that keep the index.
  static func tree(_ table: String, _ end: String = "") -> String {
    quoted("rtree_\(table)_geom\(end)")
  }

  static func table(
    _ name: String, geometry: String?, columns: [GeoPackageWriter.Column]
  ) -> String {
    let parts =
      ["fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL"] + (geometry.map { ["geom \($0)"] } ?? [])
      + columns.map { "\(quoted($0.name)) \($0.type)" }
    return "CREATE TABLE \(quoted(name)) (\n  \(parts.joined(separator: ",\n  ")))"
  }

  /// Returns the triggers with which another program that changes a table later keeps the index
  /// right; the ST_ functions in them are that program's.
  static func triggers(of table: String) -> String {
    let (name, tree) = (quoted(table), tree(table))
    func trigger(_ end: String, _ when: String, _ body: String) -> String {
      "CREATE TRIGGER \(quoted("rtree_\(table)_geom_\(end)")) \(when) BEGIN \(body) END;\n"
    }
    let isThere = "(NEW.geom NOT NULL AND NOT ST_IsEmpty(NEW.geom))"
    let isGone = "(NEW.geom ISNULL OR ST_IsEmpty(NEW.geom))"
    let insert = """
      INSERT OR REPLACE INTO \(tree) VALUES (NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), \
      ST_MinY(NEW.geom), ST_MaxY(NEW.geom));
      """
    return trigger("insert", "AFTER INSERT ON \(name) WHEN \(isThere)", insert)
      + trigger(
        "update1", "AFTER UPDATE OF geom ON \(name) WHEN OLD.fid = NEW.fid AND \(isThere)", insert)
      + trigger(
        "update2", "AFTER UPDATE OF geom ON \(name) WHEN OLD.fid = NEW.fid AND \(isGone)",
        "DELETE FROM \(tree) WHERE id = OLD.fid;")
      + trigger(
        "update3", "AFTER UPDATE ON \(name) WHEN OLD.fid != NEW.fid AND \(isThere)",
        "DELETE FROM \(tree) WHERE id = OLD.fid; \(insert)")
      + trigger(
        "update4", "AFTER UPDATE ON \(name) WHEN OLD.fid != NEW.fid AND \(isGone)",
        "DELETE FROM \(tree) WHERE id IN (OLD.fid, NEW.fid);")
      + trigger(
        "delete", "AFTER DELETE ON \(name) WHEN OLD.geom NOT NULL",
        "DELETE FROM \(tree) WHERE id = OLD.fid;")
  }
}
