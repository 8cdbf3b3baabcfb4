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
    addWebApp(to: &routes)
    addSignIn(to: &routes)
    addHome(to: &routes)
    addStart(to: &routes)
    addAbout(to: &routes)
    addTasks(to: &routes)
    addCamera(to: &routes)
    addPhotos(to: &routes)
    addOutbox(to: &routes)
    addSettings(to: &routes)
    addMap(to: &routes)
    addTracks(to: &routes)
    addExports(to: &routes)
    addSky(to: &routes)
    routes.addTheme()
    routes.addLanguage()
  }

  // MARK: frames

  func page(
    _ title: String, _ reader: Reader, current: String, notices: [PageFrame.Notice] = [],
    status: Int = 200, refreshSeconds: Int? = nil, scripts: [String] = [], styles: [String] = [],
    _ main: HTML
  ) -> WebResponse {
    let links = [
      (t("Home"), "/"), (t("Tasks"), "/tasks"), (t("Camera"), "/camera"), (t("Map"), "/map"),
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
        themes: PageFrame.ThemeChoice(for: reader.request),
        scripts: [AppScript.asset.href] + scripts, styleSheets: [FieldStyle.asset.href] + styles,
        manifest: AppManifest.path),
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
      "recorded": t("The track is finished and sealed."),
      "track-empty": t("There was no point: a track without points is not kept."),
      "default": t("The default holds again."),
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
        """, themes: PageFrame.ThemeChoice(for: request), scripts: [AppScript.asset.href],
      styleSheets: [FieldStyle.asset.href], manifest: AppManifest.path)
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

  // MARK: parts of pages

  func contact(_ status: FieldServer.DeliveryStatus) -> HTML {
    guard let words = status.wording, let time = status.time else { return .text(t("not yet")) }
    let style = status.isGood ? "light-good" : "light-warn"
    return """
      <span class="light \(style)"><span class="muted">\(Self.time(time)): \(t(words))</span></span>
      """
  }

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
      } else if case .exportImpossible = error {
        self.init(503, error.code, "\(error)")
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
      case .malformedAddress, .unusablePin: self.init(400, error.code, "\(error)")
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
