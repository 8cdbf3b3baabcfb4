import PDFWriting

/// The look of text: a typeface, its size, and the distance of its lines.
struct PDFStyle {
  /// The choice between the two typefaces.
  enum Face {
    case regular
    case bold
  }

  var face: Face
  /// The size of the letters, in points.
  var size: Double
  /// The distance from baseline to baseline, in points.
  var leading: Double
  var ink: HaruPage.Ink

  /// The ink of the text: dark enough to print, but not black.
  static let dark = HaruPage.Ink(red: 0.11, green: 0.13, blue: 0.16)
  /// The ink of labels, with a contrast of 6 : 1 on white.
  static let muted = HaruPage.Ink(red: 0.37, green: 0.40, blue: 0.44)
  static let hairline = HaruPage.Ink(red: 0.80, green: 0.82, blue: 0.85)
  static let tint = HaruPage.Ink(red: 0.945, green: 0.953, blue: 0.961)
  static let white = HaruPage.Ink(red: 1, green: 1, blue: 1)
  /// The ink of photos and headings.
  static let accent = HaruPage.Ink(red: 0.05, green: 0.31, blue: 0.43)

  /// The ink of tracks, different from the ink of photos and from the map's ground.
  static let trail = HaruPage.Ink(red: 0.62, green: 0.24, blue: 0.05)

  static let title = PDFStyle(face: .bold, size: 19, leading: 24, ink: dark)
  /// The style of names that are as long as a paragraph.
  static let longTitle = PDFStyle(face: .bold, size: 11, leading: 15, ink: dark)
  static let subtitle = PDFStyle(face: .bold, size: 14, leading: 19, ink: dark)
  static let state = PDFStyle(face: .bold, size: 11, leading: 15, ink: accent)
  static let heading = PDFStyle(face: .bold, size: 10.5, leading: 14, ink: accent)
  static let body = PDFStyle(face: .regular, size: 8, leading: 11, ink: dark)
  static let strong = PDFStyle(face: .bold, size: 8, leading: 11, ink: dark)
  static let label = PDFStyle(face: .regular, size: 8, leading: 11, ink: muted)
  static let columnHead = PDFStyle(face: .bold, size: 7.2, leading: 10, ink: muted)
  static let small = PDFStyle(face: .regular, size: 7, leading: 10, ink: muted)
  static let smallStrong = PDFStyle(face: .bold, size: 7, leading: 10, ink: dark)
  /// The style of what strangers check and most readers skip.
  static let fine = PDFStyle(face: .regular, size: 6.6, leading: 8.8, ink: dark)
  static let fineLabel = PDFStyle(face: .regular, size: 6.2, leading: 8.4, ink: muted)
  static let fineHead = PDFStyle(face: .bold, size: 6.8, leading: 10.5, ink: dark)
  /// The style of a decision's word.
  static let decision = PDFStyle(face: .bold, size: 15, leading: 20, ink: dark)
  static let tag = PDFStyle(face: .bold, size: 8, leading: 11, ink: white)

  /// The distance from a line's upper edge to its baseline, in points: capitals are in the middle
  /// of their line.
  var baseline: Double { leading / 2 + size * 0.365 }
}
