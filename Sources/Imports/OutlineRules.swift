import Evidence
import Geodesy
import TimeAndText

/// The rules for an outline, for every format: it must be on the Earth, have three corners and not
/// cross itself. Its holes must be within it, and its parts next to each other.
package struct OutlineRules {
  package let limits: ImportLimits
  /// True if crossings are searched for. The search is most of the work, and bytes that passed it
  /// once need no second search.
  package var findsCrossings = true

  /// Creates rules within limits.
  package init(limits: ImportLimits, findsCrossings: Bool = true) {
    self.limits = limits
    self.findsCrossings = findsCrossings
  }

  /// Returns the rings of a GeoJSON geometry, the outline first.
  /// - Throws: `ImportFault` without a line.
  package func rings(ofGeoJSON geometry: JSONValue) throws(ImportFault) -> [[Coordinate]] {
    guard case .object = geometry else {
      throw ImportFault("\"geometry\" has the wrong type")
    }
    guard let type = geometry["type"] else { throw ImportFault("\"geometry.type\" is missing") }
    guard let type = type.text else {
      throw ImportFault("\"geometry.type\" has the wrong type")
    }
    guard type == "Polygon" || type == "MultiPolygon" else {
      throw ImportFault(
        "its geometry is a \(ImportText.shown(type)); parcels are Polygons or MultiPolygons")
    }
    guard let coordinates = geometry["coordinates"] else {
      throw ImportFault("\"geometry.coordinates\" is missing")
    }
    let polygons = type == "Polygon" ? [coordinates] : try elements(coordinates)
    var outlines: [[[Coordinate]]] = []
    for polygon in polygons {
      var rings: [[Coordinate]] = []
      for ring in try elements(polygon) {
        var corners: [Coordinate] = []
        for corner in try elements(ring) {
          corners.append(
            try self.corner(
              try elements(corner).map { value throws(ImportFault) in
                guard case .number(let number) = value else {
                  throw ImportFault("\"geometry.coordinates\" has the wrong type")
                }
                return number
              }))
        }
        rings.append(corners)
      }
      outlines.append(rings)
    }
    return try rings(of: outlines)
  }

  /// Returns the rings of a text in WKT, the outline first.
  /// - Throws: `ImportFault` without a line.
  package func rings(ofWKT text: String) throws(ImportFault) -> [[Coordinate]] {
    var outlines: [[[Coordinate]]] = []
    for polygon in try WKTReader.polygons(text) {
      var rings: [[Coordinate]] = []
      for ring in polygon {
        var corners: [Coordinate] = []
        for corner in ring { corners.append(try self.corner(corner)) }
        rings.append(corners)
      }
      outlines.append(rings)
    }
    return try rings(of: outlines)
  }

  private func elements(_ value: JSONValue) throws(ImportFault) -> [JSONValue] {
    guard let elements = value.elements else {
      throw ImportFault("\"geometry.coordinates\" has the wrong type")
    }
    return elements
  }

  private func corner(_ numbers: [Double]) throws(ImportFault) -> Coordinate {
    // The order is longitude, latitude.
    guard numbers.count >= 2,
      let corner = Coordinate(latitudeDegrees: numbers[1], longitudeDegrees: numbers[0])
    else {
      let shown = Array(numbers.prefix(4))
      throw ImportFault(
        numbers.count >= 2 && numbers.prefix(2).contains { abs($0) > 360 }
          ? "\(shown) is not a longitude and latitude in degrees. Transform metres of a national"
            + " grid to WGS 84, e.g. ogr2ogr -t_srs EPSG:4326"
          : "\(shown) is not a longitude and latitude in degrees")
    }
    return corner
  }

  // MARK: rules

  /// Checks the rings of polygons, and returns them in one list.
  /// - Parameter polygons: Each polygon is an outline with its holes, as GeoJSON nests them.
  /// - Throws: `ImportFault` without a line.
  package func rings(of polygons: [[[Coordinate]]]) throws(ImportFault) -> [[Coordinate]] {
    guard !polygons.isEmpty else { throw ImportFault("its geometry is empty") }
    var rings: [[Coordinate]] = []
    /// The index of each ring's outline; an outline has its own index.
    var outlines: [Int] = []
    for polygon in polygons {
      guard !polygon.isEmpty else {
        throw ImportFault("its outline has fewer than three points")
      }
      let outline = rings.count
      for ring in polygon {
        let isHole = rings.count > outline
        rings.append(try tidy(ring, isHole: isHole))
        outlines.append(outline)
      }
      guard rings.count <= limits.rings else {
        throw ImportFault("it has more than \(limits.rings) rings: divide it")
      }
    }
    guard rings.reduce(0, { $0 + $1.count }) <= limits.corners else {
      throw ImportFault("it has more than \(limits.corners) corners: simplify it")
    }
    guard findsCrossings else { return rings }
    let flaw = RingFlaw.first(in: rings)
    if case .sharing? = flaw {
      // A ring that lies within another, or occurs twice, also shares edges with it. The nesting
      // tells people more, so it is reported first.
      try checkNesting(rings, outlines)
    }
    if let flaw { throw ImportFault(Self.words(flaw)) }
    if rings.count > 1 { try checkNesting(rings, outlines) }
    return rings
  }

  /// Returns a ring without its closing point and without points that repeat the one before.
  private func tidy(_ ring: [Coordinate], isHole: Bool) throws(ImportFault) -> [Coordinate] {
    var corners: [Coordinate] = []
    corners.reserveCapacity(ring.count)
    for corner in ring where corner != corners.last { corners.append(corner) }
    while corners.count > 1, corners.first == corners.last { corners.removeLast() }
    guard corners.count >= 3 else {
      throw ImportFault(
        isHole
          ? "a hole of its outline has fewer than three points"
          : "its outline has fewer than three points")
    }
    for (index, corner) in corners.enumerated() {
      let next = corners[index + 1 < corners.count ? index + 1 : 0]
      guard abs(next.longitudeDegrees - corner.longitudeDegrees) <= 180 else {
        throw ImportFault(
          "from \(Self.place(corner)) to \(Self.place(next)) it crosses the antimeridian: divide it"
            + " there into a MultiPolygon, one part ending at longitude 180 and one at -180 (RFC 7946,"
            + " 3.1.9), e.g. ogr2ogr -wrapdateline")
      }
    }
    return corners
  }

  private func checkNesting(_ rings: [[Coordinate]], _ outlines: [Int]) throws(ImportFault) {
    let parents = PolygonRegion.parents(of: rings)
    for (place, parent) in parents.enumerated() {
      if outlines[place] != place {
        guard parent == outlines[place] else {
          throw ImportFault(
            "a hole near \(Self.place(rings[place][0])) is not inside its outline, or is inside"
              + " another hole")
        }
      } else if let parent, outlines[parent] == parent {
        throw ImportFault(
          "a part near \(Self.place(rings[place][0])) is inside another part: merge them")
      }
    }
  }

  private static func words(_ flaw: RingFlaw) -> Wording {
    func place(_ longitude: Double, _ latitude: Double) -> String {
      "[\(ImportText.degrees(longitude)), \(ImportText.degrees(latitude))]"
    }
    return switch flaw {
    case .crossing(let longitude, let latitude):
      "its outline crosses itself near \(place(longitude, latitude)): correct it, e.g. with QGIS'"
        + " Fix geometries"
    case .touching(let longitude, let latitude):
      "a ring of its outline touches or crosses itself at \(place(longitude, latitude)): write what"
        + " it encloses there as a hole or as a part of its own"
    case .sharing(let longitude, let latitude):
      "two of its rings share an edge from \(place(longitude, latitude)) on: parts, or an outline"
        + " and its holes, may touch only at single points. Merge them, e.g. with QGIS' Fix"
        + " geometries"
    case .doublingBack(let longitude, let latitude):
      "its outline goes back on itself at \(place(longitude, latitude)): remove that corner"
    case .tooIntricate:
      "its outline is too complex to check: too many edges are close to each other. Simplify or"
        + " divide it"
    }
  }

  private static func place(_ corner: Coordinate) -> String {
    "[\(ImportText.degrees(corner.longitudeDegrees)), \(ImportText.degrees(corner.latitudeDegrees))]"
  }
}
