// The problem: a region is a list of rings, but areas, and formats that have holes, need to know
// which ring is an outline and which is a hole of which outline.
//
// The obvious idea: the direction of a ring, counter-clockwise for outlines. About half of all
// files use the opposite direction.
//
// The solution: a ring within an even number of others is an outline, one within an odd number is a
// hole of the smallest of them. Rings do not cross, so one point within a ring decides for the
// whole ring. Longitude and latitude are taken as a plane, as GeoJSON takes them (RFC 7946, 3.1.1).
//
// Cost: O(rings² + corners × rings whose boxes hold each other). One ring costs nothing.

/// A connected piece of land: the area within an outline and outside its holes.
public struct PolygonPart: Hashable, Sendable {
  /// The ring around the part, without a repeated closing point.
  public var outline: [Coordinate]
  /// The rings cut out of the part, each without a repeated closing point.
  public var holes: [[Coordinate]]
}

extension PolygonRegion {
  /// The region's parts, in the order of their outlines; each part with its own holes.
  public var parts: [PolygonPart] {
    guard !others.isEmpty else { return [PolygonPart(outline: exterior, holes: [])] }
    let rings = rings
    let parents = Self.parents(of: rings)
    let isHole = rings.indices.map { !Self.depth(of: $0, parents).isMultiple(of: 2) }
    var holes: [Int: [[Coordinate]]] = [:]
    for place in rings.indices where isHole[place] {
      if let parent = parents[place] { holes[parent, default: []].append(rings[place]) }
    }
    return rings.indices.filter { !isHole[$0] }.map {
      PolygonPart(outline: rings[$0], holes: holes[$0] ?? [])
    }
  }

  /// The holes of all parts.
  public var holes: [[Coordinate]] { others.isEmpty ? [] : parts.flatMap(\.holes) }

  /// Returns for each ring the index of the smallest ring around it; nil if no ring is around it.
  /// Of two equal rings, the later one lies in the earlier one.
  public static func parents(of rings: [[Coordinate]]) -> [Int?] {
    let boxes = rings.map(DegreeBox.init)
    let insides = rings.map(innerPoint)
    let areas = rings.map(squareDegrees)
    return rings.indices.map { inner in
      var parent: Int?
      for outer in rings.indices where outer != inner && boxes[outer].holds(boxes[inner]) {
        guard areas[outer] > areas[inner] || (areas[outer] == areas[inner] && outer < inner)
        else { continue }
        if let parent, areas[outer] >= areas[parent] { continue }
        if encloses(rings[outer], insides[inner]) { parent = outer }
      }
      return parent
    }
  }

  /// Returns the area of a ring in square degrees of the plane of longitude and latitude; only for
  /// comparing rings.
  private static func squareDegrees(_ ring: [Coordinate]) -> Double {
    guard let origin = ring.first?.degrees, var start = ring.last?.degrees else { return 0 }
    var sum = 0.0
    for corner in ring {
      let end = corner.degrees
      sum +=
        (start.eastMetres - origin.eastMetres) * (end.northMetres - origin.northMetres)
        - (end.eastMetres - origin.eastMetres) * (start.northMetres - origin.northMetres)
      start = end
    }
    return abs(sum) / 2
  }

  /// Returns the number of rings that lie around a ring.
  static func depth(of ring: Int, _ parents: [Int?]) -> Int {
    var depth = 0
    var place = parents[ring]
    while let next = place, depth <= parents.count {
      depth += 1
      place = parents[next]
    }
    return depth
  }

  /// Returns a point within a ring, in degrees: the middle between the ring's westernmost corner
  /// and the ring's point that reaches furthest into that corner. If no other corner reaches into
  /// it, that point is the middle between the corner's two neighbours.
  static func innerPoint(_ ring: [Coordinate]) -> PlanePoint {
    let points = ring.map(\.degrees)
    guard
      let place = points.indices.min(by: {
        (points[$0].eastMetres, points[$0].northMetres)
          < (points[$1].eastMetres, points[$1].northMetres)
      })
    else { return PlanePoint(eastMetres: 0, northMetres: 0) }
    let corner = points[place]
    let before = points[(place + points.count - 1) % points.count]
    let after = points[(place + 1) % points.count]
    var furthest = PlanePoint(
      eastMetres: (before.eastMetres + after.eastMetres) / 2,
      northMetres: (before.northMetres + after.northMetres) / 2)
    let turn = Orientation.sign(before, corner, after)
    var greatest = 0.0
    for point in points where point != corner && point != before && point != after {
      guard Orientation.sign(before, corner, point) * turn >= 0,
        Orientation.sign(corner, after, point) * turn >= 0
      else { continue }
      // The point's depth: how far it lies on the corner's side of the line between the neighbours.
      let into = Orientation.sign(before, after, point) * (turn > 0 ? -1 : 1)
      if into > greatest { (greatest, furthest) = (into, point) }
    }
    return PlanePoint(
      eastMetres: (corner.eastMetres + furthest.eastMetres) / 2,
      northMetres: (corner.northMetres + furthest.northMetres) / 2)
  }

  /// Returns true if a point in degrees lies within a ring.
  static func encloses(_ ring: [Coordinate], _ point: PlanePoint) -> Bool {
    guard var start = ring.last?.degrees else { return false }
    var isInside = false
    for corner in ring {
      let end = corner.degrees
      let goesNorth = start.northMetres <= point.northMetres && end.northMetres > point.northMetres
      let goesSouth = start.northMetres > point.northMetres && end.northMetres <= point.northMetres
      if goesNorth || goesSouth {
        let turn = Orientation.sign(start, end, point)
        if (goesNorth && turn > 0) || (goesSouth && turn < 0) { isInside.toggle() }
      }
      start = end
    }
    return isInside
  }
}

extension Coordinate {
  /// The coordinate as a point of the plane of longitude (east) and latitude (north), in degrees.
  var degrees: PlanePoint {
    PlanePoint(eastMetres: longitudeDegrees, northMetres: latitudeDegrees)
  }
}
