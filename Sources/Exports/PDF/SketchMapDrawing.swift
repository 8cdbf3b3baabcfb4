import Foundation
import Geodesy
import PDFWriting

/// The map on the page: base map, parcel, fields of view, tracks, circles, then photos with their
/// numbers.
struct SketchMapDrawing {
  /// The map's place on the page, in points.
  struct Frame {
    var left: Double
    var top: Double
    var width: Double
    var height: Double
    /// True if the map is next to a picture, with little room for words.
    var isSmall: Bool

    var right: Double { left + width }
    var bottom: Double { top + height }
    var middle: HaruPage.Point { HaruPage.Point(x: left + width / 2, y: top + height / 2) }
  }

  /// The least height of a map over the whole width, in points; on a page with more room it is
  /// higher.
  static let heightAtLeast = 180.0
  private static let heightAtMost = 430.0
  /// The usual height of the legend and the remarks, in points.
  static let wordsHeight = 66.0
  /// The least extent of a map, in metres: a smaller map would show only the receiver's errors.
  private static let metresAtLeast = (small: 60.0, large: 12.0)

  /// The most photos whose numbers have room on a map; further ones would hide each other, and the
  /// photos' own pages have maps with their numbers.
  private static let numbersAtMost = (small: 12, large: 60)

  let map: SketchMap
  let flow: PDFFlow
  let baseMap: Dossier.BaseMap?
  let frame: Frame
  let pointsPerMetre: Double
  /// The length of the scale's bar, in metres: a round length of at most 110 points, or 45 on a
  /// small map.
  let barMetres: Double
  let lightInk: SeeThroughInk
  private let veil: SeeThroughInk

  /// Creates a map at the flow's present place, over the whole width and as high as the page has
  /// room for it.
  /// - Parameter below: the points of the following content that shall fit on the same page.
  init(
    of map: SketchMap, on flow: PDFFlow, over baseMap: Dossier.BaseMap?, keeping below: Double
  ) throws(PDFError) {
    let room = flow.remaining - Self.wordsHeight
    let wanted = room - below < Self.heightAtLeast ? room : room - below
    let height = max(Self.heightAtLeast, min(wanted, Self.heightAtMost))
    try flow.reserve(height)
    try self.init(
      of: map, on: flow, over: baseMap,
      in: Frame(
        left: PDFFlow.left, top: flow.y, width: PDFFlow.width, height: height, isSmall: false))
  }

  /// Creates a map in a frame.
  init(
    of map: SketchMap, on flow: PDFFlow, over baseMap: Dossier.BaseMap?, in frame: Frame
  ) throws(PDFError) {
    self.map = map
    self.flow = flow
    self.baseMap = baseMap
    self.frame = frame
    lightInk = try flow.haru.ink(opacity: 0.22)
    veil = try flow.haru.ink(opacity: 0.3)
    let least = frame.isSmall ? Self.metresAtLeast.small : Self.metresAtLeast.large
    pointsPerMetre = min(
      frame.width * 0.86 / max(map.bounds.width, least),
      frame.height * 0.84 / max(map.bounds.height, least))
    barMetres = Self.roundLength(atMost: (frame.isSmall ? 45 : 110) / pointsPerMetre)
  }

  /// Draws the map with its legend and remarks, and moves down.
  func draw() throws(PDFError) {
    let ground = try drawFigure()
    flow.space(frame.height + 5)
    try drawLegend(isGraticule: ground.isGraticule)
    try drawRemarks(baseMap: ground.baseMap)
  }

