import Foundation
import Geodesy
import TimeAndText

extension ServiceCapabilities {
  /// The scale of zoom 0 with tiles of 256 pixels of 0.28 mm (OGC 07-057r7, annex E.4).
  private static let scaleOfWorld = 559_082_264.028_717_8
  /// The pixel's size that scales are meant for, metres.
  private static let pixelMetres = 0.000_28

  /// Reads the capabilities of a WMTS.
  mutating func readMatrices(_ root: XMLTree) {
    title = Self.title(root.child("ServiceIdentification")?.text(of: "Title"))
    let credit = Self.attribution(root.child("ServiceProvider")?.text(of: "ProviderName"))
    guard let contents = root.child("Contents") else { return }
    var sets: [String: [MapService.Matrix]] = [:]
    for set in contents.all("TileMatrixSet") {
      guard let name = Self.name(set.text(of: "Identifier")) else { continue }
      let matrices = Self.matrices(of: set)
      if !matrices.isEmpty { sets[name] = matrices }
    }
    for tree in contents.all("Layer") {
      if let layer = Self.layer(tree, sets, credit), layers.count < Self.layersAtMost {
        layers.append(layer)
      } else {
        unusable += 1
      }
    }
  }

  private static func layer(
    _ tree: XMLTree, _ sets: [String: [MapService.Matrix]], _ credit: String?
  ) -> Layer? {
    let formats = tree.all("Format").map(\.text)
    let mediaTypes = pictures.filter { formats.contains($0) }
    let links = tree.all("TileMatrixSetLink").compactMap { $0.text(of: "TileMatrixSet") }
    // The set with the most zooms is the best.
    let best = links.filter { sets[$0] != nil }.max { sets[$0]?.count ?? 0 < sets[$1]?.count ?? 0 }
    guard let name = Self.name(tree.text(of: "Identifier")), let set = best,
      let matrices = sets[set],
      !mediaTypes.isEmpty
    else { return nil }
    let styles = tree.all("Style").sorted {
      $0.attributes["isDefault"] == "true" && $1.attributes["isDefault"] != "true"
    }.lazy.compactMap { Self.name($0.text(of: "Identifier")) }.prefix(stylesAtMost)
    let templates = tree.all("ResourceURL").filter { $0.attributes["resourceType"] == "tile" }
    let template = mediaTypes.lazy.compactMap { type in
      templates.first { $0.attributes["format"] == type }?.attributes["template"]
    }.first
    let ordered =
      template == nil
      ? mediaTypes
      : mediaTypes.filter { type in templates.contains { $0.attributes["format"] == type } }
    return Layer(
      name: name, title: Self.title(tree.text(of: "Title")) ?? name, attribution: credit,
      styles: Array(styles),
      mediaTypes: ordered, matrixSet: set, matrices: matrices,
      template: template, dimensions: defaults(tree), box: box(ofMatrices: tree))
  }

  /// Returns the defaults of a layer's further dimensions, such as a time, by their names in lower
  /// case.
  private static func defaults(_ tree: XMLTree) -> [String: String] {
    var defaults: [String: String] = [:]
    for dimension in tree.all("Dimension").prefix(dimensionsAtMost) {
      guard let name = dimension.text(of: "Identifier"), let value = dimension.text(of: "Default")
      else { continue }
      defaults[name.lowercased()] = value
    }
    return defaults
  }

  /// Returns the zooms of a set that fit the grid of Web Mercator, the first of each; none for any
  /// other set.
  private static func matrices(of set: XMLTree) -> [MapService.Matrix] {
    let system = set.text(of: "SupportedCRS")?.split(separator: ":").last.map(String.init) ?? ""
    guard ReferenceSystem.mercator.contains("EPSG:\(system)") else { return [] }
    var found: [Int: MapService.Matrix] = [:]
    for matrix in set.all("TileMatrix").lazy.compactMap(matrix) where found[matrix.zoom] == nil {
      found[matrix.zoom] = matrix
    }
    return found.values.sorted { $0.zoom < $1.zoom }
  }

