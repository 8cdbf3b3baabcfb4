import Exports
import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The list of tasks, its filters and its order.
struct TaskListPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.findTask

  private static let rowsPerPage = 50

  func add(to routes: inout Routes) {
    routes.post("/tasks/columns") { request in
      try await reading(request, own: true) { reader in
        let form = try await reader.request.form()
        let list = TaskListAddress(form["list"])?.query() ?? ""
        return TaskListColumn.keep(
          form.all("column").compactMap(TaskListColumn.init(rawValue:)),
          .redirect("/tasks\(list.isEmpty ? "" : "?")\(list)"))
      }
    }
  }

  /// The tasks on a page of the list.
  private struct Found {
    /// The number of tasks on all pages.
    var count: Int
    /// The number of the page, from 1.
    var number: Int
    /// The number of all pages.
    var pages: Int
    var tasks: [InspectionTask]
    /// The photos of each task on the page.
    var photos: [Identifier: PhotoCount]
    /// The progress of each task on the page whose order asks for items.
    var progress: [Identifier: KnownProgress]
    /// The types of all tasks of the agency.
    var types: [String]
  }

  func list(_ reader: Reader) async throws -> WebResponse {
    let asked = TaskListAddress(reader.request.query)
    let now = office.clock.deviceTime
    let found = try await find(asked, at: now, reader)
    let (tasks, count) = (found.tasks, found.count)
    let isOwn = reader.own != nil
    let answers = try await answerChoices(asked.filter, reader)
    let inspectors =
      isOwn
      ? []
      : try await office.people.accounts(ofAgency: reader.agency).filter { $0.role == .inspector }
    let names = Dictionary(inspectors.map { ($0.login, $0.title) }) { $1 }
    let columns = TaskListColumn.chosen(in: reader)
    let table: HTML
    if tasks.isEmpty {
      table = emptyList(isFiltered: asked.filter != TaskFilter(), reader)
    } else {
      let rows = tasks.map {
        row(
          $0, found.photos[$0.id] ?? PhotoCount(), found.progress[$0.id], asked, columns, at: now,
          inspector: isOwn ? nil : names[$0.inspector] ?? $0.inspector)
      }
      table =
        isOwn
        ? self.table(rows, asked, columns, isOwn: true)
        : selectionForm(of: rows, count, asked, columns, reader)
    }
    let begin: HTML? = (isOwn ? nil : tasks.first).map { first in
      "<a class=\"button\" href=\"\(asked.path(to: first.id))\" data-key=\"j\">\(t("Start review"))</a>"
    }
    let inspected: HTML = "\(table)\(pager(found.number, found.pages, asked))"
    return page(
      t("Tasks"), reader, current: "/tasks",
      undo: try await UndoPages(office: office).offer(reader),
      scripts: isOwn ? [] : MapPages.scripts + [ListAssets.script.href],
      styles: (isOwn ? [] : MapPages.styles) + [ListAssets.style.href],
      """
      <div class="heading list-head"><h1>\(t("Tasks"))</h1>
      \(filterForm(asked, found.types, answers, isEmpty: tasks.isEmpty, inspectors, reader))
      <p class="muted">\(count == 1 ? t("1 task") : t("{1} tasks", count))\(areaNote(asked))</p>
      \(tasks.isEmpty ? nil : choice(of: columns, asked, reader))
      <p class="actions">\(begin)\(newTasks(reader))</p></div>
      \(isOwn ? inspected : "<div class=\"split table-and-map\"><div>\(inspected)</div><div>\(try await MapPages(office: office).liveMap(reader, asked, isTall: true, count: count))</div></div>" as HTML)
      """)
  }

  private func find(
    _ asked: TaskListAddress, at now: DeviceTime, _ reader: Reader
  ) async throws -> Found {
    try await office.database.read(
      in: reader.agency, ofInspector: reader.own
    ) { session in
      // A search for words reads every task: it is done once, and not first for the count and again
      // for a page.
      let found =
        asked.filter.text == nil
        ? nil : try session.tasks.identifiers(asked.filter, asked.order, at: now)
      let count = try found?.count ?? session.tasks.count(asked.filter, at: now)
      let pages = max(1, (count + Self.rowsPerPage - 1) / Self.rowsPerPage)
      let number = min(asked.page, pages)
      let offset = (number - 1) * Self.rowsPerPage
      let tasks =
        count == 0
        ? []
        : try found?.dropFirst(offset).prefix(Self.rowsPerPage).map(session.tasks.task)
          ?? session.tasks.page(
            asked.filter, asked.order, at: now, limit: Self.rowsPerPage, offset: offset)
      return Found(
        count: count, number: number, pages: pages, tasks: tasks,
        photos: try session.photos.counts(of: tasks.map(\.id)),
        progress: try session.answers.progress(ofTasks: tasks.map(\.id)),
        types: try session.tasks.types())
    }
  }

  /// Returns the links to the pages on which the reader adds tasks or parcels; empty for an
  /// inspector, who adds none.
  private func newTasks(_ reader: Reader) -> HTML {
    guard reader.own == nil else { return "" }
    return reader.role == .officer
      ? """
      <a class="button primary" href="/tasks/new" data-key="n">\(t("New task"))</a>
      <a class="button" href="/tasks/import">\(t("Tasks from a file"))</a>
      """ : "<a class=\"button\" href=\"/parcels/import\">\(t("Parcels from a file"))</a>"
  }

  private func emptyList(isFiltered: Bool, _ reader: Reader) -> HTML {
    """
    <div class="empty"><p>\(isFiltered ? t("No task matches this filter.") : t("There are no tasks yet."))</p>\
    \(isFiltered ? "<p><a class=\"button\" href=\"/tasks\">\(t("Show all"))</a></p>" : newTasks(reader))</div>
    """
  }

  /// Returns the table of tasks in a form, whose buttons do something with all ticked tasks.
  private func selectionForm(
    of rows: [HTML], _ count: Int, _ asked: TaskListAddress, _ columns: [TaskListColumn],
    _ reader: Reader
  ) -> HTML {
    let all: HTML? =
      count > rows.count
      ? """
      <label class="choice"><input type="checkbox" name="all" value="1"> \(t("All {1} tasks of this list, on every page", count))</label>
      """ : nil
    return """
      <form method="post" action="/tasks/selection" data-choices>\(reader.request.formField)
      <input type="hidden" name="list" value="\(asked.query())">
      \(table(rows, asked, columns, isOwn: false))
      \(all)\(reader.role == .officer ? actButtons : nil)
      <p class="toolbar actions"><span>\(t("Take them away as a file:"))</span>
      <button class="button" name="do" value="answers">\(t("Answers (CSV)"))</button>
      \(ExportFormat.allCases.map { "<button class=\"button\" name=\"do\" value=\"\($0.rawValue)\">\($0.title)</button>" as HTML })</p></form>
      """
  }

  /// The buttons that plan an act on all ticked tasks.
  private var actButtons: HTML {
    let buttons = BulkAct.Kind.allCases.map { kind -> HTML in
      let words: String =
        switch kind {
        case .accept: t("Accept")
        case .giveBack: t("Return")
        case .withdraw: t("Withdraw")
        case .reassign: t("Give to another inspector")
        case .moveDue: t("Change the due date")
        }
      return "<button class=\"button\" name=\"do\" value=\"\(kind.rawValue)\">\(words)</button>"
    }
    return """
      <p class="toolbar actions"><span>\(t("With the selected tasks:"))</span> \(buttons)</p>
      """
  }

  /// Returns the table of tasks. Inspectors cannot decide on their own tasks, so their table has no
  /// boxes to tick, and no column for the inspector.
  private func table(
    _ rows: [HTML], _ asked: TaskListAddress, _ columns: [TaskListColumn], isOwn: Bool
  ) -> HTML {
    let choose: HTML? =
      isOwn
      ? nil
      : """
      <th scope="col" class="choose"><span class="unseen">\(t("Selected"))</span><input type="checkbox" data-all hidden aria-label="\(t("Select all on this page"))"></th>
      """
    let others = columns.filter { !(isOwn && $0 == .inspector) }.map { column -> HTML in
      switch column {
      case .inspector: heading(t("Inspector"), .inspector, asked)
      case .photos: "<th scope=\"col\" class=\"number\">\(t("Photos"))</th>"
      case .due: heading(t("Due"), .due, asked)
      case .ordered: heading(t("Ordered"), .created, asked, above: t("Last step"))
      case .type, .parcel, .instructions: "<th scope=\"col\">\(column.title(t))</th>"
      }
    }
    return """
      <table class="list tasks"><thead><tr>\(choose)\(heading(t("State"), .review, asked))\
      \(heading(t("Task"), .name, asked))\(others)</tr></thead><tbody>\(rows)</tbody></table>
      """
  }

  /// Returns the form that chooses the columns; it works on each list of this browser from then on.
  private func choice(
    of columns: [TaskListColumn], _ asked: TaskListAddress, _ reader: Reader
  ) -> HTML {
    let boxes = TaskListColumn.allCases.filter { $0 != .inspector || reader.own == nil }.map {
      """
      <label class="choice"><input type="checkbox" name="column" value="\($0.rawValue)"\(raw: columns.contains($0) ? " checked" : "")> \($0.title(t))</label>
      """ as HTML
    }
    return """
      <details class="more-filters columns"><summary class="button quiet">\(t("Columns"))</summary>
      <form method="post" action="/tasks/columns">\(reader.request.formField)<input type="hidden" name="list" value="\(asked.query())">
      \(boxes)<button class="button">\(t("Show these"))</button></form></details>
      """
  }

  /// Returns the note on a list that is limited to an area of the map; nil for any other list.
  private func areaNote(_ asked: TaskListAddress) -> HTML? {
    guard asked.filter.area != nil else { return nil }
    var everywhere = asked.turned(to: 1)
    everywhere.filter.area = nil
    return """
       · \(t("in the chosen area of the map")) · <a href="/tasks?\(everywhere.query())">\(t("everywhere"))</a>
      """
  }

  /// Returns the head of a column: a press sorts the tasks by it, a second press reverses the
  /// order.
  /// - Parameter second: the name of the second line of the cells, which cannot be sorted by; nil
  ///   for none.
  private func heading(
    _ title: String, _ column: TaskSorting.Column, _ asked: TaskListAddress,
    above second: String? = nil
  ) -> HTML {
    let isCurrent = asked.order.column == column
    let isDescending = asked.order.isDescending
    let next = TaskSorting(column, isDescending: isCurrent && !isDescending)
    let sort: HTML? =
      isCurrent ? " aria-sort=\"\(isDescending ? "descending" : "ascending")\"" : nil
    return """
      <th scope="col"\(sort)><a href="/tasks?\(asked.sorted(by: next).query())">\(title)</a>\(second.map { "<span class=\"second\">\($0)</span>" as HTML })</th>
      """
  }

  private func row(
    _ task: InspectionTask, _ count: PhotoCount, _ progress: KnownProgress?,
    _ asked: TaskListAddress, _ columns: [TaskListColumn], at now: DeviceTime,
    inspector name: String?
  ) -> HTML {
    let choose: HTML? =
      name == nil
      ? nil
      : """
      <td class="choose"><input type="checkbox" name="task" value="\(task.id.description)" aria-label="\(t("Select {1}", task.name))"></td>
      """
    // The words are below the state, which has room for them: the column of the figures stays
    // narrow.
    let found: HTML? =
      count.contradicted > 0
      ? "<br><span class=\"light light-bad\">\(t("{1} contradicted", count.contradicted))</span>"
      : count.unchecked > 0
        ? "<br><span class=\"light light-warn\">\(t("{1} being checked", count.unchecked))</span>"
        : nil
    let parcel: HTML? =
      columns.contains(.parcel)
      ? nil : task.parcel.map { " <span class=\"muted\">\($0.identifier)</span>" }
    let items = standing(of: task, progress)
    let cells = columns.compactMap { cell(of: task, $0, count, at: now, inspector: name) }
    return """
      <tr>\(choose)<td data-label="\(t("State"))">\(state(task.state))\(items)\(found)</td>
      <td class="name" data-label="\(t("Task"))"><span class="lines"><a href="\(asked.path(to: task.id))" title="\(task.name)">\(task.name)</a>\(parcel)</span></td>
      \(cells)</tr>
      """
  }

  private func cell(
    of task: InspectionTask, _ column: TaskListColumn, _ count: PhotoCount, at now: DeviceTime,
    inspector name: String?
  ) -> HTML? {
    let label = column.title(t)
    func lines(_ text: String?, title: String? = nil) -> HTML {
      """
      <td data-label="\(label)"><span class="lines" title="\(title ?? text ?? "")">\(text ?? "—")</span></td>
      """
    }
    switch column {
    case .inspector: return name.map { lines($0, title: task.inspector) }
    case .type: return lines(task.type)
    case .parcel: return lines(task.parcel?.identifier)
    case .instructions: return lines(task.instructions)
    case .photos:
      let picture: HTML? = count.first.map {
        """
        <img loading="lazy" alt="" width="48" height="36" src="/photos/\($0.description)/thumbnail.jpg">
        """
      }
      return """
        <td class="number" data-label="\(label)"><span class="pictures">\(picture)\(count.photos)</span></td>
        """
    case .due:
      let due: HTML? = task.due.map {
        "\(t.form.day($0.date))\(task.isOverdue(at: now) ? "<br><strong>⚠ \(t("overdue"))</strong>" as HTML : nil)"
      }
      return "<td class=\"time\" data-label=\"\(label)\">\(due ?? "—")</td>"
    case .ordered:
      let last = task.history.last?.time ?? task.created
      return """
        <td class="time" data-label="\(t("Ordered")), \(t("Last step"))"><span>\(t.day(of: task.created))<br>\(t.day(of: last))</span></td>
        """
    }
  }

  private func filterForm(
    _ asked: TaskListAddress, _ types: [String], _ answers: HTML?, isEmpty: Bool,
    _ inspectors: [Account],
    _ reader: Reader
  ) -> HTML {
    let filter = asked.filter
    func choice(
      _ label: String, _ name: String, _ current: String?, _ options: [(String, String)]
    ) -> HTML {
      // A value from the address is shown even if it is none of the options.
      let unknown = current.flatMap { value in
        options.contains { $0.0 == value } ? nil : (value, value)
      }
      let items = (options + [unknown].compactMap(\.self)).map { value, title in
        "<option value=\"\(value)\"\(raw: value == current ? " selected" : "")>\(title)</option>"
          as HTML
      }
      return """
        <label>\(label)<select name="\(name)"><option value="">\(t("all"))</option>\(items)</select></label>
        """
    }
    let whose: HTML? =
      reader.own == nil
      ? choice(
        t("Inspector"), "inspector", filter.inspector, inspectors.map { ($0.login, $0.title) })
      : nil
    let sort: HTML? =
      asked.order == TaskSorting()
      ? nil
      : """
      <input type="hidden" name="sort" value="\((asked.order.isDescending ? "-" : "") + asked.order.column.rawValue)">
      """
    let area: HTML? = filter.area.map {
      "<input type=\"hidden\" name=\"area\" value=\"\(AddressText.text($0))\">"
    }
    let clear: HTML? =
      filter == TaskFilter() || isEmpty
      ? nil : "<a class=\"button quiet\" href=\"/tasks\">\(t("Show all"))</a>"
    let chosen = [
      filter.state?.rawValue, filter.photos?.rawValue, filter.due?.rawValue, filter.inspector,
      filter.type, filter.parcel, filter.items?.rawValue, filter.answer?.text,
    ].compactMap(\.self).count
    return """
      <form class="filter search-line" method="get" action="/tasks">
      <label><span class="unseen">\(t("Search"))</span><input name="text" value="\(filter.text ?? "")" type="search" data-key="/" placeholder="\(t("Name, parcel or instructions"))"></label>
      <button class="button">\(t("Search"))</button>
      <details class="more-filters"><summary class="button">\(chosen == 0 ? t("Filter") : t("Filter ({1})", chosen))</summary><div class="filter">
      \(choice(t("State"), "state", filter.state?.rawValue, TaskState.allCases.map { ($0.rawValue, "\($0.sign) \(t($0.title))") }))
      \(choice(t("Photos"), "photos", filter.photos?.rawValue, TaskFilter.Photos.allCases.map { ($0.rawValue, photosTitle($0)) }))
      \(choice(t("Due"), "due", filter.due?.rawValue, TaskFilter.Due.allCases.map { ($0.rawValue, dueTitle($0)) }))
      \(whose)
      \(types.isEmpty && filter.type == nil ? nil : choice(t("Type"), "type", filter.type, types.map { ($0, $0) }))
      \(answers)
      <label>\(t("Parcel"))<input name="parcel" value="\(filter.parcel ?? "")"></label>
      <button class="button primary">\(t("Show these"))</button></div></details>
      \(area)\(sort)\(clear)</form>
      """
  }

  private func photosTitle(_ photos: TaskFilter.Photos) -> String {
    switch photos {
    case .contradicted: t("with contradictions")
    case .unchecked: t("being checked")
    case .clean: t("no contradictions")
    case .missing: t("no photos")
    case .repeatMissing: t("repeat missing")
    case .displacedByTwo, .displacedByFive, .displacedByTen, .displacedByTwenty:
      t(
        "displaced by more than {1} %",
        t.decimal(photos.displacement?.rawValue ?? 100, places: 0))
    }
  }

  private func dueTitle(_ due: TaskFilter.Due) -> String {
    switch due {
    case .overdue: t("overdue")
    case .week: t("within a week")
    case .undated: t("no date")
    }
  }

  private func pager(_ number: Int, _ pages: Int, _ asked: TaskListAddress) -> HTML {
    pager(number, of: pages) { "/tasks?\(asked.turned(to: $0).query())" }
  }

  // MARK: from one task to the next

  /// Returns the links through a list, which also have keys; nil if the task was not reached from a
  /// list.
  func way(from task: Identifier, in list: TaskListAddress?, _ reader: Reader) async throws -> HTML?
  {
    guard let list else { return nil }
    let (near, ahead) = try await office.database.read(
      in: reader.agency, ofInspector: reader.own
    ) { session in
      let near = try session.tasks.neighbours(
        of: task, list.filter, list.order, at: office.clock.deviceTime)
      return (near, try near.next.flatMap { try session.photos.counts(of: [$0])[$0]?.first })
    }
    // The browser fetches the first picture of the next task while the officer looks at this one.
    let picture: HTML? = ahead.map { " data-ahead=\"/photos/\($0.description)/preview.jpg\"" }
    func link(_ id: Identifier?, _ words: String, _ key: String) -> HTML {
      guard let id else {
        return "<span class=\"button\" role=\"link\" aria-disabled=\"true\">\(words)</span>"
      }
      return """
        <a class="button" href="\(list.path(to: id))" data-key="\(key)">\(words)</a>
        """
    }
    return """
      <nav class="way" aria-label="\(t("Review"))"\(picture)>
      <a class="button quiet" href="/tasks?\(list.query())" data-key="u">\(t("Back to the list"))</a>
      \(link(near.previous, t("Previous"), "k"))\(link(near.next, t("Next"), "j"))
      <span class="hint keys">\(t("Keys: j next, k previous, u list"))</span></nav>
      """
  }

  /// Returns the notice about the decision on the previous task, when a review goes from one task
  /// to the next.
  func decidedBefore(_ reader: Reader) async throws -> [PageFrame.Notice] {
    guard let id = reader.request.query["decided"].flatMap(Identifier.init(_:)),
      let task = try await office.database.read(
        in: reader.agency, ofInspector: reader.own,
        { session in try StoreError.found { try session.tasks.task(id) } })
    else { return [] }
    return [
      PageFrame.Notice(
        kind: .success,
        text: t("“{1}”: {2}. This is the next task.", task.name, t(task.state.title)),
        action: try await UndoPages(office: office).offer(reader, of: [id]))
    ]
  }
}
