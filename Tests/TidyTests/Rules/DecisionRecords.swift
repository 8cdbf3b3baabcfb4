/// The rule that decision records are numbered once each, from 0001 without gaps, and are short.
struct DecisionRecords {
  static let linesAtMost = 60

  /// Checks records, which are texts by their file's name inside `docs/decisions`.
  static func complaints(records: [String: String]) -> [String] {
    var complaints: [String] = []
    var numbers: [Int: [String]] = [:]
    for (name, text) in records.sorted(by: { $0.key < $1.key }) {
      if let number = number(of: name) {
        numbers[number, default: []].append(name)
      } else {
        complaints.append("docs/decisions/\(name): expected a name like 0001-short-title.md")
      }
      if text.lineCount > linesAtMost {
        complaints.append(
          "docs/decisions/\(name): \(text.lineCount) lines; at most \(linesAtMost)")
      }
    }
    for (number, names) in numbers.sorted(by: { $0.key < $1.key }) where names.count > 1 {
      complaints.append("docs/decisions: \(number) is given to \(names.joined(separator: " and "))")
    }
    for number in 1..<max(1, numbers.keys.max() ?? 0) where numbers[number] == nil {
      complaints.append("docs/decisions: \(number) is missing between its neighbours")
    }
    return complaints
  }

  /// Returns the number of `0007-one-clock.md`; nil if the name has another shape.
  private static func number(of name: String) -> Int? {
    guard let match = name.wholeMatch(of: /([0-9]{4})(-[a-z0-9]+)+\.md/),
      let number = Int(match.output.1), number > 0
    else { return nil }
    return number
  }
}
