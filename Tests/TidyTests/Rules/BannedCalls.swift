/// The rule that pure modules touch no clock, file, terminal or process.
struct BannedCalls {
  static let pureModules = [
    "Geodesy", "Positioning", "Inspection", "Imagery", "Evidence", "Sync", "Judgement", "Imports",
    "Exports", "Transparency", "Timestamps", "Attestation", "Verification",
  ]

  /// Each call as it is written, and the advice against it.
  static let banned = [
    ("Date()", "take the time as a value"),
    ("Date.now", "take the time as a value"),
    ("FileManager", "take bytes, or an interface that this module owns"),
    ("ProcessInfo", "take what you need as a value"),
    ("print(", "return a value"),
    ("try!", "throw the module's error"),
  ]

  /// Finds the calls in code and interpolations; comments may name them.
  static func complaints(path: String, source: String) -> [String] {
    SwiftText(source).withoutComments.numberedLines.flatMap { number, line in
      banned.filter { holds(line, $0.0) }.map {
        "\(path):\(number): `\($0.0)` in a pure module; \($0.1)"
      }
    }
  }

  /// Returns true if a line holds a call as whole words: `fingerprint(` is not `print(`, and
  /// `CivilDate()` is not `Date()`.
  private static func holds(_ line: Substring, _ call: String) -> Bool {
    var rest = line
    while let start = rest.firstIndex(where: { $0 == call.first }) {
      let candidate = rest[start...]
      let isWordStart = start == line.startIndex || !isWord(line[line.index(before: start)])
      let following = candidate.dropFirst(call.count).first
      let isWordEnd = !isWord(call.last) || !isWord(following)
      if candidate.hasPrefix(call), isWordStart, isWordEnd { return true }
      rest = candidate.dropFirst()
    }
    return false
  }

  private static func isWord(_ character: Character?) -> Bool {
    guard let character else { return false }
    return character.isLetter || character.isNumber || character == "_"
  }
}