  /// Draws the map alone; does not move down.
  @discardableResult
  func drawFigure() throws(PDFError) -> (baseMap: BaseMapState, isGraticule: Bool) {
    let page = flow.page
    let tiles = try baseTiles()
    let lines = graticule()
    page.clipped(x: frame.left, y: frame.top, width: frame.width, height: frame.height) {
      for tile in tiles.drawn {
        page.image(
          tile.image, upperLeft: tile.upperLeft, upperRight: tile.upperRight,
          lowerLeft: tile.lowerLeft)
      }
      if !tiles.drawn.isEmpty {
        // The tiles are made paler, so that the drawing above them is easy to see.
        page.seeThrough(veil) {
          page.rectangle(
            x: frame.left, y: frame.top, width: frame.width, height: frame.height,
            HaruPage.Paint(fill: PDFStyle.white))
        }
      }
      let rings = map.parcel.map { $0.map(point) }
      if tiles.drawn.isEmpty { page.rings(rings, HaruPage.Paint(fill: PDFStyle.tint)) }
      draw(lines, overTiles: !tiles.drawn.isEmpty)
      page.rings(rings, HaruPage.Paint(stroke: PDFStyle.dark, lineWidth: frame.isSmall ? 0.8 : 1.1))
      // Scale and north are drawn before the photos, so that they hide none of them.
      drawScale()
      drawNorth()
      page.seeThrough(lightInk) {
        for mark in map.marks { drawView(of: mark) }
      }
      drawTrails()
      for mark in map.marks { drawPlace(of: mark) }
      drawNumbers()
    }
    page.rectangle(
      x: frame.left, y: frame.top, width: frame.width, height: frame.height,
      HaruPage.Paint(stroke: PDFStyle.muted, lineWidth: 0.6))
    return (tiles.state, !lines.isEmpty)
  }

  /// Converts metres on the plane to points on the page; the middle of the bounds is in the middle
  /// of the frame.
  func point(_ place: PlanePoint) -> HaruPage.Point {
    let middle = map.bounds.middle
    return HaruPage.Point(
      x: frame.middle.x + (place.eastMetres - middle.eastMetres) * pointsPerMetre,
      y: frame.middle.y - (place.northMetres - middle.northMetres) * pointsPerMetre)
  }

  /// Converts points on the page to metres on the plane.
  func place(_ point: HaruPage.Point) -> PlanePoint {
    let middle = map.bounds.middle
    return PlanePoint(
      eastMetres: middle.eastMetres + (point.x - frame.middle.x) / pointsPerMetre,
      northMetres: middle.northMetres - (point.y - frame.middle.y) / pointsPerMetre)
  }

  /// Returns the largest length of 1, 2 or 5 times a power of ten that is at most `length`.
  static func roundLength(atMost length: Double) -> Double {
    let power = pow(10, log10(length).rounded(.down))
    return ([5, 2, 1].first { $0 * power <= length } ?? 1) * power
  }

  private func drawTrails() {
    let paint = HaruPage.Paint(stroke: PDFStyle.trail, lineWidth: 1.2, dash: [3, 2])
    for run in map.trails.flatMap(\.runs) { flow.page.path(run.map(point), paint) }
  }

  // MARK: photos

  /// The drawn length of a field of view, in points; how far a view really reaches is not known.
  private var viewLength: Double { frame.isSmall ? 30 : 58 }

  private func drawView(of mark: SketchMap.Mark) {
    guard let azimuth = mark.azimuthDegreesTrue, let field = mark.fieldDegrees else { return }
    let view = Self.view(
      from: point(mark.place), azimuth: azimuth, field: field, length: viewLength)
    flow.page.rings([view], HaruPage.Paint(fill: PDFStyle.accent))
  }

  static func view(
    from eye: HaruPage.Point, azimuth: Double, field: Double, length: Double
  ) -> [HaruPage.Point] {
    let steps = 16
    let rim = (0...steps).map { step in
      away(from: eye, degrees: azimuth + field * (Double(step) / Double(steps) - 0.5), by: length)
    }
    return [eye] + rim
  }

  private static func away(
    from point: HaruPage.Point, degrees: Double, by length: Double
  ) -> HaruPage.Point {
    let angle = degrees * .pi / 180
    return HaruPage.Point(x: point.x + length * sin(angle), y: point.y - length * cos(angle))
  }

