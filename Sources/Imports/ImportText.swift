import TimeAndText

/// The rules for a text in a file. The text will appear on other people's screens, in terminals and
/// in documents.
package enum ImportText {
  /// Checks a text, and returns it unchanged; nil for a blank text, which some programs write for a
  /// missing value.
  /// - Throws: `ImportFault` without a line.
  package static func checked(
    _ text: String, name: String, charactersAtMost limit: Int, mayHaveLines: Bool = false
  ) throws(ImportFault) -> String? {
    let bytes = text.utf8.count
    guard bytes <= 4 * limit, text.unicodeScalars.count <= limit else {
      throw ImportFault("\(name) has \(bytes) bytes: at most \(limit) characters are allowed")
    }
    var isBlank = true
    for scalar in text.unicodeScalars {
      if mayHaveLines, ["\n", "\r", "\t"].contains(scalar) { continue }
      if isHidden(scalar) {
        throw ImportFault(
          "\(name) contains an invisible character, U+\(hexadecimal(scalar)): remove it")
      }
      if !scalar.properties.isWhitespace { isBlank = false }
    }
    return isBlank ? nil : text
  }

  /// Returns true for control characters, and for characters that change the direction of the text
  /// after them: with them one name could look like another.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
      0xFFF9...0xFFFB:
      true
    default: scalar.properties.isNoncharacterCodePoint
    }
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Shortens a file's words to one line, so that a message may repeat them.
  package static func shown(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(60) {
      shown.unicodeScalars.append(isHidden(scalar) ? "\u{FFFD}" : scalar)
    }
    return text.utf8.count > 240 || text.unicodeScalars.count > 60 ? shown + "…" : shown
  }

  /// Shortens the values of a sentence in the same way, because a message about a file repeats its
  /// bytes.
  package static func shown(_ wording: Wording) -> Wording {
    Wording(
      template: wording.template,
      values: wording.values.map { value in
        switch value {
        case .plain(let text): .plain(shown(text))
        case .decimal, .moment: value
        case .words(let words): .words(shown(words))
        }
      })
  }

  /// Returns degrees in the form for people, with 6 decimal places.
  package static func degrees(_ value: Double) -> String { DecimalText.fixed(value, places: 6) }
}
