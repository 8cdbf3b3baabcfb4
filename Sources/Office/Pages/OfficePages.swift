import Evidence
import Exports
import Foundation
import Inspection
import Positioning
import Store
import Sync
import Web

/// The officers' pages.
struct OfficePages: Sendable {
  let office: OfficeServer
  /// The words of whoever asks.
  var t: Texts { .current }

  /// Somebody who looks at a page.
  struct Reader: Sendable {
    var visitor: Visitor
    var agency: String
    var request: WebRequest

    var role: Role { visitor.account.role }
    /// Whose things alone are shown: inspectors see their own, everybody else all of the agency (nil).
    var own: String? { role == .inspector ? visitor.account.login : nil }
  }

  func add(to routes: inout Routes) {
    routes.get("/") { request in
      let role = (try? office.visitor(withToken: request.sessionToken))?.account.role
      return .redirect(role == .superAdministrator ? "/agencies" : "/tasks")
    }
    routes.addTheme()
    routes.addLanguage()
    addSignIn(to: &routes)
    addTasks(to: &routes)
    addImport(to: &routes)
    addPhotos(to: &routes)
    addPhoneFields(to: &routes)
    addPeople(to: &routes)
    addPolicy(to: &routes)
    addPhones(to: &routes)
    addLog(to: &routes)
    addAccount(to: &routes)
    addAgencies(to: &routes)
    addMap(to: &routes)
    addSelection(to: &routes)
    addExports(to: &routes)
    addTracks(to: &routes)
    addInspectors(to: &routes)
  }

  // MARK: frames

  func page(
    _ title: String, _ reader: Reader, current: String, notices: [PageFrame.Notice] = [],
    status: Int = 200, scripts: [String] = [], styles: [String] = [], _ main: HTML
  ) -> WebResponse {
    .page(
      framed(
        title, reader, current: current, notices: notices + flash(reader.request),
        scripts: scripts, styles: styles, main), status: status)
  }

  /// A page for somebody who is signed in: the ways to all others stand above it.
  func framed(
    _ title: String, _ reader: Reader, current: String? = nil, notices: [PageFrame.Notice] = [],
    scripts: [String] = [], styles: [String] = [], _ main: HTML
  ) -> HTML {
    let governs = reader.role == .superAdministrator
    let sees = reader.own == nil
    let links: [(String, String, Bool)] =
      governs
      ? [(t("Agencies"), "/agencies", true)]
      : [
        (t("Tasks"), "/tasks", true), (t("Map"), "/map", sees),
        (t("Photos without a task"), "/photos", true), (t("Tracks"), "/tracks", true),
        (t("Inspectors"), "/inspectors", sees),
        (t("People"), "/people", reader.role == .administrator),
        (t("Policy"), "/policy", reader.role == .administrator),
        (t("Phones"), "/phones", reader.role == .administrator), (t("Log"), "/log", sees),
      ]
    return PageFrame.html(
      title: title, side: .office, language: t.language,
      navigation: links.filter(\.2).map {
        PageFrame.Link(title: $0.0, href: $0.1, isCurrent: $0.1 == current)
      }, person: (reader.visitor.account.title, "/account"),
      signOut: (href: "/sign-out", label: t("Sign out"), formToken: reader.request.formToken),
      banner: banner, notices: notices, main: main,
      themes: PageFrame.ThemeChoice(for: reader.request), scripts: scripts, styleSheets: styles)
  }

