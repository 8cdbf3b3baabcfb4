/// What a reader can hold in mind: files that end, and a front page that is one.
struct Lengths {
  static let swiftLinesAtMost = 500
  static let readmeLinesAtMost = 120

  static func complaints(path: String, text: String, linesAtMost: Int) -> [String] {
    let lines = text.lineCount
    return lines > linesAtMost ? ["\(path): \(lines) lines; at most \(linesAtMost)"] : []
  }
}
