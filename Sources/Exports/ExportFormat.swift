/// The formats that a selection is exported as; PDF and bundle are of one task, and have their own ways.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  case kml, kmz, gpx, geojson, gpkg, csv

  /// What it is called on a button.
  public var title: String {
    switch self {
    case .kml: "KML"
    case .kmz: "KMZ"
    case .gpx: "GPX"
    case .geojson: "GeoJSON"
    case .gpkg: "GeoPackage"
    case .csv: "CSV"
    }
  }

  /// Its type on the web.
  public var mediaType: String {
    switch self {
    case .kml: "application/vnd.google-earth.kml+xml"
    case .kmz: "application/vnd.google-earth.kmz"
    case .gpx: "application/gpx+xml"
    case .geojson: "application/geo+json"
    case .gpkg: "application/geopackage+sqlite3"
    case .csv: "text/csv; charset=utf-8; header=present"
    }
  }
}

/// What is chosen about an export beside its format.
public struct ExportOptions: Hashable, Sendable {
  /// Whether each point of a track is a feature of its own, in the place of the tracks (KML, KMZ, GPX,
  /// GeoJSON; a GeoPackage has both).
  public var pointFeatures = false
  /// Of what a CSV's rows are made.
  public var rows = CSVDocument.Rows.photos
  /// Which pictures a GeoPackage has, and whether a KMZ has more than small ones.
  public var pictures = GeoPackageDocument.Pictures.all

  /// The usual ones.
  public init() {}
}
