import Evidence
import FieldUnit
import Foundation
import Guide
import Inspection
import Store
import Sync
import TimeAndText
import Web

/// The pages for signing in and out, and for choosing the office.
struct SignInPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldSignIn

  func add(to routes: inout Routes) {
    routes.get("/sign-in") { try showSignIn($0) }
    routes.post("/sign-in") { try await signIn($0) }
    routes.get("/sign-out") { request in try await reading(request) { try askToSignOut($0) } }
    routes.post("/sign-out") { request in try await reading(request) { try await signOut($0) } }
    routes.get("/sign-in/server") { try showServer($0) }
    routes.post("/sign-in/server") { try await chooseServer($0) }
    routes.post("/sign-in/server/default") { _ in try useDefaultServer() }
  }

  // MARK: signing in

  private func showSignIn(_ request: WebRequest) throws -> WebResponse {
    guard try server.desk.signedIn() == nil else { return .redirect("/") }
    let done = request.query["done"]
    let notice: PageFrame.Notice? =
      done == "server" || done == "default"
      ? PageFrame.Notice(
        kind: .success, text: t("The office answers. From now on you sign in there."))
      : nil
    return .page(try signInForm(request, login: nil, notice: notice))
  }

  private func signIn(_ request: WebRequest) async throws -> WebResponse {
    let form = try await request.form()
    do {
      guard try server.desk.signedIn() == nil else { return .redirect("/") }
      guard let office = try server.officeToSignIn else {
        throw DeliveryError.malformedAddress("", reason: "select a server first")
      }
      // Another browser may have selected another server since this page was opened, or the same
      // one with another certificate or fingerprint. A form that does not name the office that it
      // shows was not made by that page.
      guard form["office"] == office.address, form["trust"] == office.trust else {
        return .page(
          try signInForm(
            request, login: form["login"],
            notice: PageFrame.Notice(
              kind: .error,
              text: t(
                "The office was changed after this page was opened; your password was not sent. Check the office below and sign in again."
              ))),
          status: 409)
      }
      try await server.signIn(
        login: form["login"] ?? "", password: form.exact("password") ?? "", at: office)
      Task { await server.deliverOnce() }
      return .redirect(server.showsStartOnce() ? "/start?done=signed-in" : "/?done=signed-in")
    } catch {
      guard let refusal = FieldRefusal(of: error) else { throw error }
      return .page(
        try signInForm(
          request, login: form["login"],
          notice: PageFrame.Notice(kind: .error, text: t(refusal.wording))),
        status: refusal.status)
    }
  }

  private func signInForm(
    _ request: WebRequest, login: String?, notice: PageFrame.Notice?
  ) throws -> HTML {
    let toSignIn: OfficeToSignIn?
    do {
      toSignIn = try server.officeToSignIn
    } catch {
      return try unreadableChoice(request, error)
    }
    guard let shown = toSignIn else {
      return outside(
        request, title: t("Sign in"), notice: notice,
        """
        <section class="card"><h1>\(t("Sign in"))</h1>
        <p>\(t("This field unit has no office yet. Read the QR code that your administrator shows, or select your server."))</p>
        <p class="actions"><a class="button primary" href="/sign-in/code">\(t("Sign in with a code"))</a>
        <a class="button" href="/sign-in/server">\(t("Select server"))</a></p></section>
        """)
    }
    let (office, chosen) = (shown.address, shown.chosen)
    let fingerprint: HTML? = chosen.map {
      "<p class=\"hint\">\(t("Its fingerprint")): <code class=\"digest\">\($0.fingerprint)</code></p>"
    }
    let standard: HTML? = server.defaultOffice.flatMap { address in
      chosen == nil
        ? nil
        : """
        <form method="post" action="/sign-in/server/default">\(request.formField)
        <button class="button">\(t("Use the default: {1}", address))</button></form>
        """
    }
    return outside(
      request, title: t("Sign in"), notice: notice,
      """
      <section class="card"><h1>\(t("Sign in"))</h1>
      <p>\(t("You need a network only once. Afterwards the field unit works for days without one, until you sign out."))</p>
      <p class="office-shown">\(chosen == nil ? t("Office (default)") : t("Office (selected here)"))
      <strong>\(office)</strong></p>\(fingerprint)
      <form class="fields" method="post" action="/sign-in">
      \(request.formField)<input type="hidden" name="office" value="\(office)">
      <input type="hidden" name="trust" value="\(shown.trust)">
      <label>\(t("Login"))<input name="login" autocomplete="username" autocapitalize="none" required
      value="\(login ?? "")"></label>
      <label>\(t("Password"))<input name="password" type="password"
      autocomplete="current-password" required></label>
      <p class="actions"><button class="button primary">\(t("Sign in"))</button></p></form>
      <div class="actions"><a class="button" href="/sign-in/code">\(t("Sign in with a code"))</a>
      <a class="button" href="/sign-in/server">\(t("Select server"))</a>\(standard)</div></section>
      """)
  }

  /// Returns the page for a selection that cannot be read: nobody signs in anywhere before a person
  /// has decided what holds in its place.
  private func unreadableChoice(_ request: WebRequest, _ error: any Error) throws -> HTML {
    guard let refusal = FieldRefusal(of: error) else { throw error }
    return outside(
      request, title: t("Sign in"),
      notice: PageFrame.Notice(kind: .error, text: t(refusal.wording)),
      """
      <section class="card"><h1>\(t("Sign in"))</h1>
      <p>\(t("This device cannot read which office was selected. Remove the selection, then select your office again."))</p>
      <form method="post" action="/sign-in/server/default">\(request.formField)
      <p class="actions"><button class="button primary">\(t("Remove the selection"))</button></p></form></section>
      """)
  }

  // MARK: signing out

  private func askToSignOut(_ reader: Reader) throws -> WebResponse {
    let waiting = try reader.unit.outbox().count
    let unsent = try reader.unit.photos().filter { $0.sent == nil }.count
    return page(
      t("Sign out"), reader, current: "/", help: .fieldSignOut, signOutForm(reader, waiting, unsent)
    )
  }

  private func signOut(_ reader: Reader) async throws -> WebResponse {
    server.cameraDesk.closeAll()
    await server.trackDesk.finishBeforeSignOut(of: reader.unit.person)
    try await server.desk.signOut(over: server.linkIfReachable(to: reader.signIn.office))
    // A capture that was begun while the office was being told must end, too.
    server.cameraDesk.closeAll()
    // Open pages of this inspector end at once.
    server.bell.ring()
    // The cached pages and pictures belong to the inspector who leaves.
    return .redirect("/sign-in").setting(header: "Clear-Site-Data", to: "\"cache\"")
  }

  private func signOutForm(_ reader: Reader, _ waiting: Int, _ unsent: Int) -> HTML {
    let words: HTML =
      waiting + unsent == 0
      ? "<p>\(t("Everything is delivered."))</p>"
      : """
      <p class="notice notice-warning">\(t("{1} entries are waiting for delivery, {2} photos are not sent.", waiting, unsent))
      \(t("They stay sealed and queued on this device under your name; the next inspector cannot see them. You can deliver them when you sign in again."))</p>
      """
    return """
      <section class="card"><h1>\(t("Sign out?"))</h1>\(words)
      <form method="post" action="/sign-out">\(reader.request.formField)
      <p class="actions"><button class="button danger">\(t("Sign out"))</button>
      <a class="button" href="/">\(t("Stay signed in"))</a></p></form></section>
      """
  }

  // MARK: the server

  private func showServer(_ request: WebRequest) throws -> WebResponse {
    guard try server.desk.signedIn() == nil else { return .redirect("/") }
    return .page(try serverForm(request, given: [:], refusal: nil))
  }

  private func chooseServer(_ request: WebRequest) async throws -> WebResponse {
    let form = try await request.form(limit: 1 << 18)
    var given: [String: String] = [:]
    for name in ["office", "fingerprint", "certificate", "keeps"] { given[name] = form[name] }
    do {
      // The address and its certificate change only while no inspector is signed in.
      guard try server.desk.signedIn() == nil else { return .redirect("/") }
      var fingerprint: String?
      if let text = given["fingerprint"] {
        fingerprint = ChosenOffice.fingerprint(text)
        guard fingerprint != nil else {
          throw FieldUnitError.malformedSetting(
            name: "The fingerprint",
            reason: "it has 64 digits from 0 to f, with or without colons")
        }
      }
      let address = given["office"] ?? ""
      let known =
        try given["keeps"] == "yes" ? server.desk.knownCertificate(ofOffice: address) : nil
      _ = try await server.chooseOffice(
        address, fingerprint: fingerprint, certificate: given["certificate"] ?? known)
      return .redirect("/sign-in?done=server")
    } catch {
      guard let refusal = FieldRefusal(of: error) else { throw error }
      return .page(
        try serverForm(request, given: given, refusal: t(refusal.wording)),
        status: refusal.status)
    }
  }

  private func useDefaultServer() throws -> WebResponse {
    guard try server.desk.signedIn() == nil else { return .redirect("/") }
    try explained { try server.useDefaultOffice() }
    return .redirect("/sign-in")
  }

  private func serverForm(
    _ request: WebRequest, given: [String: String], refusal: String?
  ) throws -> HTML {
    let known = try explained { try server.chosenOffice }
    let address = given["office"] ?? known?.address ?? server.defaultOffice ?? ""
    // The certificate given before is kept only if the box is ticked: otherwise it could never be
    // removed.
    let isKnown = try server.desk.knownCertificate(ofOffice: address) != nil
    let isKept: HTML = refusal == nil || given["keeps"] == "yes" ? " checked" : ""
    let keeps: HTML? =
      isKnown
      ? """
      <label class="choice"><input type="checkbox" name="keeps" value="yes"\(isKept)>
      \(t("Keep the certificate that you gave for this office earlier. Without it, this device trusts only the authorities on its own list"))</label>
      """
      : nil
    let isOpen: HTML = given["certificate"] == nil && !isKnown ? "" : " open"
    return outside(
      request, title: t("Select server"),
      notice: refusal.map { PageFrame.Notice(kind: .error, text: $0) },
      """
      <section class="card"><h1>\(t("Select server"))</h1>
      <p>\(t("The office's address from your administrator. The field unit tests it, and saves it only if an office answers."))</p>
      <form class="fields" method="post" action="/sign-in/server">\(request.formField)
      <label>\(t("Office"))<input name="office" type="url" required autocapitalize="none" spellcheck="false"
      value="\(address)" placeholder="https://office.example"></label>
      <label>\(t("Fingerprint of the office, if you were given one"))<input name="fingerprint" autocapitalize="none"
      autocomplete="off" spellcheck="false" value="\(given["fingerprint"] ?? "")"></label>
      <p class="hint">\(t("With it, nobody can pretend to be your office. Without it, this device trusts the office that it finds now."))</p>
      <details id="certificate"\(isOpen)><summary>\(t("The office has its own TLS certificate"))</summary>\(keeps)
      <label>\(t("Certificate (PEM) from your administrator"))<textarea name="certificate"
      spellcheck="false">\(given["certificate"] ?? "")</textarea></label></details>
      <p class="actions"><button class="button primary">\(t("Test and save"))</button>
      <a class="button" href="/sign-in">\(t("Cancel"))</a></p></form></section>
      """)
  }
}
