// The problem: a person draws a line over a parcel, and the land on either side of the line shall
// be a parcel of its own.
//
// The obvious idea: find the two edges that the line crosses, and join the corners between them to
// the line. A line through a corner crosses two edges there, or none, as rounding will have it; a
// line that begins on the outline, follows an edge or touches a corner from outside is no clearer.
// The rings that come of it overlap, or turn back on themselves.
//
// The solution: exact turns decide on which side of the line each corner lies, and on which side of
// each edge each place of the line lies. If a point lies exactly on the other's straight line, the
// drawn line counts as shifted by less than any number, to the east and far less to the north: the
// whole line in the same way, so that the answers fit together, and nothing is crossed twice or
// half. If that divides nothing, the line is shifted to the other three sides. Only the answers are
// shifted; the new corners are the points where the drawn line meets the outline. At last each
// part must be a sound outline (`RingFlaw`), or the line is refused.
//
// Cost: O(places × corners + places² + n log n), where n is the number of all corners and places;
// four times as much for a line that is refused. Most pairs cost a comparison of rectangles.

/// A division of a piece of land by a line that a person draws over it.
public enum PolygonSplit {
  /// The reason why a line does not divide a piece of land.
  public enum Fault: Error, Hashable, Sendable {
    /// The line has fewer than two different places, or more than `placesAtMost`.
    case noLine
    /// The land has several parts: `PolygonRegion.parts` has more than one.
    case severalParts
    /// The line crosses the outline not exactly twice (one way in, one way out). With 2, the line
    /// begins and ends inside, or follows or touches the outline without dividing the land.
    case crossings(Int)
    /// The line crosses or touches a hole.
    case hole
    /// The line crosses itself within the land.
    case selfCrossing
  }

  /// The most places that a line may have.
  public static let placesAtMost = 1000

  /// Divides land by a line that enters and leaves it once.
  ///
  /// An end of the line exactly on the outline counts as outside. Edges are straight on the plane
  /// around the first corner, which is exact to millimetres for land of 10 km.
  /// - Parameters:
  ///   - rings: the outline, then its holes; no ring repeats its first point.
  ///   - line: the places of the line, in the order in which they were drawn.
  /// - Returns: the rings of the part to the left of the line in its direction, then those of the
  ///   part to the right: first the outline, counter-clockwise, then the holes that lie in it. Both
  ///   parts have the same coordinates along the line.
  /// - Throws: the fault of a line that does not divide the land.
  public static func split(
    _ rings: [[Coordinate]], by line: [Coordinate]
  ) throws(Fault) -> (left: [[Coordinate]], right: [[Coordinate]]) {
    guard (2...placesAtMost).contains(line.count) else { throw .noLine }
    guard let region = PolygonRegion(rings: rings) else { throw .crossings(0) }
    let plane = LocalPlane(origin: region.exterior[0])
    // Beyond a quarter of the Earth other places have the same points on the plane.
    guard region.isFaced(by: plane), line.allSatisfy(plane.facesOrigin) else {
      throw .crossings(0)
    }
    let land = try FlatLand(region, on: plane)
    let drawn = Corner.withoutRepeats(line.map { Corner($0, in: plane) })
    guard drawn.count > 1 else { throw .noLine }
    let prolonged = land.prolonged(drawn)
    let fault: Fault
    do throws(Fault) {
      return try land.parts(by: prolonged, .east)
    } catch {
      fault = error
    }
    for shift in [Shift.west, .north, .south] {
      if let parts = try? land.parts(by: prolonged, shift) { return parts }
    }
    throw fault
  }
}

/// A place with its point on the plane on which the land is divided.
private struct Corner {
  /// The distance within which a new corner is a known one, metres: far below what a person can
  /// draw, and far above the rounding of coordinates.
  static let nearMetres = 1e-6

  let coordinate: Coordinate
  let point: PlanePoint

