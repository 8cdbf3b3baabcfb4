import Foundation
import Geodesy

/// The map on the page: parcel, fields of view, tracks, circles, then photos with their numbers.
struct SketchMapDrawing {
  /// Points; on a page with more room it is higher.
  static let heightAtLeast = 230.0
  private static let heightAtMost = 400.0
  /// Points that legend and remarks take, mostly.
  static let wordsHeight = 66.0
  /// Points; how far a view reaches is not known.
  private static let viewLength = 58.0
  /// A map of less would show nothing but the receiver's errors.
  private static let metresAtLeast = 12.0

  private let map: SketchMap
  private let flow: PDFFlow
  private let height: Double
  private let top: Double
  private let left = PDFFlow.left
  private let right = PDFFlow.left + PDFFlow.width
  private let pointsPerMetre: Double
  private let gridMetres: Double
  private let lightInk: SeeThroughInk

  /// A map here, as high as the page has room for it.
  init(of map: SketchMap, on flow: PDFFlow) throws(PDFError) {
    self.map = map
    self.flow = flow
    height = max(Self.heightAtLeast, min(flow.remaining - Self.wordsHeight, Self.heightAtMost))
    try flow.reserve(height)
    top = flow.y
    lightInk = try flow.haru.ink(opacity: 0.16)
    pointsPerMetre = min(
      PDFFlow.width * 0.86 / max(map.bounds.width, Self.metresAtLeast),
      height * 0.84 / max(map.bounds.height, Self.metresAtLeast))
    gridMetres = Self.roundLength(atMost: 110 / pointsPerMetre)
  }

  func draw() throws(PDFError) {
    let page = flow.page
    page.clipped(x: left, y: top, width: PDFFlow.width, height: height) {
      let rings = map.parcel.map { $0.map(point) }
      page.rings(rings, HaruPage.Paint(fill: PDFStyle.tint))
      drawGrid()
      page.rings(rings, HaruPage.Paint(stroke: PDFStyle.dark, lineWidth: 1.1))
      page.seeThrough(lightInk) {
        for mark in map.marks { drawView(of: mark) }
      }
      drawTrails()
      for mark in map.marks { drawPlace(of: mark) }
      drawNumbers()
    }
    page.rectangle(
      x: left, y: top, width: PDFFlow.width, height: height,
      HaruPage.Paint(stroke: PDFStyle.muted, lineWidth: 0.6))
    drawScale()
    drawNorth()
    flow.space(height + 5)
    try drawLegend()
    try drawRemarks()
  }

  /// Metres to points, with the middle of the bounds in the middle of the frame.
  private func point(_ place: PlanePoint) -> HaruPage.Point {
    let bounds = map.bounds
    return HaruPage.Point(
      x: left + PDFFlow.width / 2
        + (place.eastMetres - (bounds.west + bounds.east) / 2) * pointsPerMetre,
      y: top + height / 2
        - (place.northMetres - (bounds.south + bounds.north) / 2) * pointsPerMetre)
  }

  // MARK: ground

  /// 1, 2 or 5 times a power of ten.
  private static func roundLength(atMost metres: Double) -> Double {
    let power = pow(10, log10(metres).rounded(.down))
    return ([5, 2, 1].first { $0 * power <= metres } ?? 1) * power
  }

  private func drawGrid() {
    let paint = HaruPage.Paint(stroke: PDFStyle.hairline, lineWidth: 0.3)
    let step = gridMetres * pointsPerMetre
    let origin = point(PlanePoint(eastMetres: 0, northMetres: 0))
    var x = origin.x - ((origin.x - left) / step).rounded(.down) * step
    while x < right {
      flow.page.line(
        HaruPage.Point(x: x, y: top), HaruPage.Point(x: x, y: top + height), paint)
      x += step
    }
    var y = origin.y - ((origin.y - top) / step).rounded(.down) * step
    while y < top + height {
      flow.page.line(HaruPage.Point(x: left, y: y), HaruPage.Point(x: right, y: y), paint)
      y += step
    }
  }

  private func drawTrails() {
    let paint = HaruPage.Paint(stroke: PDFStyle.muted, lineWidth: 1, dash: [3, 2])
    for run in map.trails.flatMap(\.runs) { flow.page.path(run.map(point), paint) }
  }

  // MARK: photos

  private func drawView(of mark: SketchMap.Mark) {
    guard let azimuth = mark.azimuthDegreesTrue, let field = mark.fieldDegrees else { return }
    let view = Self.view(
      from: point(mark.place), azimuth: azimuth, field: field, length: Self.viewLength)
    flow.page.rings([view], HaruPage.Paint(fill: PDFStyle.accent))
  }

