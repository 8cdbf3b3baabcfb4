import Foundation
import Geodesy
import Guide
import Inspection
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The gallery of photos that came without a task, beside a map: several photos are given to their
/// tasks at once. The nearest task is suggested for each; an officer decides.
struct StandaloneListPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.photosWithoutTask

  static let photosPerPage = 24
  /// The greatest number of tasks in the list for all selected photos. An officer who needs more of
  /// one inspector's tasks shows only the photos of that inspector.
  private static let tasksOfAllInspectorsAtMost = 200
  /// The number of each inspector's latest tasks that the list has at least.
  private static let tasksOfAnInspectorAtLeast = 8

  func add(to routes: inout Routes) {
    routes.get("/photos/map.json") { request in
      try await reading(request) { reader in
        let shown = try await find(StandaloneListAddress(reader.request.query), reader)
        return await .json(try WireJSON.bytes(map(of: try suggested(shown, reader))))
      }
    }
    routes.post("/photos/selection") { request in
      try await reading(request) { try await handle($0) }
    }
  }

  /// The photos on a page of the list.
  private struct Shown {
    var photos: [ReceivedPhoto]
    /// The number of the page, from 1.
    var number: Int
    /// The number of all pages.
    var pages: Int
    /// The number of photos on all pages.
    var count: Int
    /// The task that each photo was probably taken for.
    var suggestions: [Identifier: TaskSuggestion] = [:]
  }

  private func find(_ asked: StandaloneListAddress, _ reader: Reader) async throws -> Shown {
    let (isHidden, inspector) = (asked.isHidden, asked.inspector)
    return try await office.database.read(
      in: reader.agency, ofInspector: reader.own
    ) { session in
      let count = try session.photos.standaloneCount(isHidden: isHidden, inspector: inspector)
      let (number, pages) = asked.pages(of: count, each: Self.photosPerPage)
      let photos = try session.photos.standalone(
        isHidden: isHidden, inspector: inspector, limit: Self.photosPerPage,
        offset: (number - 1) * Self.photosPerPage)
      return Shown(photos: photos, number: number, pages: pages, count: count)
    }
  }

  private func suggested(_ shown: Shown, _ reader: Reader) async throws -> Shown {
    var shown = shown
    shown.suggestions = try await office.review.suggestions(for: shown.photos, in: reader.agency)
    return shown
  }

  /// Returns the map of a page of photos: the photos in the order of the page, and the parcels of the
  /// tasks that are suggested.
  private func map(of shown: Shown) -> MapView {
    var view = MapView()
    view.photos = shown.photos.map { MapView.mark($0.photo) }
    let tasks = Dictionary(
      shown.suggestions.values.map { ($0.task.id, $0.task) },
      uniquingKeysWith: { first, _ in first }
    )
    view.tasks = tasks.values.sorted { $0.id < $1.id }.compactMap(MapView.mark)
    return view
  }

  // MARK: the list

  func list(_ reader: Reader) async throws -> WebResponse {
    let asked = StandaloneListAddress(reader.request.query)
    let isOwn = reader.own != nil
    var shown = try await find(asked, reader)
    if !isOwn { shown = try await suggested(shown, reader) }
    let names = isOwn ? [:] : try await names(reader)
    let cards = shown.photos.enumerated().map { index, received in
      card(
        received, number: index + 1, of: names, shown.suggestions[received.photo.id], isOwn: isOwn)
    }
    let gallery: HTML =
      shown.photos.isEmpty
      ? """
      <div class="empty"><p>\(asked.isHidden ? t("Nothing is hidden.") : t("Nothing has arrived yet."))</p></div>
      """ : "<ul class=\"gallery\">\(cards)</ul>"
    let isMany = !isOwn && !shown.photos.isEmpty
    let body: HTML =
      isMany
      ? """
      <div class="split table-and-map"><div>\(try await form(shown, gallery, asked, names, reader))</div>
      <div>\(try await MapPages(office: office).photosMap("/photos/map.json?\(asked.query(page: shown.number))", reader))</div></div>
      """ : gallery
    return page(
      t("Photos without a task"), reader, current: "/photos",
      scripts: isMany ? MapPages.scripts + [ListAssets.script.href] : [],
      styles: isMany ? MapPages.styles + [ListAssets.style.href] : [],
      """
      <div class="heading list-head"><h1>\(t("Photos without a task"))</h1>
      \(try await hiddenFilter("/photos", asked, reader))
      <p class="muted">\(shown.count == 1 ? t("1 photo") : t("{1} photos", shown.count))</p></div>
      \(body)\(pager(shown.number, of: shown.pages) { "/photos?\(asked.query(page: $0))" })
      """)
  }

  private func names(_ reader: Reader) async throws -> [String: String] {
    let people = try await office.people.accounts(ofAgency: reader.agency)
    return Dictionary(people.map { ($0.login, $0.title) }) { $1 }
  }

  private func card(
    _ received: ReceivedPhoto, number: Int, of names: [String: String],
    _ suggestion: TaskSuggestion?, isOwn: Bool
  ) -> HTML {
    let photo = received.photo
    let id = photo.id.description
    let uncertainty = photo.position.uncertaintyMetres95.map {
      "± \(t.decimal($0, places: 1)) m"
    }
    let choose: HTML? =
      isOwn
      ? nil
      : """
      <label class="choice"><input type="checkbox" name="photo" value="\(id)" data-photo="\(id)" aria-label="\(t("Select photo {1}", number))"> \(number)</label>
      """
    let nearest: HTML? = suggestion.map { suggestion in
      """
      <p class="hint">\(distance(suggestion)): <a href="/tasks/\(suggestion.task.id.description)">\(suggestion.task.name)</a>
      <input type="hidden" name="suggested" value="\(id):\(suggestion.task.id.description)"></p>
      """
    }
    let cameLate: HTML? =
      received.lateTask == nil ? nil : "<span class=\"verdict-doubtful\">\(t("late"))</span>"
    return """
      <li>\(choose)<a href="/photos/\(id)"><img loading="lazy" alt=""
      src="/photos/\(id)/thumbnail.jpg" width="320" height="240">
      <strong>\(t.time(photo.deviceTime))</strong></a>
      <p>\(names[photo.inspector] ?? photo.inspector), \(uncertainty ?? t("± not known"))</p><p>\(badges(received)) \(cameLate)</p>\(nearest)</li>
      """
  }

  private func distance(_ suggestion: TaskSuggestion) -> String {
    suggestion.distanceMetres == 0
      ? t("Inside the parcel of")
      : t("{1} m from", t.decimal(suggestion.distanceMetres, places: 0))
  }

  /// Returns the form around the gallery, with a bar for all ticked photos.
  private func form(
    _ shown: Shown, _ gallery: HTML, _ asked: StandaloneListAddress, _ names: [String: String],
    _ reader: Reader
  ) async throws -> HTML {
    let inspectors = Set(shown.photos.map(\.photo.inspector)).sorted()
    let limit = max(
      Self.tasksOfAnInspectorAtLeast, Self.tasksOfAllInspectorsAtMost / max(1, inspectors.count))
    let tasks = try await office.database.read(in: reader.agency) { session in
      try inspectors.flatMap {
        try session.tasks.undecidedTasks(ofInspector: $0, limit: limit)
      }
    }
    let groups = inspectors.map { inspector -> HTML in
      let options = tasks.filter { $0.inspector == inspector }.map { task in
        """
        <option value="\(task.id.description)">\(task.name) (\(t(task.state.title)))</option>
        """ as HTML
      }
      return options.isEmpty
        ? "" : "<optgroup label=\"\(names[inspector] ?? inspector)\">\(options)</optgroup>"
    }
    let isSuggested = !shown.suggestions.isEmpty
    let hide = asked.isHidden ? ("show", t("Show again")) : ("hide", t("Hide"))
    let assign: HTML? =
      asked.isHidden
      ? nil
      : """
      \(isSuggested ? "<button class=\"button primary\" name=\"do\" value=\"nearest\">\(t("Assign each to its nearest task"))</button>" as HTML : nil)
      <select name="task" aria-label="\(t("Task for all selected photos"))"><option value="">\(t("Select a task"))</option>\(groups)</select>
      <button class="button" name="do" value="assign">\(t("Assign all to this task"))</button>
      """
    return """
      <form method="post" action="/photos/selection" data-choices>\(reader.request.formField)
      <input type="hidden" name="list" value="\(asked.query(page: shown.number))">
      <p class="toolbar actions"><label class="choice"><input type="checkbox" data-all hidden aria-label="\(t("Select all on this page"))"> <span>\(t("With the selected photos:"))</span></label>
      \(assign)<button class="button" name="do" value="\(hide.0)">\(hide.1)</button></p>
      <p class="hint">\(t("This does not change the sealed records. The task shows who assigned a photo, and when."))</p>
      \(gallery)</form>
      """
  }

  // MARK: the selection

  private func handle(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    try Review.requireFew(form.all("photo").count)
    let photos = try form.all("photo").map(Self.identifier)
    let list = StandaloneListAddress(text: form["list"])
    guard !photos.isEmpty else {
      return .redirect("/photos?\(list.query(page: list.page))&done=photos")
    }
    var goals: [Identifier: Identifier] = [:]
    switch form["do"] {
    case "nearest":
      for pair in form.all("suggested") {
        let parts = pair.split(separator: ":")
        guard parts.count == 2 else { continue }
        goals[try Self.identifier(String(parts[0]))] = try Self.identifier(String(parts[1]))
      }
    case "assign":
      guard let task = form["task"], !task.isEmpty else {
        throw OfficeRefusal(.inputInvalid, "select a task first")
      }
      let id = try Self.identifier(task)
      for photo in photos { goals[photo] = id }
    case "unassign", "hide", "show": break
    default: throw OfficeRefusal(.inputInvalid, "the form does not say what to do")
    }
    let action = StandalonePages.Action(rawValue: form["do"] ?? "") ?? .assign
    return try await outcome(of: action, photos, goals, list, reader)
  }

  private static func identifier(_ text: String) throws -> Identifier {
    guard let id = Identifier(text) else {
      throw OfficeRefusal(.inputInvalid, "\(text.prefix(40)) is not an identifier")
    }
    return id
  }

  /// Does one thing with each photo. A refusal of one photo does not keep the others back.
  private func outcome(
    of action: StandalonePages.Action, _ photos: [Identifier], _ goals: [Identifier: Identifier],
    _ list: StandaloneListAddress, _ reader: Reader
  ) async throws -> WebResponse {
    let (agency, login) = (reader.agency, reader.visitor.account.login)
    var done: [Identifier] = []
    var refused: [HTML] = []
    for photo in photos {
      do {
        switch action {
        case .assign:
          guard let task = goals[photo] else {
            throw OfficeRefusal(.ruleForbids, "no task of its inspector is near: select one")
          }
          try await office.review.assign(photo: photo, toTask: task, in: agency, by: login)
        case .unassign: try await office.review.unassign(photo: photo, in: agency, by: login)
        case .hide, .show:
          try await office.review.setHidden(
            action == .hide, photo: photo, in: agency, by: login)
        }
        done.append(photo)
      } catch {
        guard let refusal = OfficeRefusal(of: error), refusal.kind != .storeUnavailable else {
          throw error
        }
        let line: HTML = """
          <li><a href="/photos/\(photo.description)"><img loading="lazy" alt="" width="80" height="60"
          src="/photos/\(photo.description)/thumbnail.jpg"> \(t("Photo"))</a>: \(t(refusal.wording))</li>
          """
        refused.append(line)
      }
    }
    let tasks = try await office.database.read(in: agency) { session in
      try Set(done.compactMap { goals[$0] }).sorted().map(session.tasks.task)
    }
    let links = tasks.map { task -> HTML in
      let count = done.count { goals[$0] == task.id }
      return """
        <li><a href="/tasks/\(task.id.description)">\(task.name)</a>: \(count == 1 ? t("1 photo") : t("{1} photos", count))</li>
        """
    }
    return result(of: action, done, links, refused, list, reader)
  }

  private func result(
    of action: StandalonePages.Action, _ done: [Identifier], _ links: [HTML], _ refused: [HTML],
    _ list: StandaloneListAddress, _ reader: Reader
  ) -> WebResponse {
    var notices: [PageFrame.Notice] = []
    if !done.isEmpty {
      notices.append(
        PageFrame.Notice(
          kind: .success, text: words(for: action, done.count),
          action: undo(action, done, list, reader)))
    }
    if !refused.isEmpty {
      notices.append(
        PageFrame.Notice(
          kind: .error,
          text: refused.count == 1
            ? t("1 photo was not changed: see why.")
            : t("{1} photos were not changed: see why.", refused.count)))
    }
    let bad: HTML? =
      refused.isEmpty
      ? nil : "<section class=\"card\"><h2>\(t("Not changed"))</h2><ul>\(refused)</ul></section>"
    let good: HTML? =
      links.isEmpty
      ? nil : "<section class=\"card\"><h2>\(t("Assigned"))</h2><ul>\(links)</ul></section>"
    return page(
      t("Photos without a task"), reader, current: "/photos", notices: notices,
      """
      <h1>\(t("Photos without a task"))</h1>\(bad)\(good)
      <p><a class="button primary" href="/photos?\(list.query(page: list.page))" data-key="u">\(t("Back to the list"))</a></p>
      """)
  }

  private func words(for action: StandalonePages.Action, _ count: Int) -> String {
    let isOne = count == 1
    return switch action {
    case .assign: isOne ? t("1 photo assigned.") : t("{1} photos assigned.", count)
    case .unassign:
      isOne ? t("1 photo has no task again.") : t("{1} photos have no task again.", count)
    case .hide:
      isOne ? t("1 photo hidden, not deleted.") : t("{1} photos hidden, not deleted.", count)
    case .show: isOne ? t("1 photo visible again.") : t("{1} photos visible again.", count)
    }
  }

  /// Returns the form that takes an action on several photos back.
  private func undo(
    _ action: StandalonePages.Action, _ photos: [Identifier], _ list: StandaloneListAddress,
    _ reader: Reader
  ) -> HTML? {
    let opposite: StandalonePages.Action
    switch action {
    case .assign: opposite = .unassign
    case .hide: opposite = .show
    case .show: opposite = .hide
    // Which task each had is not known any more.
    case .unassign: return nil
    }
    let fields = photos.map {
      "<input type=\"hidden\" name=\"photo\" value=\"\($0.description)\">" as HTML
    }
    return """
      <form method="post" action="/photos/selection">\(reader.request.formField)\(fields)
      <input type="hidden" name="list" value="\(list.query(page: list.page))">
      <button class="button" name="do" value="\(opposite.rawValue)" data-key="z">\(t("Undo"))</button></form>
      """
  }
}
