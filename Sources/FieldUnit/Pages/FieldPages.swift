import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync
import Web

/// The inspector's pages.
struct FieldPages: Sendable {
  let server: FieldServer
  /// The words of whoever asks.
  var t: Texts { .current }

  /// Whoever is signed in looks at a page.
  struct Reader: Sendable {
    var unit: InspectorUnit
    var signIn: SignIn
    var request: WebRequest
  }

  func add(to routes: inout Routes) {
    addSignIn(to: &routes)
    addTasks(to: &routes)
    addGate(to: &routes)
    addPhotos(to: &routes)
    addOutbox(to: &routes)
    addSettings(to: &routes)
    routes.addTheme()
    routes.addLanguage()
    routes.get("/") { request in try await reading(request) { try home($0) } }
  }

  // MARK: frames

  func page(
    _ title: String, _ reader: Reader, current: String, notices: [PageFrame.Notice] = [],
    status: Int = 200, refreshSeconds: Int? = nil, scripts: [String] = [], styles: [String] = [],
    _ main: HTML
  ) -> WebResponse {
    let links = [
      (t("Home"), "/"), (t("Tasks"), "/tasks"), (t("Gate"), "/gate"), (t("Photos"), "/photos"),
      (t("Outbox"), "/outbox"),
    ]
    return .page(
      PageFrame.html(
        title: title, side: .field, language: t.language,
        navigation: links.map {
          PageFrame.Link(title: $0.0, href: $0.1, isCurrent: $0.1 == current)
        }, person: (reader.signIn.name ?? reader.signIn.person.login, nil), signOut: nil,
        banner: banner,
        notices: notices + flash(reader.request), main: main, refreshSeconds: refreshSeconds,
        themes: PageFrame.ThemeChoice(for: reader.request), scripts: scripts, styleSheets: styles),
      status: status)
  }

  /// What the page before has done; the address says only which of them.
  private func flash(_ request: WebRequest) -> [PageFrame.Notice] {
    let words: [String: String] = [
      "signed-in": t("You are signed in. From now on no network is needed."),
      "opened": t("The task is open."),
      "sent": t("Sent: the task is locked and waits in the outbox."),
      "taken-back": t("Taken back: you can change it again."),
      "noted": t("The note is kept."), "deleted": t("Deleted. Its record stays and says so."),
      "queued": t("It waits in the outbox."),
      "receiver": t("This receiver is used for everything from now on."),
      "compared": t("Compared with the office."), "rule": t("Kept."),
    ]
    guard let done = request.query["done"], let text = words[done] else { return [] }
    return [PageFrame.Notice(kind: .success, text: text)]
  }

  var banner: HTML? {
    server.configuration.isDemonstration
      ? "<p class=\"demonstration\">\(t("Demonstration: everything here is made up, and every record says so."))</p>"
      : nil
  }

  func problem(_ problem: Problem, _ request: WebRequest) -> HTML {
    PageFrame.html(
      title: t.title(of: problem), side: .field, language: t.language, navigation: [], person: nil,
      signOut: nil, banner: banner, notices: [],
      main: """
        <section class="card"><h1>\(t.title(of: problem))</h1><p>\(t.detail(of: problem))</p>
        <p class="muted">\(t("Code")) <code>\(problem.code)</code>
        · \(t("Request")) <code>\(request.id)</code></p>
        <p class="actions"><a class="button primary" href="/">\(t("Home"))</a></p></section>
        """, themes: PageFrame.ThemeChoice(for: request))
  }

  /// The reader of a page; where nobody is signed in, the sign-in page comes first.
  func reading(
    _ request: WebRequest, _ body: (Reader) async throws -> WebResponse
  ) async throws -> WebResponse {
    do {
      guard let unit = try server.unit(), let signIn = try server.desk.signedIn() else {
        return .redirect("/sign-in")
      }
      return try await body(Reader(unit: unit, signIn: signIn, request: request))
    } catch {
      throw FieldRefusal(of: error) ?? error
    }
  }