  private static func view(
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

  /// Nil when unknown, and for a circle wider than the map: an arc that nobody understands.
  private func radius(of mark: SketchMap.Mark) -> Double? {
    mark.uncertaintyMetres95.map { $0 * pointsPerMetre }.flatMap { $0 <= height ? $0 : nil }
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

  /// Numbers stand where they hide nothing: behind the camera if possible, further away in a crowd.
  private func drawNumbers() {
    let dots = map.marks.map { point($0.place) }
    var labels: [HaruPage.Point] = []
    func draw(_ text: String, at dot: HaruPage.Point, away degrees: Double) {
      let spot = freeSpot(for: dot, away: degrees, dots: dots, labels: labels)
      labels.append(spot)
      drawLabel(text, at: spot, of: dot)
    }
    for (mark, dot) in zip(map.marks, dots) {
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
    func isFree(_ spot: HaruPage.Point) -> Bool {
      spot.x > left + 8 && spot.x < right - 8 && spot.y > top + 8 && spot.y < top + height - 8
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

  // MARK: scale and north

  private func drawScale() {
    let style = PDFStyle(face: .regular, size: 7.2, leading: 9, ink: PDFStyle.dark)
    let length = gridMetres * pointsPerMetre
    let words = PDFWords.step(gridMetres)
    let x = left + 12
    let y = top + height - 12
    flow.page.rectangle(
      x: x - 6, y: y - 9, width: length + flow.lineWidth(words, style) + 18, height: 15,
      HaruPage.Paint(fill: PDFStyle.white))
    flow.page.path(
      [
        HaruPage.Point(x: x, y: y - 4), HaruPage.Point(x: x, y: y),
        HaruPage.Point(x: x + length, y: y), HaruPage.Point(x: x + length, y: y - 4),
      ], HaruPage.Paint(stroke: PDFStyle.dark, lineWidth: 0.9))
    flow.draw(words, x: x + length + 6, top: y - 6, style)
  }

  private func drawNorth() {
    let style = PDFStyle(face: .bold, size: 8, leading: 10, ink: PDFStyle.dark)
    let x = right - 20
    flow.page.rectangle(
      x: x - 10, y: top + 5, width: 20, height: 36, HaruPage.Paint(fill: PDFStyle.white))
    flow.page.rings(
      [
        [
          HaruPage.Point(x: x, y: top + 8), HaruPage.Point(x: x + 5.5, y: top + 27),
          HaruPage.Point(x: x, y: top + 23), HaruPage.Point(x: x - 5.5, y: top + 27),
        ]
      ], HaruPage.Paint(fill: PDFStyle.dark))
    let word = PDFWords.north
    flow.draw(word, x: x - flow.lineWidth(word, style) / 2, top: top + 28.5, style)
  }

  // MARK: legend

  private enum Symbol {
    case parcel
    case photo
    case view
    case track
    case grid
  }

  private func drawLegend() throws(PDFError) {
    var items: [(Symbol, String)] = []
    if let identifier = map.parcelIdentifier {
      items.append((.parcel, PDFWords.mapParcel(identifier)))
    }
    if !map.marks.isEmpty { items += [(.photo, PDFWords.mapPhoto), (.view, PDFWords.mapView)] }
    if !map.trails.isEmpty { items.append((.track, PDFWords.mapTrack)) }
    items.append((.grid, PDFWords.mapGrid(PDFWords.step(gridMetres))))
    let style = PDFStyle.small
    var x = left
    for (symbol, text) in items {
      // A parcel's identifier may be of any length; it stands in full above.
      let words = flow.typeface(style).elided(text, size: style.size, width: PDFFlow.width - 40)
      let width = 19 + flow.lineWidth(words, style)
      if x > left, x + width > right {
        flow.space(style.leading + 2)
        x = left
      }
      try flow.reserve(style.leading + 2)
      draw(symbol, x: x, y: flow.y + style.leading / 2)
      flow.draw(words, x: x + 19, leading: style.leading, style)
      x += width + 14
    }
    flow.space(style.leading + 4)
  }

  private func draw(_ symbol: Symbol, x: Double, y: Double) {
    let page = flow.page
    switch symbol {
    case .parcel:
      page.rectangle(
        x: x, y: y - 4, width: 14, height: 8,
        HaruPage.Paint(fill: PDFStyle.tint, stroke: PDFStyle.dark, lineWidth: 1))
    case .photo:
      let middle = HaruPage.Point(x: x + 7, y: y)
      page.circle(middle, radius: 4.5, HaruPage.Paint(stroke: PDFStyle.accent, lineWidth: 0.7))
      page.circle(middle, radius: 1.8, HaruPage.Paint(fill: PDFStyle.accent))
    case .view:
      page.seeThrough(lightInk) {
        let view = Self.view(
          from: HaruPage.Point(x: x, y: y), azimuth: 90, field: 66, length: 13)
        page.rings([view], HaruPage.Paint(fill: PDFStyle.accent))
      }
    case .track:
      page.line(
        HaruPage.Point(x: x, y: y), HaruPage.Point(x: x + 14, y: y),
        HaruPage.Paint(stroke: PDFStyle.muted, lineWidth: 1, dash: [3, 2]))
    case .grid:
      page.rectangle(
        x: x + 3, y: y - 4, width: 8, height: 8,
        HaruPage.Paint(stroke: PDFStyle.hairline, lineWidth: 0.6))
    }
  }

  // MARK: remarks

  /// What the drawing cannot say.
  private func drawRemarks() throws(PDFError) {
    var remarks = [
      PDFWords.mapCentre(
        PDFWords.degrees(map.centre.latitudeDegrees),
        PDFWords.degrees(map.centre.longitudeDegrees))
    ]
    let withoutCircle = map.marks.filter { radius(of: $0) == nil }
    if !withoutCircle.isEmpty { remarks.append(PDFWords.mapNoCircle(withoutCircle.map(\.number))) }
    let withoutView = map.marks.filter { $0.azimuthDegreesTrue == nil || $0.fieldDegrees == nil }
    if !withoutView.isEmpty { remarks.append(PDFWords.mapNoView(withoutView.map(\.number))) }
    for far in map.farMarks {
      remarks.append(
        PDFWords.mapFar(
          far.number, PDFWords.distance(far.distanceMetres),
          PDFWords.bearing(far.bearingDegrees)))
    }
    for trail in map.trails where trail.leaves {
      remarks.append(PDFWords.mapTrackCut(trail.number))
    }
    for remark in remarks { try flow.paragraph(remark, .small) }
  }
}
