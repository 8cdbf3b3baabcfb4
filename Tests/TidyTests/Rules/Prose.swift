/// The rule that comments in plain English name their subject: they begin with a noun or a verb.
struct Prose {
  static let bannedBeginnings: Set = ["What", "Whether", "Who", "Whoever", "Whatever"]
  static let bannedPhrases = ["from its parts"]

  /// Checks the lines that are nothing but comment.
  static func complaints(path: String, text: String) -> [String] {
    text.numberedLines.compactMap { number, line in
      guard let comment = comment(line) else { return nil }
      let first = comment.prefix { $0.isLetter }
      if bannedBeginnings.contains(String(first)) {
        return "\(path):\(number): a comment that begins with `\(first)`; name the thing, or say "
          + "what it does"
      }
      return bannedPhrases.first { comment.lowercased().contains($0) }.map {
        "\(path):\(number): `\($0)` in a comment; say what of"
      }
    }
  }

  /// Returns the words of a line that begins with `//`, `/*` or the `*` of a comment's further
  /// lines.
  private static func comment(_ line: Substring) -> Substring? {
    let text = line.drop(while: \.isWhitespace)
    guard ["//", "/*", "* "].contains(where: text.hasPrefix) else { return nil }
    return text.drop { $0.isWhitespace || "/*!".contains($0) }
  }
}