  func identifier(_ request: WebRequest) throws -> Identifier {
    try InspectorUnit.identifier(request.parameters["id"] ?? "")
  }

  // MARK: home

  private func home(_ reader: Reader) throws -> WebResponse {
    let tasks = try reader.unit.tasks()
    let waiting = try reader.unit.outbox().count
    let photos = try reader.unit.photos()
    let toDo = tasks.filter(\.state.isEditable).count
    let status = server.deliveryStatus
    return page(
      t("Home"), reader, current: "/",
      """
      <div class="heading"><h1>\(t("Standpoint"))</h1></div>
      <section class="card" data-live="/live/light" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      <p class="muted">\(t("Receiver"))</p></section>
      <nav class="tiles" aria-label="\(t("Sections"))">
      <a class="button primary" href="/tasks">\(t("Tasks")) <span class="number">\(toDo)</span></a>
      <a class="button" href="/gate">\(t("Gate"))</a>
      <a class="button" href="/photos">\(t("Photos")) <span class="number">\(photos.count)</span></a>
      <a class="button" href="/outbox">\(t("Outbox")) <span class="number">\(waiting)</span></a></nav>
      <section class="card"><h2>\(t("This field unit"))</h2>\(HTML.facts([
        (t("Inspector"), .text("\(reader.signIn.name ?? reader.unit.person.login) (\(reader.unit.person.login))")),
        (t("Agency"), .text(reader.unit.person.agency)), (t("Office"), .text(reader.signIn.office)),
        (t("Last contact"), contact(status)), (t("Device"), "<code class=\"digest\">\(reader.unit.device)</code>"),
        (t("Receiver"), server.follower.map { .text("\($0.source)") } ?? .text(t("none"))),
        (t("Program"), .text(server.configuration.software)),
      ]))
      <p class="actions"><a class="button quiet" href="/settings">\(t("Settings"))</a>
      <a class="button quiet" href="/sign-out">\(t("Sign out"))</a></p></section>
      """)
  }

  func contact(_ status: FieldServer.DeliveryStatus) -> HTML {
    guard let words = status.wording, let time = status.time else { return .text(t("not yet")) }
    let style = status.isGood ? "light-good" : "light-warn"
    return """
      <span class="light \(style)"><span class="muted">\(Self.time(time)): \(t(words))</span></span>
      """
  }

  // MARK: signing in

  private func addSignIn(to routes: inout Routes) {
    routes.get("/sign-in") { request in
      guard try server.desk.signedIn() == nil else { return .redirect("/") }
      return .page(signIn(request, given: [:], refusal: nil))
    }
    routes.post("/sign-in") { request in
      let form = try await request.form()
      var given: [String: String] = [:]
      for name in ["login", "office"] { given[name] = form[name] }
      do {
        guard try server.desk.signedIn() == nil else { return .redirect("/") }
        guard let office = given["office"] ?? server.defaultOffice else {
          throw DeliveryError.malformedAddress("", reason: "name the office")
        }
        // Two spellings of one address are one office.
        let address = try HTTPOfficeLink.normalised(office)
        try await server.desk.signIn(
          login: given["login"] ?? "", password: form.exact("password") ?? "",
          over: try server.link(to: address))
        Task { await server.deliverOnce() }
        return .redirect("/?done=signed-in")
      } catch {
        guard let refusal = FieldRefusal(of: error) else { throw error }
        return .page(
          signIn(request, given: given, refusal: t(refusal.wording)), status: refusal.status)
      }
    }
    routes.get("/sign-out") { request in
      try await reading(request) { reader in
        let waiting = try reader.unit.outbox().count
        let unsent = try reader.unit.photos().filter { $0.sent == nil }.count
        return page(t("Sign out"), reader, current: "/", signOut(reader, waiting, unsent))
      }
    }
    routes.post("/sign-out") { request in
      try await reading(request) { reader in
        server.cancelCapture()
        try await server.desk.signOut(over: try? server.link(to: reader.signIn.office))
        return .redirect("/sign-in")
      }
    }
  }

