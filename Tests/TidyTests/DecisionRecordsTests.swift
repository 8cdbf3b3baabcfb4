import Testing

@Suite("Decision records") struct DecisionRecordsTests {
  @Test("records numbered 1, 2, 3 pass, and so does an empty folder")
  func green() {
    let records = ["0001-a.md": "x\n", "0002-two-clocks.md": "x\n", "0003-c.md": "x\n"]
    #expect(DecisionRecords.complaints(records: records).isEmpty)
    #expect(DecisionRecords.complaints(records: [:]).isEmpty)
  }

  @Test("a number given twice is named with both")
  func twice() {
    #expect(
      DecisionRecords.complaints(records: ["0001-a.md": "", "0001-b.md": ""]) == [
        "docs/decisions: 1 is given to 0001-a.md and 0001-b.md"
      ])
  }

  @Test("a gap is named")
  func gap() {
    #expect(
      DecisionRecords.complaints(records: ["0001-a.md": "", "0003-c.md": ""]) == [
        "docs/decisions: 2 is missing between its neighbours"
      ])
  }

  @Test(
    "a name of another shape is refused",
    arguments: ["clock.md", "1-a.md", "0001-A.md", "0000-a.md"])
  func shape(name: String) {
    #expect(DecisionRecords.complaints(records: [name: ""]).count == 1)
  }

  @Test("60 lines pass and 61 do not")
  func length() {
    let sixty = String(repeating: "line\n", count: 60)
    #expect(DecisionRecords.complaints(records: ["0001-a.md": sixty]).isEmpty)
    #expect(
      DecisionRecords.complaints(records: ["0001-a.md": sixty + "one more"]) == [
        "docs/decisions/0001-a.md: 61 lines; at most 60"
      ])
  }
}
