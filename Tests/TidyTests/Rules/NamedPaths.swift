/// The rule that every path of this repository that a document names in backticks is there.
///
/// A word counts if it begins with a known folder, or is a known name at the top. A placeholder
/// (`docs/decisions/NNNN-title.md`, `Sources/<module>/…`) names no file.
struct NamedPaths {
  static let folders = [
    "Sources/", "Tests/", "schemas/", "exports/", "docs/", "scripts/", "Examples/",
  ]
  static let topLevel: Set = [
    ".ci/run", ".gitignore", ".swift-format", "ARCHITECTURE.md", "CHANGELOG.md",
    "CONTRIBUTING.md", "LICENSE", "Makefile", "Package.swift", "README.md", "debian-packages.txt",
  ]
  static let signsOfPlaceholder = ["NNNN", "…", "...", "<", "*", "{", "$"]

  /// Complains of the named paths that `exists` denies.
  static func complaints(
    document: String, markdown: String, exists: (String) -> Bool
  ) -> [String] {
    paths(in: markdown).filter { !exists($0.path) }.map {
      "\(document):\($0.line): names `\($0.path)`, which is not there"
    }
  }

  /// Returns every path in backticks outside fenced blocks; of a command line, its first word.
  static func paths(in markdown: String) -> [(line: Int, path: String)] {
    var isFenced = false
    var found: [(Int, String)] = []
    for (number, line) in markdown.numberedLines {
      if line.trimmingSpaces.hasPrefix("```") {
        isFenced.toggle()
        continue
      }
      if isFenced { continue }
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      // Odd parts stand between two backticks; an opening one without its partner is prose.
      for (index, part) in parts.enumerated() where index % 2 == 1 && index + 1 < parts.count {
        if let word = part.words.first, isRepositoryPath(word) { found.append((number, word)) }
      }
    }
    return found
  }

  private static func isRepositoryPath(_ word: String) -> Bool {
    if signsOfPlaceholder.contains(where: word.contains) { return false }
    return topLevel.contains(word) || folders.contains { word.hasPrefix($0) }
  }
}
