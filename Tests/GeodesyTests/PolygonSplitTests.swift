import Foundation
import Geodesy
import TestSupport
import Testing

@Suite("Land divided by a line")
struct PolygonSplitTests {
  /// Land with a line over it.
  private struct Drawing {
    var centre: Coordinate
    /// The greatest distance of a corner from the centre, metres.
    var reach: Double
    var outline: [Coordinate]
    var line: [Coordinate]
  }

  /// Returns places from (east, north) pairs in plane metres about a centre.
  private func places(_ pairs: [(Double, Double)], about centre: Coordinate) -> [Coordinate] {
    let plane = LocalPlane(origin: centre)
    return pairs.map { plane.coordinate(of: PlanePoint(eastMetres: $0.0, northMetres: $0.1)) }
  }

  /// Returns the corners of a square about the origin, counter-clockwise from the south-west.
  private func square(_ half: Double) -> [(Double, Double)] {
    [(-half, -half), (half, -half), (half, half), (-half, half)]
  }

  private func star(
    corners: Int, reach: Double, least: Double, _ generator: inout SeededGenerator
  ) -> [(Double, Double)] {
    (0..<corners).map { corner in
      let angle = Double(corner) / Double(corners) * 2 * .pi
      let radius = reach * .random(in: least...1, using: &generator)
      return (radius * cos(angle), radius * sin(angle))
    }
  }

  /// Returns a centre anywhere but at the poles.
  private func randomCentre(_ generator: inout SeededGenerator) throws -> Coordinate {
    try coordinate(
      .random(in: -80...80, using: &generator), .random(in: -180...180, using: &generator))
  }

  /// Returns convex land or a star, in either direction, with a straight line or one with a bend
  /// that divides it: each ray from the middle leaves the land once.
  private func randomDrawing(_ generator: inout SeededGenerator) throws -> Drawing {
    let centre = try randomCentre(&generator)
    let reach = Double.random(in: 200...1000, using: &generator)
    let isConvex = Bool.random(using: &generator)
    let corners = Int.random(in: 3...24, using: &generator)
    var outline = star(
      corners: corners, reach: reach, least: isConvex ? 0.999_999 : 0.4, &generator)
    if Bool.random(using: &generator) { outline.reverse() }
    var middle = (0.0, 0.0)
    if isConvex {
      middle.0 = reach * .random(in: -0.3...0.3, using: &generator)
      middle.1 = reach * .random(in: -0.3...0.3, using: &generator)
    }
    let isBent = Bool.random(using: &generator)
    let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
    let other = isBent ? Double.random(in: 0..<(2 * .pi), using: &generator) : angle + .pi
    let start = (middle.0 + 2 * reach * cos(angle), middle.1 + 2 * reach * sin(angle))
    let end = (middle.0 + 2 * reach * cos(other), middle.1 + 2 * reach * sin(other))
    return Drawing(
      centre: centre, reach: reach, outline: places(outline, about: centre),
      line: places(isBent ? [start, middle, end] : [start, end], about: centre))
  }

  private func region(_ rings: [[Coordinate]]) throws -> PolygonRegion {
    try #require(PolygonRegion(rings: rings))
  }

  private func area(_ rings: [[Coordinate]]) throws -> Double {
    try region(rings).areaSquareMetres
  }