  /// What the page before has done, in words; the address says only which of them.
  private func flash(_ request: WebRequest) -> [PageFrame.Notice] {
    let words: [String: String] = [
      "accepted": t("The task is accepted."),
      "declined": t("The task is declined."),
      "returned": t("The task went back to its inspector."),
      "withdrawn": t("The task is withdrawn."),
      "dataProvided": t("The task is open for a decision again."),
      "ordered": t("The task is ordered. The inspector gets it with the next contact."),
      "orderedEach": t(
        "The tasks are ordered, one for each inspector. They get them with their next contact."),
      "changed": t("The order is changed. The earlier one is kept."),
      "saved": t("Saved."),
      "assigned": t("The photo belongs to this task now. What its inspector sealed is unchanged."),
      "unassigned": t("The photo stands without a task again."),
      "password": t("The new password holds. Everywhere else you are signed out."),
      "elsewhere": t("Everywhere else you are signed out."),
      "session": t("You are signed out there."),
      "nothing": t("No task was chosen: tick some in the list first."),
      "hidden": t("Hidden. It is kept, and can be shown again."),
      "shown": t("It is shown again."),
      "imported": t("The file is taken."),
      "policy": t("Saved. Field units get it with their next contact."),
      "phones": t("Saved. It holds from the phones' next request on."),
      "phonesOff": t("No phone is let in any more."),
      "phonesEnded": t("The logins have ended. Phones ask for the password again."),
    ]
    guard let done = request.query["done"], let text = words[done] else { return [] }
    return [PageFrame.Notice(kind: .success, text: text)]
  }

  var banner: HTML? {
    office.configuration.isDemonstration
      ? "<p class=\"demonstration\">\(t("Demonstration: everything here is made up, and every record says so."))</p>"
      : nil
  }

  /// Somebody who is signed in; who is not is sent to do so.
  private func signedIn(
    _ request: WebRequest, _ body: (Visitor) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await office.answering {
      let visitor: Visitor
      do {
        visitor = try office.visitor(withToken: request.sessionToken)
      } catch let refusal
        where [.sessionMissing, .sessionExpired].contains((refusal as? OfficeRefusal)?.kind)
        && request.method == "GET"
      {
        let reason =
          (refusal as? OfficeRefusal)?.kind == .sessionExpired ? "&reason=expired" : ""
        return .redirect("/sign-in?to=\(Self.escaped(Self.address(of: request)))\(reason)")
          .clearingSession()
      }
      return try await body(visitor)
    }
  }

  /// The reader of an agency's page.
  /// - Parameter isOwn: whether inspectors may, too: the page then reads through `Reader.own`, and does
  ///   nothing but show.
  func reading(
    _ request: WebRequest, own isOwn: Bool = false, _ body: (Reader) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await signedIn(request) { visitor in
      guard let agency = visitor.account.agency, visitor.key == nil else {
        throw OfficeRefusal(
          .roleForbidden,
          "this page belongs to an agency's officers and administrators; agencies stand under /agencies"
        )
      }
      guard isOwn || visitor.account.role != .inspector else {
        throw OfficeRefusal(
          .roleForbidden,
          "this page is the officers'; inspectors see their own tasks, photos and tracks here")
      }
      return try await body(Reader(visitor: visitor, agency: agency, request: request))
    }
  }

  /// Whoever is signed in in a browser, super-administrators and inspectors, too.
  func anybody(
    _ request: WebRequest, _ body: (Reader) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await signedIn(request) { visitor in
      guard visitor.key == nil else {
        throw OfficeRefusal(
          .roleForbidden, "this page is for browsers: sign in there with the password")
      }
      return try await body(
        Reader(visitor: visitor, agency: visitor.account.agency ?? "", request: request))
    }
  }

  func requireRole(_ role: Role, _ reader: Reader) throws {
    guard reader.role == role else {
      throw OfficeRefusal(
        .roleForbidden,
        "this is for an \(word: role.rawValue); you are \(word: reader.role.rawValue)")
    }
  }

  func identifier(_ request: WebRequest) throws -> Identifier {
    guard let id = request.parameters["id"].flatMap(Identifier.init(_:)) else {
      throw OfficeRefusal(.unknown, "there is nothing under this address")
    }
    return id
  }

  /// The address that was asked for, its query with it.
  private static func address(of request: WebRequest) -> String {
    let fields = request.query.sorted { $0.key < $1.key }
      .map { "\(escaped($0.key))=\(escaped($0.value))" }.joined(separator: "&")
    return request.path + (fields.isEmpty ? "" : "?" + fields)
  }

  /// What stands for itself everywhere in an address (RFC 3986, 2.3).
  private static let unreserved = CharacterSet.alphanumerics.union(
    CharacterSet(charactersIn: "-._~"))

