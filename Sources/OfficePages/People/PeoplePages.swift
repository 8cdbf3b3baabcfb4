import Evidence
import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import Sync
import TimeAndText
import Web

/// The page of an agency's people and devices, for its administrators.
struct PeoplePages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.people

  func add(to routes: inout Routes) {
    routes.get("/people") { request in
      try await reading(request) { reader in
        try requireRole(.administrator, reader)
        return await page(t("People"), reader, current: "/people", try people(reader))
      }
    }
    routes.post("/people") { request in
      try await reading(request) { reader in
        try requireRole(.administrator, reader)
        return try await add(reader)
      }
    }
    routes.post("/people/{login}/{action}") { request in
      try await reading(request) { reader in
        try requireRole(.administrator, reader)
        return try await change(reader)
      }
    }
    routes.post("/devices/{key}/revoke") { request in
      try await reading(request) { reader in
        try requireRole(.administrator, reader)
        let form = try await request.form()
        guard let reason = form["reason"] else {
          throw OfficeRefusal(.inputInvalid, "give a reason to revoke the device")
        }
        let key = request.parameters["key"] ?? ""
        try await office.devices.revokeDevice(
          withKey: key, in: reader.agency, reason: reason, by: reader.visitor.account.login)
        return .redirect("/people?done=saved")
      }
    }
  }

  private func people(
    _ reader: Reader, refusal: String? = nil, given: [String: String] = [:]
  ) async throws -> HTML {
    let devices = Dictionary(
      grouping: try await office.database.read(in: reader.agency) {
        try $0.devices.devices(of: nil)
      },
      by: \.inspector)
    let rows = try await office.people.accounts(ofAgency: reader.agency).map { account in
      let own = account.login == reader.visitor.account.login
      let toggle: HTML? =
        own
        ? nil
        : account.disabled == nil
          ? """
          <details><summary>\(t("Disable"))</summary>
          <p>\(t("This signs out {1} everywhere. They cannot sign in until you enable the login again. Nothing is deleted.", account.login))</p>
          <form method="post" action="/people/\(account.login)/disable">\(reader.request.formField)
          <button class="button danger">\(t("Disable {1}", account.login))</button></form></details>
          """
          : """
          <form method="post" action="/people/\(account.login)/enable">\(reader.request.formField)
          <button class="button quiet">\(t("Enable"))</button></form>
          """
      return """
        <tr><td data-label="\(t("Login"))">\(account.login)</td>
        <td data-label="\(t("Full name"))">\(account.name ?? "—")</td>
        <td data-label="\(t("Role"))">\(t(account.role.rawValue))</td>
        <td data-label="\(t("Can sign in"))">\(account.disabled.map { t.html("no, since {1}", t.time($0)) } ?? .text(t("yes")))</td>
        <td data-label="\(t("Devices"))">\((devices[account.login] ?? []).map { device($0, reader) })</td>
        <td>\(toggle)<details><summary>\(t("New password"))</summary>
        <form class="fields" method="post" action="/people/\(account.login)/password">\(reader.request.formField)
        <label>\(t("Password"))<input name="password" type="password" minlength="10" required
        autocomplete="new-password"></label><button class="button">\(t("Set"))</button></form></details></td></tr>
        """ as HTML
    }
    let roles = [Role.inspector, .officer, .administrator].map { role in
      """
      <option value="\(role.rawValue)"\(raw: given["role"] == role.rawValue ? " selected" : "")>\(t(role.rawValue))</option>
      """ as HTML
    }
    return """
      <div class="heading"><h1>\(await t("People of {1}", try office.people.agencyTitle(reader.agency)))</h1>
      <p class="actions"><a class="button" href="/invitations">\(t("Sign in a device"))</a>
      <a class="button quiet" href="/set-up">\(t("First start"))</a></p></div>
      <table class="list"><thead><tr><th>\(t("Login"))</th><th>\(t("Full name"))</th><th>\(t("Role"))</th>
      <th>\(t("Can sign in"))</th><th>\(t("Devices"))</th><th><span class="unseen">\(t("Actions"))</span></th></tr></thead><tbody>\(rows)</tbody></table>
      <section class="card"><h2>\(t("Add a person"))</h2>
      \(refusal.map { "<p class=\"notice notice-error\" role=\"alert\">\($0)</p>" as HTML })
      <form class="fields" method="post" action="/people">\(reader.request.formField)
      <label>\(t("Login"))<input name="login" required maxlength="64" value="\(given["login"] ?? "")" autocomplete="off"></label>
      <label>\(t("Full name"))<input name="name" maxlength="200" value="\(given["name"] ?? "")" autocomplete="off"></label>
      <label>\(t("Role"))<select name="role">\(roles)</select></label>
      <label>\(t("Password"))<input name="password" type="password" minlength="10" required autocomplete="new-password"></label>
      <p class="actions"><button class="button primary">\(t("Add"))</button></p></form></section>
      """
  }

  private func device(_ device: EnrolledDevice, _ reader: Reader) -> HTML {
    let state: HTML =
      device.revokedReason.map { "<br>\(t("revoked")): \($0)" }
        ?? """
        <form class="fields" method="post" action="/devices/\(device.key)/revoke">\(reader.request.formField)
        <label>\(t("Reason"))<input name="reason" required maxlength="200"></label>
        <button class="button danger">\(t("Revoke"))</button></form>
        """
    return """
      <details><summary><code>\(device.key.prefix(8))…</code> \(t("since")) \(t.day(of: device.enrolled))</summary>
      \(device.software ?? "")\(state)</details>
      """
  }

  private func add(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    var given: [String: String] = [:]
    for name in ["login", "name", "role"] { given[name] = form[name] }
    do {
      guard let role = given["role"].flatMap(Role.init(rawValue:)), role != .superAdministrator
      else { throw OfficeRefusal(.inputInvalid, "choose a role") }
      try await office.people.addAccount(
        Account(
          login: given["login"] ?? "", agency: reader.agency, role: role, name: given["name"]),
        password: form.exact("password") ?? "", by: reader.visitor.account.login)
      return .redirect("/people?done=saved")
    } catch {
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      return await page(
        t("People"), reader, current: "/people", status: refusal.kind.status,
        try people(reader, refusal: t(refusal.wording), given: given))
    }
  }

  private func change(_ reader: Reader) async throws -> WebResponse {
    let parameters = reader.request.parameters
    let login = parameters["login"] ?? ""
    let by = reader.visitor.account.login
    // People of another agency do not exist for this administrator.
    guard
      try await office.people.accounts(ofAgency: reader.agency).contains(where: {
        $0.login == login
      })
    else {
      throw OfficeRefusal(.unknown, "there is no login \(login)")
    }
    switch parameters["action"] {
    case "disable" where login != by, "enable" where login != by:
      try await office.people.setDisabled(parameters["action"] == "disable", login: login, by: by)
    case "password":
      let form = try await reader.request.form()
      try await office.people.setPassword(form.exact("password") ?? "", of: login, by: by)
    default: throw OfficeRefusal(.unknown, "there is nothing at this address")
    }
    return .redirect("/people?done=saved")
  }
}
