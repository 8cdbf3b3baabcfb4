import Inspection
import PDFWriting
import Positioning
import TimeAndText

/// The pages behind the photos: order and history unless the cover has them, the map of everything,
/// the tracks, and the evidence in small print. They follow each other without a page's end between
/// them, so that no page stays nearly empty.
struct PDFClosing {
  let dossier: Dossier
  /// True if the order and the history stand here.
  let withOrder: Bool
  let evidence: PDFEvidence
  let flow: PDFFlow

  private var words: DocumentWords { flow.words }
  private var order: PDFOrder { PDFOrder(task: dossier.task, dossier: dossier, flow: flow) }

  func draw() throws(PDFError) {
    if withOrder { try order.draw() }
    try drawMap()
    try drawTracks()
    try evidence.draw(on: flow)
  }

  private func drawMap() throws(PDFError) {
    let photos = dossier.photos.map(\.photo)
    // The cover's map shows a parcel alone well enough.
    guard !photos.isEmpty || !dossier.tracks.isEmpty else { return }
    guard let map = SketchMap(of: dossier.task.parcel, photos: photos, tracks: dossier.tracks)
    else { return }
    try flow.heading(
      words.map, keeping: SketchMapDrawing.heightAtLeast + SketchMapDrawing.wordsHeight)
    flow.haru.bookmark(words.map, at: flow.page)
    let tracks = dossier.tracks.enumerated().reduce(0.0) {
      $0 + PDFTrack(track: $1.element, number: $1.offset + 1, dossier: dossier, flow: flow).height
    }
    let below = evidence.height(on: flow) + (tracks > 0 ? PDFFlow.headingHeight + tracks : 0)
    try SketchMapDrawing(of: map, on: flow, over: dossier.baseMap, keeping: below).draw()
  }

  private func drawTracks() throws(PDFError) {
    guard !dossier.tracks.isEmpty else { return }
    try flow.heading(words.tracks, keeping: PDFTrack.mapHeight)
    let all = flow.haru.bookmark(words.tracks, at: flow.page)
    for (index, track) in dossier.tracks.enumerated() {
      let drawing = PDFTrack(track: track, number: index + 1, dossier: dossier, flow: flow)
      try flow.reserve(PDFTrack.mapHeight)
      flow.haru.bookmark(words.track(index + 1), at: flow.page, below: all)
      try drawing.draw()
    }
  }
}

/// A track: its numbers and gaps, beside a small map of its course.
struct PDFTrack {
  /// The most gaps that are listed; further gaps are only counted.
  private static let gapsAtMost = 40
  static let mapHeight = 104.0
  private static let mapWidth = 150.0
  private static let gap = 12.0

  let track: Track
  let number: Int
  let dossier: Dossier
  let flow: PDFFlow

  private var words: DocumentWords { flow.words }

  func draw() throws(PDFError) {
    let (page, bottom) = (flow.page, flow.y + Self.mapHeight)
    let map =
      SketchMap(of: dossier.task.parcel, photos: [], tracks: [track], firstTrack: number)
      .flatMap { $0.trails.contains { !$0.runs.isEmpty && !$0.leaves } ? $0 : nil }
      ?? SketchMap(of: nil, photos: [], tracks: [track], firstTrack: number)
    if let map {
      try SketchMapDrawing(
        of: map, on: flow, over: dossier.baseMap,
        in: SketchMapDrawing.Frame(
          left: PDFFlow.left, top: flow.y + 2, width: Self.mapWidth, height: Self.mapHeight - 2,
          isSmall: true)
      ).drawFigure()
    }
    for line in lines {
      try flow.paragraph(line.text, line.style, indent: map == nil ? 0 : indent)
    }
    if map != nil, page == flow.page { flow.clear(bottom) }
    flow.space(8)
  }

  private var indent: Double { Self.mapWidth + Self.gap }

  /// The height on one page, in points.
  var height: Double {
    let words = lines.reduce(0) { $0 + flow.height(of: $1.text, $1.style, indent: indent) }
    return max(words, Self.mapHeight) + 8
  }

  private var lines: [(text: String, style: PDFStyle)] {
    let measures = track.measures
    let kinds = Dictionary(grouping: track.points, by: \.kind).mapValues(\.count)
    let last = track.ended ?? track.started
    let figures = [
      words.length(words.number(measures.lengthMetres, places: 1, unit: "\u{A0}m")),
      words.duration(measures.durationSeconds),
      measures.areaSquareMetres.map {
        words.area(
          words.squareMetres($0, uncertainty: measures.areaUncertaintySquareMetres95))
      },
    ].compactMap(\.self)
    var lines: [(text: String, style: PDFStyle)] = [
      ("\(words.track(number)): \(track.name)", .strong),
      ("\(words.span(track.started, last)), \(dossier.name(of: track.inspector))", .body),
      (figures.joined(separator: " · "), .body), (words.points(measures.points, kinds), .body),
      (words.radii(TrackRadii(track.points)), .body),
    ]
    if track.isSimulated { lines.append((words.simulated, .strong)) }
    if let tag = words.tag(track.origin == .egnss4cap ? .egnss4cap : .camera) {
      lines.append((tag, .strong))
    }
    return lines + gapLines + [(track.id.description, .fine)]
  }

  private var gapLines: [(text: String, style: PDFStyle)] {
    let gaps = track.points.indices.filter { track.points[$0].gapBefore != nil }
    guard !gaps.isEmpty else { return [(words.gapsNone, .body)] }
    var lines = [(text: words.gaps(gaps.count), style: PDFStyle.body)]
    for index in gaps.prefix(Self.gapsAtMost) {
      let point = track.points[index]
      guard let gap = point.gapBefore else { continue }
      let seconds = index > 0 ? point.time.seconds(since: track.points[index - 1].time) : nil
      lines.append(("• " + words.gap(gap, at: point.time, after: seconds), .body))
    }
    if gaps.count > Self.gapsAtMost {
      lines.append((words.gapsMore(gaps.count - Self.gapsAtMost), .body))
    }
    return lines
  }
}

/// The uncertainties of a track's points, as 95 % radii in metres; nil if no point tells one.
struct TrackRadii: Hashable {
  var least: Double?
  var median: Double?
  var most: Double?
  /// The number of points without an uncertainty.
  var unknown: Int

  init(_ points: [TrackPoint]) {
    let known = points.compactMap(\.horizontalUncertaintyMetres95).filter { $0.isFinite && $0 >= 0 }
      .sorted()
    least = known.first
    median = known.isEmpty ? nil : known[known.count / 2]
    most = known.last
    unknown = points.count - known.count
  }
}