  /// Returns the number of edges that a straight line crosses, in floating point.
  private func crossings(_ line: [Coordinate], _ outline: [Coordinate]) -> Int {
    let plane = LocalPlane(origin: outline[0])
    func turn(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Double {
      (a.eastMetres - c.eastMetres) * (b.northMetres - c.northMetres)
        - (a.northMetres - c.northMetres) * (b.eastMetres - c.eastMetres)
    }
    let (start, end) = (plane.project(line[0]), plane.project(line[1]))
    var count = 0
    for index in outline.indices {
      let one = plane.project(outline[index])
      let other = plane.project(outline[(index + 1) % outline.count])
      let isBetween = turn(start, end, one) * turn(start, end, other) < 0
      if isBetween, turn(one, other, start) * turn(one, other, end) < 0 { count += 1 }
    }
    return count
  }

  @Test("A straight line divides a square, everywhere", arguments: LocalPlaneTests.origins)
  func everywhere(latitude: Double, longitude: Double) throws {
    let centre = try coordinate(latitude, longitude)
    let outline = places(square(100), about: centre)
    let (left, right) = try PolygonSplit.split(
      [outline], by: places([(-20, -150), (-20, 150)], about: centre))
    #expect(left.map(\.count) == [4])
    #expect(right.map(\.count) == [4])
    // At a pole the area on the ellipsoid itself is that exact.
    let tolerance = abs(latitude) > 89 ? 2 : 0.02
    #expect(abs(try area(left) - 16_000) < tolerance)
    #expect(abs(try area(right) - 24_000) < tolerance)
    let (west, east) = (try region(left), try region(right))
    let ends = places([(-60, 0), (60, 0)], about: centre)
    #expect(west.contains(ends[0]) && !west.contains(ends[1]))
    #expect(east.contains(ends[1]) && !east.contains(ends[0]))
  }

  @Test("Both parts add up to the land, and share the corners along the line and no others")
  func sums() throws {
    try forEachSeed(0..<300) { seed, generator in
      let drawing = try randomDrawing(&generator)
      let (left, right) = try PolygonSplit.split([drawing.outline], by: drawing.line)
      #expect(left.count == 1 && right.count == 1, "seed \(seed)")
      let whole = try area([drawing.outline])
      let sum = try area(left) + area(right)
      #expect(abs(sum - whole) <= 1e-6 * whole, "seed \(seed)")

      let shared = Set(left[0]).intersection(right[0])
      let all = Set(left[0]).union(right[0])
      #expect(shared.count == drawing.line.count, "seed \(seed)")
      #expect(shared.isDisjoint(with: drawing.outline), "seed \(seed)")
      #expect(all == shared.union(drawing.outline), "seed \(seed)")
      for bend in drawing.line.dropFirst().dropLast() {
        #expect(shared.contains(bend), "seed \(seed)")
      }
      for ring in left + right {
        #expect(ring.count == Set(ring).count, "seed \(seed)")
        #expect(Geodesic.polygon(ring).isCounterClockwise, "seed \(seed)")
      }
    }
  }

  @Test("The left part lies on the left of a straight line, the right part on the right")
  func sides() throws {
    try forEachSeed(0..<100) { seed, generator in
      let drawing = try randomDrawing(&generator)
      guard drawing.line.count == 2 else { return }
      let (left, right) = try PolygonSplit.split([drawing.outline], by: drawing.line)
      // On the plane around its first place the line is a straight one.
      let plane = LocalPlane(origin: drawing.line[0])
      let end = plane.project(drawing.line[1])
      let length = (end.eastMetres * end.eastMetres + end.northMetres * end.northMetres)
        .squareRoot()
      func metresToTheLeft(_ corner: Coordinate) -> Double {
        let point = plane.project(corner)
        let turn = end.eastMetres * point.northMetres - end.northMetres * point.eastMetres
        return turn / length
      }
      #expect(left[0].allSatisfy { metresToTheLeft($0) > -0.01 }, "seed \(seed)")
      #expect(right[0].allSatisfy { metresToTheLeft($0) < 0.01 }, "seed \(seed)")
    }
  }

  @Test("A place of the land lies in exactly one part, any other place in none")
  func membership() throws {
    try forEachSeed(0..<100) { seed, generator in
      let drawing = try randomDrawing(&generator)
      let parts = try PolygonSplit.split([drawing.outline], by: drawing.line)
      let (left, right) = (try region(parts.left), try region(parts.right))
      let whole = try region([drawing.outline])
      for _ in 0..<20 {
        let place = Geodesic.direct(
          from: drawing.centre, initialAzimuthDegrees: .random(in: 0..<360, using: &generator),
          distanceMetres: drawing.reach * .random(in: 0...1.1, using: &generator))
        let count = [left, right].count { $0.contains(place) }
        #expect(count == (whole.contains(place) ? 1 : 0), "seed \(seed)")
        #expect((left.distanceMetres(to: place) == 0) == left.contains(place), "seed \(seed)")
        #expect((right.distanceMetres(to: place) == 0) == right.contains(place), "seed \(seed)")
      }
    }
  }

  @Test("The reversed line divides the land at the same corners, and swaps left and right")
  func reversed() throws {
    try forEachSeed(0..<100) { seed, generator in
      let drawing = try randomDrawing(&generator)
      let there = try PolygonSplit.split([drawing.outline], by: drawing.line)
      let back = try PolygonSplit.split([drawing.outline], by: Array(drawing.line.reversed()))
      #expect(Set(there.left[0]) == Set(back.right[0]), "seed \(seed)")
      #expect(Set(there.right[0]) == Set(back.left[0]), "seed \(seed)")
    }
  }

  @Test("A straight line that does not divide is refused with the number of its crossings")
  func counts() throws {
    var divided = 0
    try forEachSeed(0..<300) { seed, generator in
      let centre = try randomCentre(&generator)
      let corners = Int.random(in: 5...16, using: &generator)
      let outline = places(
        star(corners: corners, reach: 500, least: 0.4, &generator), about: centre)
      let ends = (0..<2).map { _ in
        (
          Double.random(in: -600...600, using: &generator),
          Double.random(in: -600...600, using: &generator)
        )
      }
      let line = places(ends, about: centre)
      let count = crossings(line, outline)
      let beginsInside = try region([outline]).contains(line[0])
      if count == 2, !beginsInside {
        let parts = try PolygonSplit.split([outline], by: line)
        #expect(parts.left.count == 1 && parts.right.count == 1, "seed \(seed)")
        divided += 1
      } else {
        #expect(throws: PolygonSplit.Fault.crossings(count), "seed \(seed)") {
          try PolygonSplit.split([outline], by: line)
        }
      }
    }
    #expect((20...250).contains(divided))
  }

