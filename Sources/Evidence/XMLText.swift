/// Text as XML 1.0 writes it. It has no way to write most control characters: they are left out.
public enum XMLText {
  /// - Parameter isAttribute: line ends and tabs are references there, which a reader would make blanks
  ///   otherwise.
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
