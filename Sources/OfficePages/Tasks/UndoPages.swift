import Guide
import Inspection
import Office
import OfficeFrame
import Store
import TimeAndText
import Web

/// Undoes an officer's last decisions, for some seconds after they were made on a page.
struct UndoPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.undo

  func add(to routes: inout Routes) {
    routes.post("/tasks/undo") { request in
      try await reading(request) { try await undo($0) }
    }
  }

  /// Returns the form that undoes the decision that the address names (`undo=TASK`).
  func offer(_ reader: Reader) async throws -> HTML? {
    guard let id = reader.request.query["undo"].flatMap(Identifier.init(_:)) else { return nil }
    return try await offer(reader, of: [id])
  }

  /// Returns the form that undoes the visitor's last decisions on some tasks; nil if none of them
  /// can be undone any more.
  func offer(
    _ reader: Reader, of ids: [Identifier], list: String? = nil
  ) async throws -> HTML? {
    guard reader.role == .officer else { return nil }
    let now = office.clock.deviceTime
    let held = try await office.database.read(in: reader.agency) { session in
      try ids.compactMap { id -> (seen: String, until: DeviceTime)? in
        guard let task = try StoreError.found({ try session.tasks.task(id) }),
          let last = task.history.last, last.person.login == reader.visitor.account.login,
          let until = try session.tasks.heldUntil(last.id), until > now
        else { return nil }
        return ("\(id):\(task.history.count)", until)
      }
    }
    guard let until = held.map(\.until).min() else { return nil }
    let left = Double(until.millisecondsSince1970 - now.millisecondsSince1970) / 1000
    let seconds = t.decimal(left, places: 1)
    let fields = held.map {
      "<input type=\"hidden\" name=\"decided\" value=\"\($0.seen)\">" as HTML
    }
    let back = list ?? reader.request.query["list"] ?? ""
    return """
      <form class="undo" method="post" action="/tasks/undo" data-lasts="\(seconds)">\(reader.request.formField)\(fields)
      <input type="hidden" name="list" value="\(back)">
      <button class="button" data-key="z">\(t("Undo"))<span aria-hidden="true"> (<span data-left>\("\(Int(left.rounded(.up)))")</span> s)</span></button></form>
      """
  }

  private func undo(_ reader: Reader) async throws -> WebResponse {
    try requireRole(.officer, reader)
    let form = try await reader.request.form()
    let list = TaskListAddress(form["list"])
    try Review.requireFew(form.all("decided").count)
    let decided = try form.all("decided").map { value in
      let parts = value.split(separator: ":")
      guard parts.count == 2, let id = Identifier(String(parts[0])), let steps = Int(parts[1])
      else { throw OfficeRefusal(.inputInvalid, "the form is not complete: open the task again") }
      return (id: id, steps: steps)
    }
    var refused: [HTML] = []
    for (id, steps) in decided {
      do {
        try await office.review.undo(id, by: try reader.visitor.person(), seen: steps)
      } catch {
        guard let refusal = OfficeRefusal(of: error), refusal.kind != .storeUnavailable else {
          throw error
        }
        refused.append(
          "<li><a href=\"/tasks/\(id.description)\">\(t("Task"))</a>: \(t(refusal.wording))</li>")
      }
    }
    guard refused.isEmpty else { return notUndone(refused, of: decided.count, reader) }
    guard decided.count == 1, let first = decided.first else {
      return .redirect("/tasks?\(list?.query() ?? "")&done=undone")
    }
    let path = list?.path(to: first.id) ?? "/tasks/\(first.id)"
    return .redirect("\(path)\(list == nil ? "?" : "&")done=undone")
  }

  private func notUndone(_ refused: [HTML], of count: Int, _ reader: Reader) -> WebResponse {
    page(
      t("Undo"), reader, current: "/tasks",
      notices: [
        PageFrame.Notice(
          kind: .error,
          text: t("{1} of {2} decisions could not be undone: see why.", refused.count, count))
      ], status: 409,
      """
      <h1>\(t("Undo"))</h1><section class="card"><ul>\(refused)</ul></section>
      <p><a class="button primary" href="/tasks" data-key="u">\(t("Back to the list"))</a></p>
      """)
  }
}
