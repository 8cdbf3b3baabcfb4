import Exports
import Foundation
import Guide
import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// The pages for several tasks at once: chosen in the list, reviewed once more together, then
/// decided one by one by the usual rules. A refusal of one task does not keep the others back.
struct SelectionPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.acceptSeveral

  func add(to routes: inout Routes) {
    routes.post("/tasks/selection") { request in
      try await reading(request) { reader in
        let form = try await reader.request.form()
        let chosen = try chosen(form.all("task"))
        let list = form["list"] ?? ""
        switch form["do"] {
        case let name? where ExportFormat(rawValue: name) != nil:
          return try await taken(chosen, as: ExportFormat(rawValue: name) ?? .kml, reader)
        case "answers":
          try requireSome(chosen)
          return try await ExportPages(office: office).answers(of: chosen, "answers", reader)
        case "accept":
          return chosen.isEmpty
            ? .redirect("/tasks?\(TaskListAddress(list)?.query() ?? "")&done=nothing")
            : try await question(chosen, list, reader)
        case "accept-now":
          return try await accept(form.all("seen"), list, reader)
        default: throw OfficeRefusal(.inputInvalid, "the form does not say what to do")
        }
      }
    }
  }

  private func chosen(_ values: [String]) throws -> [Identifier] {
    try Review.requireFew(values.count)
    return try values.map { value in
      guard let id = Identifier(value) else {
        throw OfficeRefusal(.inputInvalid, "\(value.prefix(40)) is not a task's identifier")
      }
      return id
    }
  }

  private func requireSome(_ chosen: [Identifier]) throws(OfficeRefusal) {
    guard !chosen.isEmpty else {
      throw OfficeRefusal(.ruleForbids, "select tasks in the list first")
    }
  }

  private func taken(
    _ chosen: [Identifier], as format: ExportFormat, _ reader: Reader
  ) async throws -> WebResponse {
    try requireSome(chosen)
    return try await ExportPages(office: office).file(.tasks(chosen), as: format, "tasks", reader)
  }

  /// Returns the page with the tasks that would be accepted, and the others with their obstacles,
  /// so that the officer reads them before anything is decided.
  private func question(
    _ chosen: [Identifier], _ list: String, _ reader: Reader
  ) async throws -> WebResponse {
    var ready: [HTML] = []
    var others: [HTML] = []
    for candidate in try await office.review.candidates(chosen, in: reader.agency, for: reader.role)
    {
      let (task, photos) = (candidate.task, candidate.count.photos)
      let link = "<a href=\"/tasks/\(task.id.description)\">\(task.name)</a>" as HTML
      if let obstacle = candidate.obstacle {
        others.append("<li>\(link) \(state(task.state)): \(words(of: obstacle))</li>")
      } else {
        ready.append(
          """
          <li><label class="choice"><input type="checkbox" name="seen" checked
          value="\(task.id.description):\(task.history.count):\(photos):\(candidate.shown)"> \(task.name)</label>
          <span class="muted">\(task.inspector), \(t("{1} photos, no contradictions", photos))</span></li>
          """)
      }
    }
    let refused: HTML? =
      others.isEmpty
      ? nil
      : """
      <section class="card"><h2>\(t("Not included"))</h2>
      <p class="hint">\(t("Open each of these tasks and check it."))</p><ul>\(others)</ul></section>
      """
    let form: HTML =
      ready.isEmpty
      ? """
      <section class="card empty"><p>\(t("None of the selected tasks can be accepted together with others."))</p>
      <p><a class="button" href="/tasks?\(list)">\(t("Back to the list"))</a></p></section>
      """
      : """
      <section class="card decision"><form method="post" action="/tasks/selection">\(reader.request.formField)
      <input type="hidden" name="list" value="\(list)"><ul class="choices">\(ready)</ul>
      <p class="actions"><button class="button primary" name="do" value="accept-now">\(t("Accept {1} tasks", ready.count))</button>
      <a class="button quiet" href="/tasks?\(list)">\(t("Cancel"))</a></p></form></section>
      """
    return page(
      t("Accept several tasks"), reader, current: "/tasks",
      "<h1>\(t("Accept several tasks"))</h1>\(form)\(refused)")
  }

  private func words(of obstacle: AcceptanceObstacle) -> String {
    switch obstacle {
    case .notWaiting: t("it is not waiting for your decision")
    case .unchecked(let photos): t("{1} photos are still being checked", photos)
    case .contradicted(let photos): t("checks contradict {1} of its photos", photos)
    case .noPhotos: t("it has no photos")
    case .itemsOpen(let count):
      count == 1
        ? t("1 item of its order is open") : t("{1} items of its order are open", count)
    }
  }

  private func accept(_ seen: [String], _ list: String, _ reader: Reader) async throws
    -> WebResponse
  {
    var accepted: [HTML] = []
    var ids: [Identifier] = []
    var refused: [HTML] = []
    try Review.requireFew(seen.count)
    let looked = try seen.map { value in
      let parts = value.split(separator: ":")
      guard parts.count == 4, let id = Identifier(String(parts[0])), let steps = Int(parts[1]),
        let photos = Int(parts[2])
      else {
        throw OfficeRefusal(.inputInvalid, "the form is not complete: choose the tasks again")
      }
      return SeenTask(id: id, steps: steps, examined: photos, shown: String(parts[3]))
    }
    for (id, outcome) in try await office.review.accept(
      looked, by: try reader.visitor.person(), isUndoable: true)
    {
      switch outcome {
      case .success(let task):
        ids.append(id)
        accepted.append(
          "<li><a href=\"/tasks/\(id.description)\">\(task.name)</a> \(state(task.state))</li>")
      case .failure(let refusal):
        refused.append(
          "<li><a href=\"/tasks/\(id.description)\">\(t("Task"))</a>: \(t(refusal.wording))</li>")
      }
    }
    var notices: [PageFrame.Notice] = []
    if !accepted.isEmpty {
      notices.append(
        PageFrame.Notice(
          kind: .success,
          text: ids.count == 1 ? t("1 task accepted.") : t("{1} tasks accepted.", ids.count),
          action: try await UndoPages(office: office).offer(reader, of: ids, list: list)))
    }
    if !refused.isEmpty {
      notices.append(
        PageFrame.Notice(
          kind: .error,
          text: refused.count == 1
            ? t("1 task not accepted: see why.")
            : t("{1} tasks not accepted: see why.", refused.count)))
    }
    let bad: HTML? =
      refused.isEmpty
      ? nil
      : "<section class=\"card\"><h2>\(t("Not accepted"))</h2><ul>\(refused)</ul></section>"
    let good: HTML? =
      accepted.isEmpty
      ? nil
      : "<section class=\"card\"><h2>\(t("Accepted"))</h2><ul>\(accepted)</ul></section>"
    return page(
      t("Accept several tasks"), reader, current: "/tasks", notices: notices,
      """
      <h1>\(t("Accept several tasks"))</h1>\(bad)\(good)
      <p><a class="button primary" href="/tasks?\(list)" data-key="u">\(t("Back to the list"))</a></p>
      """)
  }
}