  @Test("A line with bends divides along them")
  func bends() throws {
    let centre = try coordinate(49, 16)
    let outline = places(square(100), about: centre)
    let line = places([(-150, 0), (0, 0), (0, 50), (150, 50)], about: centre)
    let (left, right) = try PolygonSplit.split([outline], by: line)
    #expect(abs(try area(left) - 15_000) < 0.02)
    #expect(abs(try area(right) - 25_000) < 0.02)
    let shared = Set(left[0]).intersection(right[0])
    #expect(shared.count == 4)
    #expect(shared.isSuperset(of: line[1...2]))
  }

  @Test("A line of as many places as allowed divides, one more is refused")
  func manyPlaces() throws {
    let centre = try coordinate(49, 16)
    let outline = places(square(100), about: centre)
    let line = places((0...1000).map { (10, Double($0) * 0.3 - 150) }, about: centre)
    let most = Array(line.prefix(PolygonSplit.placesAtMost))
    let (left, right) = try PolygonSplit.split([outline], by: most)
    #expect(abs(try area(left) - 22_000) < 0.02)
    #expect(abs(try area(right) - 18_000) < 0.02)
    for few in [line, Array(line.prefix(1)), [], [line[0], line[0], line[0]]] {
      #expect(throws: PolygonSplit.Fault.noLine) { try PolygonSplit.split([outline], by: few) }
    }
  }