  init(_ coordinate: Coordinate, in plane: LocalPlane) {
    self.coordinate = coordinate
    point = plane.project(coordinate)
  }

  /// The point as a coordinate, for functions that take degrees as a plane. The factor is a power
  /// of two, which keeps all digits, and makes half the Earth fit into the range of degrees.
  var flat: Coordinate {
    Coordinate(
      computedLatitudeDegrees: point.northMetres * 0x1p-17,
      longitudeDegrees: point.eastMetres * 0x1p-17)
  }

  func squaredMetres(to other: PlanePoint) -> Double {
    let east = other.eastMetres - point.eastMetres
    let north = other.northMetres - point.northMetres
    return east * east + north * north
  }

  /// Returns corners without those that have the same point as the one before.
  static func withoutRepeats(_ corners: [Corner]) -> [Corner] {
    var kept: [Corner] = []
    for corner in corners where corner.point != kept.last?.point { kept.append(corner) }
    return kept
  }
}

/// A step of the whole line, shorter than any number, and a far shorter one across it: to the north
/// or south after one to the east or west, and the other way round.
private enum Shift {
  /// East, then north.
  case east
  /// West, then south.
  case west
  /// North, then east.
  case north
  /// South, then west.
  case south

  /// Returns true if a point on a stretch lies on the left of it after the stretch is shifted.
  func leavesOnLeft(_ stretch: Stretch) -> Bool {
    let (start, end) = (stretch.start, stretch.end)
    let isNorthward = end.northMetres > start.northMetres
    let isWestward = end.eastMetres < start.eastMetres
    switch self {
    case .east, .west:
      let isLevel = end.northMetres == start.northMetres
      return (isLevel ? isWestward : isNorthward) == (self == .east)
    case .north, .south:
      let isUpright = end.eastMetres == start.eastMetres
      return (isUpright ? isNorthward : isWestward) == (self == .north)
    }
  }

  /// Returns true if a point lies further north than a place of the line after the line is shifted.
  func isNorth(_ point: PlanePoint, of place: PlanePoint) -> Bool {
    switch self {
    case .east, .north: point.northMetres > place.northMetres
    case .west, .south: point.northMetres >= place.northMetres
    }
  }
}

/// A straight piece of the line, or an edge of a ring.
private struct Stretch {
  let start: PlanePoint
  let end: PlanePoint
  private let west: Double
  private let east: Double
  private let south: Double
  private let north: Double

  init(start: PlanePoint, end: PlanePoint) {
    (self.start, self.end) = (start, end)
    west = min(start.eastMetres, end.eastMetres)
    east = max(start.eastMetres, end.eastMetres)
    south = min(start.northMetres, end.northMetres)
    north = max(start.northMetres, end.northMetres)
  }

  /// Returns a number above 0 for a point on the left, below 0 on the right, and 0 for a point on
  /// the straight line through the stretch.
  func turn(to point: PlanePoint) -> Double { Orientation.sign(start, end, point) }

  /// Returns true if a point lies on the left after the line is shifted.
  /// - Parameter isDrawn: true for a piece of the line and a corner of the outline, false for an
  ///   edge of the outline and a place of the line.
  func hasOnLeft(_ point: PlanePoint, _ shift: Shift, isDrawn: Bool) -> Bool {
    let sign = turn(to: point)
    return sign == 0 ? shift.leavesOnLeft(self) == isDrawn : sign > 0
  }

  /// Returns true if the rectangles around two stretches have no point in common.
  func isApart(from other: Stretch) -> Bool {
    east < other.west || other.east < west || north < other.south || other.north < south
  }

  /// Returns true if two stretches have a point in common.
  func meets(_ other: Stretch) -> Bool {
    !isApart(from: other) && !hasOnOneSide(other) && !other.hasOnOneSide(self)
  }

  private func hasOnOneSide(_ other: Stretch) -> Bool {
    let first = turn(to: other.start)
    let second = turn(to: other.end)
    return (first > 0 && second > 0) || (first < 0 && second < 0)
  }

