import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The page of the signed-in person's own account: the password, and the open sessions.
struct AccountPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.account

  func add(to routes: inout Routes) {
    routes.get("/account") { request in try await anybody(request) { try await account($0) } }
    routes.post("/account/password") { request in
      try await anybody(request) { reader in
        let form = try await request.form()
        let account = reader.visitor.account
        let new = form.exact("new") ?? ""
        do {
          guard new == form.exact("again") ?? "" else {
            throw OfficeRefusal(
              .inputInvalid, "the two new passwords differ: enter both again")
          }
          let token = try await office.sessions.changePassword(
            of: account, from: form.exact("password") ?? "", to: new, line: request.line)
          return .redirect("/account?done=password").settingSession(
            token: token, maxAgeSeconds: nil)
        } catch let refusal as OfficeRefusal {
          return try await self.account(reader, refusal: refusal)
        }
      }
    }
    routes.post("/account/session") { request in
      try await anybody(request) { reader in
        let mark = try await request.form()["session"] ?? ""
        try await office.sessions.endSession(marked: mark, of: reader.visitor.account)
        return .redirect("/account?done=session")
      }
    }
    routes.post("/account/elsewhere") { request in
      try await anybody(request) { reader in
        return await .redirect("/account?done=elsewhere").settingSession(
          token: try office.sessions.endSessionsElsewhere(of: reader.visitor.account),
          maxAgeSeconds: nil)
      }
    }
  }

  private func account(_ reader: Reader, refusal: OfficeRefusal? = nil) async throws -> WebResponse
  {
    let account = reader.visitor.account
    let sessions = try await office.sessions.openSessions(of: account)
    return page(
      t("Your account"), reader, current: "/account",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: t($0.wording))] } ?? [],
      status: refusal?.kind.status ?? 200,
      """
      <h1>\(t("Your account"))</h1>
      <section class="card"><h2>\(t("Who you are"))</h2>
      \(HTML.facts([(t("Login"), .text(account.login)), (t("Full name"), account.name.map(HTML.text)), (t("Role"), .text(t(account.role.rawValue))), (t("Agency"), account.agency.map(HTML.text))]))</section>
      <section class="card"><h2>\(t("Change the password"))</h2>
      <form class="fields" method="post" action="/account/password">\(reader.request.formField)
      <input type="hidden" name="username" autocomplete="username" value="\(account.login)">
      <label>\(t("Current password"))<input name="password" type="password" required autocomplete="current-password"></label>
      <label>\(t("New password"))<input name="new" type="password" minlength="10" required autocomplete="new-password"></label>
      <label>\(t("Repeat new password"))<input name="again" type="password" minlength="10" required autocomplete="new-password"></label>
      <p class="hint">\(t("At least 10 characters; a sentence is easier to remember than symbols. This signs you out everywhere else."))</p>
      <p class="actions"><button class="button primary">\(t("Change the password"))</button></p></form></section>
      <section class="card"><h2>\(t("Where you are signed in"))</h2>
      <ul class="sessions">\(sessions.map { item($0, reader) })</ul>
      <form method="post" action="/account/elsewhere">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Sign out everywhere else"))</button></p></form></section>
      """)
  }

  /// Returns an open session of the person, with the button that ends it.
  private func item(_ session: OpenSession, _ reader: Reader) -> HTML {
    let isHere = reader.request.sessionToken.map(Token.digest) == session.digest
    let what =
      isHere
      ? t("This browser")
      : session.key == nil ? t("Another browser or program") : t("A field unit")
    let when = t.html("since {1}, last used {2}", t.time(session.created), t.time(session.used))
    let end: HTML? =
      isHere
      ? nil
      : """
      <form method="post" action="/account/session">\(reader.request.formField)<input type="hidden" name="session" value="\(session.mark)">
      <button class="button quiet">\(t("Sign out there"))</button></form>
      """
    return "<li><strong>\(what)</strong>, \(when) \(end)</li>"
  }
}
