import Testing

@Suite("Import arrows") struct ImportArrowsTests {
  private let arrows = ImportArrows(
    architecture: """
      # Architecture

      ```swift
      Positioning: everything
      ```

      ```arrows
      CGPS:
      Geodesy:
      Positioning: Geodesy CGPS
      ```
      """)

  @Test("listed modules and the toolchain's own may be imported")
  func green() {
    let source = """
      import Foundation
      public import Geodesy
      @preconcurrency internal import CGPS
      import struct Geodesy.Ellipsoid
      // import Receivers
      let text = "import Store"
      let important = 1
      """
    #expect(arrows.complaintsAboutBlock.isEmpty)
    #expect(arrows.complaints(module: "Positioning", path: "P.swift", source: source).isEmpty)
  }

  @Test(
    "an import that no arrow allows is named with file and line",
    arguments: [
      "import Store", "public import Store", "@testable import Store", "  import Store  ",
      "import struct Store.FieldDatabase", "import Geodesy; import Store",
      "@_spi(Tests) private import Store // why",
    ])
  func red(line: String) {
    #expect(
      arrows.complaints(module: "Positioning", path: "P.swift", source: "\n" + line) == [
        "P.swift:2: Positioning may not import Store; the arrows stand in ARCHITECTURE.md"
      ])
  }

  @Test("an arrow has one direction")
  func direction() {
    let complaints = arrows.complaints(
      module: "Geodesy", path: "G.swift", source: "import Positioning")
    #expect(complaints.count == 1)
  }

  @Test("the block lists exactly the modules that exist")
  func modules() {
    let all = ["CGPS", "Geodesy", "Positioning"]
    #expect(arrows.complaints(modules: all, cModules: ["CGPS"]).isEmpty)
    #expect(
      arrows.complaints(modules: all + ["Weather"], cModules: []) == [
        "ARCHITECTURE.md: Sources/Weather is missing in the arrows block"
      ])
    #expect(
      arrows.complaints(modules: ["CGPS", "Positioning"], cModules: []) == [
        "ARCHITECTURE.md: Geodesy stands in the arrows block and not in Sources"
      ])
  }

  @Test("a C library belongs to exactly one module")
  func cModules() {
    let shared = ImportArrows(
      architecture: "```arrows\nCGPS:\nCProj:\nGeodesy: CGPS\nPositioning: CGPS\n```")
    #expect(
      shared.complaints(
        modules: ["CGPS", "CProj", "Geodesy", "Positioning"], cModules: ["CGPS", "CProj"]
      ).count == 2)
  }

  @Test(
    "a block that is missing, doubled or misspelt is refused",
    arguments: [
      "no block", "```arrows\nA:\n```\n```arrows\nB:\n```", "```arrows\nGeodesy imports\n```",
      "```arrows\nA:\nA: B\n```",
    ])
  func block(architecture: String) {
    #expect(!ImportArrows(architecture: architecture).complaintsAboutBlock.isEmpty)
  }
}