  /// Returns true if a point lies exactly on the stretch.
  func holds(_ point: PlanePoint) -> Bool {
    !isApart(from: Stretch(start: point, end: point)) && turn(to: point) == 0
  }

  /// Returns true if the stretch leads back along another one, at whose end it begins.
  func doublesBack(on other: Stretch) -> Bool {
    guard other.turn(to: end) == 0 else { return false }
    let alongEast =
      (other.start.eastMetres - start.eastMetres) * (end.eastMetres - start.eastMetres)
    let alongNorth =
      (other.start.northMetres - start.northMetres) * (end.northMetres - start.northMetres)
    return alongEast + alongNorth > 0
  }

  /// Returns true if pieces that follow each other have more in common than their ends.
  static func cross(_ pieces: [Stretch]) -> Bool {
    for place in pieces.indices.dropFirst() {
      if pieces[place].doublesBack(on: pieces[place - 1]) { return true }
      for earlier in 0..<(place - 1) where pieces[earlier].meets(pieces[place]) { return true }
    }
    return false
  }
}

/// A ring on the plane, in which no corner repeats the one before.
private struct FlatRing {
  let corners: [Corner]

  init(_ corners: [Corner]) {
    var kept = Corner.withoutRepeats(corners)
    while kept.count > 1, kept.first?.point == kept.last?.point { kept.removeLast() }
    self.corners = kept
  }

  var coordinates: [Coordinate] { corners.map(\.coordinate) }
  var flat: [Coordinate] { corners.map(\.flat) }
  var reversed: FlatRing { FlatRing(Array(corners.reversed())) }

  /// The edges: each begins at the corner with its index.
  var sides: [Stretch] {
    corners.indices.map { place in
      let next = place + 1 < corners.count ? corners[place + 1] : corners[0]
      return Stretch(start: corners[place].point, end: next.point)
    }
  }

  /// Twice the area; negative for a clockwise ring.
  var doubledSquareMetres: Double {
    guard let origin = corners.first?.point else { return 0 }
    var sum = 0.0
    for side in sides {
      let startEast = side.start.eastMetres - origin.eastMetres
      let startNorth = side.start.northMetres - origin.northMetres
      let endEast = side.end.eastMetres - origin.eastMetres
      let endNorth = side.end.northMetres - origin.northMetres
      sum += startEast * endNorth - endEast * startNorth
    }
    return sum
  }

  /// True for a counter-clockwise ring that is an outline.
  var isSound: Bool {
    corners.count >= 3 && doubledSquareMetres > 0 && RingFlaw.first(in: [flat]) == nil
  }
}

/// A place on the outline, on the edge with an index.
private struct Gate {
  let corner: Corner
  let edge: Int
}

/// A piece of the line and an edge of the outline that cross, by their indices.
private struct Crossing {
  let piece: Int
  let edge: Int
  /// True if the line enters the land here.
  let isEntry: Bool
}

/// The line within the land: from the gate where it enters to the gate where it leaves.
private struct Way {
  let corners: [Corner]
  let entry: Gate
  let exit: Gate
}

/// A piece of land in one part, on a plane.
private struct FlatLand {
  private let plane: LocalPlane
  /// The outline, counter-clockwise.
  private let outline: FlatRing
  private let sides: [Stretch]
  private let holes: [FlatRing]

  init(_ region: PolygonRegion, on plane: LocalPlane) throws(PolygonSplit.Fault) {
    let rings = region.rings.map { ring in FlatRing(ring.map { Corner($0, in: plane) }) }
    // The parts are those on the plane, because degrees fall apart at the antimeridian.
    let parents = PolygonRegion.parents(of: rings.map(\.flat))
    let outlines = rings.indices.filter {
      PolygonRegion.depth(of: $0, parents).isMultiple(of: 2)
    }
    guard outlines.count == 1 else { throw .severalParts }
    let ring = rings[outlines[0]]
    self.plane = plane
    outline = ring.doubledSquareMetres < 0 ? ring.reversed : ring
    sides = outline.sides
    holes = rings.indices.filter { $0 != outlines[0] }.map { rings[$0] }
  }