  /// A path as part of an address.
  static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  // MARK: signing in

  private func addSignIn(to routes: inout Routes) {
    routes.get("/sign-in") { request in
      .page(self.signIn(request, target: request.query["to"], refusal: nil))
    }
    routes.post("/sign-in") { request in
      let form = try await request.form()
      do {
        let account = try await office.authenticate(
          login: form["login"] ?? "", password: form.exact("password") ?? "",
          line: request.line)
        let token = try office.beginSession(for: account)
        // Only a path of this server: nobody is sent elsewhere by a crafted address.
        let target = form["to"].flatMap { $0.hasPrefix("/") && !$0.hasPrefix("//") ? $0 : nil }
        let start = account.role == .superAdministrator ? "/agencies" : "/tasks"
        // A super-administrator has none of the pages that an address without a session leads to.
        let way =
          account.role == .superAdministrator && target != "/account" ? start : target ?? start
        return .redirect(way).settingSession(token: token, maxAgeSeconds: nil)
      } catch let refusal as OfficeRefusal {
        // Only the password is to be written again.
        return .page(
          self.signIn(request, login: form["login"], target: form["to"], refusal: refusal),
          status: refusal.kind.status
        ).asking(toRetryIn: refusal.retrySeconds)
      }
    }
    routes.post("/sign-out") { request in
      if let token = request.sessionToken { try office.endSession(token: token) }
      return .redirect("/sign-in").clearingSession()
    }
  }

  private func signIn(
    _ request: WebRequest, login: String? = nil, target: String?, refusal: OfficeRefusal?
  ) -> HTML {
    var notices: [PageFrame.Notice] = []
    if let refusal { notices.append(PageFrame.Notice(kind: .error, text: t(refusal.wording))) }
    if request.query["reason"] == "expired" {
      notices.append(
        PageFrame.Notice(
          kind: .note, text: t("Your session has ended. Sign in again; nothing is lost.")))
    }
    return PageFrame.html(
      title: t("Sign in"), side: .office, language: t.language, navigation: [], person: nil,
      signOut: nil, banner: banner, notices: notices,
      main: """
        <section class="card"><h1>\(t("Sign in to the office"))</h1>
        <form class="fields" method="post" action="/sign-in">
        \(request.formField)
        <input type="hidden" name="to" value="\(target ?? "")">
        <label>\(t("Login"))<input name="login" autocomplete="username" required autofocus
        value="\(login ?? "")"></label>
        <label>\(t("Password"))<input name="password" type="password"
        autocomplete="current-password" required></label>
        <p class="actions"><button class="button primary">\(t("Sign in"))</button></p></form>
        <p class="muted">\(t("This office's fingerprint")):
        <code class="digest">\(office.fingerprint)</code></p></section>
        """, themes: PageFrame.ThemeChoice(for: request))
  }

  // MARK: parts of pages

  func state(_ state: TaskState) -> HTML {
    "<span class=\"state state-\(state.rawValue)\">\(t(state.title))</span>"
  }

  /// Nil is said as what it is: nobody has looked yet.
  /// Two badges: whether a photo is authentic, by its seal, and whether it is fit to decide upon.
  func badges(_ received: ReceivedPhoto) -> HTML {
    guard let verdict = received.verdict else {
      return "<span class=\"verdict-incomplete\">\(t("being checked"))</span>"
    }
    let word = verdict == .intact ? t("authentic") : t("evidence {1}", t(verdict.rawValue))
    let suitability = Suitability(received.photo, checks: received.checks)
    let fit: HTML =
      suitability.isSuitable
      ? "<span class=\"verdict-intact\">\(t("suitable"))</span>"
      : """
      <span class="verdict-doubtful">\(t("look: {1}", suitability.reasons.map { t($0.wording) }.joined(separator: ", ")))</span>
      """
    return "<span class=\"verdict-\(verdict.rawValue)\">\(word)</span> \(fit)"
  }

  /// To the second, in UTC: what people compare.
  static func time(_ time: DeviceTime) -> String {
    String(time.rfc3339.prefix(19)).replacing("T", with: " ") + " UTC"
  }
}
