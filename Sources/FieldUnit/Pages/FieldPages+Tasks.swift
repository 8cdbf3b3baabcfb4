import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import Sync
import Web

extension FieldPages {
  func addTasks(to routes: inout Routes) {
    routes.get("/tasks") { request in try await reading(request) { try await list($0) } }
    routes.get("/tasks/{id}") { request in
      try await reading(request) { try show($0, try identifier(request)) }
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

  // MARK: the list

  private func list(_ reader: Reader) async throws -> WebResponse {
    let wanted = reader.request.query["state"].flatMap(TaskState.init(rawValue:))
    let text = reader.request.query["text"] ?? ""
    let here = await server.follower?.lastFix?.fix.coordinate
    let now = server.clock.deviceTime
    let tasks = try reader.unit.tasks(in: wanted).filter {
      text.isEmpty || $0.name.localizedCaseInsensitiveContains(text)
    }.sorted { left, right in
      // What is to be done comes first, the most urgent on top.
      let order = (left.state.isEditable ? 0 : 1, right.state.isEditable ? 0 : 1)
      if order.0 != order.1 { return order.0 < order.1 }
      return (left.due ?? .distant, right.created) < (right.due ?? .distant, left.created)
    }
    var cards: [HTML] = []
    for task in tasks {
      let photos = try reader.unit.photos(.task(task.id)).count
      cards.append(card(task, photos: photos, here, now, reader))
    }
    let empty: HTML =
      wanted == nil && text.isEmpty
      ? """
      <div class="empty"><p>\(t("No tasks yet."))</p><p class="muted">\(t("They come from the office with the next contact."))</p>
      <form method="post" action="/deliver">\(reader.request.formField)<button class="button">\(t("Ask the office now"))</button></form></div>
      """
      : "<div class=\"empty\"><p>\(t("No task matches."))</p><p><a class=\"button\" href=\"/tasks\">\(t("Show all"))</a></p></div>"
    let options = TaskState.allCases.map { state in
      "<option value=\"\(state.rawValue)\"\(raw: wanted == state ? " selected" : "")>\(state.sign) \(t(state.title))</option>"
        as HTML
    }
    return page(
      t("Tasks"), reader, current: "/tasks",
      """
      <h1>\(t("Tasks"))</h1>
      <form class="filter" method="get" action="/tasks">
      <label>\(t("Name"))<input type="search" name="text" value="\(text)"></label>
      <label>\(t("State"))<select name="state"><option value="">\(t("all"))</option>\(options)</select></label>
      <button class="button">\(t("Filter"))</button></form>
      \(cards.isEmpty ? empty : HTML.joined(cards, separator: ""))
      """)
  }

  private func card(
    _ task: InspectionTask, photos: Int, _ here: Coordinate?, _ now: DeviceTime, _ reader: Reader
  ) -> HTML {
    let due: HTML? = task.due.map {
      "<span>\(t("due")) \($0.date.iso8601)\(task.isOverdue(at: now) ? " ⚠ \(t("overdue"))" : "")</span>"
    }
    return """
      <a class="card task" href="/tasks/\(task.id.description)"><strong>\(task.name)</strong>
      \(state(task.state)) <span class="muted"><span>\(photos) \(photos == 1 ? t("photo") : t("photos"))</span>
      \(due) \(way(to: task.parcel, from: here).map { "<span>\($0)</span>" as HTML })</span></a>
      """
  }

  /// Distance and bearing to the parcel.
  private func way(to parcel: Parcel?, from here: Coordinate?) -> String? {
    guard let parcel, let here, let distance = parcel.distanceMetres(to: here) else { return nil }
    if distance == 0 { return t("you are inside its parcel") }
    guard
      let nearest = parcel.rings.joined().min(by: {
        Geodesic.distanceMetres(from: here, to: $0) < Geodesic.distanceMetres(from: here, to: $1)
      })
    else { return nil }
    let bearing = Geodesic.inverse(from: here, to: nearest).initialAzimuthDegrees
    let degrees = bearing < 0 ? bearing + 360 : bearing
    let metres =
      distance < 1000
      ? "\(DecimalText.fixed(distance, places: 0)) m"
      : "\(DecimalText.fixed(distance / 1000, places: 1)) km"
    return "\(metres), \(DecimalText.fixed(degrees, places: 0))°"
  }

  // MARK: one task

  private func show(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    let task = try reader.unit.task(id)
    let photos = try reader.unit.photos(.task(id))
    let tracks = try reader.unit.tracks(.task(id))
    let now = server.clock.deviceTime
    let earlier = try reader.unit.earlierOrders(of: id)
    let returned: HTML? = task.returnReason.map {
      "<p class=\"notice notice-warning\"><strong>\(t("Returned"))</strong>: \($0)</p>"
    }
    let elsewhere = try reader.unit.transitionsElsewhere(of: id).last.map { step -> HTML in
      """
      <p class="notice notice-warning">\(t("On another device of yours: {1}, {2}. What is here can still be sent, and the officer sees both.", t(step.to.title), Self.time(step.time)))</p>
      """
    }
    let orders: HTML? =
      earlier.isEmpty
      ? nil
      : """
      <details><summary>\(t("The office has changed the order"))</summary><ul>\(earlier.map {
        "<li>\(t("until {1}", Self.time($0.replaced))): \($0.name)\($0.instructions.map { ": " + $0 } ?? "")</li>" as HTML
      })</ul></details>
      """
    return page(
      task.name, reader, current: "/tasks",
      """
      <div class="heading"><h1>\(task.name)</h1>\(state(task.state))</div>\(returned)\(elsewhere)
      \(actions(task, photos: photos.count, reader))
      <section class="card">\(HTML.facts([
        (t("Instructions"), task.instructions.map(HTML.text)), (t("Type"), task.type.map(HTML.text)),
        (t("Created"), .text(Self.time(task.created))),
        (t("Due"), task.due.map { .text($0.date.iso8601 + (task.isOverdue(at: now) ? " ⚠ " + t("overdue") : "")) }),
        (t("Parcel"), task.parcel.map { .text("\($0.identifier), \(DecimalText.fixed($0.areaSquareMetres, places: 0)) m²") }),
        (t("Must hold"), task.state.isEditable ? .text(needs(try reader.unit.rules(for: id).requirements)) : nil),
        (t("Tracks"), tracks.isEmpty ? nil : .text(tracks.map(\.name).joined(separator: ", "))),
      ]))\(orders)</section>
      <section class="card"><h2>\(t("Photos"))</h2>\(gallery(photos, isEditable: task.state.isEditable, reader))</section>
      \(note(task, reader))
      <section class="card"><h2>\(t("History"))</h2>\(history(task))</section>
      """)
  }

  /// What it has to hold before it can be sent.
  private func needs(_ needed: TaskRequirements) -> String {
    let words = [
      needed.photos == 0 ? nil : needed.photos == 1 ? t("1 photo") : t("{1} photos", needed.photos),
      needed.note ? t("a note") : nil, needed.track ? t("a track") : nil,
    ].compactMap(\.self)
    return words.isEmpty ? t("nothing") : words.joined(separator: ", ")
  }

  private func actions(_ task: InspectionTask, photos: Int, _ reader: Reader) -> HTML {
    func form(_ action: String, _ label: String, _ style: String) -> HTML {
      """
      <form method="post" action="/tasks/\(task.id.description)/\(action)">\(reader.request.formField)
      <button class="button \(style)">\(label)</button></form>
      """
    }
    switch task.state {
    case .new: return "<div class=\"actions\">\(form("open", t("Open the task"), "primary"))</div>"
    case .open, .returned:
      return """
        <div class="actions"><a class="button primary" href="/camera?task=\(task.id.description)">\(t("Take a photo"))</a>
        <a class="button" href="/tasks/\(task.id.description)/send">\(t("Send"))</a></div>
        """
    case .dataProvided:
      let begun = (try? reader.unit.outbox().first { $0.id == task.id })
      switch begun {
      case .some(let entry) where !entry.hasBegun:
        return """
          <p class="notice notice-note">\(t("Sent and locked. It is delivered with the next contact."))</p>
          \((try? reader.unit.rules(for: task.id))?.flag(.takeBack) == false
            ? "<p class=\"hint\">\(t("Your agency does not allow a sent task to be taken back."))</p>" as HTML
            : "<div class=\"actions\">\(form("take-back", t("Take back"), ""))</div>")
          """
      case .some:
        return
          "<p class=\"notice notice-note\">\(t("Its delivery has begun: it cannot be taken back."))</p>"
      case nil:
        return
          "<p class=\"notice notice-success\">\(t("Delivered: the office holds it and has signed for it."))</p>"
      }
    case .accepted, .declined, .withdrawn:
      let reason = task.history.last?.reason
      return """
        <p class="notice notice-note">\(t("Decided by the office: {1}.", t(task.state.title)))\(reason.map { " \($0)" })</p>
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
      <label>\(t("What the officer should know"))<textarea name="note" rows="3" maxlength="5000">\(task.note ?? "")</textarea></label>
      <p class="actions"><button class="button">\(t("Keep the note"))</button></p></form></section>
      """
  }

  private func history(_ task: InspectionTask) -> HTML {
    let steps = task.history.map { step in
      """
      <li><time>\(Self.time(step.time))</time> \(state(step.from)) → \(state(step.to))<br>
      <span class="muted">\(step.person.login)</span>\(step.reason.map { "<br><q>\($0)</q>" as HTML })</li>
      """ as HTML
    }
    return
      "<ol class=\"timeline\"><li><time>\(Self.time(task.created))</time> \(t("Ordered"))</li>\(steps)</ol>"
  }

  /// Send asks first, in words that say what happens.
  private func confirm(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    let task = try reader.unit.task(id)
    let photos = try reader.unit.photos(.task(id))
    let bytes = photos.reduce(0) { $0 + $1.bytes }
    return page(
      t("Send"), reader, current: "/tasks",
      """
      <section class="card"><h1>\(t("Send \"{1}\"?", task.name))</h1>
      <p>\(t("{1} photos, {2} KiB. The task becomes Data provided and is locked at once. You can take it back until its delivery has begun.", photos.count, bytes / 1024))</p>
      <form method="post" action="/tasks/\(id.description)/send">\(reader.request.formField)
      <p class="actions"><button class="button primary">\(t("Send"))</button>
      <a class="button" href="/tasks/\(id.description)">\(t("Not yet"))</a></p></form></section>
      """)
  }
}

extension DeviceTime {
  /// Later than any date that somebody means.
  fileprivate static let distant = DeviceTime(millisecondsSince1970: .max)
}
