/// The rule that a folder of a module uses only the folders that ARCHITECTURE.md allows it.
///
/// The block's lines read `Office/Deliveries: Core Ports Files`: a folder, and the folders of the
/// same module that it may use. A file uses a folder if it names a type that is declared there at
/// the top of a file. Files directly in the module's folder put it together: they may use
/// everything, and nobody else may use what they declare, unless a line allows it with `.`.
struct FolderArrows {
  /// The name for the files of a module that are in none of its folders.
  static let composition = "."

  typealias Source = (path: String, source: String)

  private struct Allowance {
    let line: Int
    let folders: Set<String>
  }

  /// The folders that a folder may use, by its module and its name.
  private var allowed: [String: [String: Allowance]] = [:]
  /// False if there is not exactly one block: then nothing can be compared with it.
  private var hasBlock = false
  /// The faults of the block itself.
  private(set) var complaintsAboutBlock: [String] = []

  /// Reads the one fenced block tagged `folders`.
  init(architecture: String) {
    let (blocks, lines) = architecture.linesOfBlocks(tagged: "folders")
    hasBlock = blocks == 1
    guard hasBlock else {
      complaintsAboutBlock = [
        "ARCHITECTURE.md: expected one fenced block tagged `folders` that says which folder of a "
          + "module may use which, found \(blocks)"
      ]
      return
    }
    for (number, line) in lines { read(line, line: number) }
    for module in allowed.keys.sorted() { complaintsAboutBlock += cycles(in: module) }
  }

  private mutating func read(_ line: String, line number: Int) {
    let halves = line.split(separator: ":", omittingEmptySubsequences: false)
    let names = halves[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard halves.count == 2, halves[0].words.count == 1, names.count == 2,
      !names.contains(where: { $0.isEmpty || $0 == Self.composition })
    else {
      complaintsAboutBlock.append(
        "ARCHITECTURE.md:\(number): expected `Module/Folder: Folder Folder`, found `\(line)`")
      return
    }
    if allowed[names[0]]?[names[1]] != nil {
      complaintsAboutBlock.append(
        "ARCHITECTURE.md:\(number): \(halves[0]) stands in the block twice")
    }
    allowed[names[0], default: [:]][names[1]] = Allowance(
      line: number, folders: Set(halves[1].words))
  }

  /// Returns true for a module whose folders need lines, whatever the block lists.
  private static func isDividedByRule(_ module: String) -> Bool {
    module.hasPrefix("Office") || module.hasPrefix("FieldUnit")
  }

  /// Compares the block with the files of all modules.
  func complaints(files: [String: [Source]]) -> [String] {
    guard hasBlock else { return complaintsAboutBlock }
    var complaints = complaintsAboutBlock
    for module in allowed.keys.sorted() where files[module] == nil {
      complaints.append("ARCHITECTURE.md: \(module) stands in the folders block and not in Sources")
    }
    for (module, files) in files.sorted(by: { $0.key < $1.key })
    where allowed[module] != nil || Self.isDividedByRule(module) {
      complaints += self.complaints(module: module, files: files)
    }
    return complaints
  }

  private func complaints(module: String, files: [Source]) -> [String] {
    let sources = files.map { FolderSource(module: module, path: $0.path, source: $0.source) }
    let lines = allowed[module] ?? [:]
    let folders = Set(sources.map(\.folder)).subtracting([Self.composition])
    var complaints = folders.subtracting(lines.keys).sorted().map {
      "ARCHITECTURE.md: \(module)/\($0) is missing in the folders block"
    }
    var owners: [String: String] = [:]
    for source in sources {
      for type in source.shared { owners[type] = source.folder }
    }
    var used: [String: Set<String>] = [:]
    for source in sources where source.folder != Self.composition {
      for (folder, mention) in source.uses(of: owners) {
        used[source.folder, default: []].insert(folder)
        guard let line = lines[source.folder], !line.folders.contains(folder) else { continue }
        let other = folder == Self.composition ? "the files directly in \(module)" : folder
        complaints.append(
          "\(source.path):\(mention.line): \(module)/\(source.folder) may not use \(other) "
            + "(`\(mention.type)`); the folders stand in ARCHITECTURE.md")
      }
    }
    for (folder, line) in lines.sorted(by: { $0.value.line < $1.value.line }) {
      if !folders.contains(folder) {
        complaints.append(
          "ARCHITECTURE.md:\(line.line): \(module)/\(folder) is no folder with Swift files")
        continue
      }
      for unused in line.folders.subtracting(used[folder] ?? []).sorted() {
        complaints.append(
          "ARCHITECTURE.md:\(line.line): \(module)/\(folder) may use \(unused) and does not")
      }
    }
    return complaints
  }

  /// Returns the cycles among the lines of a module, each once. The composition closes none: it may
  /// use everything anyway.
  private func cycles(in module: String) -> [String] {
    let lines = allowed[module] ?? [:]
    var finished: Set<String> = []
    var way: [String] = []
    var found: [String] = []
    func visit(_ folder: String) {
      if let start = way.firstIndex(of: folder) {
        let circle = (way[start...] + [folder]).joined(separator: ", which may use ")
        found.append("ARCHITECTURE.md: a cycle in the folders block: \(module)/\(circle)")
        return
      }
      guard !finished.contains(folder), let line = lines[folder] else { return }
      way.append(folder)
      line.folders.sorted().forEach(visit)
      way.removeLast()
      finished.insert(folder)
    }
    lines.keys.sorted().forEach(visit)
    return found
  }
}

/// One file of a module, as its folder arrows see it.
private struct FolderSource {
  let path: String
  /// The first folder below the module's, or `FolderArrows.composition`.
  let folder: String
  /// The types that it declares at its top and that other files can name.
  let shared: [String]
  /// The words that may name such types, each with the line of its first mention, in order.
  private let mentions: [(type: String, line: Int)]

  init(module: String, path: String, source: String) {
    self.path = path
    let names = path.split(separator: "/").drop { $0 != module }.dropFirst()
    folder = names.count > 1 ? String(names[names.startIndex]) : FolderArrows.composition
    let code = SwiftText(source).codeOnly
    let types = SwiftDeclarations(code: code).all.filter {
      $0.place == .file && [.type, .protocolType, .alias].contains($0.kind)
    }
    shared = types.filter { !$0.isFilePrivate }.map(\.name)
    let tokens = SwiftToken.tokens(ofCode: code)
    var seen = Set(types.filter(\.isFilePrivate).map(\.name))
    var mentions: [(type: String, line: Int)] = []
    for (index, token) in tokens.enumerated() where token.isWord {
      // `Row` of `Table.Row` is a type inside another one; `Row` of `Office.Row` is not.
      let isInside =
        index > 1 && tokens[index - 1].text == "." && tokens[index - 2].text != module
      if !isInside, seen.insert(token.text).inserted { mentions.append((token.text, token.line)) }
    }
    self.mentions = mentions
  }

  /// Returns the other folders whose types this file names, each with the first mention.
  func uses(of owners: [String: String]) -> [(folder: String, mention: (type: String, line: Int))] {
    var folders: Set<String> = [folder]
    return mentions.compactMap { mention in
      guard let owner = owners[mention.type], folders.insert(owner).inserted else { return nil }
      return (owner, mention)
    }
  }
}
