import FieldUnit
import Foundation
import Geodesy
import Guide
import Inspection
import ItemViewing
import SetCapture
import SetViewing
import Store
import Sync
import TimeAndText
import Web

/// The pages of one task: its order, its photos, and sending it.
struct TaskPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldTasks

  func add(to routes: inout Routes) {
    routes.get("/tasks") { request in
      try await reading(request) { try await TaskListPages(server: server).list($0) }
    }
    routes.get("/tasks/{id}") { request in
      try await reading(request) { try await show($0, try identifier(request)) }
    }
    routes.get("/live/tasks/{id}/place") { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        let task = try reader.unit.task(id)
        // Parcel and photos are read once: only the place of the inspector changes while the page
        // is open.
        let sketch = ParcelSketch(task.parcel, try reader.unit.photos(.task(id)))
        return .events(
          live(of: reader.unit) {
            place(of: task, sketch, here: await freshPlace())
          })
      }
    }
    routes.post("/tasks/{id}/open") { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        try reader.unit.openTask(id)
        return .redirect("/tasks/\(id)")
      }
    }
    routes.post("/tasks/{id}/note") { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        try reader.unit.noteTask(id, try await request.form()["note"] ?? "")
        return .redirect("/tasks/\(id)?done=noted")
      }
    }
    addItems(to: &routes)
    routes.get("/tasks/{id}/files/{digest}") { request in
      try await reading(request) { reader in
        try TaskFiles.answer(
          try identifier(request), request.parameters["digest"] ?? "", on: reader.unit)
      }
    }
    routes.get("/tasks/{id}/send") { request in
      try await reading(request) { try confirm($0, try identifier(request)) }
    }
    routes.post("/tasks/{id}/send") { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        try reader.unit.provideTask(id)
        return .redirect("/tasks/\(id)?done=sent")
      }
    }
    routes.post("/tasks/{id}/take-back") { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        try reader.unit.takeBackTask(id)
        return .redirect("/tasks/\(id)?done=taken-back")
      }
    }
  }

  // MARK: one task

  /// Shows a task.
  /// - Parameter fault: an answer that was refused; nil for none.
  func show(
    _ reader: Reader, _ id: Identifier, fault: ItemChecklist.Fault? = nil
  ) async throws -> WebResponse {
    let here = await freshPlace()
    let task = try reader.unit.task(id)
    let photos = try reader.unit.photos(.task(id))
    let listings = try reader.unit.photoListings(.task(id)).reversed()
    let tracks = try reader.unit.trackHeads(.task(id))
    let sets = try reader.unit.sets(.task(id))
    let now = server.clock.deviceTime
    let earlier = try reader.unit.earlierOrders(of: id)
    let items = try reader.unit.taskItems(of: id)
    let returned: HTML? = task.returnReason.map {
      "<p class=\"notice notice-warning\"><strong>\(t("Returned"))</strong>: \($0)</p>"
    }
    let elsewhere = try reader.unit.transitionsElsewhere(of: id).last.map { step -> HTML in
      """
      <p class="notice notice-warning">\(t.html("On another device of yours: {1}, {2}. You can still send what is here, and the officer sees both.", t(step.to.title), t.time(step.time)))</p>
      """
    }
    let orders: HTML? =
      earlier.isEmpty
      ? nil
      : """
      <details><summary>\(t("The office has changed the order"))</summary><ul>\(earlier.map {
        "<li>\(t.html("until {1}", t.time($0.replaced))): \($0.name)\($0.instructions.map { ": " + $0 } ?? "")</li>" as HTML
      })</ul></details>
      """
    let live = "/live/tasks/\(id)/place"
    return page(
      task.name, reader, current: "/tasks", status: fault == nil ? 200 : 422,
      scripts: [Self.answers.href], styles: [PhotoStyle.asset.href],
      """
      <div class="heading"><h1>\(task.name)</h1>\(state(task.state))</div>\(returned)\(elsewhere)
      \(try actions(task, items, from: here, reader))
      <section class="card">\(HTML.facts([
        (t("Instructions"), task.instructions.map(HTML.text)), (t("Type"), task.type.map(HTML.text)),
        (t("Created"), t.time(task.created)),
        (t("Due"), task.due.map { due(task, $0, now) }),
        (t("Parcel"), task.parcel.map { .text("\($0.identifier), \(t.decimal($0.areaSquareMetres, places: 0)) m²") }),
        (t("Sections and further parcels"), LandParts(t: t).words(task.places)),
        (t("Attachments"), TaskFiles.list(task, on: reader.unit)),
        (t("Required"), task.state.isEditable ? try needs(of: task, reader).html(t) : nil),
        (t("Sets of pictures"), sets.isEmpty ? nil : SetParts(t: t).links(sets)),
        (t("Tracks"), tracks.isEmpty ? nil : .text(tracks.map(\.name).joined(separator: ", "))),
      ]))\(orders)</section>
      \(checklist(task, items, photos, reader, fault, from: here))
      \(try TaskPoints(server: server).section(task, reader))
      <section class="card"><h2>\(t("Photos"))</h2>\(PhotoListPages(server: server).gallery(Array(listings), isEditable: task.state.isEditable))</section>
      <section class="card"><h2>\(t("Place"))</h2><div data-live="\(live)" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(place(of: task, ParcelSketch(task.parcel, photos), here: here))</div>
      <p class="actions">\(guide(to: task))<a class="button" href="/map?task=\(id.description)">\(t("Show on map"))</a>\(newPoint(for: task))</p></section>
      \(note(task, reader))
      <section class="card"><h2>\(t("History"))</h2>\(history(task))</section>
      \(ExportPages(server: server).exportLinks("/tasks/\(id.description)/task"))
      """)
  }

  private func due(_ task: InspectionTask, _ due: DeviceTime, _ now: DeviceTime) -> HTML {
    task.isOverdue(at: now)
      ? "<span class=\"is-overdue\">\(t.form.day(due.date)) ⚠ \(t("overdue"))</span>"
      : .text(t.form.day(due.date))
  }

  /// Returns the link to the map that guides to the task's parcel; nil without one.
  private func guide(to task: InspectionTask) -> HTML? {
    task.parcel.map { _ in
      "<a class=\"button primary\" href=\"/map?task=\(task.id.description)&amp;guide=yes\">\(t("Guide me there"))</a>"
    }
  }

  /// Returns the way to the parcel in words, and the drawing of it.
  private func place(
    of task: InspectionTask, _ sketch: ParcelSketch?, here: Coordinate?
  ) -> HTML {
    guard let sketch else { return "<p class=\"muted\">\(t("This task has no parcel."))</p>" }
    let way = ParcelWay(to: task.parcel(nearestTo: here), from: here)
    let words =
      task.parcel == nil
      ? t("This task has no parcel.")
      : way.map { way in
        way.text.map { t("{1} to its parcel", $0) } ?? "● " + t("you are inside its parcel")
      } ?? t("No recent position: the distance to the parcels is not known.")
    return "<p class=\"way-to\">\(words)</p>\(sketch.svg(here: here, t))"
  }

  /// Returns the buttons that begin a photo point or a set for this task; nil if the task takes no
  /// photos.
  private func newPoint(for task: InspectionTask) -> HTML? {
    guard task.state.isEditable else { return nil }
    return """
      <a class="button" href="\(CameraAddress(makingFor: task.id).href)">\(t("New photo point"))</a>\
      <a class="button" href="/sets/new?task=\(task.id.description)">\(t("New set of pictures"))</a>
      """
  }

  private func actions(
    _ task: InspectionTask, _ items: TaskItems?, from here: Coordinate?, _ reader: Reader
  ) throws -> HTML {
    func form(_ action: String, _ label: String, _ style: String) -> HTML {
      """
      <form method="post" action="/tasks/\(task.id.description)/\(action)">\(reader.request.formField)
      <button class="button \(style)">\(label)</button></form>
      """
    }
    // The camera is for the shot that comes next, if the order asks for one.
    let next = items.flatMap { $0.order.items.shotsToTake($0.standing, from: here).first?.name }
    let camera: HTML = """
      <a class="button primary" href="\(CameraAddress(task: task.id, item: next).href)">\(t("Take a photo"))</a>
      """
    switch task.state {
    case .new:
      return
        "<div class=\"actions task-actions\">\(camera)\(form("open", t("Open the task"), ""))</div>"
    case .open, .returned:
      return """
        <div class="actions task-actions">\(camera)
        <a class="button" href="/tasks/\(task.id.description)/send">\(t("Send"))</a></div>
        """
    case .dataProvided:
      let begun = try reader.unit.outbox().first { $0.id == task.id }
      switch begun {
      case .some(let entry) where !entry.hasBegun:
        return """
          <p class="notice notice-note">\(t("You sent it, and it is locked. It goes to the office at the next contact."))</p>
          \(try reader.unit.rules(for: task.id).flag(.takeBack) == false
            ? "<p class=\"hint\">\(t("Your agency does not allow you to take back a sent task."))</p>" as HTML
            : "<div class=\"actions\">\(form("take-back", t("Take back"), ""))</div>")
          """
      case .some:
        return
          "<p class=\"notice notice-note\">\(t("Delivery has started: you can no longer take it back."))</p>"
      case nil:
        return
          "<p class=\"notice notice-success\">\(t("Delivered: the office holds it and has signed for it."))</p>"
      }
    case .accepted, .declined, .withdrawn:
      let reason = task.history.last?.reason
      return """
        <p class="notice notice-note">\(t("The office decided: {1}.", t(task.state.title)))\(reason.map { " \($0)" })</p>
        """
    }
  }

  private func note(_ task: InspectionTask, _ reader: Reader) -> HTML {
    guard task.state.isEditable else {
      return task.note.map {
        "<section class=\"card\"><h2>\(t("Note"))</h2><p>\($0)</p></section>"
      } ?? ""
    }
    return """
      <section class="card"><h2>\(t("Note"))</h2>
      <form class="fields" method="post" action="/tasks/\(task.id.description)/note">\(reader.request.formField)
      <label>\(t("Note for the officer"))<textarea name="note" rows="3" maxlength="\(NoteRule.maximumCharacters)">\(task.note ?? "")</textarea></label>
      <p class="actions"><button class="button">\(t("Save note"))</button></p></form></section>
      """
  }

  private func history(_ task: InspectionTask) -> HTML {
    let steps = task.history.map { step in
      """
      <li>\(t.time(step.time)) \(state(step.from)) → \(state(step.to))<br>
      <span class="muted">\(step.person.login)</span>\(step.reason.map { "<br><q>\($0)</q>" as HTML })</li>
      """ as HTML
    }
    return
      "<ol class=\"timeline\"><li>\(t.time(task.created)) \(t("Ordered"))</li>\(steps)</ol>"
  }

  private func needs(of task: InspectionTask, _ reader: Reader) throws -> TaskNeeds {
    TaskNeeds(
      task, try reader.unit.contents(of: task.id), try reader.unit.requirements(of: task.id), t)
  }

  /// Asks for confirmation before sending, and says what happens.
  private func confirm(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    let task = try reader.unit.task(id)
    let photos = try reader.unit.photos(.task(id))
    let bytes = photos.reduce(0) { $0 + $1.bytes }
    let needs = try needs(of: task, reader)
    let back = "/tasks/\(id.description)"
    let answers: HTML =
      needs.isMet
      ? """
      <form method="post" action="\(back)/send">\(reader.request.formField)
      <p class="actions"><button class="button primary">\(t("Send"))</button>
      <a class="button" href="\(back)">\(t("Not yet"))</a></p></form>
      """
      : """
      <p class="notice notice-warning">\(t("It cannot be sent yet: something is missing."))</p>
      <p class="actions"><a class="button primary" href="\(back)">\(t("Back to the task"))</a></p>
      """
    return page(
      t("Send"), reader, current: "/tasks", help: .send,
      """
      <section class="card"><h1>\(t("Send \"{1}\"?", task.name))</h1>
      <p class="sum">\(photos.count == 1 ? t("1 photo") : t("{1} photos", photos.count)), \(Self.size(bytes))</p>
      <p>\(t("The task becomes Submitted and is locked at once. You can take it back until its delivery starts."))</p>
      <p>\(t("Required")):</p>\(needs.html(t))\(answers)</section>
      """)
  }
}
