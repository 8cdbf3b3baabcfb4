import Guide
import Imports
import Inspection
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The page of an act on many tasks: before it is done, what will happen to each task; afterwards, what
/// has happened, and the button that undoes it.
package struct BulkPages: OfficePage {
  package let office: OfficeServer
  package let help = GuidePart.severalTasks

  private var service: BulkService { BulkService(of: office) }

  /// The most tasks that the page names in one list, and that can be taken out of a plan one by one.
  private static let named = 200

  /// Creates the pages of an office.
  package init(office: OfficeServer) { self.office = office }

  package func add(to routes: inout Routes) {
    routes.get("/bulk/{id}") { request in
      try await reading(request) { try await show(try identifier(request), $0) }
    }
    routes.post("/bulk/{id}") { request in
      try await reading(request) { try await act(try identifier(request), $0) }
    }
  }

  /// Plans an act, and leads to its page.
  package func begin(
    _ kind: BulkAct.Kind, _ ids: [Identifier], list: String, _ reader: Reader
  ) async throws -> WebResponse {
    let id = try await service.plan(kind, ids, list: list, by: try reader.visitor.person())
    return .redirect("/bulk/\(id)")
  }

  private func act(_ id: Identifier, _ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    let person = try reader.visitor.person()
    let (act, _) = try await service.act(id, of: person)
    switch form["do"] {
    case "undo": try await service.undo(id, by: person)
    case "now":
      do {
        try await service.perform(id, try await order(act, form, reader), by: person)
      } catch {
        guard let refusal = OfficeRefusal(of: error),
          [.inputInvalid, .ruleForbids].contains(refusal.kind)
        else { throw error }
        return try await show(id, reader, refusal, form)
      }
    default: throw OfficeRefusal(.inputInvalid, "the form does not say what to do")
    }
    return .redirect("/bulk/\(id)")
  }

  /// Reads what the officer says about a planned act.
  private func order(
    _ act: BulkAct, _ form: WebForm, _ reader: Reader
  ) async throws -> BulkService.Order {
    var value = act.done == nil ? form["value"] : act.value
    // Without the page's script a reason from the agency's list is in a field of its own.
    if act.kind == .giveBack || act.kind == .withdraw,
      InspectionTask.isBlank(value)
    {
      value = form["listed"].flatMap { $0.isEmpty ? nil : $0 }
    }
    var reason = value
    if act.kind == .reassign, let login = value {
      reason = t("given to {1}", try await names(reader)[login] ?? login)
    }
    guard form["boxes"] != nil else { return BulkService.Order(value: value, reason: reason) }
    let shown = try await office.database.read(in: reader.agency) {
      try $0.bulk.steps(ofAct: act.id, .planned, from: 0, limit: Self.named).map(\.step.task)
    }
    let chosen = Set(form.all("task").compactMap(Identifier.init(_:)))
    return BulkService.Order(
      value: value, reason: reason, without: Set(shown).subtracting(chosen))
  }

  private func names(_ reader: Reader) async throws -> [String: String] {
    Dictionary(
      try await office.people.accounts(ofAgency: reader.agency).map { ($0.login, $0.title) }
    ) { $1 }
  }

  // MARK: the page

  /// A task with the step of the act that concerns it.
  private struct Line {
    var step: BulkStep
    var task: InspectionTask
  }

  private func show(
    _ id: Identifier, _ reader: Reader, _ refusal: OfficeRefusal? = nil, _ given: WebForm? = nil
  ) async throws -> WebResponse {
    let (act, counts) = try await service.act(id, of: try reader.visitor.person())
    let names = try await names(reader)
    func lines(_ state: BulkStep.State) async throws -> [Line] {
      try await office.database.read(in: reader.agency) { session in
        try session.bulk.steps(ofAct: id, state, from: 0, limit: Self.named).map {
          Line(step: $0.step, task: try session.tasks.task($0.step.task))
        }
      }
    }
    func card(_ title: String, _ state: BulkStep.State) async throws -> HTML? {
      guard let count = counts[state] else { return nil }
      let rows = try await lines(state).map { row($0, names) }
      return """
        <section class="card"><h2>\(title) (\(count))</h2><ul>\(rows)</ul>\(more(than: rows.count, count))</section>
        """
    }
    let planned: HTML? =
      act.done == nil || counts[.planned] != nil
      ? try await plan(act, counts[.planned] ?? 0, try await lines(.planned), names, reader, given)
      : nil
    let left = act.done == nil ? t("Not included") : t("Left out")
    let cards = [
      planned, try await card(t("Not done"), .refused), try await card(t("Not undone"), .kept),
      try await card(t("Done"), .done), try await card(t("Undone"), .undone),
      try await card(left, .left),
    ].compactMap(\.self)
    // Before it is done, Cancel leads back.
    let back: HTML? =
      act.done == nil && counts[.planned] != nil
      ? nil
      : """
      <p><a class="button primary" href="/tasks?\(act.list)" data-key="u">\(t("Back to the list"))</a></p>
      """
    return page(
      title(act.kind), reader, current: "/tasks",
      notices: notices(act, counts, names, refusal, reader), status: refusal?.kind.status ?? 200,
      """
      <h1>\(title(act.kind))</h1>\(cards)
      \(back)
      """)
  }

  private func row(_ line: Line, _ names: [String: String]) -> HTML {
    let words: HTML? = line.step.words.map { ": \(t($0))" }
    let copy: HTML? = line.step.copy.map {
      " → <a href=\"/tasks/\($0.task.description)\">\(t("the new order"))</a>"
    }
    return """
      <li><a href="/tasks/\(line.task.id.description)">\(line.task.name)</a> \(state(line.task.state))\
      <span class="muted"> \(names[line.task.inspector] ?? line.task.inspector)</span>\(copy)\(words)</li>
      """
  }

  private func more(than shown: Int, _ count: Int) -> HTML? {
    count > shown ? "<p class=\"muted\">\(t("and {1} more", count - shown))</p>" : nil
  }

  /// Returns the form that does a planned act, or goes on with one that was cut short.
  private func plan(
    _ act: BulkAct, _ count: Int, _ lines: [Line], _ names: [String: String], _ reader: Reader,
    _ given: WebForm?
  ) async throws -> HTML {
    guard count > 0 else {
      return """
        <section class="card empty"><p>\(act.kind == .accept ? t("None of the selected tasks can be accepted together with others.") : t("None of the selected tasks can be changed like this."))</p></section>
        """
    }
    guard act.done == nil else {
      return """
        <section class="card decision"><p>\(t("The office was interrupted. {1} tasks are still to do.", count))</p>
        <form method="post" action="/bulk/\(act.id.description)">\(reader.request.formField)
        <p class="actions"><button class="button primary" name="do" value="now">\(t("Go on"))</button>
        <button class="button" name="do" value="undo">\(t("Undo what was done"))</button></p></form></section>
        """
    }
    let hasBoxes = count <= Self.named
    let kept = given.map { Set($0.all("task")) }
    let rows = lines.map { line -> HTML in
      let facts: HTML = """
        <span class="muted">\(names[line.task.inspector] ?? line.task.inspector)\(facts(line, act.kind))</span>
        """
      guard hasBoxes else { return "<li>\(line.task.name) \(facts)</li>" }
      let id = line.task.id.description
      return """
        <li><label class="choice"><input type="checkbox" name="task" value="\(id)"\(raw: kept?.contains(id) == false ? "" : " checked")> \(line.task.name)</label> \(facts)</li>
        """
    }
    return """
      <section class="card decision"><p>\(consequence(act.kind))</p>
      <form class="fields" method="post" action="/bulk/\(act.id.description)">\(reader.request.formField)
      \(try await field(act.kind, reader, given))
      \(hasBoxes ? "<input type=\"hidden\" name=\"boxes\" value=\"1\">" as HTML : nil)
      <ul class="choices">\(rows)</ul>\(more(than: rows.count, count))
      <p class="hint">\(t("No device hears of it for a minute. You can undo it until a device has fetched it."))</p>
      <p class="actions"><button class="button primary" name="do" value="now">\(button(act.kind))</button>
      <a class="button quiet" href="/tasks?\(act.list)" data-key="u">\(t("Cancel"))</a></p></form></section>
      """
  }

  /// Returns the facts of a task that matter for an act of a kind.
  private func facts(_ line: Line, _ kind: BulkAct.Kind) -> HTML? {
    switch kind {
    case .accept: ", \(t("{1} photos, no contradictions", line.step.examined))"
    case .moveDue: line.task.due.map { ", \(t("Due")) \(t.form.day($0.date))" }
    case .giveBack, .withdraw, .reassign: ", \(t(line.task.state.title))"
    }
  }

  /// Returns the field for the value of an act; nil for an act without one.
  private func field(
    _ kind: BulkAct.Kind, _ reader: Reader, _ given: WebForm?
  ) async throws -> HTML? {
    switch kind {
    case .accept: return nil
    case .giveBack, .withdraw:
      let reasons = try await office.policies.returnReasons(of: reader.agency)
      let options = reasons.map { "<option>\($0)</option>" as HTML }
      let usual: HTML? =
        reasons.isEmpty
        ? nil
        : """
        <label>\(t("Usual reasons"))<select name="listed"><option value="">\(t("Choose, or write below"))</option>\(options)</select></label>
        """
      return """
        \(usual)<label>\(kind == .giveBack ? t("Reason") : t("Reason (optional)"))<textarea name="value" rows="3" maxlength="2000">\(given?["value"] ?? "")</textarea></label>
        """
    case .reassign:
      let options = try await office.people.activeInspectors(ofAgency: reader.agency)
        .map { account -> HTML in
          """
          <option value="\(account.login)"\(raw: given?["value"] == account.login ? " selected" : "")>\(account.title)</option>
          """
        }
      return """
        <label>\(t("Inspector"))<select name="value" required><option value="">\(t("Choose"))</option>\(options)</select></label>
        """
    case .moveDue:
      return """
        <label>\(t("Due"))<input name="value" type="date" required value="\(given?["value"] ?? "")"></label>
        """
    }
  }

  private func notices(
    _ act: BulkAct, _ counts: [BulkStep.State: Int], _ names: [String: String],
    _ refusal: OfficeRefusal?, _ reader: Reader
  ) -> [PageFrame.Notice] {
    var notices: [PageFrame.Notice] = []
    if let refusal { notices.append(PageFrame.Notice(kind: .error, text: t(refusal.wording))) }
    if let undone = counts[.undone] {
      notices.append(
        PageFrame.Notice(
          kind: .success,
          text: undone == 1
            ? t("1 task is as it was before.") : t("{1} tasks are as they were before.", undone)))
    }
    if counts[.planned] == nil, let done = counts[.done] {
      let undo: HTML = """
        <form class="undo" method="post" action="/bulk/\(act.id.description)">\(reader.request.formField)
        <button class="button" name="do" value="undo" data-key="z">\(t("Undo"))</button></form>
        """
      notices.append(
        PageFrame.Notice(
          kind: .success, text: result(act, done, names), action: undo))
    }
    if let refused = counts[.refused] {
      notices.append(
        PageFrame.Notice(
          kind: .error,
          text: refused == 1
            ? t("1 task not done: see why.") : t("{1} tasks not done: see why.", refused)))
    }
    if let kept = counts[.kept] {
      notices.append(
        PageFrame.Notice(
          kind: .error,
          text: kept == 1
            ? t("1 task could not be undone: see why.")
            : t("{1} tasks could not be undone: see why.", kept)))
    }
    return notices
  }

  // MARK: words

  private func title(_ kind: BulkAct.Kind) -> String {
    switch kind {
    case .accept: t("Accept several tasks")
    case .giveBack: t("Return several tasks")
    case .withdraw: t("Withdraw several tasks")
    case .reassign: t("Give tasks to another inspector")
    case .moveDue: t("Change the due date of several tasks")
    }
  }

  private func consequence(_ kind: BulkAct.Kind) -> String {
    switch kind {
    case .accept: t("These tasks are accepted.")
    case .giveBack: t("These tasks go back to their inspectors with your reason.")
    case .withdraw:
      t("These tasks are withdrawn. The office keeps what was done for them.")
    case .reassign:
      t(
        "These tasks are withdrawn, and the inspector whom you choose gets them as new orders. The office keeps what was done for them."
      )
    case .moveDue: t("These tasks get a new due date. Their earlier orders are kept.")
    }
  }

  private func button(_ kind: BulkAct.Kind) -> String {
    switch kind {
    case .accept: t("Accept these tasks")
    case .giveBack: t("Return these tasks")
    case .withdraw: t("Withdraw these tasks")
    case .reassign: t("Hand these tasks over")
    case .moveDue: t("Change their due date")
    }
  }

  private func result(_ act: BulkAct, _ count: Int, _ names: [String: String]) -> String {
    let name = act.value.map { names[$0] ?? $0 } ?? ""
    switch act.kind {
    case .accept: return count == 1 ? t("1 task accepted.") : t("{1} tasks accepted.", count)
    case .giveBack: return count == 1 ? t("1 task returned.") : t("{1} tasks returned.", count)
    case .withdraw: return count == 1 ? t("1 task withdrawn.") : t("{1} tasks withdrawn.", count)
    case .reassign:
      return count == 1
        ? t("1 task given to {1}.", name) : t("{1} tasks given to {2}.", count, name)
    case .moveDue:
      return count == 1
        ? t("1 task has a new due date.") : t("{1} tasks have a new due date.", count)
    }
  }
}
