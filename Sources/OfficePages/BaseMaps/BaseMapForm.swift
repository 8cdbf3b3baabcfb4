import Foundation
import Inspection
import MapLayers
import Office
import OfficeFrame
import TimeAndText
import Web

/// The parts that the pages of base maps share: the fields of a service, and what they say.
enum BaseMapForm {
  /// The most characters of a title, and of an attribution.
  static let charactersAtMost = (title: 200, attribution: 1000)

  static func title(_ form: WebForm) -> String {
    String((form["title"] ?? "").prefix(charactersAtMost.title))
  }

  static func attribution(_ form: WebForm) -> String? {
    let text = form["attribution"] ?? ""
    return text.isEmpty ? nil : String(text.prefix(charactersAtMost.attribution))
  }

  static func host(_ service: MapService) -> String {
    URLComponents(string: service.template ?? service.address)?.host
      ?? URL(string: service.address.replacing(/[{}]/, with: ""))?.host ?? ""
  }

  /// Takes user and password. Without a user there is no password; an empty field of the password
  /// leaves it as it is.
  static func takeAccount(_ form: WebForm, into service: inout MapService) {
    let user = (form["user"] ?? "").trimmingCharacters(in: .whitespaces)
    guard !user.isEmpty else {
      (service.user, service.password) = (nil, nil)
      return
    }
    service.user = user
    if let password = Secret(form.exact("password")) { service.password = password }
  }

  /// Takes the zooms: two numbers within 0 to 22, the first not above the second.
  /// - Throws: `OfficeRefusal` (input-invalid).
  static func takeZooms(_ form: WebForm, into service: inout MapService) throws {
    guard let first = form["leastZoom"], let last = form["mostZoom"] else { return }
    guard let least = Int(first), let most = Int(last), (0...22).contains(least),
      (least...22).contains(most)
    else {
      throw OfficeRefusal(
        .inputInvalid, "the zooms are two numbers from 0 to 22, the first not above the second")
    }
    service.zooms = least...most
  }

  /// Returns the fields for user and password. A password that is stored is never sent back.
  static func account(_ t: Texts, user: String?, hasPassword: Bool) -> HTML {
    """
    <label>\(t("User, if the service asks for one"))<input name="user" maxlength="200" autocomplete="off" value="\(user ?? "")"></label>
    <label>\(t("Password"))<input name="password" type="password" maxlength="500" autocomplete="new-password"\(hasPassword ? " aria-describedby=\"hint-password\"" as HTML : nil)></label>
    \(hasPassword ? "<p class=\"hint\" id=\"hint-password\">\(t("A password is stored. Leave the field empty to keep it."))</p>" as HTML : nil)
    """
  }

  /// Returns the form for a new service.
  /// - Parameter given: the form that was refused; nil for an empty one.
  static func newService(_ t: Texts, _ reader: PageReader, _ given: WebForm?) -> HTML {
    let kinds: [(MapService.Kind, String)] = [
      (.wms, t("WMS, a map service of an authority")), (.wmts, t("WMTS, ready-made tiles")),
      (.xyz, t("XYZ, an address with {z}, {x} and {y}")),
    ]
    let chosen = given?["kind"] ?? MapService.Kind.wms.rawValue
    let options = kinds.map { kind, title in
      "<option value=\"\(kind.rawValue)\"\(kind.rawValue == chosen ? " selected" as HTML : nil)>\(title)</option>"
        as HTML
    }
    return """
      <section class="card"><h2>\(t("Add a map service"))</h2>
      <form class="fields" method="post" action="/base-maps">\(reader.request.formField)
      <label>\(t("Kind"))<select name="kind">\(options)</select></label>
      <label>\(t("Address"))<input name="address" type="text" inputmode="url" required maxlength="2000" autocomplete="off" spellcheck="false" aria-describedby="hint-address" value="\(given?["address"] ?? "")"></label>
      <p class="hint" id="hint-address">\(t("Such as https://maps.example/wms, or https://tiles.example/{z}/{x}/{y}.png. This office fetches the pictures and keeps them: browsers and field units never ask the service."))</p>
      <label>\(t("Title"))<input name="title" maxlength="200" autocomplete="off" value="\(given?["title"] ?? "")" placeholder="\(t("Such as Map, or Aerial photo 2025"))"></label>
      <label>\(t("Attribution"))<input name="attribution" maxlength="1000" autocomplete="off" value="\(given?["attribution"] ?? "")"></label>
      \(account(t, user: given?["user"], hasPassword: false))
      <p class="actions"><button class="button primary">\(t("Add"))</button></p></form></section>
      """
  }
}

extension OfficePage {
  /// Calls `body` with an administrator.
  func governing(
    _ request: WebRequest, _ body: (PageReader) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await reading(request) { reader in
      try requireRole(.administrator, reader)
      return try await body(reader)
    }
  }

  /// Notes a change of the agency's base maps in its log.
  func note(
    _ action: String, _ name: String, _ reader: PageReader, detail: String? = nil
  ) async throws {
    let entry = office.log(
      action, on: name, by: reader.visitor.account.login, agency: reader.agency, detail: detail)
    try await office.database.write(in: reader.agency) { try $0.log.add(entry) }
  }
}