  /// Returns the radius of a photo's circle, in points; nil if it is unknown or larger than the
  /// map's height, where the arc would mean nothing to a reader.
  func radius(of mark: SketchMap.Mark) -> Double? {
    mark.uncertaintyMetres95.map { $0 * pointsPerMetre }.flatMap { $0 <= frame.height ? $0 : nil }
  }

  private func drawPlace(of mark: SketchMap.Mark) {
    let place = point(mark.place)
    if let radius = radius(of: mark), radius > 0 {
      flow.page.circle(
        place, radius: radius, HaruPage.Paint(stroke: PDFStyle.accent, lineWidth: 0.7))
    }
    flow.page.circle(
      place, radius: 2,
      HaruPage.Paint(fill: PDFStyle.accent, stroke: PDFStyle.white, lineWidth: 0.5))
  }

  /// Draws the numbers at places where they hide nothing: opposite to the direction of view if
  /// possible, further away in a crowd.
  private func drawNumbers() {
    let dots = map.marks.map { point($0.place) }
    var labels: [HaruPage.Point] = []
    func draw(_ text: String, at dot: HaruPage.Point, away degrees: Double) {
      let spot = freeSpot(for: dot, away: degrees, dots: dots, labels: labels)
      labels.append(spot)
      drawLabel(text, at: spot, of: dot)
    }
    let numbers = frame.isSmall ? Self.numbersAtMost.small : Self.numbersAtMost.large
    for (mark, dot) in zip(map.marks, dots) where map.marks.count <= numbers {
      draw("\(mark.number)", at: dot, away: (mark.azimuthDegreesTrue ?? 225) + 180)
    }
    for trail in map.trails {
      guard let start = trail.runs.first?.first else { continue }
      draw("T\(trail.number)", at: point(start), away: 315)
    }
  }

  private func drawLabel(_ text: String, at spot: HaruPage.Point, of dot: HaruPage.Point) {
    let style = PDFStyle(face: .bold, size: 7, leading: 9, ink: PDFStyle.accent)
    let width = flow.lineWidth(text, style)
    let half = max(6, width / 2 + 2.5)
    flow.page.line(dot, spot, HaruPage.Paint(stroke: PDFStyle.accent, lineWidth: 0.4))
    flow.page.rectangle(
      x: spot.x - half, y: spot.y - 5.5, width: 2 * half, height: 11,
      HaruPage.Paint(fill: PDFStyle.white, stroke: PDFStyle.accent, lineWidth: 0.5))
    flow.draw(text, x: spot.x - width / 2, top: spot.y - 4.5, style)
  }

  private func freeSpot(
    for dot: HaruPage.Point, away degrees: Double, dots: [HaruPage.Point],
    labels: [HaruPage.Point]
  ) -> HaruPage.Point {
    let taken = [scaleBox, northBox]
    func isFree(_ spot: HaruPage.Point) -> Bool {
      !taken.contains { $0.isTouched(by: spot, halfWidth: 8, halfHeight: 6) }
        && spot.x > frame.left + 8 && spot.x < frame.right - 8 && spot.y > frame.top + 8
        && spot.y < frame.bottom - 8
        && !labels.contains { abs($0.x - spot.x) < 16 && abs($0.y - spot.y) < 12.5 }
        && !dots.contains { abs($0.x - spot.x) < 9 && abs($0.y - spot.y) < 8 }
    }
    let spots = [14.0, 22, 32, 44, 58, 74, 92, 112].lazy.flatMap { radius in
      [0.0, 45, -45, 90, -90, 135, -135, 180].map { turn in
        Self.away(from: dot, degrees: degrees + turn, by: radius)
      }
    }
    return spots.first(where: isFree) ?? Self.away(from: dot, degrees: degrees, by: 14)
  }
}
