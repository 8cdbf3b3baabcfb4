import Evidence
import Geodesy
import Inspection
import PDFWriting
import Positioning
import TimeAndText

/// A photo's page: the picture as large as the words leave room for, the facts below or beside it,
/// failed checks first, passed ones in one line, and the digest at the foot.
struct PDFPhotoPage {
  /// The limits of the height of a picture over the whole width, in points. If there are too many
  /// words, the picture has the least height and the words go on overleaf.
  private static let pictureHeights = 220.0...420.0
  /// The limits of the height of an upright picture, which has the facts beside it.
  private static let uprightHeights = 330.0...470.0
  private static let missingHeight = 110.0
  /// The width of the map, and of everything beside an upright picture, and the gap between.
  private static let sideWidth = 176.0
  private static let sideGap = 12.0
  private static let mapHeight = 150.0
  private static let codeSide = 58.0

  let part: Dossier.PhotoPart
  /// The photo's seal file; nil if there is no record.
  let record: SealFile?
  let title: String
  let number: Int
  let picture: Result<PDFPicture, PDFPicture.Refusal>
  /// The parcel that the map shows together with the photo; nil if there is none.
  let parcel: Parcel?
  let baseMap: Dossier.BaseMap?
  /// The person who took it, in words.
  let takenBy: String
  let flow: PDFFlow

  private var photo: Photo { part.photo }
  private var words: DocumentWords { flow.words }
  private var facts: PDFPhotoFacts {
    PDFPhotoFacts(part: part, record: record, takenBy: takenBy, words: words)
  }

  func draw() throws(PDFError) {
    try drawTitle()
    try drawBadges()
    var shown: PDFRepetition.Side?
    switch picture {
    case .success(let picture):
      let image = try flow.haru.image(jpeg: picture.jpeg)
      shown = (picture, image, photo.camera)
      let isUpright = picture.upright.height > picture.upright.width
      if isUpright, stackedHeight <= Self.uprightHeights.upperBound {
        try drawUpright(picture, image)
      } else {
        try drawWide(picture, image)
        try drawFacts()
      }
    case .failure(let refusal):
      try draw(refusal)
      try drawFacts()
    }
    if let note = photo.note { try flow.paragraph(words.quoted(note), .strong) }
    try PDFPhotoChecks(part: part, flow: flow).draw()
    try drawFile()
    if let repetition = part.repetition {
      try PDFRepetition(repetition: repetition, part: part, shown: shown, flow: flow).draw()
    }
  }

  // MARK: title and verdict

  private func drawTitle() throws(PDFError) {
    let style = PDFStyle.subtitle
    flow.draw(title, x: PDFFlow.left, leading: style.leading, style)
    var x = PDFFlow.left + flow.lineWidth(title, style) + 14
    for tag in [photo.isSimulated ? words.simulated : nil, words.tag(photo.origin)] {
      guard let tag else { continue }
      let width = flow.lineWidth(tag, .tag) + 12
      flow.page.rectangle(
        x: x, y: flow.y + 2, width: width, height: style.leading - 4,
        HaruPage.Paint(fill: PDFStyle.dark))
      flow.draw(tag, x: x + 6, leading: style.leading, .tag)
      x += width + 6
    }
    flow.space(style.leading + 4)
  }

  /// Draws the two answers, each in a box that is filled if the answer is bad.
  private func drawBadges() throws(PDFError) {
    var x = PDFFlow.left
    let height = 17.0
    func badge(_ standing: Standing, _ text: String) {
      let isBad = standing == .bad
      let style = PDFStyle(
        face: .bold, size: 8.5, leading: height, ink: isBad ? PDFStyle.white : PDFStyle.dark)
      let room = PDFFlow.left + PDFFlow.width - x - 16
      let line = flow.typeface(style).elided(
        "\(words.sign(standing))\u{A0}\u{A0}\(text)", size: style.size, width: room)
      let width = flow.lineWidth(line, style) + 16
      flow.page.rectangle(
        x: x, y: flow.y, width: width, height: height,
        HaruPage.Paint(
          fill: isBad ? PDFStyle.dark : PDFStyle.white, stroke: PDFStyle.dark, lineWidth: 0.8))
      flow.draw(line, x: x + 8, leading: height, style)
      x += width + 8
    }
    badge(part.isAuthentic, words.word(part.verdict))
    if part.isSuitable != .unknown {
      badge(
        part.isSuitable,
        part.suitability.map(words.suitability) ?? words.isSuitable(part.isSuitable))
    }
    flow.space(height + 4)
    if let meaning = words.meaning(part.verdict) { try flow.paragraph(meaning, .label) }
    flow.space(3)
  }

  // MARK: the picture

  private func drawWide(_ picture: PDFPicture, _ image: PDFImage) throws(PDFError) {
    let warning = picture.damage.map(words.pictureDamaged)
    let limits = Self.pictureHeights
    let room = flow.remaining - wordsHeight - (warning == nil ? 0 : 2 * PDFStyle.strong.leading)
    let limit = min(max(room, limits.lowerBound), limits.upperBound)
    let (width, height) = (Double(picture.upright.width), Double(picture.upright.height))
    let scale = min(PDFFlow.width / width, limit / height)
    place(picture, image, left: PDFFlow.left, width: PDFFlow.width, height: height * scale)
    flow.space(height * scale + 5)
    if let warning { try flow.paragraph(warning, .strong) }
    flow.space(3)
  }