  private func signIn(
    _ request: WebRequest, given: [String: String], refusal: String?
  ) -> HTML {
    PageFrame.html(
      title: t("Sign in"), side: .field, language: t.language, navigation: [], person: nil,
      signOut: nil, banner: banner,
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? [],
      main: """
        <section class="card"><h1>\(t("Sign in"))</h1>
        <p>\(t("Once, with a network. Afterwards the field unit works for days without one, until you sign out."))</p>
        <form class="fields" method="post" action="/sign-in">
        \(request.formField)
        <label>\(t("Login"))<input name="login" autocomplete="username" autocapitalize="none" required
        value="\(given["login"] ?? "")"></label>
        <label>\(t("Password"))<input name="password" type="password"
        autocomplete="current-password" required></label>
        <label>\(t("Office"))<input name="office" type="url" required
        value="\(given["office"] ?? server.defaultOffice ?? "")" placeholder="https://office.example"></label>
        \(server.defaultOffice.map { "<p class=\"hint\">\(t("Default:")) \($0)</p>" as HTML })
        <p class="actions"><button class="button primary">\(t("Sign in"))</button></p></form></section>
        """, themes: PageFrame.ThemeChoice(for: request))
  }

  private func signOut(_ reader: Reader, _ waiting: Int, _ unsent: Int) -> HTML {
    let words: HTML =
      waiting + unsent == 0
      ? "<p>\(t("Everything is delivered."))</p>"
      : """
      <p class="notice notice-warning">\(t("{1} entries wait to be delivered, {2} photos are not sent.", waiting, unsent))
      \(t("They stay sealed and queued on this device under your name; the next inspector sees nothing of them. You can deliver them when you sign in again."))</p>
      """
    return """
      <section class="card"><h1>\(t("Sign out?"))</h1>\(words)
      <form method="post" action="/sign-out">\(reader.request.formField)
      <p class="actions"><button class="button danger">\(t("Sign out"))</button>
      <a class="button" href="/">\(t("Stay"))</a></p></form></section>
      """
  }

  // MARK: parts of pages

  func state(_ state: TaskState) -> HTML {
    "<span class=\"state state-\(state.rawValue)\">\(t(state.title))</span>"
  }

  /// To the second, in UTC: what people compare.
  static func time(_ time: DeviceTime) -> String {
    String(time.rfc3339.prefix(19)).replacing("T", with: " ") + " UTC"
  }
}

/// What the field unit's pages say no to, with the stable code of what said it.
struct FieldRefusal: Error, ProblemConvertible {
  var status: Int
  var code: String
  var wording: Wording

  var problem: Problem {
    Problem(
      status: status, code: code, title: "That did not work", detail: wording.description,
      shown: Texts.current(wording))
  }

  /// Nil for what nobody expected.
  init?(of error: any Error) {
    switch error {
    case let error as InspectionError: self.init(422, error.code, "\(error)")
    case let error as SendError: self.init(422, error.code, "\(error)")
    case let error as FieldUnitError:
      if case .malformedIdentifier = error {
        self.init(404, "unknown", "there is nothing under this address")
      } else {
        self.init(422, error.code, "\(error)")
      }
    case let error as StoreError:
      if case .unknown = error {
        self.init(404, error.code, "\(error)")
      } else {
        self.init(503, error.code, "\(error)")
      }
    case let error as DeliveryError:
      switch error {
      case .refused(let code, let detail): self.init(422, code, detail)
      case .malformedAddress: self.init(400, error.code, "\(error)")
      default: self.init(502, error.code, "\(error)")
      }
    case let error as SyncError: self.init(502, error.code, "\(error)")
    default: return nil
    }
  }

  private init(_ status: Int, _ code: String, _ wording: Wording) {
    self.status = status
    self.code = code
    self.wording = wording
  }
}

extension FieldServer {
  /// The routes of the inspector's pages.
  public func routes() -> Routes {
    var routes = Routes()
    FieldPages(server: self).add(to: &routes)
    return routes
  }

  /// The page that says a problem.
  public func problemPage(_ problem: Problem, _ request: WebRequest) -> HTML {
    FieldPages(server: self).problem(problem, request)
  }
}
