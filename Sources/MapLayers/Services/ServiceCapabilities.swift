import Foundation
import Geodesy
import TimeAndText

/// The description that a WMS or WMTS gives of itself, as far as base maps need it. Only layers in a
/// usable projection are in it.
package struct ServiceCapabilities: Hashable, Sendable {
  /// A layer that can be a base map.
  package struct Layer: Hashable, Sendable {
    /// The name in requests.
    package var name: String
    /// The title for people.
    package var title: String
    /// The words that credit the makers; nil if there are none.
    package var attribution: String?
    /// The names of the styles, the default first.
    package var styles: [String] = []
    /// The media types of pictures that both sides know, the best first.
    package var mediaTypes: [String] = []
    /// The reference system for WMS; nil for WMTS.
    package var referenceSystem: String?
    /// The matrix set for WMTS; nil for WMS.
    package var matrixSet: String?
    /// The zooms of the matrix set.
    package var matrices: [MapService.Matrix] = []
    /// The template of addresses for WMTS; nil if the service takes queries.
    package var template: String?
    /// The defaults of the template's further dimensions, by their names in lower case.
    package var dimensions: [String: String] = [:]
    /// The part of the world that the layer shows; nil if it is not known.
    package var box: CoordinateBox?
  }

  /// The service's own title; nil if it has none.
  package var title: String?
  /// The version of WMS that the service answers: 1.1.1 or 1.3.0.
  package var version = "1.3.0"
  /// The layers, in the service's order.
  package var layers: [Layer] = []
  /// The number of layers that were left out, because of their projection or their pictures.
  package var unusable = 0

  /// The most layers that are listed.
  package static let layersAtMost = 2000
  /// The most further dimensions of a layer that are read.
  static let dimensionsAtMost = 100
  /// The most styles of a layer, those of the layers around it among them.
  static let stylesAtMost = 100
  /// The most bytes of a name in requests: of a layer, a style, a matrix set or a zoom.
  private static let nameBytesAtMost = 500
  /// The most characters of a title, and of the words that credit the makers.
  private static let charactersAtMost = (title: 200, attribution: 1000)
  /// The media types that are asked for, the best first: aerial pictures are small as JPEG, and maps
  /// sharp as PNG.
  static let pictures = ["image/png", "image/jpeg", "image/webp"]

  /// Reads capabilities.
  /// - Throws: `MapServiceError.notCapabilities` with the reason; `.exception` if the service says
  ///   why it sends none.
  package init(
    _ bytes: [UInt8], of kind: MapService.Kind, host: String
  ) throws(MapServiceError) {
    guard let root = XMLTree(parsing: bytes) else {
      throw .notCapabilities(host: host, reason: "the answer is not XML")
    }
    if let words = Self.exception(in: root) { throw .exception(host: host, words: words) }
    switch (kind, root.name) {
    case (.wms, "WMS_Capabilities"), (.wms, "WMT_MS_Capabilities"): readMaps(root)
    case (.wmts, "Capabilities"): readMatrices(root)
    case (.wms, "Capabilities"):
      throw .notCapabilities(host: host, reason: "it is a WMTS: choose WMTS")
    case (.wmts, "WMS_Capabilities"), (.wmts, "WMT_MS_Capabilities"):
      throw .notCapabilities(host: host, reason: "it is a WMS: choose WMS")
    default:
      let isPage = root.name.lowercased() == "html"
      throw .notCapabilities(
        host: host, reason: isPage ? "the answer is a web page" : "the answer is another XML")
    }
    guard !layers.isEmpty else {
      throw .notCapabilities(
        host: host,
        reason: unusable == 0
          ? "it has no layer" : "none of its \(unusable) layers is in Web Mercator (EPSG:3857)")
    }
  }

  /// Returns the first words of an exception report, at most 200 characters; nil for any other
  /// document.
  static func exception(in root: XMLTree) -> String? {
    guard ["ServiceExceptionReport", "ExceptionReport"].contains(root.name) else { return nil }
    let report = root.child("ServiceException") ?? root.child("Exception")
    let words = report?.text(of: "ExceptionText") ?? report?.text ?? ""
    let plain = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return plain.isEmpty ? report?.attributes["code"] ?? "error" : String(plain.prefix(200))
  }

  // MARK: texts

  /// Returns a name that can stand in requests; nil if it is missing or too long.
  static func name(_ text: String?) -> String? {
    text.flatMap { $0.utf8.count <= nameBytesAtMost ? $0 : nil }
  }

  /// Returns the beginning of a title; nil if there is none.
  static func title(_ text: String?) -> String? {
    text.map { String($0.prefix(charactersAtMost.title)) }
  }

  /// Returns the beginning of the words that credit the makers; nil if there are none.
  static func attribution(_ text: String?) -> String? {
    text.map { String($0.prefix(charactersAtMost.attribution)) }
  }

  // MARK: WMS

  private mutating func readMaps(_ root: XMLTree) {
    title = Self.title(root.child("Service")?.text(of: "Title"))
    version = root.attributes["version"]?.hasPrefix("1.3") == true ? "1.3.0" : "1.1.1"
    let capability = root.child("Capability")
    let formats = capability?.child("Request")?.child("GetMap")?.all("Format").map(\.text) ?? []
    let mediaTypes = Self.pictures.filter { formats.contains($0) }
    for layer in capability?.all("Layer") ?? [] {
      add(layer, systems: [], styles: [], attribution: nil, mediaTypes)
    }
  }

  /// Adds a layer and the layers in it, which inherit its systems, styles and attribution.
  private mutating func add(
    _ tree: XMLTree, systems inherited: Set<String>, styles above: [String],
    attribution outer: String?, _ mediaTypes: [String]
  ) {
    // WMS 1.1.1 writes several systems into one element. Layers inherit only what can be used of
    // them: thousands of layers that each inherit thousands of systems would fill the memory.
    let own = (tree.all("CRS") + tree.all("SRS")).flatMap { $0.text.split(separator: " ") }
    let systems = inherited.union(own.map { $0.uppercased() }.filter(ReferenceSystem.isUsable))
    let named = tree.all("Style").lazy.compactMap { Self.name($0.text(of: "Name")) }
    let styles = Array((Array(named.prefix(Self.stylesAtMost)) + above).prefix(Self.stylesAtMost))
    let attribution = Self.attribution(tree.child("Attribution")?.text(of: "Title")) ?? outer
    if tree.text(of: "Name") != nil {
      let usable =
        ReferenceSystem.mercator
        + ReferenceSystem.degrees.filter {
          $0 != "CRS:84" || version == "1.3.0"
        }
      if let name = Self.name(tree.text(of: "Name")),
        let system = usable.first(where: systems.contains), !mediaTypes.isEmpty,
        layers.count < Self.layersAtMost
      {
        layers.append(
          Layer(
            name: name, title: Self.title(tree.text(of: "Title")) ?? name, attribution: attribution,
            styles: styles, mediaTypes: mediaTypes, referenceSystem: system,
            box: Self.box(ofMap: tree)))
      } else {
        unusable += 1
      }
    }
    for child in tree.all("Layer") {
      add(child, systems: systems, styles: styles, attribution: attribution, mediaTypes)
    }
  }

  private static func box(ofMap tree: XMLTree) -> CoordinateBox? {
    if let box = tree.child("EX_GeographicBoundingBox") {
      return self.box(
        ["westBoundLongitude", "southBoundLatitude", "eastBoundLongitude", "northBoundLatitude"]
          .compactMap { box.text(of: $0).flatMap(Double.init(_:)) })
    }
    guard let box = tree.child("LatLonBoundingBox") else { return nil }
    return self.box(
      ["minx", "miny", "maxx", "maxy"].compactMap { box.attributes[$0].flatMap(Double.init(_:)) })
  }

  static func box(_ sides: [Double]) -> CoordinateBox? {
    guard sides.count == 4 else { return nil }
    return CoordinateBox(
      westDegrees: sides[0], southDegrees: sides[1], eastDegrees: sides[2], northDegrees: sides[3])
  }
}
