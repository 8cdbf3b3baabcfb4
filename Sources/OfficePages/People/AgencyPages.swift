import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import Store
import TimeAndText
import Web

/// The pages of super-administrators, who keep the agencies and make their first administrators.
/// They see nothing of an agency's inspections.
struct AgencyPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.agencies

  func add(to routes: inout Routes) {
    routes.get("/agencies") { request in
      try await anybody(request) { reader in
        try requireRole(.superAdministrator, reader)
        return try await agencies(reader)
      }
    }
    routes.post("/agencies") { request in
      try await anybody(request) { reader in
        try requireRole(.superAdministrator, reader)
        let form = try await request.form()
        return try await answering(reader) {
          _ = try await office.people.addAgency(
            form["name"] ?? "", title: form["title"], by: reader.visitor.account.login)
        }
      }
    }
    routes.post("/agencies/administrators") { request in
      try await anybody(request) { reader in
        try requireRole(.superAdministrator, reader)
        let form = try await request.form()
        do {
          try await office.people.addAccount(
            Account(
              login: form["login"] ?? "", agency: form["agency"] ?? "", role: .administrator,
              name: form["name"]),
            password: form.exact("password") ?? "", by: reader.visitor.account.login)
          return .redirect("/agencies?done=saved")
        } catch {
          guard let refusal = OfficeRefusal(of: error) else { throw error }
          return try await agencies(reader, refusal: refusal)
        }
      }
    }
  }

  private func answering(_ reader: Reader, _ body: () async throws -> Void)
    async throws -> WebResponse
  {
    do {
      try await body()
      return .redirect("/agencies?done=saved")
    } catch {
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      return try await agencies(reader, refusal: refusal)
    }
  }

  private func agencies(_ reader: Reader, refusal: OfficeRefusal? = nil) async throws -> WebResponse
  {
    let agencies = try await office.people.agencies()
    let people = await Dictionary(grouping: try office.people.accounts(), by: \.agency)
    let rows = agencies.map { agency -> HTML in
      let own = people[agency.name] ?? []
      let administrators = own.filter { $0.role == .administrator && $0.disabled == nil }
      let names =
        administrators.isEmpty
        ? t("none yet") : administrators.map(\.title).joined(separator: ", ")
      return """
        <tr><td data-label="\(t("Name"))"><code>\(agency.name)</code></td>
        <td data-label="\(t("Title"))">\(agency.title)</td>
        <td data-label="\(t("Since"))">\(t.day(of: agency.created))</td>
        <td class="number" data-label="\(t("Inspectors"))">\(own.count { $0.role == .inspector })</td>
        <td class="number" data-label="\(t("Officers"))">\(own.count { $0.role == .officer })</td>
        <td data-label="\(t("Administrators"))">\(names)</td></tr>
        """
    }
    let table: HTML =
      agencies.isEmpty
      ? "<div class=\"empty\"><p>\(t("No agencies yet."))</p></div>"
      : """
      <table class="list"><thead><tr><th scope="col">\(t("Name"))</th><th scope="col">\(t("Title"))</th>
      <th scope="col">\(t("Since"))</th><th scope="col" class="number">\(t("Inspectors"))</th>
      <th scope="col" class="number">\(t("Officers"))</th><th scope="col">\(t("Administrators"))</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    let options = agencies.map { "<option value=\"\($0.name)\">\($0.title)</option>" as HTML }
    let person: HTML? =
      agencies.isEmpty
      ? nil
      : """
      <section class="card"><h2>\(t("Add an administrator"))</h2>
      <form class="fields" method="post" action="/agencies/administrators">\(reader.request.formField)
      <label>\(t("Agency"))<select name="agency" required>\(options)</select></label>
      <label>\(t("Login"))<input name="login" required maxlength="64" autocomplete="off"></label>
      <label>\(t("Full name"))<input name="name" maxlength="200" autocomplete="off"></label>
      <label>\(t("Password"))<input name="password" type="password" minlength="10" required autocomplete="new-password"></label>
      <p class="actions"><button class="button primary">\(t("Add"))</button></p></form></section>
      """
    return page(
      t("Agencies"), reader, current: "/agencies",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: t($0.wording))] } ?? [],
      status: refusal?.kind.status ?? 200,
      """
      <h1>\(t("Agencies"))</h1>\(table)
      <section class="card"><h2>\(t("Add an agency"))</h2>
      <form class="fields" method="post" action="/agencies">\(reader.request.formField)
      <label>\(t("Name"))<input name="name" required maxlength="64" autocomplete="off"></label>
      <p class="hint">\(t("Letters, digits, dots, hyphens, underscores. You cannot change it later, because records contain it."))</p>
      <label>\(t("Title"))<input name="title" maxlength="200" autocomplete="off"></label>
      <p class="actions"><button class="button primary">\(t("Add"))</button></p></form></section>
      \(person)
      """)
  }
}
