import Enrolment
import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import Web

/// The pages for signing in and out.
package struct SignInPages: OfficePage {
  package let office: OfficeServer
  let firstRun: FirstRun
  package let help = GuidePart.office

  package func add(to routes: inout Routes) {
    routes.get("/sign-in") { request in
      try await office.requests.answering {
        // Nobody can sign in to an empty office.
        if try await firstRun.isOpen() { return .redirect("/first-run") }
        return .page(self.signIn(request, target: request.query["to"], refusal: nil))
      }
    }
    routes.post("/sign-in") { request in
      let form = try await request.form()
      do {
        let account = try await office.sessions.authenticate(
          login: form["login"] ?? "", password: form.exact("password") ?? "",
          line: request.line)
        let token = try await office.sessions.beginSession(for: account)
        // Only a path of this server is followed: a crafted address must not lead to another site.
        let target = form["to"].flatMap { $0.hasPrefix("/") && !$0.hasPrefix("//") ? $0 : nil }
        let start = account.role == .superAdministrator ? "/agencies" : "/tasks"
        // The pages to which an address without a session leads are not for a super-administrator.
        let way =
          account.role == .superAdministrator && target != "/account" ? start : target ?? start
        return .redirect(way).settingSession(token: token, maxAgeSeconds: nil)
      } catch let refusal as OfficeRefusal {
        // The form keeps the login: only the password has to be written again.
        return .page(
          self.signIn(request, login: form["login"], target: form["to"], refusal: refusal),
          status: refusal.kind.status
        ).asking(toRetryIn: refusal.retrySeconds)
      }
    }
    routes.post("/sign-out") { request in
      if let token = request.sessionToken { try await office.sessions.endSession(token: token) }
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
    return outside(
      request, title: t("Sign in"), notices: notices,
      """
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
      """)
  }
}
