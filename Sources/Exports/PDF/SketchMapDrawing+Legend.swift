import Geodesy
import PDFWriting

/// The legend and the remarks below a map.
extension SketchMapDrawing {
  // MARK: legend

  private enum Symbol {
    case parcel
    case photo
    case view
    case track
    case grid
  }

  func drawLegend(isGraticule: Bool) throws(PDFError) {
    var items: [(Symbol, String)] = []
    if let identifier = map.parcelIdentifier {
      items.append((.parcel, flow.words.onMap.parcel(identifier)))
    }
    if !map.marks.isEmpty {
      items += [(.photo, flow.words.onMap.photo), (.view, flow.words.onMap.view)]
    }
    if !map.trails.isEmpty { items.append((.track, flow.words.onMap.track)) }
    if isGraticule { items.append((.grid, flow.words.onMap.graticule)) }
    let style = PDFStyle.small
    var x = PDFFlow.left
    for (symbol, text) in items {
      // A parcel's identifier may be of any length, so it is cut here; the task's page has it in
      // full.
      let words = flow.typeface(style).elided(text, size: style.size, width: PDFFlow.width - 40)
      let width = 19 + flow.lineWidth(words, style)
      if x > PDFFlow.left, x + width > PDFFlow.left + PDFFlow.width {
        flow.space(style.leading + 2)
        x = PDFFlow.left
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
        HaruPage.Paint(stroke: PDFStyle.trail, lineWidth: 1.2, dash: [3, 2]))
    case .grid:
      page.rectangle(
        x: x + 3, y: y - 4, width: 8, height: 8,
        HaruPage.Paint(stroke: PDFStyle.hairline, lineWidth: 0.6))
    }
  }

  // MARK: remarks

  /// Draws the remarks on everything that the drawing cannot show.
  func drawRemarks(baseMap state: BaseMapState) throws(PDFError) {
    var remarks = [
      flow.words.onMap.centre(
        flow.words.place(map.centre))
    ]
    if let baseMap {
      switch state {
      case .drawn: remarks.append(flow.words.onMap.base(baseMap.title, baseMap.attribution))
      case .empty: remarks.append(flow.words.onMap.baseEmpty(baseMap.title))
      case .absent: break
      }
    }
    let withoutCircle = map.marks.filter { radius(of: $0) == nil }
    if !withoutCircle.isEmpty {
      remarks.append(flow.words.onMap.noCircle(withoutCircle.map(\.number)))
    }
    let withoutView = map.marks.filter { $0.azimuthDegreesTrue == nil || $0.fieldDegrees == nil }
    if !withoutView.isEmpty { remarks.append(flow.words.onMap.noView(withoutView.map(\.number))) }
    for far in map.farMarks {
      remarks.append(
        flow.words.onMap.far(
          far.number, flow.words.distance(far.distanceMetres),
          flow.words.bearing(far.bearingDegrees)))
    }
    for trail in map.trails where trail.leaves {
      remarks.append(flow.words.onMap.trackCut(trail.number))
    }
    for remark in remarks { try flow.paragraph(remark, .small) }
  }
}
