import Enrolment
import Evidence
import Guide
import Imports
import Inspection
import MapLayers
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The pages that lead an administrator from an office with one person to a device that delivers.
/// Each step shows what the office has, so that a step which is reloaded, left or opened twice loses
/// nothing.
struct SetUpPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.firstRun

  static let path = "/set-up"

  func add(to routes: inout Routes) {
    routes.get(Self.path) { request in
      try await administering(request) { try await show($0) }
    }
    routes.post(Self.path + "/people") { request in
      try await administering(request) { try await addPerson($0) }
    }
    routes.post(Self.path + "/people/import") { request in
      try await administering(request) { try await importPeople($0) }
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

  private func show(_ reader: Reader) async throws -> WebResponse {
    let step = reader.request.query["step"].flatMap(SetUpStep.init(rawValue:)) ?? .people
    return try await page(of: step, reader)
  }

  private func address(of step: SetUpStep) -> String { "\(Self.path)?step=\(step.rawValue)" }

  private func page(
    of step: SetUpStep, _ reader: Reader, notices: [PageFrame.Notice] = [], faults: HTML? = nil,
    given: [String: String] = [:], status: Int = 200
  ) async throws -> WebResponse {
    let main: HTML =
      switch step {
      case .people: try await people(reader, given)
      case .parcels: try await parcels(reader)
      case .map: try map(reader)
      case .policy: try await policy(reader)
      case .device: try await device(reader)
      case .end: try await end(reader)
      }
    let place =
      step == .end ? t("done") : t("Step {1} of {2}", step.number, SetUpStep.count)
    let back: HTML? = step.previous.map {
      "<a class=\"button\" href=\"\(address(of: $0))\">\(t("Back"))</a>"
    }
    let next: HTML? = step.next.map {
      "<a class=\"button primary\" href=\"\(address(of: $0))\">\(t("Next"))</a>"
    }
    return page(
      "\(t("First start")): \(title(of: step))", reader, current: Self.path, notices: notices,
      status: status,
      """
      <p class="muted">\(t("First start")) · \(place)</p>
      <h1>\(title(of: step))</h1>\(faults)\(main)
      <nav class="actions" aria-label="\(t("Steps"))">\(back)\(next)</nav>
      """)
  }

  private func title(of step: SetUpStep) -> String {
    switch step {
    case .people: t("People")
    case .parcels: t("Parcels")
    case .map: t("Base map")
    case .policy: t("Policy")
    case .device: t("First device")
    case .end: t("The office is ready")
    }
  }

  // MARK: people

  private func people(_ reader: Reader, _ given: [String: String]) async throws -> HTML {
    let accounts = try await office.people.accounts(ofAgency: reader.agency)
    let rows = accounts.map { account in
      """
      <tr><td data-label="\(t("Full name"))">\(account.name ?? "—")</td>
      <td data-label="\(t("Login"))">\(account.login)</td>
      <td data-label="\(t("Role"))">\(t(account.role.rawValue))</td></tr>
      """ as HTML
    }
    let roles = [Role.inspector, .officer, .administrator].map { role in
      """
      <option value="\(role.rawValue)"\(raw: given["role"] == role.rawValue ? " selected" : "")>\(t(role.rawValue))</option>
      """ as HTML
    }
    return """
      <p>\(t("Inspectors take the photos. Officers order tasks and decide on them. You need at least one of each."))</p>
      <section class="card"><h2>\(t("Add a person"))</h2>
      <form class="fields" method="post" action="\(Self.path)/people">\(reader.request.formField)
      <label>\(t("Full name"))<input name="name" maxlength="200" value="\(given["name"] ?? "")" autocomplete="off"></label>
      <label>\(t("Login"))<input name="login" required maxlength="64" value="\(given["login"] ?? "")" autocomplete="off" autocapitalize="none"></label>
      <label>\(t("Role"))<select name="role">\(roles)</select></label>
      <label>\(t("Password"))<input name="password" type="password" minlength="10" autocomplete="new-password" aria-describedby="hint-password"></label>
      <p class="hint" id="hint-password">\(t("Inspectors can do without: they sign in by a QR code."))</p>
      <p class="actions"><button class="button">\(t("Add"))</button></p></form></section>
      <section class="card"><h2>\(t("People from a file"))</h2>
      <p>\(t("CSV in UTF-8; the first line is login,name,role,password. role is inspector, officer or administrator. Inspectors need no password."))</p>
      <form class="fields" method="post" action="\(Self.path)/people/import" enctype="multipart/form-data">\(reader.request.formField)
      <label>\(t("File"))<input type="file" name="file" required accept=".csv,.tsv,.txt"></label>
      <p class="actions"><button class="button">\(t("Import"))</button></p></form></section>
      <table class="list"><thead><tr><th scope="col">\(t("Full name"))</th><th scope="col">\(t("Login"))</th>
      <th scope="col">\(t("Role"))</th></tr></thead><tbody>\(rows)</tbody></table>
      \(command("office user add LOGIN --role inspector --agency \(reader.agency)"))
      \(command("office user import FILE.csv --agency \(reader.agency)"))
      """
  }

  private func addPerson(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    var given: [String: String] = [:]
    for name in ["login", "name", "role"] { given[name] = form[name] }
    do {
      guard let role = given["role"].flatMap(Role.init(rawValue:)), role != .superAdministrator
      else { throw OfficeRefusal(.inputInvalid, "choose a role") }
      var password = form.exact("password") ?? ""
      // Nobody knows this one: the inspector signs in by a code.
      if password.isEmpty, role == .inspector { password = Token.make() }
      try await office.people.addAccount(
        Account(
          login: given["login"] ?? "", agency: reader.agency, role: role, name: given["name"]),
        password: password, by: reader.visitor.account.login)
      return .redirect(address(of: .people) + "&done=saved")
    } catch {
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      return try await page(
        of: .people, reader,
        notices: [PageFrame.Notice(kind: .error, text: t(refusal.wording))], given: given,
        status: refusal.kind.status)
    }
  }

  private func importPeople(_ reader: Reader) async throws -> WebResponse {
    var bytes: [UInt8] = []
    do {
      // The multipart wrapping around the file needs little room in the body.
      let name = try await reader.request.upload(limit: PeopleFile.bytesAtMost + 65_536) {
        bytes += $0
      }
      guard name != nil else { throw OfficeRefusal(.inputInvalid, "no file was chosen") }
      let report = try await PeopleImport(of: office).take(
        bytes, in: reader.agency, by: reader.visitor.account.login)
      guard report.faults.isEmpty else {
        return try await page(
          of: .people, reader, faults: list(of: report.faults), status: 422)
      }
      return .redirect(address(of: .people) + "&done=imported")
    } catch WebProblem.tooLarge {
      throw OfficeRefusal(
        .fileTooLarge, "the file has more than \(PeopleFile.bytesAtMost >> 20) MB: divide it")
    } catch let refusal as OfficeRefusal where refusal.kind != .storeUnavailable {
      return try await page(
        of: .people, reader,
        notices: [PageFrame.Notice(kind: .error, text: t(refusal.wording))],
        status: refusal.kind.status)
    }
  }

  /// The most faults that a page shows.
  private static let faultsShown = 100

  private func list(of faults: [ImportFault]) -> HTML {
    let items = faults.prefix(Self.faultsShown).map { fault in
      """
      <li>\(fault.line.map { "<strong>\(t("Line {1}", $0))</strong>: " as HTML })\(t(fault.reason))</li>
      """ as HTML
    }
    let rest = faults.count - items.count
    let more: HTML? = rest > 0 ? "<p>\(t("And {1} more.", rest))</p>" : nil
    return """
      <section class="card" role="alert"><h2>\(t("Errors"))</h2>
      <p>\(t("Nothing is imported while the file has errors. Correct the file, then send it again."))</p>
      <ul>\(items)</ul>\(more)</section>
      """
  }

  // MARK: parcels, map, policy

  private func parcels(_ reader: Reader) async throws -> HTML {
    let count = try await office.places.parcelCount(in: reader.agency)
    return """
      <p>\(t("Your register of parcels lets officers order a task with one tap on the map. You can also do without, and draw the outline of each task."))</p>
      <p><strong>\(t("{1} parcels in the register.", count))</strong></p>
      <p class="actions"><a class="button" href="/parcels/import?way=set-up">\(t("Parcels from a file"))</a></p>
      \(command("office parcel import FILE --agency \(reader.agency)"))
      """
  }

  private func map(_ reader: Reader) throws -> HTML {
    let names = try office.core.layers.layers(of: reader.agency).map {
      "<li>\($0.title)</li>" as HTML
    }
    let list: HTML =
      names.isEmpty
      ? "<p><strong>\(t("No base map yet. Maps show parcels and photos without one."))</strong></p>"
      : "<ul>\(names)</ul>"
    return """
      <p>\(t("A base map lies under parcels and photos. Field units fetch the part around their tasks by themselves, before they go out."))</p>
      \(list)
      <p class="actions"><a class="button" href="/base-maps">\(t("Base maps"))</a></p>
      \(command("office maps list --agency \(reader.agency)"))
      """
  }

  private func policy(_ reader: Reader) async throws -> HTML {
    let known = try await office.policies.policy(of: reader.agency)?.policy
    let stand =
      known.map { t("Revision {1} of {2}.", $0.revision, Self.time($0.issued)) }
      ?? t("No rules set yet. Defaults apply.")
    return """
      <p>\(t("The policy says how still inspectors must stand, how many samples a photo needs, and what a photo may tell of its surroundings. The defaults suit most agencies; you can change them at any time."))</p>
      <p><strong>\(stand)</strong></p>
      <p class="actions"><a class="button" href="/policy">\(t("Edit the policy"))</a></p>
      \(command("office agency policy \(reader.agency)"))
      """
  }

  // MARK: the first device

  private func device(_ reader: Reader) async throws -> HTML {
    let devices = try await office.database.read(in: reader.agency) {
      try $0.devices.devices(of: nil)
    }
    let accounts = try await office.people.accounts(ofAgency: reader.agency)
    let hasInspector = accounts.contains { $0.role == .inspector && $0.disabled == nil }
    let items = devices.map { device in
      let name = accounts.first { $0.login == device.inspector }?.title ?? device.inspector
      return "<li>\(name): \(t("since")) \(Self.time(device.enrolled))</li>" as HTML
    }
    let list: HTML =
      items.isEmpty
      ? "<p><strong>\(t("No device has signed in yet."))</strong></p>" : "<ul>\(items)</ul>"
    let way: HTML =
      hasInspector
      ? """
      <p class="actions"><a class="button primary" href="\(InvitationPages.path)">\(t("Show a QR code"))</a>
      <a class="button" href="\(address(of: .device))">\(t("Look again"))</a></p>
      """
      : "<p class=\"notice notice-warning\">\(t("Add an inspector first: devices sign in for one."))</p>"
    return """
      <p>\(t("On the inspector's device, start the field unit and press Sign in with a code. Then hold the QR code before its camera, or type its eight characters."))</p>
      \(list)\(way)
      <p class="hint">\(t("In a terminal on the device:")) <code>\(InvitationPages.fieldCommand)</code></p>
      \(command("office user invite LOGIN"))
      """
  }

  private func end(_ reader: Reader) async throws -> HTML {
    let accounts = try await office.people.accounts(ofAgency: reader.agency)
    let officers = accounts.filter { $0.role == .officer && $0.disabled == nil }
    let missing: HTML? =
      officers.isEmpty
      ? "<p class=\"notice notice-warning\">\(t("There is no officer yet: only officers order tasks and decide on them.")) <a href=\"\(address(of: .people))\">\(t("People"))</a></p>"
      : nil
    return """
      \(missing)
      <p>\(t("An officer signs in at this address and orders the first task. The inspector's device gets it at the next contact, with the base map around it."))</p>
      <p><code class="digest">\(reader.request.origin)</code></p>
      <p class="actions"><a class="button primary" href="/tasks">\(t("Tasks"))</a></p>
      <p class="muted">\(t("You find these steps again under People. Back up the office's keys now: without them there is no office."))</p>
      \(command("office backup FILE"))
      """
  }

  /// Returns the command that does the same in a terminal.
  private func command(_ words: String) -> HTML {
    "<p class=\"hint\">\(t("In a terminal:")) <code>standpoint \(words)</code></p>"
  }
}
