import Inspection
import Testing

@Suite("Finding the thing that a person means at a terminal", .timeLimit(.minutes(1)))
struct NameSearchTests {
  private let tasks = [
    ["019e80c8-3c00-7bb6-b0f2-3a95bec2e72b", "Žatec, hops"],
    ["019e80c8-3c00-7bb6-b0f2-3a95bec2e72c", "Sugar beet at the lane"],
    ["019e80c9-0000-7bb6-b0f2-3a95bec2e72d", "Sugar beet"],
  ]

  private func found(_ text: String, among things: [[String]]) -> [String] {
    switch NameSearch.find(text, among: things, names: { $0 }) {
    case .one(let thing): [thing[0]]
    case .none: []
    case .several(let several): several.map { $0[0] }
    }
  }

  @Test(
    "a whole identifier, a whole name, or a beginning that fits one task finds it",
    arguments: [
      ("019E80C8-3C00-7BB6-B0F2-3A95BEC2E72B", 0), ("zatec", 0), ("ŽATEC, HOPS", 0),
      ("sugar beet", 2), ("sugar beet at", 1), ("019e80c9", 2), (" Sugar beet ", 2),
    ])
  func one(text: String, index: Int) {
    #expect(found(text, among: tasks) == [tasks[index][0]])
  }

  @Test("a beginning that fits several tasks names them; one that fits none finds none")
  func unclear() {
    #expect(found("sug", among: tasks) == [tasks[1][0], tasks[2][0]])
    #expect(found("019e80c8", among: tasks) == [tasks[0][0], tasks[1][0]])
    for text in ["barley", "", "  ", "beet"] {
      #expect(found(text, among: tasks).isEmpty)
    }
  }

  @Test("a login counts before another person's full name, and a person may have no full name")
  func people() {
    let people = [["ines", "Eva Horáková"], ["jana", "Ines"], ["otto"]]
    #expect(found("ines", among: people) == ["ines"])
    #expect(found("eva", among: people) == ["ines"])
    #expect(found("ot", among: people) == ["otto"])
  }
}
