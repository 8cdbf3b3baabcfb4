import Foundation
import Testing

/// The rules of this folder, held against the repository.
@Suite("The repository") struct RepositoryTests {
  private let repository = Repository.shared

  @Test("every import follows an arrow of ARCHITECTURE.md")
  func importArrows() throws {
    let arrows = ImportArrows(architecture: try repository.text(of: "ARCHITECTURE.md"))
    let modules = repository.modules
    report(
      arrows.complaints(modules: modules, cModules: Set(modules.filter(repository.isCModule))))
    for (module, path) in swiftFiles(of: modules) {
      report(
        arrows.complaints(module: module, path: path, source: try repository.text(of: path)))
    }
  }

  @Test("every path that the documents name is there")
  func namedPaths() throws {
    let documents =
      ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
      + repository.files(below: "docs", endingWith: ".md")
    for document in documents {
      guard repository.exists(document) else {
        report(["\(document) is not there"])
        continue
      }
      report(
        NamedPaths.complaints(
          document: document, markdown: try repository.text(of: document),
          exists: repository.exists))
    }
  }

  @Test("the pure modules touch no clock, file, terminal or process")
  func bannedCalls() throws {
    for (_, path) in swiftFiles(of: BannedCalls.pureModules) {
      report(BannedCalls.complaints(path: path, source: try repository.text(of: path)))
    }
  }

  @Test("no read of a store fails silently")
  func storeReads() throws {
    for (_, path) in swiftFiles(of: repository.modules) {
      report(StoreReads.complaints(path: path, source: try repository.text(of: path)))
    }
  }

  @Test("decision records are numbered once each and short")
  func decisionRecords() throws {
    let folder = "docs/decisions"
    var records: [String: String] = [:]
    for path in repository.files(below: folder, endingWith: ".md") {
      records[String(path.dropFirst(folder.count + 1))] = try repository.text(of: path)
    }
    report(DecisionRecords.complaints(records: records))
  }

  @Test("every file and folder has a name that says something")
  func fileNames() {
    let folders = ["Sources", "Tests", "Examples", "docs", "exports", "schemas", "scripts"]
    report(FileNames.complaints(paths: folders + folders.flatMap(repository.paths(below:))))
  }

  @Test("no Swift file under Sources is longer than 500 lines")
  func lengthOfSources() throws {
    for path in repository.files(below: "Sources", endingWith: ".swift") {
      report(
        Lengths.complaints(
          path: path, text: try repository.text(of: path), linesAtMost: Lengths.swiftLinesAtMost))
    }
  }

  @Test("no module is longer than 9,000 lines, and Store than 11,000")
  func sizesOfModules() throws {
    for module in repository.modules {
      let lines = try swiftFiles(of: [module]).reduce(0) {
        $0
          + (try repository.text(of: $1.path)).split(
            separator: "\n", omittingEmptySubsequences: false
          )
          .count - 1
      }
      let most = module == "Store" ? 11_000 : 9_000
      if lines > most { report(["Sources/\(module): \(lines) lines; at most \(most): divide it"]) }
    }
  }

  @Test("README.md is at most 120 lines long")
  func lengthOfReadme() throws {
    report(
      Lengths.complaints(
        path: "README.md", text: try repository.text(of: "README.md"),
        linesAtMost: Lengths.readmeLinesAtMost))
  }

  @Test("no type is named like its module")
  func typeNames() throws {
    for (module, path) in swiftFiles(of: repository.modules) {
      report(
        TypeNames.complaints(module: module, path: path, source: try repository.text(of: path)))
    }
  }

  @Test("no function under Sources is longer than 60 lines")
  func functions() throws {
    for (_, path) in swiftFiles(of: repository.modules) {
      report(Functions.complaints(path: path, source: try repository.text(of: path)))
    }
  }

  @Test("no type is stretched over more than 10 files or has more than 80 functions")
  func types() throws {
    for module in repository.modules {
      report(Types.complaints(module: module, files: try sources(of: module)))
    }
  }

  @Test("no protocol has more than 25 members")
  func ports() throws {
    for module in repository.modules {
      report(Ports.complaints(module: module, files: try sources(of: module)))
    }
  }

  @Test("every folder uses only the folders that ARCHITECTURE.md allows it")
  func folderArrows() throws {
    let arrows = FolderArrows(architecture: try repository.text(of: "ARCHITECTURE.md"))
    var files: [String: [FolderArrows.Source]] = [:]
    for module in repository.modules { files[module] = try sources(of: module) }
    report(arrows.complaints(files: files))
  }

  @Test("every comment names its subject")
  func prose() throws {
    let sources = [".swift", ".js", ".css", ".c", ".h"].flatMap {
      repository.files(below: "Sources", endingWith: $0)
    }
    // The samples of the rule's own tests would be found, too.
    let tests = repository.files(below: "Tests", endingWith: ".swift").filter {
      $0 != "Tests/TidyTests/ProseTests.swift"
    }
    for path in sources + tests {
      report(Prose.complaints(path: path, text: try repository.text(of: path)))
    }
  }

  private func sources(of module: String) throws -> [FolderArrows.Source] {
    try swiftFiles(of: [module]).map { ($0.path, try repository.text(of: $0.path)) }
  }

  private func swiftFiles(of modules: [String]) -> [(module: String, path: String)] {
    modules.flatMap { module in
      repository.files(below: "Sources/\(module)", endingWith: ".swift").map { (module, $0) }
    }
  }
}
