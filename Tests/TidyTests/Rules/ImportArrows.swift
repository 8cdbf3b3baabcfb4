/// The rule that a module imports only the modules that ARCHITECTURE.md allows it.
///
/// The block's lines read `Positioning: Geodesy CGPS`: a module, and everything that it may import.
/// Modules that come with the toolchain are free for all.
struct ImportArrows {
  static let freeForAll: Set = [
    "Dispatch", "Foundation", "Glibc", "Swift", "Synchronization", "_Concurrency",
  ]

  /// The modules that a module may import, by its name.
  private(set) var allowed: [String: Set<String>] = [:]
  /// The faults of the block itself.
  private(set) var complaintsAboutBlock: [String] = []

  /// Reads the one fenced block tagged `arrows`.
  init(architecture: String) {
    let (blocks, lines) = architecture.linesOfBlocks(tagged: "arrows")
    for (number, line) in lines { read(line, line: number) }
    if blocks != 1 {
      complaintsAboutBlock.append(
        "ARCHITECTURE.md: expected one fenced block tagged `arrows`, found \(blocks)")
    }
  }

  private mutating func read(_ line: String, line number: Int) {
    let halves = line.split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2, let module = halves[0].words.first, halves[0].words.count == 1 else {
      complaintsAboutBlock.append(
        "ARCHITECTURE.md:\(number): expected `Module: Import Import`, found `\(line)`")
      return
    }
    if allowed[module] != nil {
      complaintsAboutBlock.append("ARCHITECTURE.md:\(number): \(module) stands in the block twice")
    }
    allowed[module, default: []].formUnion(halves[1].words)
  }

  /// Compares the block with the modules that exist.
  func complaints(modules: [String], cModules: Set<String>) -> [String] {
    var complaints = complaintsAboutBlock
    for module in modules where allowed[module] == nil {
      complaints.append("ARCHITECTURE.md: Sources/\(module) is missing in the arrows block")
    }
    for module in allowed.keys.sorted() where !modules.contains(module) {
      complaints.append("ARCHITECTURE.md: \(module) stands in the arrows block and not in Sources")
    }
    for cModule in cModules.sorted() {
      let importers = allowed.filter { $0.value.contains(cModule) }.keys.sorted()
      if importers.count != 1 {
        complaints.append(
          "ARCHITECTURE.md: \(cModule) belongs to exactly one module, not to \(importers)")
      }
    }
    return complaints
  }

  /// Compares one file's imports with the block.
  func complaints(module: String, path: String, source: String) -> [String] {
    SwiftText(source).codeOnly.numberedLines.flatMap { number, line in
      line.split(separator: ";").compactMap { statement in
        guard let imported = Self.importedModule(statement),
          !Self.freeForAll.contains(imported),
          allowed[module]?.contains(imported) != true
        else { return nil }
        return "\(path):\(number): \(module) may not import \(imported); "
          + "the arrows stand in ARCHITECTURE.md"
      }
    }
  }

  /// Returns `X` of `import X`, `public import X`, `@testable import X` and `import struct X.Y`.
  static func importedModule(_ statement: some StringProtocol) -> String? {
    let modifiers: Set = ["public", "package", "internal", "fileprivate", "private"]
    let kinds: Set = [
      "actor", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]
    var words = statement.words[...]
    words = words.drop { $0.hasPrefix("@") || modifiers.contains($0) }
    guard words.popFirst() == "import" else { return nil }
    words = words.drop { kinds.contains($0) }
    return words.first?.split(separator: ".").first.map(String.init)
  }
}

extension String {
  /// Counts the fenced blocks of a document with a tag, and returns their lines that are not empty.
  func linesOfBlocks(tagged tag: String) -> (blocks: Int, lines: [(number: Int, text: String)]) {
    var isInside = false
    var isTagged = false
    var blocks = 0
    var lines: [(number: Int, text: String)] = []
    for (number, line) in numberedLines {
      let text = line.trimmingSpaces
      if text.hasPrefix("```") {
        isInside.toggle()
        isTagged = isInside && text == "```" + tag
        if isTagged { blocks += 1 }
      } else if isTagged, !text.isEmpty {
        lines.append((number, text))
      }
    }
    return (blocks, lines)
  }
}

extension StringProtocol {
  /// The words between blanks.
  var words: [String] { Substring(self).split(whereSeparator: \.isWhitespace).map(String.init) }

  /// The text without blanks at either end.
  var trimmingSpaces: String {
    var text = Substring(self).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
