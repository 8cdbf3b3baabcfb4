import Inspection
import Positioning

/// Text and figures that flow down the pages: what does not fit goes on the next one.
final class PDFFlow {
  /// Margins of 20 mm.
  static let left = 56.7
  static let width = HaruPage.width - 2 * left
  /// Where a page's text must end, above the footer.
  private static let bottom = HaruPage.height - 62

  /// What stands at the edges of every page.
  struct Frame {
    /// What kind of document it is.
    var kind: String
    /// What it is about, for people.
    var name: String
    /// The same for programs.
    var identifier: String
    var agencyTitle: String
    var isDemonstration: Bool
    var made: DeviceTime
    var software: String
    /// Which of how many volumes it is; nil where all is in one.
    var volume: (number: Int, count: Int)?
  }

  let haru: HaruDocument
  private let frame: Frame
  private(set) var page: HaruPage
  /// The upper edge of what comes next.
  private(set) var y: Double
  /// Whether nothing stands on this page yet.
  var isFresh = true

  init(haru: HaruDocument, frame: Frame) throws(PDFError) {
    self.haru = haru
    self.frame = frame
    page = try haru.addPage()
    y = 0
    begin()
  }

  // MARK: pages

  /// Goes to a new page.
  func newPage() throws(PDFError) {
    try haru.check(step: "page \(haru.pages.count)")
    page = try haru.addPage()
    begin()
  }

  /// Points that are left on this page.
  var remaining: Double { Self.bottom - y }

  /// Points that a page has.
  var fullHeight: Double { Self.bottom - top }

  /// Goes to a new page unless so many points are left.
  func reserve(_ height: Double) throws(PDFError) {
    if height > remaining, !isFresh { try newPage() }
  }

  /// Leaves so many points free.
  func space(_ points: Double) {
    y += points
    isFresh = false
  }

  private var bandHeight: Double { frame.isDemonstration ? 24 : 0 }

  private var top: Double { bandHeight + (haru.pages.count == 1 ? 40 : 50) }

  private func begin() {
    if frame.isDemonstration { drawBand() }
    if haru.pages.count > 1 { drawHeader() }
    y = top
    isFresh = true
  }

  /// White on dark, so that it stays on a bad copy.
  private func drawBand() {
    page.rectangle(
      x: 0, y: 0, width: HaruPage.width, height: bandHeight, HaruPage.Paint(fill: PDFStyle.dark))
    let word = PDFWords.demonstration
    let style = PDFStyle(face: .bold, size: 11, leading: bandHeight, ink: PDFStyle.white)
    let rest = PDFStyle(face: .regular, size: 8, leading: bandHeight, ink: PDFStyle.white)
    draw(word, x: Self.left, top: 0, style)
    draw(
      PDFWords.demonstrationMeans, x: Self.left + lineWidth(word, style) + 10, top: 0, rest)
  }

  private func drawHeader() {
    let style = PDFStyle.small
    let kind = frame.kind
    let kindWidth = lineWidth(kind, style)
    let line = bandHeight + 33
    let agency = typeface(style).elided(
      frame.agencyTitle, size: style.size, width: Self.width - kindWidth - 20)
    draw(agency, x: Self.left, top: line - 12, style)
    draw(kind, x: Self.left + Self.width - kindWidth, top: line - 12, style)
    rule(at: line, ink: PDFStyle.hairline, width: 0.5)
  }

  /// The first page's head: whose document it is, and of what kind.
  func letterhead() throws(PDFError) {
    let agency = PDFStyle.heading
    let kindWidth = lineWidth(frame.kind, .label)
    draw(frame.kind, x: Self.left + Self.width - kindWidth, leading: agency.leading, .label)
    let lines = typeface(agency).lines(
      of: frame.agencyTitle, size: agency.size, width: Self.width - kindWidth - 20)
    for line in lines {
      try reserve(agency.leading)
      draw(line, x: Self.left, leading: agency.leading, agency)
      space(agency.leading)
    }
    space(3)
    rule(ink: PDFStyle.accent, width: 1.2)
    space(16)
  }

