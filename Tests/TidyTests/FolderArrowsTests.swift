import Testing

@Suite("Folder arrows") struct FolderArrowsTests {
  private let block = """
    # Architecture
    ```arrows
    Office: Store
    ```
    ```folders
    Office/Core:
    Office/Review: Core .
    ```
    """
  private let files: [FolderArrows.Source] = [
    ("Sources/Office/Office.swift", "struct Server { let review: Review; let core: Core }"),
    ("Sources/Office/Core/Core.swift", "public struct Core { struct Step {} }"),
    ("Sources/Office/Core/Deep/Clock.swift", "typealias Clock = Core\nprivate struct Row {}"),
    ("Sources/Office/Review/Review.swift", "struct Review { let core: Core; let server: Server }"),
  ]

  private func complaints(
    _ block: String, _ files: [FolderArrows.Source], module: String = "Office"
  ) -> [String] {
    FolderArrows(architecture: block).complaints(files: [module: files])
  }

  @Test("a tree that follows its lines passes")
  func green() {
    #expect(complaints(block, files).isEmpty)
  }

  @Test(
    "nested and private types, members, comments, strings and longer words are no mentions",
    arguments: [
      "let step: Step", "let row: Row", "let a = Page.Review()", "// Review", "let a = \"Review\"",
      "let a: ReviewPage", "let a = review", "private enum Review {}\nlet a: Review",
    ])
  func greenMentions(line: String) {
    #expect(complaints(block, files + [("Sources/Office/Core/More.swift", line)]).isEmpty)
  }

  @Test(
    "a type of a folder that no line allows is named with file and line",
    arguments: [
      "let a: [Review]", "extension Review {}", "let a = Office.Review()",
      "let a = \"\\(Review())\"",
    ])
  func red(line: String) {
    let more = [(path: "Sources/Office/Core/Deep/More.swift", source: "\n" + line)]
    #expect(
      complaints(block, files + more) == [
        "Sources/Office/Core/Deep/More.swift:2: Office/Core may not use Review (`Review`); "
          + "the folders stand in ARCHITECTURE.md"
      ])
  }

  @Test("what the files directly in the module declare is not for its folders")
  func composition() {
    let more = [(path: "Sources/Office/Core/More.swift", source: "let server: Server")]
    #expect(
      complaints(block, files + more) == [
        "Sources/Office/Core/More.swift:1: Office/Core may not use the files directly in Office "
          + "(`Server`); the folders stand in ARCHITECTURE.md"
      ])
  }

  @Test("every folder of a listed module, and of every Office and FieldUnit, needs a line")
  func missing() {
    let more = [(path: "Sources/Office/People/People.swift", source: "struct People {}")]
    #expect(
      complaints(block, files + more) == [
        "ARCHITECTURE.md: Office/People is missing in the folders block"
      ])
    let empty = "```folders\n```"
    let pages = [(path: "Sources/OfficePages/Map/Map.swift", source: "struct MapPages {}")]
    #expect(complaints(empty, pages, module: "OfficePages").count == 1)
    let store = [(path: "Sources/Store/Map/Map.swift", source: "struct MapRows {}")]
    #expect(complaints(empty, store, module: "Store").isEmpty)
  }

  @Test("a line that nothing needs is refused")
  func unused() {
    #expect(
      complaints("```folders\nOffice/Core: .\nOffice/Review: Core . Map\n```", files) == [
        "ARCHITECTURE.md:2: Office/Core may use . and does not",
        "ARCHITECTURE.md:3: Office/Review may use Map and does not",
      ])
    #expect(
      complaints("```folders\nOffice/Core:\nOffice/Map:\nOffice/Review: Core .\n```", files) == [
        "ARCHITECTURE.md:3: Office/Map is no folder with Swift files"
      ])
    #expect(
      FolderArrows(architecture: block).complaints(files: [:]) == [
        "ARCHITECTURE.md: Office stands in the folders block and not in Sources"
      ])
  }

  @Test("a cycle is refused even where every arrow is used")
  func cycle() {
    let more = [(path: "Sources/Office/Core/More.swift", source: "let review: Review")]
    #expect(
      complaints("```folders\nOffice/Core: Review\nOffice/Review: Core .\n```", files + more) == [
        "ARCHITECTURE.md: a cycle in the folders block: "
          + "Office/Core, which may use Review, which may use Core"
      ])
  }

  @Test("a block that is missing is refused, and nothing else is said")
  func noBlock() {
    #expect(
      complaints("no block", files) == [
        "ARCHITECTURE.md: expected one fenced block tagged `folders` that says which folder of a "
          + "module may use which, found 0"
      ])
  }

  @Test(
    "a block that is doubled or misspelt is refused",
    arguments: [
      "```folders\nA/B:\n```\n```folders\nA/C:\n```", "```folders\nOffice: Core\n```",
      "```folders\nA/B:\nA/B: C\n```", "```folders\nOffice/.: Core\n```",
      "```folders\nOffice/Core may use all\n```", "```folders\nA/B: B\n```",
    ])
  func block(architecture: String) {
    #expect(!FolderArrows(architecture: architecture).complaintsAboutBlock.isEmpty)
  }
}
