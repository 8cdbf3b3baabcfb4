import Foundation
import Inspection
import Positioning
import Store
import Web

// What everybody who is signed in keeps of their own: the password, and where they are signed in.
extension OfficePages {
  func addAccount(to routes: inout Routes) {
    routes.get("/account") { request in try await anybody(request) { account($0) } }
    routes.post("/account/password") { request in
      try await anybody(request) { reader in
        let form = try await request.form()
        let account = reader.visitor.account
        let new = form.exact("new") ?? ""
        do {
          guard new == form.exact("again") ?? "" else {
            throw OfficeRefusal(
              .inputInvalid, "the new password was not written the same way twice: write it again")
          }
          let token = try await office.changePassword(
            of: account, from: form.exact("password") ?? "", to: new, line: request.line)
          return .redirect("/account?done=password").settingSession(
            token: token, maxAgeSeconds: nil)
        } catch let refusal as OfficeRefusal {
          return self.account(reader, refusal: refusal)
        }
      }
    }
    routes.post("/account/elsewhere") { request in
      try await anybody(request) { reader in
        return .redirect("/account?done=elsewhere").settingSession(
          token: try office.endSessionsElsewhere(of: reader.visitor.account), maxAgeSeconds: nil)
      }
    }
  }

  private func account(_ reader: Reader, refusal: OfficeRefusal? = nil) -> WebResponse {
    let account = reader.visitor.account
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
      <label>\(t("Your password now"))<input name="password" type="password" required autocomplete="current-password"></label>
      <label>\(t("New password"))<input name="new" type="password" minlength="10" required autocomplete="new-password"></label>
      <label>\(t("New password, again"))<input name="again" type="password" minlength="10" required autocomplete="new-password"></label>
      <p class="hint">\(t("At least 10 characters; a sentence is easier to keep than signs. Everywhere else you are signed out."))</p>
      <p class="actions"><button class="button primary">\(t("Change the password"))</button></p></form></section>
      <section class="card"><h2>\(t("Other browsers"))</h2>
      <form method="post" action="/account/elsewhere">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Sign out everywhere else"))</button></p></form></section>
      """)
  }
}
