import Testing

@Suite("Lengths") struct LengthsTests {
  private let text = String(repeating: "line\n", count: 120)

  @Test("a text of exactly the allowed length passes")
  func green() {
    #expect(Lengths.complaints(path: "README.md", text: text, linesAtMost: 120).isEmpty)
  }

  @Test("one line more is refused, with both numbers")
  func red() {
    #expect(
      Lengths.complaints(path: "README.md", text: text + "\n", linesAtMost: 120) == [
        "README.md: 121 lines; at most 120"
      ])
  }
}
