import Foundation
import Inspection
import Positioning
import TimeAndText

/// The pages of a track: its numbers, its course, and its gaps.
struct PDFTrackPages {
  /// The most gaps that are listed; further gaps are only counted.
  private static let gapsAtMost = 100

  let track: Track
  let number: Int
  let parcel: Parcel?
  let baseMap: Dossier.BaseMap?
  let flow: PDFFlow

  func draw() throws(PDFError) {
    try drawTitle()
    try drawNumbers()
    try drawMap()
    try drawGaps()
  }

  private func drawTitle() throws(PDFError) {
    try flow.paragraph(PDFWords.track(number), .subtitle)
    try flow.paragraph(track.name, .strong)
    flow.space(4)
  }

  private func drawNumbers() throws(PDFError) {
    let measures = track.measures
    let radii = TrackRadii(track.points)
    let kinds = Dictionary(grouping: track.points, by: \.kind).mapValues(\.count)
    try flow.table(
      .pairs([
        (PDFWords.trackStarted, PDFWords.seconds(track.started)),
        (PDFWords.trackEnded, track.ended.map(PDFWords.seconds) ?? PDFWords.notKnown),
        (
          PDFWords.trackDuration,
          PDFWords.number(measures.durationSeconds, places: 0, unit: " s")
        ),
        (PDFWords.points, PDFWords.points(measures.points, kinds)),
        (PDFWords.length, PDFWords.number(measures.lengthMetres, places: 1, unit: " m")),
        (
          PDFWords.area,
          PDFWords.area(
            measures.areaSquareMetres, uncertainty: measures.areaUncertaintySquareMetres95)
        ),
        (PDFWords.radii, PDFWords.radii(radii)),
        (
          PDFWords.receiver,
          track.isSimulated ? PDFWords.receiverSimulated : PDFWords.receiverReal
        ),
      ]))
    var table = PDFTable.labelled()
    table.add(PDFWords.identifier, track.id.description)
    table.add(PDFWords.takenBy, track.inspector)
    if track.origin == .egnss4cap { table.add(PDFWords.origin, PDFWords.unsealed) }
    if let sent = track.sent { table.add(PDFWords.sent, PDFWords.seconds(sent)) }
    if let delivered = track.delivered { table.add(PDFWords.receipt, PDFWords.seconds(delivered)) }
    try flow.table(table)
  }

  private func drawMap() throws(PDFError) {
    guard
      let map = SketchMap(of: parcel, photos: [], tracks: [track], firstTrack: number)
        .flatMap({ $0.trails.contains { !$0.runs.isEmpty } ? $0 : nil })
        ?? SketchMap(of: nil, photos: [], tracks: [track], firstTrack: number)
    else { return }
    try flow.heading(
      PDFWords.map, keeping: SketchMapDrawing.heightAtLeast + SketchMapDrawing.wordsHeight)
    try SketchMapDrawing(of: map, on: flow, over: baseMap).draw()
  }

  private func drawGaps() throws(PDFError) {
    try flow.heading(PDFWords.gaps)
    let gaps = track.points.indices.filter { track.points[$0].gapBefore != nil }
    guard !gaps.isEmpty else { return try flow.paragraph(PDFWords.gapsNone, .label) }
    var table = PDFTable(widths: [150, 90, PDFFlow.width - 240], rightAligned: [1])
    table.head = PDFWords.gapsColumns.map { PDFTable.Cell($0, .columnHead) }
    for index in gaps.prefix(Self.gapsAtMost) {
      let point = track.points[index]
      let seconds = index > 0 ? point.time.seconds(since: track.points[index - 1].time) : nil
      table.rows.append([
        PDFTable.Cell(PDFWords.milliseconds(point.time)),
        PDFTable.Cell(PDFWords.number(seconds, places: 0) ?? PDFWords.notKnown),
        PDFTable.Cell(point.gapBefore.map(PDFWords.gap) ?? PDFWords.notKnown),
      ])
    }
    try flow.table(table)
    if gaps.count > Self.gapsAtMost {
      try flow.paragraph(PDFWords.gapsMore(gaps.count - Self.gapsAtMost), .label)
    }
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
