import CodeDrawing
import Enrolment
import Guide
import Inspection
import Office
import OfficeFrame
import Sync
import TimeAndText
import Web

/// The page on which an administrator signs an inspector's device in: it shows a QR code with the
/// office's address, its fingerprint and a one-time code.
struct InvitationPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.devices
  let invitations: Invitations
  /// The SHA-256 of the office's own TLS certificate; nil if it has none.
  let tlsFingerprint: String?

  static let path = "/invitations"
  /// The command that starts a field unit.
  static let fieldCommand = "standpoint field"

  func add(to routes: inout Routes) {
    routes.get(Self.path) { request in
      try await administering(request) { try await show($0, given: request.query) }
    }
    routes.post(Self.path) { request in
      try await administering(request) { try await invite($0) }
    }
    routes.post(Self.path + "/withdraw") { request in
      try await administering(request) { reader in
        let form = try await request.form()
        try await invitations.withdraw(
          form["login"] ?? "", of: reader.agency, by: reader.visitor.account.login)
        return .redirect(Self.path + "?done=saved")
      }
    }
  }

  private func administering(
    _ request: WebRequest, _ body: (Reader) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await reading(request) { reader in
      try requireRole(.administrator, reader)
      return try await body(reader)
    }
  }

  private func invite(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    var given: [String: String] = [:]
    for name in ["login", "office"] { given[name] = form[name] }
    do {
      let address = try Self.address(given["office"] ?? reader.request.origin)
      let login = given["login"] ?? ""
      let (code, expires) = try await invitations.invite(
        login, of: reader.agency, by: reader.visitor.account.login)
      let accounts = try await office.people.accounts(ofAgency: reader.agency)
      let ticket = InvitationTicket(
        office: address, code: code, fingerprint: office.fingerprint,
        tlsFingerprint: address.hasPrefix("https:") ? tlsFingerprint : nil)
      let name = accounts.first { $0.login == login }?.title ?? login
      return page(
        t("Sign in a device"), reader, current: "/people",
        shown(ticket, for: name, login: login, until: expires, reader))
    } catch {
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      return try await show(reader, given: given, refusal: refusal)
    }
  }

  /// Returns an address as it goes into a QR code.
  /// - Throws: `OfficeRefusal` (input-invalid).
  private static func address(_ text: String) throws(OfficeRefusal) -> String {
    let plain = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard InvitationTicket.isAddress(plain) else {
      throw OfficeRefusal(
        .inputInvalid, "the address looks like https://office.example or https://host:8480")
    }
    let host = plain.drop { $0 != "/" }.dropFirst(2).prefix { $0 != ":" }
    guard plain.hasPrefix("https:") || ["localhost", "127.0.0.1"].contains(host) else {
      throw OfficeRefusal(
        .inputInvalid, "field units on other machines need https: give the office's https address")
    }
    return plain
  }

  // MARK: the page

  private func show(
    _ reader: Reader, given: [String: String], refusal: OfficeRefusal? = nil
  ) async throws -> WebResponse {
    let inspectors = try await office.people.activeInspectors(ofAgency: reader.agency)
    let options = inspectors.map { account in
      """
      <option value="\(account.login)"\(raw: given["login"] == account.login ? " selected" : "")>\(account.title) (\(account.login))</option>
      """ as HTML
    }
    let form: HTML =
      inspectors.isEmpty
      ? """
      <div class="empty"><p>\(t("No inspectors yet. An administrator can add them."))</p>
      <p class="actions"><a class="button primary" href="/people">\(t("People"))</a></p></div>
      """
      : """
      <section class="card"><form class="fields" method="post" action="\(Self.path)">\(reader.request.formField)
      <label>\(t("Inspector"))<select name="login" required>\(options)</select></label>
      <label>\(t("Address of this office, as the device reaches it"))<input name="office" type="url" required maxlength="300"
      value="\(given["office"] ?? reader.request.origin)" autocapitalize="none" spellcheck="false" aria-describedby="hint-office"></label>
      <p class="hint" id="hint-office">\(t("Devices on other machines need an https address. 127.0.0.1 reaches only a field unit on this machine."))</p>
      <p class="actions"><button class="button primary">\(t("Show the QR code"))</button>
      <a class="button quiet" href="/people">\(t("Cancel"))</a></p></form></section>
      """
    return page(
      t("Sign in a device"), reader, current: "/people",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: t($0.wording))] } ?? [],
      status: refusal?.kind.status ?? 200,
      """
      <h1>\(t("Sign in a device"))</h1>
      <p>\(t("A QR code signs one device of an inspector in, without a password. It works once, for 24 hours. A new code ends the earlier one."))</p>
      \(form)\(try pending(reader, inspectors))
      """)
  }

  /// Returns the codes that are not used yet; nil if there are none.
  private func pending(_ reader: Reader, _ inspectors: [Account]) throws -> HTML? {
    let open = try invitations.open(of: reader.agency)
    guard !open.isEmpty else { return nil }
    let rows = open.map { invitation in
      let name = inspectors.first { $0.login == invitation.login }?.title ?? invitation.login
      return """
        <tr><td data-label="\(t("Inspector"))">\(name)</td>
        <td class="time" data-label="\(t("Ends"))">\(Self.time(invitation.expires))</td>
        <td><form method="post" action="\(Self.path)/withdraw">\(reader.request.formField)
        <input type="hidden" name="login" value="\(invitation.login)">
        <button class="button quiet">\(t("Withdraw the code of {1}", name))</button></form></td></tr>
        """ as HTML
    }
    return """
      <section class="card"><h2>\(t("Codes not used yet"))</h2>
      <table class="list"><thead><tr><th scope="col">\(t("Inspector"))</th><th scope="col">\(t("Ends"))</th>
      <th><span class="unseen">\(t("Actions"))</span></th></tr></thead><tbody>\(rows)</tbody></table></section>
      """
  }

  private func shown(
    _ ticket: InvitationTicket, for name: String, login: String, until expires: DeviceTime,
    _ reader: Reader
  ) -> HTML {
    """
    <h1>\(t("Sign in a device of {1}", name))</h1>
    <section class="card ticket">
    <div>\(CodePicture.svg(ticket.text, label: t("QR code that signs a device of {1} in", name)))</div>
    <div><ol><li>\(t("On the device, start the field unit:")) <code>\(Self.fieldCommand)</code></li>
    <li>\(t("Open the address that it prints, and press Sign in with a code."))</li>
    <li>\(t("Hold this picture before the camera, or type:"))
    <dl class="facts"><dt>\(t("Office"))</dt><dd><code class="digest">\(ticket.office)</code></dd>
    <dt>\(t("Code"))</dt><dd><strong class="ticket-code">\(ticket.code.grouped)</strong></dd></dl></li></ol>
    <p>\(t("The code works once, until {1}. This page shows it only now.", Self.time(expires)))</p></div></section>
    <p class="actions"><a class="button primary" href="\(SetUpPages.path)?step=device">\(t("Done"))</a>
    <a class="button" href="\(Self.path)?login=\(AddressText.escaped(login))">\(t("Another code"))</a></p>
    <p class="hint">\(t("In a terminal:")) <code>standpoint login --office \(ticket.office) --code \(ticket.code.grouped)</code></p>
    """
  }
}
