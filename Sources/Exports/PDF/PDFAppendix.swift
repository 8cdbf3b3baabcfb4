import Evidence
import Foundation
import Inspection
import Positioning
import TimeAndText

/// The appendix: the receivers' reception, and the list of the embedded files.
struct PDFAppendix {
  /// A photo with its number and the reception that its record tells; nil if there is no record.
  typealias Row = (number: Int, photo: Photo, reception: Reception?)

  let rows: [Row]
  let tracks: [Track]
  let attachments: [Dossier.Attachment]
  let flow: PDFFlow

  func draw() throws(PDFError) {
    try flow.newPage()
    let start = flow.haru.bookmark(PDFWords.appendix, at: flow.page)
    try flow.paragraph(PDFWords.appendix, .subtitle)
    flow.space(2)
    try flow.paragraph(PDFWords.appendixFrom, .label)
    try drawSummary()
    try drawPhotos()
    try drawTracks()
    if !attachments.isEmpty {
      try drawAttachments()
      flow.haru.bookmark(PDFWords.attached, at: flow.page, below: start)
    }
  }

  // MARK: receivers

  private func drawSummary() throws(PDFError) {
    let receptions = rows.compactMap(\.reception)
    guard !rows.isEmpty else { return }
    func span(_ values: [Double?], places: Int, unit: String = "") -> String {
      let known = values.compactMap(\.self).filter(\.isFinite).sorted()
      guard let least = known.first, let most = known.last else { return PDFWords.notKnown }
      return PDFWords.span(
        [least, known[known.count / 2], most].map { PDFWords.number($0, places: places) ?? "" },
        unit: unit, of: known.count)
    }
    var constellations: [String: Int] = [:]
    for reception in receptions {
      constellations.merge(reception.constellations, uniquingKeysWith: +)
    }
    try flow.heading(PDFWords.receivers)
    var table = PDFTable.labelled()
    table.add(PDFWords.photosWithRecord, "\(receptions.count) / \(rows.count)")
    table.add(
      PDFWords.satellites, span(receptions.map { $0.satellitesUsed.map(Double.init) }, places: 0))
    table.add(PDFWords.constellations, PDFWords.constellations(constellations))
    table.add(
      PDFWords.density, span(receptions.map(\.carrierToNoiseDecibelHertz), places: 1, unit: "dB-Hz")
    )
    table.add(PDFWords.dilution, span(receptions.map(\.horizontalDilution), places: 2))
    table.add(
      PDFWords.speedBelow,
      span(receptions.map(\.speedUpperMetresPerSecond95), places: 3, unit: "m/s"))
    table.add(
      PDFWords.uncertainty,
      span(rows.map(\.photo.position.uncertaintyMetres95), places: 2, unit: "m"))
    table.add(
      PDFWords.samples, span(rows.map { $0.photo.standpoint.map { Double($0.samples) } }, places: 0)
    )
    table.add(
      PDFWords.worth, span(rows.map { $0.photo.standpoint?.effectiveSamples }, places: 1))
    try flow.table(table)
  }

  private func drawPhotos() throws(PDFError) {
    guard !rows.isEmpty else { return }
    try flow.heading(PDFWords.photos)
    var table = PDFTable(
      widths: [24, 52, 122, 42, 36, 42, 42, 60, PDFFlow.width - 420],
      rightAligned: [0, 3, 4, 5, 6, 7, 8])
    table.head = PDFWords.receptionColumns.map { PDFTable.Cell($0, .columnHead) }
    for row in rows {
      let reception = row.reception
      let standpoint = row.photo.standpoint
      let cells = [
        "\(row.number)", reception?.quality ?? "–",
        PDFWords.satellites(reception),
        PDFWords.number(reception?.carrierToNoiseDecibelHertz, places: 1) ?? "–",
        PDFWords.number(reception?.horizontalDilution, places: 2) ?? "–",
        PDFWords.number(reception?.speedUpperMetresPerSecond95, places: 3) ?? "–",
        PDFWords.number(reception?.fixUncertaintyMetres95, places: 2) ?? "–",
        standpoint.map {
          "\($0.samples) / \(PDFWords.number($0.effectiveSamples, places: 1) ?? "–")"
        } ?? "–", PDFWords.number(reception?.fixAgeSeconds, places: 2) ?? "–",
      ]
      table.rows.append(cells.map { PDFTable.Cell($0, .fine) })
    }
    try flow.table(table)
    flow.space(2)
    try flow.paragraph(PDFWords.receptionColumnsMean, .small)
  }

  private func drawTracks() throws(PDFError) {
    guard !tracks.isEmpty else { return }
    try flow.heading(PDFWords.tracks)
    var table = PDFTable(
      widths: [30, 150, 60, 72, 110, PDFFlow.width - 422], rightAligned: [0, 2, 3, 5])
    table.head = PDFWords.trackReceptionColumns.map { PDFTable.Cell($0, .columnHead) }
    for (index, track) in tracks.enumerated() {
      let radii = TrackRadii(track.points)
      let gaps = track.points.count { $0.gapBefore != nil }
      let seconds = track.measures.durationSeconds
      let rate = seconds > 0 ? Double(track.points.count - 1) / seconds : nil
      let cells = [
        "T\(index + 1)", track.name, "\(track.points.count)",
        PDFWords.number(rate, places: 2) ?? "–", PDFWords.radii(radii), "\(gaps)",
      ]
      table.rows.append(cells.map { PDFTable.Cell($0, .fine) })
    }
    try flow.table(table)
  }

  // MARK: attachments

  private func drawAttachments() throws(PDFError) {
    try flow.heading(PDFWords.attached)
    try flow.paragraph(PDFWords.attachedMeans, .label)
    flow.space(2)
    // A record's longest name, a size of seven digits and the 64 digits of a digest each fit on one
    // line.
    var table = PDFTable(widths: [190.5, 38.5, PDFFlow.width - 229], rightAligned: [1])
    table.head = PDFWords.attachedColumns.map { PDFTable.Cell($0, .columnHead) }
    for attachment in attachments {
      table.rows.append([
        PDFTable.Cell(HaruDocument.plainName(attachment.name), .fine),
        PDFTable.Cell("\(attachment.bytes.count)", .fine), PDFTable.Cell(attachment.digest, .fine),
      ])
    }
    try flow.table(table)
  }
}
