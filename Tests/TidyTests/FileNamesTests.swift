import Testing

@Suite("File names") struct FileNamesTests {
  @Test("names from the trade pass")
  func green() {
    let paths = ["Sources/Geodesy/ConvexLayers.swift", "Tests/Modelsheim", "scripts/setup.sh"]
    #expect(FileNames.complaints(paths: paths).isEmpty)
  }

  @Test(
    "names that say nothing are refused",
    arguments: [
      "Sources/Store/Utils", "Sources/Store/StringUtils.swift", "Sources/Web/Fix+Helpers.swift",
      "Sources/FieldUnit/TrackManager.swift", "Tests/Common", "Sources/Office/Models",
      "scripts/common.sh", "Sources/Store/UTILS",
    ])
  func red(path: String) {
    #expect(FileNames.complaints(paths: [path]).count == 1)
  }
}