  /// Returns a line with a further place outside before or after each end on the outline.
  func prolonged(_ line: [Corner]) -> [Corner] {
    var prolonged = line
    if let first = line.first, let before = outside(of: first) {
      prolonged.insert(before, at: 0)
    }
    if let last = line.last, let after = outside(of: last) { prolonged.append(after) }
    return prolonged
  }

  /// Returns the place a millimetre outside a place that lies exactly on the outline, in the middle
  /// between the edges of a corner; nil for other places.
  private func outside(of place: Corner) -> Corner? {
    var (east, north) = (0.0, 0.0)
    for side in sides where side.holds(place.point) {
      // The outside lies on the right of an edge.
      let alongEast = side.end.eastMetres - side.start.eastMetres
      let alongNorth = side.end.northMetres - side.start.northMetres
      let length = (alongEast * alongEast + alongNorth * alongNorth).squareRoot()
      east += alongNorth / length
      north -= alongEast / length
    }
    let length = (east * east + north * north).squareRoot()
    guard length > 0 else { return nil }
    let point = PlanePoint(
      eastMetres: place.point.eastMetres + east / length * 1e-3,
      northMetres: place.point.northMetres + north / length * 1e-3)
    return Corner(plane.coordinate(of: point), in: plane)
  }

  /// Returns the rings to the left and to the right of a line.
  func parts(
    by line: [Corner], _ shift: Shift
  ) throws(PolygonSplit.Fault) -> (left: [[Coordinate]], right: [[Coordinate]]) {
    let inside = try way(along: line, shift)
    let back = Array(inside.corners.reversed())
    let left = FlatRing(inside.corners + corners(from: inside.exit, to: inside.entry))
    let right = FlatRing(back + corners(from: inside.entry, to: inside.exit))
    guard left.isSound, right.isSound else { throw .crossings(2) }
    var leftRings = [left.coordinates]
    var rightRings = [right.coordinates]
    let (leftFlat, rightFlat) = (left.flat, right.flat)
    for hole in holes {
      // The hole does not meet the line, so one point within it decides for the whole hole.
      let inner = PolygonRegion.innerPoint(hole.flat)
      let isLeft = PolygonRegion.encloses(leftFlat, inner)
      guard isLeft != PolygonRegion.encloses(rightFlat, inner) else { throw .hole }
      if isLeft {
        leftRings.append(hole.coordinates)
      } else {
        rightRings.append(hole.coordinates)
      }
    }
    return (left: leftRings, right: rightRings)
  }

  /// Returns the corners of the outline that lie counter-clockwise between two gates.
  private func corners(from start: Gate, to end: Gate) -> [Corner] {
    let all = outline.corners
    var count = end.edge - start.edge
    if count < 0 { count += all.count }
    if count == 0 {
      // Of two gates in one edge, the nearer one to the edge's start comes first.
      let corner = all[start.edge]
      let isAhead =
        corner.squaredMetres(to: end.corner.point) > corner.squaredMetres(to: start.corner.point)
      if !isAhead { count = all.count }
    }
    return (0..<count).map { all[(start.edge + 1 + $0) % all.count] }
  }

