import Enrolment
import Guide
import Office
import OfficeFrame
import Web

/// The page that sets an empty office up. It is there only while there is neither an agency nor a
/// person, and only for browsers that show the code that the program has printed.
struct FirstRunPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.firstRun
  let firstRun: FirstRun

  static let path = "/first-run"

  func add(to routes: inout Routes) {
    routes.get(Self.path) { request in
      try await office.requests.answering { try await show(request) }
    }
    routes.post(Self.path) { request in
      try await office.requests.answering { try await take(request) }
    }
  }

  private func show(_ request: WebRequest) async throws -> WebResponse {
    guard try await firstRun.isOpen() else { return .redirect("/") }
    if let code = request.query["code"] {
      // The code leaves the address at once: the browser's history must not keep it.
      return enter(code, request)
    }
    return firstRun.isInside(request.sessionToken)
      ? page(setUpForm(request, [:]), request) : page(codeForm(request), request)
  }

  private func take(_ request: WebRequest) async throws -> WebResponse {
    let form = try await request.form()
    guard try await firstRun.isOpen() else {
      return page(over, request, refusal: t("This office is set up already."), status: 409)
    }
    if let code = form["code"] { return enter(code, request) }
    guard firstRun.isInside(request.sessionToken) else {
      return page(
        codeForm(request), request,
        refusal: t("The program was started again, or this page is too old: enter its new code."),
        status: 401)
    }
    var given: [String: String] = [:]
    for name in ["title", "agency", "name", "login"] { given[name] = form[name] }
    do {
      let token = try await firstRun.setUp(
        FirstRun.Entries(
          title: given["title"] ?? "", agency: given["agency"], name: given["name"],
          login: given["login"] ?? "",
          passwords: (form.exact("password") ?? "", form.exact("again") ?? "")))
      return .redirect("/set-up").settingSession(token: token, maxAgeSeconds: nil)
    } catch let refusal as OfficeRefusal {
      let isLost = refusal.kind == .loginTaken
      return page(
        isLost ? over : setUpForm(request, given), request, refusal: t(refusal.wording),
        status: refusal.kind.status)
    }
  }

  private func enter(_ code: String, _ request: WebRequest) -> WebResponse {
    do {
      let token = try firstRun.enter(code, line: request.line)
      return .redirect(Self.path).settingSession(token: token, maxAgeSeconds: nil)
    } catch {
      return page(
        codeForm(request), request, refusal: t(error.wording), status: error.kind.status
      ).asking(toRetryIn: error.retrySeconds)
    }
  }

  // MARK: the page

  private func page(
    _ main: HTML, _ request: WebRequest, refusal: String? = nil, status: Int = 200
  ) -> WebResponse {
    .page(
      outside(
        request, title: t("Set up this office"),
        notices: refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? [], main),
      status: status)
  }

  private func codeForm(_ request: WebRequest) -> HTML {
    """
    <section class="card"><h1>\(t("Set up this office"))</h1>
    <p>\(t("This office is empty. The program has printed a code where you started it: enter it here."))</p>
    <form class="fields" method="post" action="\(Self.path)">\(request.formField)
    <label>\(t("Code"))<input name="code" required autofocus maxlength="64" autocomplete="off"
    autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX"></label>
    <p class="hint">\(t("The code works until the office is set up or the program ends."))</p>
    <p class="actions"><button class="button primary">\(t("Next"))</button></p></form></section>
    """
  }

  private func setUpForm(_ request: WebRequest, _ given: [String: String]) -> HTML {
    """
    <p class="muted">\(t("First start")) · \(t("Step {1} of {2}", 1, SetUpStep.count))</p>
    <section class="card"><h1>\(t("Your agency and you"))</h1>
    <form class="fields" method="post" action="\(Self.path)">\(request.formField)
    <fieldset><legend>\(t("Agency"))</legend>
    <label>\(t("Name of the agency"))<input name="title" required autofocus maxlength="200" value="\(given["title"] ?? "")"
    autocomplete="organization"></label>
    <label>\(t("Short name (optional)"))<input name="agency" maxlength="64" value="\(given["agency"] ?? "")"
    autocomplete="off" autocapitalize="none" pattern="[A-Za-z0-9._@\\-]+" aria-describedby="hint-agency"></label>
    <p class="hint" id="hint-agency">\(t("Letters, digits, dots, hyphens, underscores. You cannot change it later, because records contain it. Leave it empty to have it made from the name."))</p></fieldset>
    <fieldset><legend>\(t("First administrator"))</legend>
    <label>\(t("Full name"))<input name="name" maxlength="200" value="\(given["name"] ?? "")" autocomplete="name"></label>
    <label>\(t("Login"))<input name="login" required maxlength="64" value="\(given["login"] ?? "")"
    autocomplete="username" autocapitalize="none"></label>
    <label>\(t("Password"))<input name="password" type="password" required minlength="10"
    autocomplete="new-password" aria-describedby="hint-password"></label>
    <p class="hint" id="hint-password">\(t("At least 10 characters. A few words are easy to remember."))</p>
    <label>\(t("Password again"))<input name="again" type="password" required minlength="10"
    autocomplete="new-password"></label></fieldset>
    <p class="actions"><button class="button primary">\(t("Set up the office"))</button></p></form></section>
    <p class="muted">\(t("This office's fingerprint")): <code class="digest">\(office.fingerprint)</code></p>
    """
  }

  private var over: HTML {
    """
    <section class="card"><h1>\(t("Set up this office"))</h1>
    <p class="actions"><a class="button primary" href="/sign-in">\(t("Sign in"))</a></p></section>
    """
  }
}
