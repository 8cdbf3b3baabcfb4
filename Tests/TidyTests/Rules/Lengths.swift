/// The rule that a file is no longer than a reader can hold in mind, and the front page a page.
struct Lengths {
  static let swiftLinesAtMost = 500
  static let readmeLinesAtMost = 120

  static func complaints(path: String, text: String, linesAtMost: Int) -> [String] {
    let lines = text.lineCount
    return lines > linesAtMost ? ["\(path): \(lines) lines; at most \(linesAtMost)"] : []
  }
}