  /// Returns the line within the land.
  private func way(along line: [Corner], _ shift: Shift) throws(PolygonSplit.Fault) -> Way {
    let (found, count) = crossings(of: line, shift)
    guard count == 2, !holds(line[0].point, shift),
      let first = found.first(where: { $0.isEntry }),
      let last = found.first(where: { !$0.isEntry }), first.piece <= last.piece
    else { throw .crossings(count) }
    let entry = Gate(corner: corner(at: first, of: line), edge: first.edge)
    let exit = Gate(corner: corner(at: last, of: line), edge: last.edge)
    var corners = [entry.corner]
    corners.append(contentsOf: line[(first.piece + 1)..<(last.piece + 1)])
    corners.append(exit.corner)
    corners = Corner.withoutRepeats(corners)
    guard corners.count > 1 else { throw .crossings(count) }
    let pieces = zip(corners, corners.dropFirst()).map {
      Stretch(start: $0.point, end: $1.point)
    }
    for side in holes.flatMap(\.sides) {
      if pieces.contains(where: { $0.meets(side) }) { throw .hole }
    }
    if Stretch.cross(pieces) { throw .selfCrossing }
    return Way(corners: corners, entry: entry, exit: exit)
  }

  /// Returns the first two crossings of a line with the outline, and the number of all.
  private func crossings(
    of line: [Corner], _ shift: Shift
  ) -> (first: [Crossing], count: Int) {
    var first: [Crossing] = []
    var count = 0
    for place in line.indices.dropLast() {
      let piece = Stretch(start: line[place].point, end: line[place + 1].point)
      for (edge, side) in sides.enumerated() where !piece.isApart(from: side) {
        let isStartLeft = piece.hasOnLeft(side.start, shift, isDrawn: true)
        let isEndLeft = piece.hasOnLeft(side.end, shift, isDrawn: true)
        guard isStartLeft != isEndLeft else { continue }
        let beginsInside = side.hasOnLeft(piece.start, shift, isDrawn: false)
        let endsInside = side.hasOnLeft(piece.end, shift, isDrawn: false)
        guard beginsInside != endsInside else { continue }
        count += 1
        if count <= 2 {
          first.append(Crossing(piece: place, edge: edge, isEntry: endsInside))
        }
      }
    }
    return (first, count)
  }

  /// Returns true if a place of the line lies inside the outline: an eastward ray from inside
  /// crosses it an odd number of times.
  private func holds(_ place: PlanePoint, _ shift: Shift) -> Bool {
    var isInside = false
    for side in sides {
      let goesNorth = shift.isNorth(side.end, of: place)
      guard shift.isNorth(side.start, of: place) != goesNorth else { continue }
      if side.hasOnLeft(place, shift, isDrawn: false) == goesNorth { isInside.toggle() }
    }
    return isInside
  }

  /// Returns the point of a crossing: a corner of the outline or a place of the line if it is one,
  /// otherwise a new corner on the edge.
  private func corner(at crossing: Crossing, of line: [Corner]) -> Corner {
    let next = crossing.edge + 1 < outline.corners.count ? crossing.edge + 1 : 0
    let (edgeStart, edgeEnd) = (outline.corners[crossing.edge], outline.corners[next])
    let (lineStart, lineEnd) = (line[crossing.piece], line[crossing.piece + 1])
    let side = sides[crossing.edge]
    let piece = Stretch(start: lineStart.point, end: lineEnd.point)
    let startTurn = piece.turn(to: side.start)
    let endTurn = piece.turn(to: side.end)
    if startTurn == 0 { return edgeStart }
    if endTurn == 0 { return edgeEnd }
    if side.turn(to: piece.start) == 0 { return lineStart }
    if side.turn(to: piece.end) == 0 { return lineEnd }
    // The two turns have different signs.
    let share = startTurn / (startTurn - endTurn)
    let east = side.end.eastMetres - side.start.eastMetres
    let north = side.end.northMetres - side.start.northMetres
    let point = PlanePoint(
      eastMetres: side.start.eastMetres + share * east,
      northMetres: side.start.northMetres + share * north)
    for known in [edgeStart, edgeEnd, lineStart, lineEnd]
    where known.squaredMetres(to: point) <= Corner.nearMetres * Corner.nearMetres {
      return known
    }
    return Corner(plane.coordinate(of: point), in: plane)
  }
}