  private static func matrix(_ tree: XMLTree) -> MapService.Matrix? {
    guard let name = Self.name(tree.text(of: "Identifier")),
      let scale = tree.text(of: "ScaleDenominator").flatMap(Double.init(_:)), scale > 0,
      tree.text(of: "TileWidth") == "256", tree.text(of: "TileHeight") == "256"
    else { return nil }
    let exact = log2(scaleOfWorld / scale)
    let nearest = exact.rounded()
    // A scale may be without bounds: only a number within them can become a whole one.
    guard (0.0...30.0).contains(nearest), abs(exact - nearest) < 0.01 else { return nil }
    let zoom = Int(nearest)
    let corner = (tree.text(of: "TopLeftCorner") ?? "").split(separator: " ").compactMap {
      Double($0)
    }
    guard corner.count == 2 else { return nil }
    // The corner of the whole world has its numbers alike: some services write them the other way.
    let isWorld = corner.allSatisfy { abs(abs($0) - ReferenceSystem.halfWorldMetres) < 100 }
    let (west, north) =
      isWorld
      ? (-ReferenceSystem.halfWorldMetres, ReferenceSystem.halfWorldMetres)
      : (corner[0], corner[1])
    let tileMetres = 2 * ReferenceSystem.halfWorldMetres / Double(1 << zoom)
    let column = (west + ReferenceSystem.halfWorldMetres) / tileMetres
    let row = (ReferenceSystem.halfWorldMetres - north) / tileMetres
    // A set that begins between two tiles of the grid cannot be laid over it.
    guard abs(column - column.rounded()) < 0.01, abs(row - row.rounded()) < 0.01,
      column > -0.5, row > -0.5, column < 1e9, row < 1e9
    else { return nil }
    return MapService.Matrix(
      zoom: zoom, name: name, column: Int(column.rounded()), row: Int(row.rounded()))
  }

  private static func box(ofMatrices tree: XMLTree) -> CoordinateBox? {
    guard let box = tree.child("WGS84BoundingBox") else { return nil }
    let corners = ["LowerCorner", "UpperCorner"].flatMap { name in
      (box.text(of: name) ?? "").split(separator: " ").compactMap { Double($0) }
    }
    return self.box(corners)
  }
}

extension ServiceCapabilities.Layer {
  /// Returns the template of addresses in which only the names are left that differ from tile to
  /// tile; nil if the service takes queries.
  /// - Throws: `MapServiceError.malformedAddress` if it is too long.
  fileprivate func filledTemplate() throws(MapServiceError) -> String? {
    guard let template else { return nil }
    return try AddressTemplate.filled(template) { dimensions[$0].map(MapService.escaped) }
  }
}

extension MapService {
  /// Takes one of the service's layers, with everything that its requests need.
  /// - Throws: `MapServiceError.noSuchLayer`; `.malformedAddress` if its template is too long, or
  ///   leads to a host that is no map service.
  package mutating func choose(
    _ name: String, style: String? = nil, mediaType: String? = nil,
    from capabilities: ServiceCapabilities
  ) throws(MapServiceError) {
    guard let layer = capabilities.layers.first(where: { $0.name == name }) else {
      throw .noSuchLayer("the service has no layer \(name) that can be a base map")
    }
    // A dimension always has its default; all other names are filled for each tile.
    let template = try layer.filledTemplate()
    if let template {
      // The template comes from the service: it may not lead where an administrator may not.
      let plain = template.replacing(/\{[^{}]*\}/, with: "0")
      _ = try ServiceAddress(plain, kind: .wmts)
    }
    (self.layer, self.template, matrices) = (name, template, layer.matrices)
    matrixSet = layer.matrixSet
    version = capabilities.version
    if let system = layer.referenceSystem { referenceSystem = system }
    self.style =
      style.flatMap { layer.styles.contains($0) ? $0 : nil }
      ?? (kind == .wmts ? layer.styles.first : nil)
    let types = layer.mediaTypes
    self.mediaType =
      mediaType.flatMap { types.contains($0) ? $0 : nil } ?? types.first ?? self.mediaType
    if attribution == nil { attribution = layer.attribution.map { String($0.prefix(1000)) } }
    if title.isEmpty || title == URLComponents(string: address)?.host {
      title = String(layer.title.prefix(200))
    }
    if let first = matrices.first, let last = matrices.last {
      zooms = first.zoom...last.zoom
    } else if ReferenceSystem.degrees.contains(referenceSystem) {
      let least = max(zooms.lowerBound, ReferenceSystem.leastZoomInDegrees)
      zooms = least...max(least, zooms.upperBound)
    }
  }
}
