/// The formats in which a selection can be exported. A PDF is made of one task or one photo and a
/// bundle of one task, by code of their own.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  // In the order in which people are offered them: a KMZ has its pictures with it.
  case kmz, kml, gpx, geojson, gpkg, csv

  /// The format's name on a button.
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

  /// The format's media type on the web.
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

/// The options of an export, apart from its format.
public struct ExportOptions: Hashable, Sendable {
  /// True if each point of a track is a feature of its own, instead of the track as a whole (KML,
  /// KMZ, GPX, GeoJSON; a GeoPackage has both).
  public var pointFeatures = false
  /// The kind of thing that each row of a CSV describes.
  public var rows = CSVDocument.Rows.photos
  /// The pictures in a GeoPackage or a KMZ.
  public var pictures = GeoPackageDocument.Pictures.all

  /// Creates the usual options.
  public init() {}
}
