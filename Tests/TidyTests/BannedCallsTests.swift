import Testing

@Suite("Banned calls") struct BannedCallsTests {
  @Test("comments, longer words and dates made from values pass")
  func green() {
    let source = #"""
      /// Never calls `Date()` or `print(`.
      let a = Date(timeIntervalSince1970: 0)
      let b = fingerprint(a) + sprint(a)
      let c = CivilDate() /* FileManager */
      let d = try? e() // try!
      """#
    #expect(BannedCalls.complaints(path: "F.swift", source: source).isEmpty)
  }

  @Test(
    "each banned call is found",
    arguments: [
      "let now = Date()", "let now = Date.now", "FileManager.default.removeItem(at: url)",
      "print(fix)", "let a = try! decode()", "ProcessInfo.processInfo.environment",
      #"let text = "at \(Date())""#, "fingerprint(print(a))",
    ])
  func red(line: String) {
    let complaints = BannedCalls.complaints(path: "F.swift", source: "// one\n" + line)
    #expect(complaints.count == 1)
    #expect(complaints.first?.hasPrefix("F.swift:2: `") == true)
  }
}
