import Inspection
import Testing

@Suite("Finding the task that a person means at a terminal", .timeLimit(.minutes(1)))
struct TaskSearchTests {
  private let tasks: [TaskSearch.Candidate]

  init() throws {
    tasks = try [
      ("019e80c8-3c00-7bb6-b0f2-3a95bec2e72b", "Žatec, hops"),
      ("019e80c8-3c00-7bb6-b0f2-3a95bec2e72c", "Sugar beet at the lane"),
      ("019e80c9-0000-7bb6-b0f2-3a95bec2e72d", "Sugar beet"),
    ].map { TaskSearch.Candidate(id: try #require(Identifier($0.0)), name: $0.1) }
  }

  @Test(
    "a whole identifier, a whole name, or a beginning that fits one task finds it",
    arguments: [
      ("019E80C8-3C00-7BB6-B0F2-3A95BEC2E72B", 0), ("zatec", 0), ("ŽATEC, HOPS", 0),
      ("sugar beet", 2), ("sugar beet at", 1), ("019e80c9", 2), (" Sugar beet ", 2),
    ])
  func found(text: String, index: Int) {
    #expect(TaskSearch.find(text, among: tasks) == .one(tasks[index].id))
  }

  @Test("a beginning that fits several tasks names them; one that fits none finds none")
  func unclear() {
    #expect(TaskSearch.find("sug", among: tasks) == .several([tasks[1], tasks[2]]))
    #expect(TaskSearch.find("019e80c8", among: tasks) == .several([tasks[0], tasks[1]]))
    for text in ["barley", "", "  ", "beet"] {
      #expect(TaskSearch.find(text, among: tasks) == TaskSearch.Outcome.none)
    }
  }
}
