import FieldUnit
import Foundation
import Geodesy
import Guide
import Inspection
import Positioning
import Store
import TimeAndText
import Web

/// The list of tasks: the next ones to do, and how far they are.
struct TaskListPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldTasks

  private static let tasksPerPage = 200

  func list(_ reader: Reader) async throws -> WebResponse {
    let asked = TaskOrdering(reader.request.query)
    let here = await freshPlace()
    let now = server.clock.deviceTime
    let (tasks, photos) = try reader.unit.taskListings()
    let rows = asked.rows(
      tasks.map { TaskOrdering.Row($0, from: here) })
    let (number, pages) = pageNumber(reader.request, of: rows.count, each: Self.tasksPerPage)
    let shown = rows.dropFirst((number - 1) * Self.tasksPerPage).prefix(Self.tasksPerPage)
    let cards = shown.map { card($0, photos: photos[$0.task.id] ?? 0, now) }
    let empty: HTML =
      tasks.isEmpty
      ? """
      <div class="empty"><p>\(t("No tasks yet."))</p><p class="muted">\(t("They come from the office at the next contact."))</p></div>
      """
      : "<div class=\"empty\"><p>\(t("No task matches."))</p><p><a class=\"button\" href=\"/tasks\">\(t("Show all"))</a></p></div>"
    let query =
      "?" + asked.fields.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: "&")
    // The distances are shown with the time for which they hold: an inspector who walks on changes
    // them.
    let place: HTML? =
      !rows.contains { $0.task.parcel != nil }
      ? nil
      : here == nil
        ? .text(t("No recent position: the distance to the parcels is not known."))
        : t.html("Distances from where you were at {1}.", t.time(now))
    return page(
      t("Tasks"), reader, current: "/tasks", scripts: [PhotoScript.asset.href],
      styles: [PhotoStyle.asset.href],
      """
      <div class="heading"><h1>\(t("Tasks"))</h1><span class="muted">\(asked.isEverything
        ? "\(tasks.count)" : t("{1} of {2}", rows.count, tasks.count))</span>
      <form method="post" action="/deliver" data-pull>\(reader.request.formField)<input type="hidden" name="to" value="tasks">
      <button class="button">\(t("Check for tasks"))</button><span>\(contact(server.deliveryStatus(of: reader.unit.person)))</span></form></div>
      \(filter(asked))
      \(cards.isEmpty ? empty : HTML.joined(cards, separator: ""))\(pager(number, of: pages, "/tasks" + query))\
      \(place.map { "<p class=\"muted\">\($0)</p>" as HTML })\
      \(rows.isEmpty ? nil : ExportPages(server: server).exportLinks("/tasks", query: asked.fields.isEmpty ? "" : query))
      """)
  }

  private func filter(_ asked: TaskOrdering) -> HTML {
    func option(_ value: String, _ words: String, _ isChosen: Bool) -> HTML {
      "<option value=\"\(value)\"\(raw: isChosen ? " selected" : "")>\(words)</option>"
    }
    let states =
      [
        option("", t("all"), asked.states == .all),
        option(TaskOrdering.toDo, t("to do"), asked.states == .toDo),
      ]
      + TaskState.allCases.map {
        option($0.rawValue, "\($0.sign) \(t($0.title))", asked.states == .one($0))
      }
    let names: [TaskOrdering.Key: String] = [
      .urgency: t("Most urgent first"), .due: t("Due"), .name: t("Name"), .state: t("State"),
      .distance: t("Distance"),
    ]
    let keys = TaskOrdering.Key.allCases.map {
      option($0.rawValue, names[$0] ?? "", asked.key == $0)
    }
    // On a phone the form would take the room of the tasks: it opens on demand, and stays open
    // while a filter is set.
    return """
      <details id="find"\(raw: asked.fields.isEmpty ? "" : " open")><summary>\(t("Find and sort"))</summary>
      <form class="filter" method="get" action="/tasks">
      <label>\(t("Name"))<input type="search" name="text" value="\(asked.text)"></label>
      <label>\(t("State"))<select name="state">\(states)</select></label>
      <label>\(t("Sort by"))<select name="sort">\(keys)</select></label>
      <label class="choice"><input type="checkbox" name="reverse" value="yes"\(raw: asked.isReversed ? " checked" : "")> \(t("reverse order"))</label>
      <button class="button">\(t("Show"))</button></form></details>
      """
  }

  private func card(_ row: TaskOrdering.Row, photos: Int, _ now: DeviceTime) -> HTML {
    let task = row.task
    let isOverdue = task.isOverdue(at: now)
    let due: HTML? = task.due.map {
      """
      <span\(raw: isOverdue ? " class=\"is-overdue\"" : "")>\(isOverdue ? "⚠ \(t("overdue")), " : "")\(t("due")) \(t.form.day($0.date))</span>
      """
    }
    let way: HTML? = row.way.map {
      "<span>\($0.text.map { t("{1} to its parcel", $0) } ?? t("you are inside its parcel"))</span>"
    }
    return """
      <div class="card task-row"><a class="task" href="/tasks/\(task.id.description)"><strong>\(task.name)</strong>
      \(state(task.state)) <span class="muted"><span>\(photos == 1 ? t("1 photo") : t("{1} photos", photos))</span>
      <span>\(t.html("ordered {1}", t.day(of: task.created)))</span> \(due) \(way)</span></a>\(cameraButton(task))</div>
      """
  }

  /// Returns a text escaped as a value of an address' query.
  static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