  @Test(
    "A hole goes to its side, also across the antimeridian; a line over it is refused",
    arguments: LocalPlaneTests.origins)
  func holes(latitude: Double, longitude: Double) throws {
    let centre = try coordinate(latitude, longitude)
    let hole = places([(40, -20), (80, -20), (80, 20), (40, 20)], about: centre)
    let rings = [places(square(100), about: centre), hole]
    let (left, right) = try PolygonSplit.split(
      rings, by: places([(0, -150), (0, 150)], about: centre))
    #expect(left.count == 1)
    #expect(right.count == 2)
    #expect(right.last == hole)
    let (west, east) = (try region(left), try region(right))
    let spots = places([(-50, 0), (20, 0), (60, 0)], about: centre)
    #expect(spots.map(west.contains) == [true, false, false])
    #expect(spots.map(east.contains) == [false, true, false])

    let over = places([(60, -150), (60, 150)], about: centre)
    let ends = places([(20, -150), (20, 150)], about: centre)
    // The second line only touches the hole's first corner.
    for line in [over, [ends[0], hole[0], ends[1]]] {
      #expect(throws: PolygonSplit.Fault.hole) { try PolygonSplit.split(rings, by: line) }
    }
    #expect(throws: PolygonSplit.Fault.crossings(1)) {
      try PolygonSplit.split(rings, by: [over[0], spots[2]])
    }
  }

  @Test("The areas of land with holes add up")
  func areasWithHoles() throws {
    let centre = try coordinate(-33, -70)
    let rings = [
      places(square(100), about: centre),
      places([(40, -20), (80, -20), (80, 20), (40, 20)], about: centre),
      places([(-80, 50), (-60, 50), (-60, 90)], about: centre),
      places([(30, 60), (30, 90), (70, 60)], about: centre),
    ]
    let (left, right) = try PolygonSplit.split(
      rings, by: places([(-5, -150), (10, 150)], about: centre))
    #expect(left.count == 2)
    #expect(right.count == 3)
    #expect(abs(try area(left) + area(right) - area(rings)) < 0.02)
  }

  @Test("Lines that miss, or begin or end inside, are refused")
  func noWayThrough() throws {
    let centre = try coordinate(49, 16)
    let outline = places(square(100), about: centre)
    let cases: [(line: [(Double, Double)], count: Int)] = [
      ([(-150, 120), (150, 130)], 0), ([(-10, 0), (10, 0)], 0), ([(-150, 0), (10, 0)], 1),
      ([(10, 0), (150, 0)], 1), ([(-10, 0), (150, 0), (-10, 5)], 2),
    ]
    for (line, count) in cases {
      #expect(throws: PolygonSplit.Fault.crossings(count), "\(line)") {
        try PolygonSplit.split([outline], by: places(line, about: centre))
      }
    }
    // The other side of the Earth has points on the plane, too.
    let antipode = try coordinate(-49, -164)
    #expect(throws: PolygonSplit.Fault.crossings(0)) {
      try PolygonSplit.split(
        [outline], by: places([(0, -150), (0, 150)], about: antipode))
    }
    #expect(throws: PolygonSplit.Fault.crossings(0)) {
      try PolygonSplit.split([], by: places([(0, -150), (0, 150)], about: centre))
    }
  }

  @Test("A line over both arms of a U is refused, one over a single arm divides")
  func horseshoe() throws {
    let centre = try coordinate(49, 16)
    let outline = places(
      [(0, 0), (90, 0), (90, 90), (60, 90), (60, 30), (30, 30), (30, 90), (0, 90)], about: centre)
    #expect(throws: PolygonSplit.Fault.crossings(4)) {
      try PolygonSplit.split([outline], by: places([(-20, 60), (110, 60)], about: centre))
    }
    let (left, right) = try PolygonSplit.split(
      [outline], by: places([(-20, 60), (45, 60)], about: centre))
    #expect(abs(try area(left) - 900) < 0.02)
    #expect(abs(try area(right) - 5400) < 0.02)
  }

  @Test("Land in several parts is refused, also an island in a lake")
  func severalParts() throws {
    let centre = try coordinate(49, 16)
    let line = places([(0, -150), (0, 150)], about: centre)
    let further = places([(200, 0), (300, 0), (300, 100)], about: centre)
    let squares = [100.0, 60, 20].map { places(square($0), about: centre) }
    for rings in [[squares[0], further], squares] {
      #expect(throws: PolygonSplit.Fault.severalParts) {
        try PolygonSplit.split(rings, by: line)
      }
    }
  }

  @Test("A line that crosses itself is refused within the land, and divides it from outside")
  func selfCrossing() throws {
    let centre = try coordinate(49, 16)
    let outline = places(square(100), about: centre)
    for line in [
      [(0, -150), (0, 50), (50, 50), (50, 0), (-150, 0)],
      [(0, -150), (0, -20), (20, 50), (0, -20), (150, 0)],
    ] as [[(Double, Double)]] {
      #expect(throws: PolygonSplit.Fault.selfCrossing, "\(line)") {
        try PolygonSplit.split([outline], by: places(line, about: centre))
      }
    }
    let loop: [(Double, Double)] = [
      (-10, -140), (10, -120), (10, -140), (-10, -120), (0, 150),
    ]
    let (left, right) = try PolygonSplit.split([outline], by: places(loop, about: centre))
    #expect(abs(try area(left) + area(right) - 40_000) < 0.02)
  }

  @Test("A line from corner to corner, or through corners, uses these corners and makes no others")
  func cornerToCorner() throws {
    for (latitude, longitude) in LocalPlaneTests.origins {
      let centre = try coordinate(latitude, longitude)
      let outline = places(square(100), about: centre)
      let far = places(square(150), about: centre)
      for first in outline.indices {
        let (second, third, fourth) = ((first + 1) % 4, (first + 2) % 4, (first + 3) % 4)
        let (start, end) = (outline[first], outline[third])
        for line in [[start, end], [far[first], start, end, far[third]]] {
          let (left, right) = try PolygonSplit.split([outline], by: line)
          #expect(Set(left[0]) == [start, end, outline[fourth]])
          #expect(Set(right[0]) == [start, end, outline[second]])
          #expect(left[0].count == 3 && right[0].count == 3)
        }
      }
    }
  }

  @Test("A line from the inner corner of an L divides it, whatever way the L is turned")
  func innerCorner() throws {
    let centre = try coordinate(49, 16)
    var shape: [(Double, Double)] = [(0, 0), (100, 0), (100, 50), (50, 50), (50, 100), (0, 100)]
    var (west, south): ((Double, Double), (Double, Double)) = ((-20, 50), (50, -20))
    for _ in 0..<4 {
      let outline = places(shape, about: centre)
      let inner = outline[3]
      let ends = places([west, south], about: centre) + [outline[0]]
      for (end, expected) in zip(ends, [5000.0, 2500, 3750]) {
        let (left, right) = try PolygonSplit.split([outline], by: [inner, end])
        #expect(abs(try area(left) - expected) < 0.02)
        #expect(abs(try area(right) - (7500 - expected)) < 0.02)
        #expect(left[0].contains(inner) && right[0].contains(inner))
      }
      shape = shape.map { (-$0.1, $0.0) }
      (west, south) = ((-west.1, west.0), (-south.1, south.0))
    }
  }

  @Test("A place of the line exactly on an edge is the corner of both parts")
  func onEdge() throws {
    // The southern edge is on the equator, the western one on a meridian: nothing is rounded.
    let outline = try coordinates([(0, 0), (0, 0.01), (0.01, 0.01), (0.01, 0)])
    let whole = try area([outline])
    let lines: [(line: [(Double, Double)], place: (Double, Double))] = [
      ([(0, 0.004), (0.02, 0.004)], (0, 0.004)), ([(0.02, 0.004), (0, 0.004)], (0, 0.004)),
      ([(-0.01, 0.004), (0, 0.004), (0.02, 0.005)], (0, 0.004)),
      ([(0.004, 0), (0.004, 0.02)], (0.004, 0)), ([(0.004, 0), (0, 0.004)], (0.004, 0)),
    ]
    for (line, place) in lines {
      let (left, right) = try PolygonSplit.split([outline], by: try coordinates(line))
      let corner = try coordinate(place.0, place.1)
      #expect(left[0].contains(corner) && right[0].contains(corner), "\(line)")
      #expect(left[0].count + right[0].count == 8, "\(line)")
      #expect(abs(try area(left) + area(right) - whole) <= 1e-6 * whole, "\(line)")
    }
  }

  @Test("A line that touches a corner or follows an edge is refused unless it goes on through")
  func touching() throws {
    let centre = try coordinate(49, 16)
    let outline = places(square(100), about: centre)
    let outside = places([(-150, -120), (-120, -150), (200, -200), (-20, 150)], about: centre)
    for line in [
      [outside[0], outline[0], outside[1]], [outline[0], outline[1]],
      [outline[0], outline[1], outside[2]],
    ] {
      #expect(throws: PolygonSplit.Fault.self) { try PolygonSplit.split([outline], by: line) }
    }
    let (left, right) = try PolygonSplit.split(
      [outline], by: [outline[0], outline[1], outside[3]])
    #expect(abs(try area(left) - 30_400) < 0.02)
    #expect(abs(try area(right) - 9600) < 0.02)
  }

  @Test("Lines from corner to corner in any order never make a broken part")
  func neverBroken() throws {
    let centre = try coordinate(49, 16)
    var divided = 0
    try forEachSeed(0..<300) { seed, generator in
      let corners = Int.random(in: 5...12, using: &generator)
      let outline = places(
        star(corners: corners, reach: 100, least: 0.4, &generator), about: centre)
      var line: [Coordinate] = []
      for _ in 0..<Int.random(in: 2...4, using: &generator) {
        let place = (
          Double.random(in: -120...120, using: &generator),
          Double.random(in: -120...120, using: &generator)
        )
        if Double.random(in: 0..<1, using: &generator) < 0.6 {
          line.append(outline[Int.random(in: outline.indices, using: &generator)])
        } else {
          line += places([place], about: centre)
        }
      }
      guard let parts = try? PolygonSplit.split([outline], by: line) else { return }
      divided += 1
      let (left, right) = (parts.left, parts.right)
      let whole = try area([outline])
      #expect(abs(try area(left) + area(right) - whole) < 0.01, "seed \(seed)")
      for ring in left + right {
        #expect(RingFlaw.first(in: [ring]) == nil, "seed \(seed)")
        #expect(ring.count >= 3 && ring.count == Set(ring).count, "seed \(seed)")
      }
    }
    #expect((30...270).contains(divided))
  }

  @Test("Land across the antimeridian is divided like any other", arguments: [-17.0, 0, 65])
  func antimeridian(latitude: Double) throws {
    let centre = try coordinate(latitude, 179.999)
    let outline = places(square(1000), about: centre)
    #expect(Set(outline.map { $0.longitudeDegrees > 0 }).count == 2)
    // The line runs to the east, over the antimeridian.
    let (left, right) = try PolygonSplit.split(
      [outline], by: places([(-1500, 100), (1500, 100)], about: centre))
    #expect(abs(try area(left) - 1_800_000) < 2)
    #expect(abs(try area(right) - 2_200_000) < 2)
    let spots = places([(-900, 500), (900, 500), (-900, -500), (900, -500)], about: centre)
    let (north, south) = (try region(left), try region(right))
    #expect(spots.map(north.contains) == [true, true, false, false])
    #expect(spots.map(south.contains) == [false, false, true, true])
  }
}
