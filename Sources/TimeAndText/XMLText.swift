/// Text as XML 1.0 writes it. XML cannot express most control characters: they are left out.
public enum XMLText {
  /// Returns a text with XML's special characters escaped.
  /// - Parameter isAttribute: true for an attribute's value: line ends and tabs become references
  ///   there, since a reader would turn them into blanks otherwise.
  public static func escaped(_ text: String, isAttribute: Bool) -> String {
    var result = ""
    result.unicodeScalars.reserveCapacity(text.unicodeScalars.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n":
        if isAttribute {
          result += "&#\(scalar.value);"
        } else {
          result.unicodeScalars.append(scalar)
        }
      case "\u{0}"..<"\u{20}", "\u{7F}", "\u{FFFE}", "\u{FFFF}": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
