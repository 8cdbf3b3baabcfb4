import Evidence
import Inspection
import Office
import TimeAndText
import Web

/// The acceptance of several tasks at once, in two steps: the preview tells which of them can be
/// accepted and what was seen of each; the program then sends those back.
struct AcceptanceConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    let path = Self.path + "/acceptances"
    routes.post(path, machine: true) { request in
      try await asking(request) { try await accept($0) }
    }
    routes.post(path + "/preview", machine: true) { request in
      try await asking(request) { try await preview($0) }
    }
  }

  private func preview(_ asker: Asker) async throws -> WebResponse {
    let ids = try await body(of: asker.request, ["tasks"]).identifiers("tasks")
    try Review.requireFew(ids.count)
    let candidates = try await office.review.candidates(
      ids, in: asker.agency, for: asker.visitor.account.role)
    return try json(
      ConsoleAcceptance(
        ready: candidates.filter { $0.obstacle == nil }.map(ConsoleAcceptance.Ready.init),
        refused: candidates.compactMap { candidate in
          candidate.obstacle.map { obstacle in
            ConsoleAcceptance.Refused(
              candidate.task.id,
              OfficeRefusal(.ruleForbids, obstacle.words(for: candidate.task.state)))
          }
        }))
  }

  private func accept(_ asker: Asker) async throws -> WebResponse {
    // The default limit of the body has room for the largest allowed number of tasks.
    let body = try await body(of: asker.request, ["tasks"])
    let seen = try body.objects("tasks", ["id", "seen", "examined", "shown"]).map { one in
      guard let steps = try one.number("seen", in: 0...1_000_000),
        let examined = try one.number("examined", in: 0...1_000_000)
      else { throw OfficeRefusal(.inputInvalid, "\"seen\" or \"examined\" is missing of a task") }
      return SeenTask(
        id: try one.identifier("id"), steps: steps, examined: examined,
        shown: try one.neededText("shown", upTo: 64))
    }
    try Review.requireFew(seen.count)
    var answer = ConsoleAcceptance(accepted: [], refused: [])
    for (id, outcome) in try await office.review.accept(seen, by: try asker.visitor.person()) {
      switch outcome {
      case .success(let task):
        answer.accepted?.append(
          ConsoleAcceptance.Accepted(id: id.description, state: task.state.rawValue))
      case .failure(let refusal):
        answer.refused.append(ConsoleAcceptance.Refused(id, refusal))
      }
    }
    return try json(answer)
  }
}
