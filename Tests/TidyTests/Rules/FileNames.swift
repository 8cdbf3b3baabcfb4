/// The rule that a name says what a thing is about, and not only that nobody decided.
struct FileNames {
  static let banned: Set = [
    "common", "helper", "helpers", "manager", "managers", "models", "util", "utils",
  ]

  /// Looks at the last word of the last component: `StringUtils.swift`, `Fix+Helpers.swift`.
  static func complaints(paths: [String]) -> [String] {
    paths.compactMap { path in
      let name = path.split(separator: "/").last ?? ""
      let stem = name.split(separator: ".").first ?? ""
      guard let word = lastWord(of: stem), banned.contains(word.lowercased()) else { return nil }
      return "\(path): a file or folder called \(word) says nothing; name what it holds"
    }
  }

  /// Returns the last word of a name in camel case, or of one joined with signs.
  private static func lastWord(of stem: Substring) -> Substring? {
    guard let part = stem.split(whereSeparator: { !$0.isLetter }).last else { return nil }
    if !part.contains(where: \.isLowercase) { return part }
    return part.lastIndex(where: \.isUppercase).map { part[$0...] } ?? part
  }
}
