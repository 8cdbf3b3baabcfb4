import Inspection
import PDFWriting
import Positioning
import TimeAndText

/// The first page of a volume: the decision, the conclusion, who took the photos and when, a small
/// map, and small pictures of all photos.
struct PDFCover {
  /// The most photos whose contradictions the cover tells; the others' pages tell theirs.
  private static let contradictionsAtMost = 8
  private static let boxHeight = 34.0
  private static let signWidth = 24.0
  /// The width of the map beside the facts, its least height, and the gap between, in points.
  private static let mapWidth = 190.0
  private static let mapHeightAtLeast = 132.0
  private static let mapGap = 10.0

  let dossier: Dossier
  /// The volume's number, from 1, and the number of all volumes.
  let volume: (number: Int, count: Int)
  let photos: Range<Int>
  let flow: PDFFlow

  private var task: InspectionTask { dossier.task }
  private var words: DocumentWords { flow.words }

  /// Draws the cover.
  /// - Returns: the sheet of small pictures, which wait for being made.
  func draw() throws(PDFError) -> PDFContactSheet {
    let isFirst = volume.number == 1
    flow.haru.bookmark(words.decision, at: flow.page)
    try flow.letterhead()
    try drawTitle()
    if volume.count > 1 {
      try flow.paragraph(
        words.volumeHolds(volume.number, of: volume.count, photos: photos), .strong)
      if !isFirst { try flow.paragraph(words.volumeFirst, .label) }
      flow.space(6)
    }
    if isFirst {
      try drawDecision()
      try drawConclusion()
      try drawFacts()
    }
    return try drawSheet()
  }

  private func drawTitle() throws(PDFError) {
    // A name of a few words is set as a title, a longer one as text.
    try flow.paragraph(task.name, task.name.count <= 80 ? .title : .longTitle)
    flow.space(5)
  }

  // MARK: the decision

  private func drawDecision() throws(PDFError) {
    let decision = TaskFields.decision(of: task)
    var detail = words.state(task.state)
    if task.isOverdue(at: dossier.made) { detail += ", \(words.overdue)" }
    if let decision {
      detail = "\(dossier.name(of: decision.person.login)), \(words.role(decision.person.role))"
      detail += " · \(words.moment(decision.time))"
    }
    let height = 48.0
    try flow.reserve(height + 20)
    let page = flow.page
    let ink = decision == nil ? PDFStyle.muted : PDFStyle.dark
    page.rectangle(
      x: PDFFlow.left, y: flow.y, width: height, height: height, HaruPage.Paint(fill: ink))
    page.rectangle(
      x: PDFFlow.left, y: flow.y, width: PDFFlow.width, height: height,
      HaruPage.Paint(stroke: ink, lineWidth: 1.2))
    let sign = PDFStyle(face: .bold, size: 24, leading: height, ink: PDFStyle.white)
    let mark = decision == nil ? "…" : task.state.sign
    flow.draw(
      mark, x: PDFFlow.left + (height - flow.lineWidth(mark, sign)) / 2, leading: height, sign)
    let x = PDFFlow.left + height + 12
    let title = decision == nil ? words.notDecided : words.t(task.state.title)
    flow.draw(title, x: x, top: flow.y + 6, .decision)
    let by = PDFStyle(face: .regular, size: 8.5, leading: 12, ink: PDFStyle.dark)
    let line = flow.typeface(by).elided(
      detail, size: by.size, width: PDFFlow.width - height - 22)
    flow.draw(line, x: x, top: flow.y + 28, by)
    flow.space(height + 4)
    if let reason = decision?.reason, !reason.isEmpty {
      try flow.paragraph(words.quoted(reason), .strong)
    }
    flow.space(4)
  }

  // MARK: the conclusion

  private func drawConclusion() throws(PDFError) {
    guard !dossier.photos.isEmpty else {
      return try flow.paragraph(words.photosNone, .label)
    }
    let conclusion = PDFConclusion(of: dossier.photos)
    try flow.reserve(Self.boxHeight + 10)
    let half = (PDFFlow.width - 10) / 2
    drawBox(
      conclusion.isAuthentic, words.isAuthentic(conclusion.isAuthentic),
      words.intact(conclusion.intact, of: conclusion.photos), left: PDFFlow.left, width: half)
    drawBox(
      conclusion.isSuitable, words.isSuitable(conclusion.isSuitable),
      words.suitable(conclusion.suitable, of: conclusion.photos),
      left: PDFFlow.left + half + 10, width: half)
    flow.space(Self.boxHeight + 5)
    try drawContradictions()
    flow.space(3)
  }

