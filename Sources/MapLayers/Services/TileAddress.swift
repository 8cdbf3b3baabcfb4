import Foundation
import Sync
import TimeAndText

// The problem: WMS 1.3.0 takes the axes of a box in the order of the coordinate reference system.
// EPSG:4326 has latitude first, and a service that is asked with longitude first sends an empty
// picture, or one of another continent. WMS 1.1.1 always has longitude first.
//
// The solution: Web Mercator (EPSG:3857 has its east axis first in both versions) wherever a layer has
// it. Otherwise degrees: CRS:84, whose longitude is first, or EPSG:4326 in the order of the version.

/// The reference systems that WMS can be asked in, the best first.
enum ReferenceSystem {
  /// Web Mercator under its names, of which only the first is official.
  static let mercator = ["EPSG:3857", "EPSG:900913", "EPSG:3785", "EPSG:102100", "EPSG:102113"]
  /// Degrees. A tile of degrees is bent by less than a pixel from zoom 8 on.
  static let degrees = ["CRS:84", "EPSG:4326"]
  /// Returns true if WMS can be asked in a system.
  static func isUsable(_ system: String) -> Bool {
    mercator.contains(system) || degrees.contains(system)
  }

  /// The coarsest zoom at which a picture in degrees fits a tile of Web Mercator.
  static let leastZoomInDegrees = 8

  /// Half the side of the map, metres (the Earth's radius times π).
  static let halfWorldMetres = 20_037_508.342_789_244

  /// Returns the four numbers of a tile's box in a system, in the order that a version of WMS takes.
  static func box(_ place: TileExtract.Place, in system: String, version: String) -> [Double] {
    let count = Double(1 << place.zoom)
    let (west, east) = (Double(place.x) / count, Double(place.x + 1) / count)
    let (north, south) = (Double(place.y) / count, Double(place.y + 1) / count)
    guard degrees.contains(system) else {
      func metres(_ part: Double) -> Double { (part * 2 - 1) * halfWorldMetres }
      return [metres(west), -metres(south), metres(east), -metres(north)]
    }
    func longitude(_ part: Double) -> Double { part * 360 - 180 }
    func latitude(_ part: Double) -> Double { atan(sinh(.pi * (1 - 2 * part))) * 180 / .pi }
    let isLatitudeFirst = system == "EPSG:4326" && version == "1.3.0"
    return isLatitudeFirst
      ? [latitude(south), longitude(west), latitude(north), longitude(east)]
      : [longitude(west), latitude(south), longitude(east), latitude(north)]
  }
}

extension MapService {
  /// The side of a tile that WMS is asked for, pixels.
  package static let tilePixels = 256

  /// Returns the address of a tile; nil if the service has no tiles of this zoom, or no layer was
  /// chosen.
  /// - Throws: `MapServiceError.malformedAddress` if the address is too long.
  package func address(of place: TileExtract.Place) throws(MapServiceError) -> String? {
    guard isComplete, zooms.contains(place.zoom) else { return nil }
    switch kind {
    case .xyz:
      let south = (1 << place.zoom) - 1 - place.y
      return try filled(
        address, ["z": "\(place.zoom)", "x": "\(place.x)", "y": "\(place.y)", "-y": "\(south)"])
    case .wms: return try mapAddress(of: place)
    case .wmts: return try matrixAddress(of: place)
    }
  }

  private func mapAddress(of place: TileExtract.Place) throws(MapServiceError) -> String {
    let isNew = version == "1.3.0"
    let isInDegrees = ReferenceSystem.degrees.contains(referenceSystem)
    let box = ReferenceSystem.box(place, in: referenceSystem, version: version)
      .map { DecimalText.fixed($0, places: isInDegrees ? 10 : 4) }.joined(separator: ",")
    return try Self.adding(
      [
        ("SERVICE", "WMS"), ("REQUEST", "GetMap"), ("VERSION", version), ("LAYERS", layer ?? ""),
        ("STYLES", style ?? ""), (isNew ? "CRS" : "SRS", referenceSystem), ("BBOX", box),
        ("WIDTH", "\(Self.tilePixels)"), ("HEIGHT", "\(Self.tilePixels)"), ("FORMAT", mediaType),
        ("EXCEPTIONS", isNew ? "XML" : "application/vnd.ogc.se_xml"),
      ], to: address)
  }

  private func matrixAddress(of place: TileExtract.Place) throws(MapServiceError) -> String? {
    guard let matrix = matrices.first(where: { $0.zoom == place.zoom }),
      place.x >= matrix.column, place.y >= matrix.row
    else { return nil }
    let (column, row) = ("\(place.x - matrix.column)", "\(place.y - matrix.row)")
    if let template {
      return try filled(
        template,
        [
          "style": style ?? "default", "tilematrixset": matrixSet ?? "",
          "tilematrix": matrix.name, "tilerow": row, "tilecol": column, "layer": layer ?? "",
        ])
    }
    return try Self.adding(
      [
        ("SERVICE", "WMTS"), ("REQUEST", "GetTile"), ("VERSION", "1.0.0"), ("LAYER", layer ?? ""),
        ("STYLE", style ?? ""), ("TILEMATRIXSET", matrixSet ?? ""), ("TILEMATRIX", matrix.name),
        ("TILEROW", row), ("TILECOL", column), ("FORMAT", mediaType),
      ], to: address)
  }

  /// Returns the address at which the service describes itself; nil for `xyz`.
  /// - Throws: `MapServiceError.malformedAddress` if the address is too long.
  package func capabilitiesAddress() throws(MapServiceError) -> String? {
    switch kind {
    case .xyz: return nil
    case .wms:
      return try Self.adding([("SERVICE", "WMS"), ("REQUEST", "GetCapabilities")], to: address)
    case .wmts:
      // A file of capabilities is asked for as it is.
      guard !address.lowercased().hasSuffix(".xml") else { return address }
      return try Self.adding([("SERVICE", "WMTS"), ("REQUEST", "GetCapabilities")], to: address)
    }
  }

  /// Fills the names in braces, in any case; a name without a value goes.
  private func filled(
    _ template: String, _ values: [String: String]
  ) throws(MapServiceError) -> String {
    try AddressTemplate.filled(template) { Self.escaped(values[$0] ?? "") }
  }

  /// The characters that stay as they are in a query: also those that older services want bare.
  private static let bare = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,:/")

  /// Returns a value as it stands in an address, also without braces.
  static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: bare) ?? ""
  }

  private static func adding(
    _ query: [(String, String)], to address: String
  ) throws(MapServiceError) -> String {
    let text = query.map { "\($0)=\(escaped($1))" }.joined(separator: "&")
    let isOpen = address.hasSuffix("?") || address.hasSuffix("&")
    let whole = address + (!address.contains("?") ? "?" : isOpen ? "" : "&") + text
    try AddressTemplate.require(whole)
    return whole
  }
}