  /// Draws the picture as large as the frame allows, at its upper edge and in its middle.
  private func place(
    _ picture: PDFPicture, _ image: PDFImage, left: Double, width: Double, height: Double
  ) {
    let size = (width: Double(picture.upright.width), height: Double(picture.upright.height))
    let scale = min(width / size.width, height / size.height)
    flow.page.image(
      image, turn: picture.turn, x: left + (width - size.width * scale) / 2, y: flow.y,
      width: size.width * scale, height: size.height * scale)
  }

  private func draw(_ refusal: PDFPicture.Refusal) throws(PDFError) {
    let height = Self.missingHeight
    flow.page.rectangle(
      x: PDFFlow.left, y: flow.y, width: PDFFlow.width, height: height,
      HaruPage.Paint(fill: PDFStyle.tint, stroke: PDFStyle.hairline))
    let style = PDFStyle.strong
    flow.draw(
      words.pictureMissing,
      x: PDFFlow.left + (PDFFlow.width - flow.lineWidth(words.pictureMissing, style)) / 2,
      leading: height, style)
    flow.space(height + 3)
    try flow.paragraph(words.pictureReason(refusal.reason))
    flow.space(4)
  }

  // MARK: the facts

  /// Draws the facts below a wide picture, with the map beside them.
  private func drawFacts() throws(PDFError) {
    let map = map
    let width = map == nil ? PDFFlow.width : PDFFlow.width - Self.sideWidth - Self.sideGap
    let table = facts.table(width: width)
    try flow.reserve(min(max(flow.height(of: table), Self.mapHeight), 300))
    let (page, bottom) = (flow.page, flow.y + Self.mapHeight)
    if let map {
      try draw(map, left: PDFFlow.left + width + Self.sideGap, height: Self.mapHeight)
    }
    try flow.table(table)
    if map != nil, page == flow.page { flow.clear(bottom) }
    flow.space(5)
  }

  private func draw(_ map: SketchMap, left: Double, height: Double) throws(PDFError) {
    try SketchMapDrawing(
      of: map, on: flow, over: baseMap,
      in: SketchMapDrawing.Frame(
        left: left, top: flow.y, width: Self.sideWidth, height: height, isSmall: true)
    ).drawFigure()
  }

  /// Draws an upright picture with the map and the facts beside it.
  private func drawUpright(_ picture: PDFPicture, _ image: PDFImage) throws(PDFError) {
    let width = PDFFlow.width - Self.sideWidth - Self.sideGap
    let limits = Self.uprightHeights
    let below = PDFPhotoChecks(part: part, flow: flow).height + Self.codeSide + 30 + noteHeight
    let room = min(max(flow.remaining - below, stackedHeight, limits.lowerBound), limits.upperBound)
    let size = (width: Double(picture.upright.width), height: Double(picture.upright.height))
    let height = max(min(width / size.width, room / size.height) * size.height, stackedHeight)
    place(picture, image, left: PDFFlow.left, width: width, height: height)
    let left = PDFFlow.left + width + Self.sideGap
    let bottom = flow.y + height
    if let map {
      try draw(map, left: left, height: Self.mapHeight)
      flow.space(Self.mapHeight + 6)
    }
    facts.drawStacked(on: flow, left: left, width: Self.sideWidth)
    flow.clear(bottom)
    flow.space(6)
    if let damage = picture.damage { try flow.paragraph(words.pictureDamaged(damage), .strong) }
  }

  private var stackedHeight: Double {
    facts.stackedHeight(on: flow, width: Self.sideWidth) + (map == nil ? 0 : Self.mapHeight + 6)
  }

  /// The map of the parcel with the photo; of the photo alone if it was taken far away.
  private var map: SketchMap? {
    guard !photo.claimsNoPlace else { return nil }
    let whole = SketchMap(of: parcel, photos: [photo], tracks: [], firstPhoto: number)
    if let whole, !whole.marks.isEmpty { return whole }
    return SketchMap(of: nil, photos: [photo], tracks: [], firstPhoto: number)
  }

  // MARK: the file

  /// Draws the digest, also as a code for telephones, and what the file is.
  private func drawFile() throws(PDFError) {
    let code = Digest.isDigest(photo.fileDigest) ? QRCode(photo.fileDigest) : nil
    flow.space(5)
    try flow.reserve(Self.codeSide)
    let (page, top) = (flow.page, flow.y)
    var indent = 0.0
    if let code {
      page.code(code, x: PDFFlow.left - 4, y: top, side: Self.codeSide, ink: PDFStyle.dark)
      indent = Self.codeSide + 2
    }
    flow.space(code == nil ? 0 : 6)
    try flow.paragraph(code == nil ? words.digestAlone : words.digest, .fineHead, indent: indent)
    try flow.paragraph(photo.fileDigest, .fine, indent: indent)
    let shown = try? picture.get()
    try flow.paragraph(words.file(photo, shown: shown?.upright), .fine, indent: indent)
    if page == flow.page, code != nil { flow.clear(top + Self.codeSide) }
  }

  private var noteHeight: Double {
    photo.note.map { flow.height(of: words.quoted($0), .strong) } ?? 0
  }

  /// The height of all content below a wide picture, in points.
  private var wordsHeight: Double {
    let width = map == nil ? PDFFlow.width : PDFFlow.width - Self.sideWidth - Self.sideGap
    let facts = max(flow.height(of: facts.table(width: width)), map == nil ? 0 : Self.mapHeight)
    return facts + 5 + noteHeight + PDFPhotoChecks(part: part, flow: flow).height + 5
      + Self.codeSide + 10
  }
}