  /// Draws an answer. A bad one stands out without a colour: its box is filled.
  private func drawBox(
    _ standing: Standing, _ title: String, _ detail: String, left: Double, width: Double
  ) {
    let page = flow.page
    let isBad = standing == .bad
    let ink = isBad ? PDFStyle.white : PDFStyle.dark
    page.rectangle(
      x: left, y: flow.y, width: width, height: Self.boxHeight,
      HaruPage.Paint(
        fill: isBad ? PDFStyle.dark : PDFStyle.white, stroke: PDFStyle.dark, lineWidth: 0.8))
    let sign = PDFStyle(face: .bold, size: 15, leading: Self.boxHeight, ink: ink)
    flow.draw(words.sign(standing), x: left + 9, leading: Self.boxHeight, sign)
    let strong = PDFStyle(face: .bold, size: 10, leading: 14, ink: ink)
    let plain = PDFStyle(face: .regular, size: 8, leading: 11, ink: ink)
    let room = width - Self.signWidth - 14
    flow.draw(
      flow.typeface(strong).elided(title, size: strong.size, width: room),
      x: left + Self.signWidth + 8, top: flow.y + 4, strong)
    flow.draw(
      flow.typeface(plain).elided(detail, size: plain.size, width: room),
      x: left + Self.signWidth + 8, top: flow.y + 18, plain)
  }

  private func drawContradictions() throws(PDFError) {
    var told = 0
    var more = 0
    for (index, part) in dossier.photos.enumerated() {
      let objections = part.objections(words)
      guard !objections.isEmpty else { continue }
      guard told < Self.contradictionsAtMost else {
        more += 1
        continue
      }
      told += 1
      try flow.item(
        "✗", "\(words.photo(index + 1)): \(objections.joined(separator: "; "))", .strong)
    }
    if more > 0 { try flow.item("✗", words.moreContradictions(more), .strong) }
  }

  // MARK: the facts and the map

  private func drawFacts() throws(PDFError) {
    let parts = dossier.photos.map(\.photo)
    let map = SketchMap(of: task.parcel, photos: parts, tracks: dossier.tracks)
    let width = map == nil ? PDFFlow.width : PDFFlow.width - Self.mapWidth - Self.mapGap
    let facts = facts(PDFTable.labelled(width: width, labels: 96))
    let height = max(min(flow.height(of: facts), 220), Self.mapHeightAtLeast)
    flow.space(4)
    try flow.reserve(height)
    var bottom: (page: HaruPage, y: Double)?
    if let map {
      let frame = SketchMapDrawing.Frame(
        left: PDFFlow.left + PDFFlow.width - Self.mapWidth, top: flow.y, width: Self.mapWidth,
        height: height, isSmall: true)
      try SketchMapDrawing(of: map, on: flow, over: dossier.baseMap, in: frame).drawFigure()
      bottom = (flow.page, frame.bottom)
    }
    try flow.table(facts)
    if let bottom, bottom.page == flow.page { flow.clear(bottom.y) }
    flow.space(10)
  }

  private func facts(_ empty: PDFTable) -> PDFTable {
    var table = empty
    table.add(words.takenBy, dossier.name(of: task.inspector))
    let times = dossier.photos.map(\.photo.deviceTime).sorted()
    if let first = times.first, let last = times.last {
      table.add(words.taken, words.span(first, last))
    }
    if let sent = task.history.last(where: { $0.action == .provide })?.time {
      table.add(words.sent, words.moment(sent))
    }
    if let delivered = dossier.photos.compactMap(\.photo.delivered).max() {
      table.add(words.received, words.moment(delivered))
    }
    if let parcel = task.parcel {
      table.add(words.parcel, "\(parcel.identifier), \(words.hectares(parcel.areaSquareMetres))")
    }
    if let type = task.type { table.add(words.type, type) }
    table.add(words.ordered, words.moment(task.created))
    if let due = task.due { table.add(words.due, words.moment(due)) }
    if task.revision > 1 { table.add(words.revision, "\(task.revision)") }
    table.add(words.photos, "\(dossier.photos.count)")
    if !dossier.tracks.isEmpty { table.add(words.tracks, "\(dossier.tracks.count)") }
    return table
  }

  // MARK: the small pictures

  private func drawSheet() throws(PDFError) -> PDFContactSheet {
    let parts = dossier.photos[photos]
    let order = PDFOrder(task: task, dossier: dossier, flow: flow)
    var sheet = PDFContactSheet(
      count: parts.count, room: flow.remaining, pageHeight: flow.fullHeight,
      keeping: volume.number == 1 ? order.height : 0)
    try sheet.draw(
      parts.indices.map { (number: $0 + 1, standing: dossier.photos[$0].standing) }, on: flow)
    return sheet
  }
}

extension Dossier {
  /// Returns a person's name with the login, or the login alone if the name is not known.
  func name(of login: String) -> String {
    let name = names[login] ?? (login == task.inspector ? inspectorName : nil)
    return name.map { "\($0) (\(login))" } ?? login
  }
}
