/// The rule that no type is named like its module: `Evidence.Seal` would then look inside the type,
/// and nothing could name the module any more.
struct TypeNames {
  private static let keywords: Set = ["actor", "class", "enum", "protocol", "struct", "typealias"]

  static func complaints(module: String, path: String, source: String) -> [String] {
    SwiftText(source).codeOnly.numberedLines.compactMap { number, line in
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      let declares = zip(words, words.dropFirst()).contains { keyword, name in
        keywords.contains(String(keyword)) && name == module
      }
      // `import struct Evidence.Seal` names the module, as it should.
      guard declares, ImportArrows.importedModule(line) == nil else { return nil }
      return "\(path):\(number): the type \(module) is named like its module"
    }
  }
}