  /// Writes the footers: only now is it known how many pages there are.
  func finish() throws(PDFError) {
    let style = PDFStyle.small
    let name = haru.regular.elided(frame.name, size: style.size, width: Self.width - 150)
    let id = frame.identifier
    let idWidth = lineWidth(id, style)
    let made = haru.regular.elided(
      PDFWords.madeBy(frame.software, at: frame.made), size: style.size,
      width: Self.width - idWidth - 20)
    let line = Self.bottom + 14
    for (index, sheet) in haru.pages.enumerated() {
      page = sheet
      var number = PDFWords.page(index + 1, of: haru.pages.count)
      if let volume = frame.volume {
        number = "\(PDFWords.volume(volume.number, of: volume.count)), \(number)"
      }
      rule(at: line, ink: PDFStyle.hairline, width: 0.5)
      draw(name, x: Self.left, top: line + 4, style)
      draw(
        number, x: Self.left + Self.width - lineWidth(number, style), top: line + 4, style)
      draw(made, x: Self.left, top: line + 14, style)
      draw(id, x: Self.left + Self.width - idWidth, top: line + 14, style)
    }
    try haru.check(step: "footers")
  }

  // MARK: text

  func typeface(_ style: PDFStyle) -> PDFTypeface {
    switch style.face {
    case .regular: haru.regular
    case .bold: haru.bold
    }
  }

  func lineWidth(_ line: String, _ style: PDFStyle) -> Double {
    typeface(style).width(of: line, size: style.size)
  }

  /// One line whose upper edge is at `top`.
  func draw(_ line: String, x: Double, top: Double, _ style: PDFStyle) {
    page.text(
      line, x: x, y: top + style.baseline, typeface: typeface(style), size: style.size,
      ink: style.ink)
  }

  /// One line here, in a row of another leading; nothing moves on.
  func draw(_ line: String, x: Double, leading: Double, _ style: PDFStyle) {
    var placed = style
    placed.leading = leading
    draw(line, x: x, top: y, placed)
  }

  /// Paragraphs, over as many pages as they need.
  func paragraph(_ text: String, _ style: PDFStyle = .body, indent: Double = 0) throws(PDFError) {
    let lines = typeface(style).lines(
      of: text, size: style.size, width: Self.width - indent)
    for line in lines {
      try reserve(style.leading)
      draw(line, x: Self.left + indent, top: y, style)
      space(style.leading)
    }
  }

  /// Paragraphs behind a dot.
  func items(_ items: [String]) throws(PDFError) {
    for item in items {
      try reserve(2 * PDFStyle.body.leading)
      draw("•", x: Self.left + 2, top: y, .body)
      try paragraph(item, indent: 13)
      space(2.5)
    }
  }

  /// Points above a heading.
  private static let headingGap = 11.0

  /// Points that a heading takes, with the gap above it.
  static let headingHeight = headingGap + PDFStyle.heading.leading + 4

  /// A section's heading over a line; it stays with what follows.
  func heading(_ text: String, keeping height: Double = 60) throws(PDFError) {
    if !isFresh { space(Self.headingGap) }
    try reserve(Self.headingHeight - Self.headingGap + height)
    draw(text, x: Self.left, top: y, .heading)
    space(PDFStyle.heading.leading + 1.5)
    rule(ink: PDFStyle.accent, width: 0.8)
    space(2.5)
  }

  // MARK: lines

  /// A line across the text here; nothing moves on.
  func rule(ink: HaruPage.Ink, width: Double) {
    rule(at: y, ink: ink, width: width)
  }

  private func rule(at y: Double, ink: HaruPage.Ink, width: Double) {
    page.line(
      HaruPage.Point(x: Self.left, y: y), HaruPage.Point(x: Self.left + Self.width, y: y),
      HaruPage.Paint(stroke: ink, lineWidth: width))
  }
}
