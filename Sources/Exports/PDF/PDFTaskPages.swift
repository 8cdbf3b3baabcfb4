import Inspection
import Positioning
import TimeAndText

/// The first pages: the task's order, the history of decisions, the meaning of the seals, the lists
/// of photos and tracks, and the map.
struct PDFTaskPages {
  let dossier: Dossier
  let volumes: Int
  let flow: PDFFlow

  func draw() throws(PDFError) {
    let start = flow.haru.bookmark(PDFWords.task, at: flow.page)
    func mark(_ title: String) { flow.haru.bookmark(title, at: flow.page, below: start) }
    try drawTitle()
    try drawOrder()
    try drawHistory()
    mark(PDFWords.history)
    try drawEvidence()
    mark(PDFWords.evidence)
    try drawPhotos()
    mark(PDFWords.photos)
    try drawTracks()
    if try drawMap() { mark(PDFWords.map) }
  }

  private var task: InspectionTask { dossier.task }

  // MARK: the order

  private func drawTitle() throws(PDFError) {
    try flow.letterhead()
    // A name of a few words is set as a title, a longer one as text.
    try flow.paragraph(task.name, task.name.count <= 120 ? .title : .longTitle)
    flow.space(4)
    var state = "\(task.state.sign)  \(task.state.fileTitle)"
    if task.isOverdue(at: dossier.made) { state += ", \(PDFWords.overdue)" }
    try flow.paragraph(state, .state)
    flow.space(8)
  }

  private func drawOrder() throws(PDFError) {
    let inspector =
      dossier.inspectorName.map { "\($0) (\(task.inspector))" } ?? task.inspector
    let pairs = [
      (PDFWords.type, task.type ?? PDFWords.none), (PDFWords.inspector, inspector),
      (PDFWords.created, PDFWords.seconds(task.created)),
      (PDFWords.due, task.due.map(PDFWords.seconds) ?? PDFWords.none),
      (PDFWords.parcel, task.parcel?.identifier ?? PDFWords.none),
      (PDFWords.area, task.parcel.map { PDFWords.area($0.areaSquareMetres) } ?? PDFWords.none),
      (PDFWords.revision, "\(task.revision)"),
      (PDFWords.contents, "\(dossier.photos.count), \(dossier.tracks.count)"),
    ]
    try flow.table(.pairs(pairs))
    var words = PDFTable.labelled()
    words.add(PDFWords.agency, task.agency)
    words.add(PDFWords.identifier, task.id.description)
    words.add(PDFWords.instructions, task.instructions ?? PDFWords.none)
    words.add(PDFWords.note, task.note ?? PDFWords.none)
    if task.state == .returned {
      words.add(PDFWords.returnReason, task.returnReason ?? PDFWords.notKnown)
    }
    try flow.table(words)
  }

  private func drawHistory() throws(PDFError) {
    try flow.heading(PDFWords.history)
    guard !task.history.isEmpty else { return try flow.paragraph(PDFWords.historyEmpty, .label) }
    var table = PDFTable(widths: [108, 128, 86, PDFFlow.width - 322])
    table.head = PDFWords.historyColumns.map { PDFTable.Cell($0, .columnHead) }
    for transition in task.history {
      table.rows.append([
        PDFTable.Cell(PDFWords.bareSeconds(transition.time)),
        PDFTable.Cell(PDFWords.step(transition)),
        PDFTable.Cell(PDFWords.person(transition.person)),
        PDFTable.Cell(transition.reason ?? "–"),
      ])
    }
    try flow.table(table)
  }

  /// Draws the verdicts and digests of the evidence, and the words on what they prove.
  private func drawEvidence() throws(PDFError) {
    try flow.heading(PDFWords.evidence)
    var table = PDFTable.labelled()
    table.add(PDFWords.verdicts, PDFWords.verdicts(dossier.photos.map(\.verdict)))
    if let evidence = dossier.evidence {
      table.add(PDFWords.evidenceDigest, evidence.digest)
      table.add(PDFWords.evidenceFiles, PDFWords.evidenceFiles(evidence.entries.count))
    } else {
      table.add(PDFWords.evidenceDigest, PDFWords.notKnown)
    }
    if volumes > 1 { table.add(PDFWords.volumes, PDFWords.volumes(volumes)) }
    try flow.table(table)
    flow.space(3)
    try flow.paragraph(PDFWords.sealsProve)
    flow.space(2)
    try flow.paragraph(PDFWords.sealsProveNot)
  }

  // MARK: the lists

  private func drawPhotos() throws(PDFError) {
    try flow.heading(PDFWords.photos)
    guard !dossier.photos.isEmpty else { return try flow.paragraph(PDFWords.photosNone, .label) }
    var table = PDFTable(
      widths: [30, 172, 66, 118, PDFFlow.width - 386], rightAligned: [0, 2])
    table.head = PDFWords.photosColumns.map { PDFTable.Cell($0, .columnHead) }
    for (index, part) in dossier.photos.enumerated() {
      let photo = part.photo
      var origin = PDFWords.origin(photo.origin)
      if photo.isSimulated { origin += ", \(PDFWords.simulatedShort)" }
      table.rows.append([
        PDFTable.Cell("\(index + 1)"),
        PDFTable.Cell(photo.toldGNSSTime.map(PDFWords.milliseconds) ?? photo.timeText),
        PDFTable.Cell(
          PDFWords.number(photo.position.uncertaintyMetres95, places: 2) ?? PDFWords.notKnown),
        PDFTable.Cell(origin),
        PDFTable.Cell("\(PDFWords.sign(part.verdict))  \(PDFWords.word(part.verdict))"),
      ])
    }
    try flow.table(table)
  }

  private func drawTracks() throws(PDFError) {
    guard !dossier.tracks.isEmpty else { return }
    try flow.heading(PDFWords.tracks)
    var table = PDFTable(
      widths: [30, 128, 112, 50, 66, PDFFlow.width - 386], rightAligned: [0, 3, 4, 5])
    table.head = PDFWords.tracksColumns.map { PDFTable.Cell($0, .columnHead) }
    for (index, track) in dossier.tracks.enumerated() {
      let measures = track.measures
      let name = track.isSimulated ? "\(track.name) (\(PDFWords.simulatedShort))" : track.name
      table.rows.append([
        PDFTable.Cell("T\(index + 1)"), PDFTable.Cell(name),
        PDFTable.Cell(PDFWords.bareSeconds(track.started)), PDFTable.Cell("\(measures.points)"),
        PDFTable.Cell(PDFWords.number(measures.lengthMetres, places: 1, unit: " m")),
        PDFTable.Cell(
          PDFWords.area(
            measures.areaSquareMetres, uncertainty: measures.areaUncertaintySquareMetres95)),
      ])
    }
    try flow.table(table)
  }

  private func drawMap() throws(PDFError) -> Bool {
    let photos = dossier.photos.map(\.photo)
    guard let map = SketchMap(of: task.parcel, photos: photos, tracks: dossier.tracks) else {
      return false
    }
    try flow.heading(
      PDFWords.map, keeping: SketchMapDrawing.heightAtLeast + SketchMapDrawing.wordsHeight)
    try SketchMapDrawing(of: map, on: flow, over: dossier.baseMap).draw()
    return true
  }
}
