import Inspection
import PDFWriting
import TimeAndText

/// A PDF of labels for posts and doors, to be cut out. Each has the code of a photo point twice: as
/// a QR code for the camera page, and in letters that a person can type.
public enum PhotoPointLabels {
  private static let columns = 2
  private static let rows = 5
  /// The upper left corner of a page's first label, points: the header stays above it.
  private static let left = 28.0
  private static let top = 50.0
  /// The sides of a label, points.
  private static let width = (HaruPage.width - 2 * left) / Double(columns)
  private static let height = 145.8
  /// The side of the QR code with its light edge, points: 45 mm, of which the code has 35 mm.
  private static let codeSide = 127.6
  private static let padding = 9.0
  private static let linesOfName = 2

  /// Writes the labels, ten on a page of A4, in the order of their points. A point without a code
  /// gets none; if no point has a code, the document is one page without labels. The bytes depend
  /// only on the arguments and the fonts.
  /// - Parameters:
  ///   - agencyTitle: the agency's name for people.
  ///   - language: the language of the words at the edges of the pages.
  ///   - made: the time at which the document is made.
  ///   - software: the name and version of the program that makes the document.
  /// - Throws: `PDFError`; then there is no file.
  public static func write(
    _ points: [PhotoPoint], agencyTitle: String, language: DocumentLanguage = .english,
    fonts: PDFFonts, made: DeviceTime, software: String, toFile path: String
  ) throws(PDFError) {
    let title = DocumentWords(t: language).photoPointLabels
    let frame = PDFFlow.Frame(
      kind: title, name: title, identifier: points.first?.agency ?? "", agencyTitle: agencyTitle,
      isDemonstration: false, made: made, software: software)
    let labelled = points.compactMap { point in point.code.map { (point: point, code: $0) } }
    try PDFDocument.write(frame, language, fonts: fonts, toFile: path) {
      (flow) throws(PDFError) in
      for (index, label) in labelled.enumerated() {
        let place = index % (columns * rows)
        if index > 0, place == 0 { try flow.newPage() }
        draw(
          label.point, label.code, agencyTitle, x: left + Double(place % columns) * width,
          y: top + Double(place / columns) * height, on: flow)
      }
    }
  }

  private static func draw(
    _ point: PhotoPoint, _ code: PhotoPointCode, _ agencyTitle: String, x: Double, y: Double,
    on flow: PDFFlow
  ) {
    flow.page.rectangle(
      x: x, y: y, width: width, height: height,
      HaruPage.Paint(stroke: PDFStyle.hairline, lineWidth: 0.4))
    if let picture = QRCode(code.labelText(agency: point.agency)) {
      flow.page.code(
        picture, x: x + padding, y: y + padding, side: codeSide, ink: PDFStyle.dark)
    }
    let textLeft = x + padding + codeSide
    let room = x + width - padding - textLeft
    var line = y + 2 * padding
    for name in lines(of: point.name ?? "", width: room, on: flow) {
      flow.draw(name, x: textLeft, top: line, .state)
      line += PDFStyle.state.leading
    }
    // Letters differ in width, and a code is never cut: it gets the size in which it fits.
    var style = PDFStyle(face: .bold, size: 20, leading: 26, ink: PDFStyle.dark)
    style.size *= min(1, room / flow.lineWidth(code.spaced, style))
    flow.draw(code.spaced, x: textLeft, top: y + height / 2 - style.leading / 2, style)
    let agency = flow.typeface(.small).elided(agencyTitle, size: PDFStyle.small.size, width: room)
    flow.draw(agency, x: textLeft, top: y + height - 2 * padding - PDFStyle.small.leading, .small)
  }

  /// Returns a name on at most two lines, with an ellipsis if it is longer.
  private static func lines(of name: String, width: Double, on flow: PDFFlow) -> [String] {
    let (typeface, size) = (flow.typeface(.state), PDFStyle.state.size)
    let lines = typeface.lines(of: name, size: size, width: width)
    guard lines.count > linesOfName else { return lines }
    let rest = lines[(linesOfName - 1)...].joined(separator: " ")
    return Array(lines.prefix(linesOfName - 1))
      + [typeface.elided(rest, size: size, width: width)]
  }
}
