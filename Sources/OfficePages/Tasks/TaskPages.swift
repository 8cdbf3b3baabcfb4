import Evidence
import Exports
import Foundation
import Geodesy
import Guide
import Inspection
import ItemViewing
import Office
import OfficeExporting
import OfficeFrame
import Positioning
import SetViewing
import Store
import Sync
import TimeAndText
import Web

/// The pages of one task: its photos, its map and its decision.
struct TaskPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.review
  private var lists: TaskListPages { TaskListPages(office: office) }
  private var ordering: OrderPages { OrderPages(office: office) }
  private var photoPages: PhotoPages { PhotoPages(office: office) }
  private var desk: ReviewDesk { ReviewDesk(office: office) }

  func add(to routes: inout Routes) {
    routes.get("/tasks") { request in
      try await reading(request, own: true) { try await lists.list($0) }
    }
    routes.get("/tasks/new") { request in
      try await reading(request) { reader in
        try requireRole(.officer, reader)
        return try await ordering.newTask(reader)
      }
    }
    routes.post("/tasks") { request in
      try await reading(request) { reader in
        try requireRole(.officer, reader)
        return try await ordering.order(reader)
      }
    }
    routes.get("/tasks/{id}") { request in
      try await reading(request, own: true) { try await show($0, try identifier(request)) }
    }
    routes.post("/tasks/{id}/decide") { request in
      try await reading(request) { try await decide($0, try identifier(request)) }
    }
    routes.get("/tasks/{id}/order") { request in
      try await reading(request) { reader in
        try requireRole(.officer, reader)
        let task = try await office.review.view(of: try identifier(request), in: reader.agency).task
        return page(
          t("Change the order"), reader, current: "/tasks", help: .changeOrder,
          ordering.orderForm(reader, task, [:], codes: try await ordering.codes(of: task)))
      }
    }
    routes.post("/tasks/{id}/order") { request in
      try await reading(request) { reader in
        try requireRole(.officer, reader)
        return try await ordering.changeOrder(reader, try identifier(request))
      }
    }
    for (name, mediaType) in [
      ("task.kml", "application/vnd.google-earth.kml+xml"), ("task.pdf", "application/pdf"),
      ("bundle.zip", "application/zip"),
    ] {
      routes.get("/tasks/{id}/\(name)") { request in
        try await reading(request, own: name != "bundle.zip") { reader in
          try await export(name, mediaType, try identifier(request), reader)
        }
      }
    }
  }

  // MARK: one task

  private func show(
    _ reader: Reader, _ id: Identifier, refusal: OfficeRefusal? = nil,
    of refused: TaskAction? = nil, reason: String = "", returns: ItemReturns = .none,
    list given: String? = nil
  ) async throws -> WebResponse {
    let view = try await office.review.view(of: id, in: reader.agency, ofInspector: reader.own)
    let task = view.task
    // The words and the items of a decision that was undone are still there for the next one.
    let undone =
      reason.isEmpty && returns.isEmpty ? try await undone(view, reader) : (reason, returns)
    let (reason, returns) = undone
    let given = given ?? reader.request.query["list"]
    let list = TaskListAddress(given)
    let notices = try await self.notices(about: view, refusal, reader)
    let whole = view.photos.filter { $0.deletedReason == nil }
    let way = try await lists.way(from: task.id, in: list, reader)
    let map = try await MapPages(office: office).taskMap(
      view, reader,
      sketch: TaskSketch.svg(task, whole.map(\.photo), view.tracks, t))
    let decision =
      try await reader.own == nil
      ? decisions(task, whole, reader, reason: reason, refused: refused, list: given) : nil
    let warning = try await missing(view, reader)
    let isDesk = reader.own == nil && !whole.isEmpty
    let head: HTML =
      isDesk
      ? try await desk.html(
        task, whole, reader,
        ReviewDesk.Parts(way: way, warnings: warning, decision: decision ?? "", map: map))
      : "\(way)<div class=\"heading\"><h1>\(task.name)</h1>\(state(task.state))</div>"
    let cards: [HTML] = isDesk ? [] : try await photoCards(whole, reader)
    let place: HTML? =
      isDesk ? nil : "\(decision)<section class=\"card\"><h2>\(t("Where"))</h2>\(map)</section>"
    let main: HTML = """
      \(head)
      <div class="split"><div>
      \(isDesk ? nil : warning)<section class="card"><h2>\(t("Order"))</h2>\(orderFacts(task))\(try await handed(task, reader))\(try await wish(task, reader))\(orders(view))\(try await HTML.each(additions) { try await $0.facts(ofTask: task.id, reader, of: office) })</section>
      \(try await asked(view, whole, returns: returns, reader))\(whole.isEmpty ? noPhotos(task) : nil)\(cards)
      \(deleted(view))\(SetParts(t: t).card(try await sets(of: task, reader)))\(tracks(view))\(late(view))
      </div><div>
      \(place)<section class="card"><h2>\(t("History"))</h2>\(history(task))</section>
      \(takeAway(view, reader))
      </div></div>
      """
    return page(
      task.name, reader, current: "/tasks", notices: notices,
      undo: try await UndoPages(office: office).offer(reader), status: refusal?.kind.status ?? 200,
      scripts: MapPages.scripts + (isDesk ? ReviewDesk.scripts.map(\.href) : []),
      styles: MapPages.styles + (isDesk ? [ReviewDesk.style.href] : []), main)
  }

  /// Returns what became of the photo points that the order names; nil if it names none.
  private func wish(_ task: InspectionTask, _ reader: Reader) async throws -> HTML? {
    guard let wish = task.repeats else { return nil }
    let (points, outcome) = try await office.database.read(in: reader.agency) { session in
      (
        try wish.points.map { (id: $0, point: try session.points.point($0)) },
        try session.points.outcome(ofTask: task.id)
      )
    }
    let rows = points.map { id, point -> HTML in
      let title = point?.title ?? id.description
      let name: HTML =
        reader.own == nil ? "<a href=\"/points/\(id.description)\">\(title)</a>" : .text(title)
      let repeats = outcome.repeats.filter { $0.claims.point == id }
      let state: HTML =
        repeats.isEmpty
        ? outcome.reasons[id].map { "– <q>\($0)</q>" } ?? "○ \(t("no repeat yet"))"
        : "✓ \(repeats.count == 1 ? t("1 repeat") : t("{1} repeats", repeats.count))"
      return "<li>\(name) <span class=\"muted\">\(state)</span></li>"
    }
    return "<h3>\(t("Photo points to photograph again"))</h3><ul class=\"plain\">\(rows)</ul>"
  }

  private func photoCards(_ photos: [ReceivedPhoto], _ reader: Reader) async throws -> [HTML] {
    let facts = try await photoPages.cardFacts(of: photos, reader)
    return try await HTML.each(photos.enumerated()) { index, received in
      try await photoPages.photoCard(
        received, number: index + 1, reader, facts: facts, isOfTask: true)
    }
  }

  /// Returns what stands above a task: the decision before, a refusal, and what came in an order
  /// that nobody expected.
  private func notices(
    about view: TaskView, _ refusal: OfficeRefusal?, _ reader: Reader
  ) async throws -> [PageFrame.Notice] {
    var notices = try await lists.decidedBefore(reader)
    if let refusal { notices.append(PageFrame.Notice(kind: .error, text: t(refusal.wording))) }
    for conflict in view.conflicts {
      notices.append(
        PageFrame.Notice(
          kind: .warning,
          text: t(
            "{1} had {2} it at {3}, but the office had already changed it: {4}. The office keeps both.",
            conflict.transition.person.login, t(conflict.transition.action.participle),
            t.moment(conflict.transition.time), t(conflict.reason))))
    }
    if view.late.count > 0 {
      notices.append(
        PageFrame.Notice(
          kind: .warning,
          text: t(
            "{1} records of this task arrived after the decision and are not part of it. See Arrived late, below.",
            view.late.count)))
    }
    return notices
  }

  /// Returns the warning that a sent task lacks something that the agency's policy or the order asks
  /// for now; nil if it lacks nothing. The task may have been sent under other rules.
  private func missing(_ view: TaskView, _ reader: Reader) async throws -> HTML? {
    let task = view.task
    guard task.state == .dataProvided else { return nil }
    let rules = try await office.policies.policy(of: reader.agency)?.policy.rules(
      forType: task.type)
    guard rules != nil || task.sets != .none else { return nil }
    let needed = rules?.requirements(of: task) ?? .none.asking(for: task.sets)
    let sets = try await sets(of: task, reader)
    let photos = view.photos.count { $0.deletedReason == nil }
    // The items are only looked for where a photo is missing.
    let least =
      photos < needed.photos
      ? needed.photos(hasItems: try await hasItems(task, reader)) : needed.photos
    let words = [
      photos < least ? t("{1} of {2} photos", photos, least) : nil,
      needed.note && InspectionTask.isBlank(task.note) ? t("no note") : nil,
      needed.track && view.tracks.isEmpty ? t("no track") : nil,
      needed.lacksSet(among: sets) ? t("no complete set of pictures") : nil,
    ].compactMap(\.self)
    return words.isEmpty
      ? nil
      : """
      <p class="notice notice-warning">\(t("The task has less than your agency's policy or the order now requires: {1}.", words.joined(separator: ", ")))</p>
      """
  }

  private func takeAway(_ view: TaskView, _ reader: Reader) -> HTML {
    let path = "/tasks/\(view.task.id)"
    let (bundle, hint): (HTML?, HTML?)
    if view.photos.isEmpty || reader.own != nil {
      // A task without photos has nothing that anyone could check.
      (bundle, hint) = (nil, nil)
    } else if view.photos.allSatisfy({ $0.photo.origin == .egnss4cap }) {
      bundle = nil
      hint =
        "<p class=\"hint\">\(t("There is no bundle of evidence: photos from phones are not sealed by a device key."))</p>"
    } else {
      bundle = "<a class=\"button\" href=\"\(path)/bundle.zip\">\(t("Bundle of evidence"))</a>"
      hint =
        "<p class=\"hint\">\(t("Anyone can check the bundle without this office: standpoint verify bundle.zip --trust {1}", office.fingerprint))</p>"
    }
    return """
      <section class="card"><h2>\(t("Export"))</h2><p class="actions">
      <a class="button" href="\(path)/task.pdf">PDF</a>
      \(ExportPages.links("\(path)/task"))\(bundle)</p>\(hint)</section>
      """
  }

  private func orders(_ view: TaskView) -> HTML {
    guard !view.earlierOrders.isEmpty else { return "" }
    let items = view.earlierOrders.map { order in
      """
      <li>\(t.html("Revision {1}, until {2}", order.revision, t.time(order.replaced))):
      \(order.name)\(order.instructions.map { ": " + $0 } ?? "")</li>
      """ as HTML
    }
    return "<details><summary>\(t("Earlier orders"))</summary><ul>\(items)</ul></details>"
  }

  private func noPhotos(_ task: InspectionTask) -> HTML {
    """
    <section class="card empty"><p>\(t("No photos yet."))</p>
    <p class="muted">\(task.state.isEditable ? t("They arrive when {1} sends the task.", task.inspector) : "")</p></section>
    """
  }

  private func deleted(_ view: TaskView) -> HTML {
    let items = view.photos.compactMap { received in
      received.deletedReason.map { reason in
        """
        <li>\(t.html("Photo of {1}, deleted on {2}, before it was sent: {3}. Its record is here, its picture is not.", t.time(received.photo.deviceTime), received.deleted.map(t.time) ?? "?", reason))</li>
        """ as HTML
      }
    }
    return items.isEmpty
      ? "" : "<section class=\"card\"><h2>\(t("Deleted"))</h2><ul>\(items)</ul></section>"
  }

  private func tracks(_ view: TaskView) -> HTML {
    let items = view.tracks.map { track in
      let measures = track.measures
      var words =
        "\(measures.points) \(t("points")), \(t.decimal(measures.lengthMetres, places: 0)) m"
      if let area = measures.areaSquareMetres, area > 0 {
        words += ", \(t("closed")) \(t.decimal(area, places: 0)) m²"
        if let error = measures.areaUncertaintySquareMetres95 {
          words += " ± \(t.decimal(error, places: 0)) m²"
        }
      }
      return "<li><strong>\(track.name)</strong>: \(words)</li>" as HTML
    }
    return items.isEmpty
      ? "" : "<section class=\"card\"><h2>\(t("Tracks"))</h2><ul>\(items)</ul></section>"
  }

  /// Returns the records that came after the task was decided; nil if there are none. They are
  /// shown apart from the rest, for people who ask for the reason.
  private func late(_ view: TaskView) -> HTML? {
    guard view.late.count > 0 else { return nil }
    let photos = view.late.photos.map { received -> HTML in
      let photo = received.photo
      let when = t.time(received.photo.delivered ?? photo.deviceTime)
      let words = t.html("Photo of {1}, arrived {2}", t.time(photo.deviceTime), when)
      guard received.deletedReason == nil else { return "<li>\(words) (\(t("Deleted")))</li>" }
      return """
        <li><a href="/photos/\(photo.id.description)"><img loading="lazy" alt=""
        src="/photos/\(photo.id.description)/thumbnail.jpg" width="160" height="120"><br>\(words)</a>
        \(badges(received))</li>
        """
    }
    let tracks = view.late.tracks.map { track in
      "<li>\(t.html("Track {1}, arrived {2}", track.name, t.time(track.delivered)))</li>" as HTML
    }
    let notes = view.late.notes.map { note in
      """
      <li>\(note.photo == nil ? t.html("Note on the task, arrived {1}", t.time(note.received)) : t.html("Note on a photo, arrived {1}", t.time(note.received))):
      <q>\(note.text)</q></li>
      """ as HTML
    }
    return """
      <section class="card" id="late"><h2>\(t("Arrived late"))</h2>
      <p class="hint">\(t("These arrived after the office had decided on the task. They are kept unchanged, but are not in any export or bundle of this task."))</p>
      <ul>\(photos)\(tracks)\(notes)</ul></section>
      """
  }

  private func history(_ task: InspectionTask) -> HTML {
    let steps = task.history.map { step in
      """
      <li>\(t.time(step.time)) \(state(step.from)) → \(state(step.to))<br>
      <span class="muted">\(step.person.login), \(t(step.person.role.rawValue))</span>\
      \(step.reason.map { "<br><q>\($0)</q>" as HTML })</li>
      """ as HTML
    }
    return """
      <ol class="timeline"><li>\(t.time(task.created)) \(t("Ordered"))</li>\(steps)</ol>
      """
  }

  // MARK: decisions

  private func decisions(
    _ task: InspectionTask, _ shown: [ReceivedPhoto], _ reader: Reader, reason: String,
    refused: TaskAction?, list: String?
  ) async throws -> HTML {
    let photos = shown.count
    let examined = shown.count { $0.verdict != nil }
    // The usual decision comes first.
    let possible = TransitionRule.table.filter {
      $0.role == reader.role && $0.from.contains(task.state) && $0.guard != .notTold
    }.sorted { $0.action == .accept && $1.action != .accept }
    let change: HTML? =
      reader.role == .officer && task.state.isEditable
      ? "<p class=\"actions\"><a class=\"button\" href=\"/tasks/\(task.id.description)/order\">\(t("Change the order"))</a><a class=\"button\" href=\"/tasks/\(task.id.description)/places\">\(t("Sections and further parcels"))</a><a class=\"button\" href=\"/tasks/\(task.id.description)/attachments\">\(t("Attachments"))</a></p>"
      : nil
    // The officer's words are still shown if no button needs a reason any more.
    let unsent: HTML? =
      reason.isEmpty || possible.contains(where: \.needsReason)
      ? nil
      : """
      <label>\(t("Your unsent text"))<textarea rows="3" readonly>\(reason)</textarea></label>
      """
    guard !possible.isEmpty else {
      return """
        <section class="card"><h2>\(t("Decision"))</h2><p>\(t("Nothing to decide: the task is {1}.", t(task.state.title)))</p>\(unsent)</section>
        """
    }
    let waiting: HTML? =
      examined < photos && possible.contains { $0.guard == .isChecked }
      ? "<p class=\"light light-warn\">\(t("{1} photos are still being checked. Reload this page later; once it shows the results, you can choose: {2}.", photos - examined, possible.filter { $0.guard == .isChecked }.map { t(Self.button($0.action).0) }.joined(separator: ", ")))</p>"
      : nil
    let buttons = possible.map { rule in
      decisionButton(
        rule, isMeant: rule.action == refused && rule.needsReason,
        question: rule.action == .accept ? desk.question(shown) : nil)
    }
    let keys = possible.map { rule in
      "\(Self.button(rule.action).2) \(t(Self.button(rule.action).0))"
    }.joined(separator: ", ")
    let field: HTML? =
      try await possible.contains(where: \.needsReason)
      ? """
      \(possible.contains { $0.action == .decline } ? usualReasons(reader) : nil)<label>\(t("Reason"))<textarea name="reason" rows="3" maxlength="2000"\(refused == nil ? nil : " autofocus" as HTML)>\(reason)</textarea></label>
      <p class="hint">\(possible.contains { $0.action == .reopen } ? t("Required to reopen. The inspector will see it.") : t("Required to return or decline. The inspector will see it."))</p>
      """ : nil
    return """
      <section class="card decision"><h2>\(t("Decision"))</h2>\(waiting)
      <form class="fields" id="\(Self.decisionForm)" method="post" action="/tasks/\(task.id.description)/decide">\(reader.request.formField)
      <input type="hidden" name="seen" value="\(task.history.count)">
      <input type="hidden" name="examined" value="\(examined)">
      <input type="hidden" name="shown" value="\(Review.mark(of: task, shown))">
      <input type="hidden" name="list" value="\(list ?? "")">
      \(field)\(try await itemsHint(task, possible, reader))<p class="actions">\(buttons)</p><p class="hint keys">\(t("Keys: {1}", keys))</p></form>\(unsent)\(change)</section>
      """
  }

  /// Returns the list of the agency's usual reasons; nil if it has none.
  private func usualReasons(_ reader: Reader) async throws -> HTML? {
    let reasons = try await office.policies.returnReasons(of: reader.agency)
    guard !reasons.isEmpty else { return nil }
    let options = reasons.map { "<option>\($0)</option>" as HTML }
    return """
      <label>\(t("Usual reasons"))<select name="listed" data-fills="reason"><option value="">\(t("Choose, or write below"))</option>\(options)</select></label>
      """
  }

  /// Returns the button of a decision.
  /// - Parameters:
  ///   - isMeant: true if the officer has pressed it before, and was refused.
  ///   - question: the question that is asked before it is sent; nil for none.
  private func decisionButton(_ rule: TransitionRule, isMeant: Bool, question: String?) -> HTML {
    let (label, style, key) = Self.button(rule.action)
    // The key of such a button leads to the field for the reason: otherwise the next letters typed
    // would be taken for further keys of the page.
    let field: HTML? = rule.needsReason ? " data-key-field=\"reason\"" : nil
    let meant: HTML? = isMeant ? " data-meant" : nil
    let asked: HTML? = question.map { " data-confirm=\"\($0)\"" }
    return """
      <button class="button \(style)" name="action" value="\(rule.action.rawValue)"
      data-key="\(key)"\(field)\(meant)\(asked)>\(t(label))</button>
      """
  }

  private static func button(_ action: TaskAction) -> (String, String, String) {
    switch action {
    case .accept: ("Accept", "primary", "a")
    case .returnToInspector: ("Return", "", "r")
    case .decline: ("Decline", "danger", "d")
    case .withdraw: ("Withdraw", "danger", "w")
    case .reopen: ("Reopen", "", "o")
    case .open, .provide, .takeBack, .undo: ("—", "quiet", "")
    }
  }

  private func decide(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let form = try await reader.request.form(limit: Self.decisionBytesAtMost)
    guard let action = form["action"].flatMap(TaskAction.init(rawValue:)),
      let seen = form["seen"].flatMap({ Int($0) })
    else { throw OfficeRefusal(.inputInvalid, "the form is not complete: open the task again") }
    // Without the page's script a reason from the agency's list is in a field of its own.
    let written = form["reason"] ?? ""
    let reason = InspectionTask.isBlank(written) ? form["listed"] ?? written : written
    // The next task is found before the decision: after it, this task has another place in the
    // list, or none.
    let list = TaskListAddress(form["list"])
    var next: Identifier?
    if let list {
      next = try await office.database.read(in: reader.agency) { session in
        // In a list of all states the next task has the state of this one.
        var filter = list.filter
        filter.state = try filter.state ?? session.tasks.task(id).state
        return try session.tasks.neighbours(of: id, filter, list.order, at: office.clock.deviceTime)
          .next
      }
    }
    var returns = ItemReturns(reasons: Self.returnedItems(form))
    do {
      returns.marks = try Self.marks(form)
      let task = try await office.review.decide(
        action, on: id, by: try reader.visitor.person(), reason: reason, seen: seen,
        examined: form["examined"].flatMap { Int($0) }, shown: form["shown"], isUndoable: true,
        returning: returns)
      let done = "done=\(task.state.rawValue)&undo=\(id)"
      guard let list else { return .redirect("/tasks/\(id)?\(done)") }
      guard let next else { return .redirect("/tasks?\(list.query())&\(done)") }
      return .redirect(list.path(to: next) + "&decided=\(id)")
    } catch {
      guard let refusal = OfficeRefusal(of: error), refusal.kind != .unknown else { throw error }
      // The officer's words and lines stay in the form.
      return try await show(
        reader, id, refusal: refusal, of: action, reason: reason, returns: returns,
        list: form["list"])
    }
  }

  // MARK: exports

  private func export(
    _ name: String, _ mediaType: String, _ id: Identifier, _ reader: Reader
  ) async throws -> WebResponse {
    try await .made(
      ending: (name as NSString).pathExtension, mediaType: mediaType, fileName: name
    ) { [office] path, tick in
      try await office.exports.write(
        name, ofTask: id, in: reader.agency, ofInspector: reader.own, toFile: path, tick: tick)
    }
  }
}
