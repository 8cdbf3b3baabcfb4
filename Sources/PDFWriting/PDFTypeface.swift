import CHaru
import Foundation

// The problem: libharu knows the width of each character, but not where lines end in arbitrary
// text: words longer than the page, control characters, letters that the font does not have, heaps
// of combining marks.
//
// The obvious idea, libharu's own HPDF_Page_TextRect, stops when the rectangle is full without a
// way to go on, cuts words that are too long, and draws an empty box or nothing for letters that
// the font lacks.
//
// The solution: text is cut into units of one visible character each, everything that cannot be
// drawn becomes U+FFFD, and lines are filled greedily with the font's own widths.
//
// Cost: linear in the text; each character's width is asked once for each typeface.

/// An embedded TrueType font, which knows its characters, their widths, and where lines end.
package final class PDFTypeface {
  /// The visible replacement of a character that cannot be shown.
  package static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// The most scalars of a unit that are drawn: a character with more is a prank, not a letter.
  private static let scalarsOfUnitAtMost = 8
  /// The most units of a line: far below the length that libharu takes at once, however narrow they
  /// are.
  private static let unitsOfLineAtMost = 1000

  package let font: HPDF_Font
  private let definition: HPDF_FontDef
  /// The widths of the characters asked so far, in thousandths of the font's size; nil for a
  /// character that the font lacks.
  private var widths: [Unicode.Scalar: Int?] = [:]

  package init(font: HPDF_Font, definition: HPDF_FontDef) {
    self.font = font
    self.definition = definition
  }

  // MARK: characters

  /// A visible character, and its width in thousandths of the size.
  private struct Unit {
    var text: String
    var width: Int
    var isSpace: Bool
  }

  /// Splits a text into its paragraphs at line ends of every kind. At most one empty line is kept
  /// between two paragraphs: more would fill pages with nothing.
  private static func paragraphs(_ text: String) -> [Substring] {
    var kept: [Substring] = []
    var isGap = false
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let isEmpty = line.allSatisfy(\.isWhitespace)
      if !isEmpty {
        if isGap, !kept.isEmpty { kept.append("") }
        kept.append(line)
      }
      isGap = isEmpty
    }
    return kept.isEmpty ? [""] : kept
  }

  /// Returns the text as it can be drawn on one line.
  package func drawable(_ text: String) -> String {
    units(text).map(\.text).joined()
  }

  private func units(_ text: some StringProtocol) -> [Unit] {
    // The text is composed first: a mark that is separate from its letter would be drawn next to
    // it, while the font has the letters with their marks.
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
    let composed = isPlain ? String(text) : text.precomposedStringWithCanonicalMapping
    return composed.map { character in
      let space: Unicode.Scalar = " "
      if character == "\t" || character.isNewline {
        return Unit(text: " ", width: width(of: space) ?? 0, isSpace: true)
      }
      var shown: [Unicode.Scalar] = []
      var isComplete = true
      for scalar in character.unicodeScalars.prefix(Self.scalarsOfUnitAtMost) {
        if width(of: scalar) != nil { shown.append(scalar) } else { isComplete = false }
      }
      if character.unicodeScalars.count > Self.scalarsOfUnitAtMost { isComplete = false }
      if !isComplete { shown.append(Self.replacement) }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: shown)
      return Unit(
        text: String(view), width: shown.reduce(0) { $0 + (width(of: $1) ?? 0) },
        isSpace: character == " ")
    }
  }

  /// Returns a character's width in thousandths of the size; nil if the font lacks it or if it is
  /// not meant to be seen.
  private func width(of scalar: Unicode.Scalar) -> Int? {
    if let known = widths[scalar] { return known }
    let width = measured(scalar)
    widths[scalar] = .some(width)
    return width
  }

  private func measured(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar.properties.generalCategory {
    // Direction overrides, among others, would make the text read differently from how it is
    // written.
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      return nil
    default: break
    }
    guard let code = UInt16(exactly: scalar.value),
      HPDF_TTFontDef_GetGlyphid(definition, code) != 0
    else { return nil }
    return Int(HPDF_Font_GetUnicodeWidth(font, code))
  }

  // MARK: lines

  /// Returns the width of one line, in points.
  package func width(of line: String, size: Double) -> Double {
    Double(units(line).reduce(0) { $0 + $1.width }) * size / 1000
  }

  /// Returns the text on as many lines as it needs, none wider than `width` points unless a single
  /// character is. Lines end at spaces; a word that is longer than a line is broken at the line's
  /// end.
  package func lines(of text: String, size: Double, width: Double) -> [String] {
    let limit = Int((width * 1000 / size).rounded(.down))
    return Self.paragraphs(text).flatMap { filled(units($0), limit: limit) }
  }

  private func filled(_ units: [Unit], limit: Int) -> [String] {
    var lines: [String] = []
    var start = 0
    var used = 0
    var lastSpace: Int?
    var index = 0
    func line(_ range: Range<Int>) -> String {
      var end = range.upperBound
      while end > range.lowerBound, units[end - 1].isSpace { end -= 1 }
      return units[range.lowerBound..<end].map(\.text).joined()
    }
    while index < units.count {
      let unit = units[index]
      let isFull = used + unit.width > limit || index - start >= Self.unitsOfLineAtMost
      // A space may extend beyond the edge, since it is not visible.
      if isFull, index > start, !unit.isSpace {
        let end = lastSpace.map { $0 + 1 } ?? index
        lines.append(line(start..<end))
        (start, index, used, lastSpace) = (end, end, 0, nil)
        continue
      }
      if unit.isSpace, index > start { lastSpace = index }
      used += unit.width
      index += 1
    }
    lines.append(line(start..<units.count))
    return lines
  }

  /// Returns the text on one line, with an ellipsis if it would be wider than `width` points.
  package func elided(_ text: String, size: Double, width: Double) -> String {
    let units = units(text)
    let limit = Int((width * 1000 / size).rounded(.down))
    guard units.reduce(0, { $0 + $1.width }) > limit else { return units.map(\.text).joined() }
    let ellipsis: Unicode.Scalar = "…"
    var used = self.width(of: ellipsis) ?? 0
    var kept = ""
    for unit in units {
      used += unit.width
      if used > limit { break }
      kept += unit.text
    }
    return kept + "…"
  }
}
