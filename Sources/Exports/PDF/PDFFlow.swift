import Inspection
import PDFWriting
import TimeAndText

/// Text and figures that flow down the pages: content that does not fit goes on the next page.
final class PDFFlow {
  /// The left margin and the text's width, in points; the margins are 20 mm on both sides.
  static let left = 56.7
  static let width = HaruPage.width - 2 * left
  /// The lower edge of a page's text, in points, above the footer.
  private static let bottom = HaruPage.height - 62

  /// The words at the edges of every page.
  struct Frame {
    /// The kind of document.
    var kind: String
    /// The name of the document's task or photo, for people.
    var name: String
    /// The identifier of the document's task or photo, for programs.
    var identifier: String
    var agencyTitle: String
    var isDemonstration: Bool
    var made: DeviceTime
    var software: String
    /// The volume's number and the number of all volumes; nil if the document has only one.
    var volume: (number: Int, count: Int)?
  }

  let haru: HaruDocument
  let words: DocumentWords
  private let frame: Frame
  private(set) var page: HaruPage
  /// The upper edge of the next content, in points from the page's upper edge.
  private(set) var y: Double
  /// True while the page has no content yet, or only a table's repeated head.
  var isFresh = true

  init(haru: HaruDocument, frame: Frame, words: DocumentWords) throws(PDFError) {
    self.haru = haru
    self.words = words
    self.frame = frame
    page = try haru.addPage()
    y = 0
    begin()
  }

  // MARK: pages

  /// Goes to a new page.
  /// - Throws: `PDFError.library`.
  func newPage() throws(PDFError) {
    try haru.check(step: "page \(haru.pages.count)")
    page = try haru.addPage()
    begin()
  }

  /// The points that are left on this page.
  var remaining: Double { Self.bottom - y }

  /// The points that a page has for its content.
  var fullHeight: Double { Self.bottom - top }

  /// Goes to a new page unless `height` points are left or the page is still fresh.
  func reserve(_ height: Double) throws(PDFError) {
    if height > remaining, !isFresh { try newPage() }
  }

  /// Moves down by some points.
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

  /// Draws the band of a demonstration: white on dark, so that it stays readable on a bad copy.
  private func drawBand() {
    page.rectangle(
      x: 0, y: 0, width: HaruPage.width, height: bandHeight, HaruPage.Paint(fill: PDFStyle.dark))
    let word = words.demonstration
    let style = PDFStyle(face: .bold, size: 11, leading: bandHeight, ink: PDFStyle.white)
    let rest = PDFStyle(face: .regular, size: 8, leading: bandHeight, ink: PDFStyle.white)
    draw(word, x: Self.left, top: 0, style)
    draw(
      words.demonstrationMeans, x: Self.left + lineWidth(word, style) + 10, top: 0, rest)
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

  /// Draws the first page's head: the agency's name and the kind of document.
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

  /// Writes the footers: the number of pages is known only now.
  func finish() throws(PDFError) {
    let style = PDFStyle.small
    let name = haru.regular.elided(frame.name, size: style.size, width: Self.width - 150)
    let id = frame.identifier
    let idWidth = lineWidth(id, style)
    let made = haru.regular.elided(
      words.madeBy(frame.software, at: frame.made), size: style.size,
      width: Self.width - idWidth - 20)
    let line = Self.bottom + 14
    for (index, sheet) in haru.pages.enumerated() {
      page = sheet
      var number = words.page(index + 1, of: haru.pages.count)
      if let volume = frame.volume {
        number = "\(words.volume(volume.number, of: volume.count)), \(number)"
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

  /// Draws one line whose upper edge is at `top`.
  func draw(_ line: String, x: Double, top: Double, _ style: PDFStyle) {
    page.text(
      line, x: x, y: top + style.baseline, typeface: typeface(style), size: style.size,
      ink: style.ink)
  }

  /// Draws one line at the present place, in a row of another leading; does not move down.
  func draw(_ line: String, x: Double, leading: Double, _ style: PDFStyle) {
    var placed = style
    placed.leading = leading
    draw(line, x: x, top: y, placed)
  }

  /// Draws paragraphs, over as many pages as they need.
  func paragraph(_ text: String, _ style: PDFStyle = .body, indent: Double = 0) throws(PDFError) {
    let lines = typeface(style).lines(
      of: text, size: style.size, width: Self.width - indent)
    for line in lines {
      try reserve(style.leading)
      draw(line, x: Self.left + indent, top: y, style)
      space(style.leading)
    }
  }

  /// Draws a paragraph with a sign before it.
  func item(_ sign: String, _ text: String, _ style: PDFStyle = .body) throws(PDFError) {
    try reserve(style.leading)
    draw(sign, x: Self.left + 2, top: y, style)
    try paragraph(text, style, indent: 15)
  }

  /// Returns the height of a paragraph that no page's end breaks, in points.
  func height(of text: String, _ style: PDFStyle = .body, indent: Double = 0) -> Double {
    let lines = typeface(style).lines(of: text, size: style.size, width: Self.width - indent)
    return Double(lines.count) * style.leading
  }

  /// Goes on lower on this page, at the lower edge of what stands beside the text.
  /// - Parameter bottom: the lower edge, in points from the page's upper edge; nothing happens if
  ///   the text has already passed it.
  func clear(_ bottom: Double) {
    if bottom > y { space(bottom - y) }
  }

  /// The gap above a heading, in points.
  private static let headingGap = 11.0

  /// The height of a heading with the gap above it, in points.
  static let headingHeight = headingGap + PDFStyle.heading.leading + 4

  /// Draws a section's heading over a line.
  /// - Parameter height: the points of the following content that must fit on the same page.
  func heading(_ text: String, keeping height: Double = 60) throws(PDFError) {
    if !isFresh { space(Self.headingGap) }
    try reserve(Self.headingHeight - Self.headingGap + height)
    draw(text, x: Self.left, top: y, .heading)
    space(PDFStyle.heading.leading + 1.5)
    rule(ink: PDFStyle.accent, width: 0.8)
    space(2.5)
  }

  // MARK: lines

  /// Draws a line across the text at the present place; does not move down.
  func rule(ink: HaruPage.Ink, width: Double, length: Double = PDFFlow.width) {
    rule(at: y, ink: ink, width: width, length: length)
  }

  private func rule(
    at y: Double, ink: HaruPage.Ink, width: Double, length: Double = PDFFlow.width
  ) {
    page.line(
      HaruPage.Point(x: Self.left, y: y), HaruPage.Point(x: Self.left + length, y: y),
      HaruPage.Paint(stroke: ink, lineWidth: width))
  }
}
