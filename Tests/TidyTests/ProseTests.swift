import Testing

@Suite("Prose") struct ProseTests {
  @Test(
    "nouns, verbs, longer words and code pass",
    arguments: [
      "/// True if a photo waits.", "/// Returns what waits.", "// Whole files only.", "///",
      "let Who = 1 // Who", "Whether.value()", "/// `What` is a type.",
      "// so that nobody asks who",
    ])
  func green(line: String) {
    #expect(Prose.complaints(path: "P.swift", text: line).isEmpty)
  }

  @Test(
    "comments that do not name their subject are refused",
    arguments: [
      "/// What waits.", "  // Whether it waits.", "/// Who.", "//Whoever asks is told.",
      "/** Whatever it is. */", " * What came of it.", "/// An identity from its parts.",
      "/// From its parts.",
    ])
  func red(line: String) {
    let complaints = Prose.complaints(path: "P.swift", text: "\n" + line)
    #expect(complaints.count == 1)
    #expect(complaints.first?.hasPrefix("P.swift:2: ") == true)
  }
}
