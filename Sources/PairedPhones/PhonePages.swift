import CodeDrawing
import FieldPages
import FieldUnit
import Foundation
import Guide
import Inspection
import TimeAndText
import Web

/// The field unit's own page about phones: pairs one, lists them, ends them.
struct PhonePages: FieldPage {
  static let style = Asset(file: "/assets/phones.css", [PackageResources.phones_css])

  let gate: PhoneGate
  let desk: PhoneDesk
  let hotspot: HotspotPages
  var server: FieldServer { gate.server }
  let help = GuidePart.fieldPhones

  func add(to routes: inout Routes) {
    routes.get("/phones") { request in try await reading(request) { try list($0) } }
    routes.get("/live/phones") { request in
      try await reading(request) { reader in
        .events(live(of: reader.unit) { fragment(reader) })
      }
    }
    routes.post("/phones/code") { request in
      try await reading(request) { reader in
        guard request.isOfThisMachine else { throw PhoneRefusal.onDevice }
        desk.show(
          try PhoneGate.makeCode(
            in: gate.book, for: reader.unit.person, at: gate.clock.deviceTime))
        server.bell.ring()
        return .redirect("/phones")
      }
    }
    routes.post("/phones/{id}/end") { request in
      try await reading(request) { reader in
        let id = request.parameters["id"] ?? ""
        let own = try gate.phone(of: request)
        guard request.isOfThisMachine || own?.id == id else { throw PhoneRefusal.onDevice }
        try gate.book.change { $0.end(id) }
        server.bell.ring()
        return own?.id == id
          ? WebResponse.redirect(PairPages.path).clearingSession()
          : .redirect("/phones?done=phone-ended")
      }
    }
    routes.get("/phones/{id}/lens") { request in
      try await reading(request) { try lensPage($0) }
    }
    routes.post("/phones/{id}/lens") { request in
      try await reading(request) { _ in
        let phone = try ownPhone(request)
        let form = try await request.form()
        guard let offset = Self.lens(form) else { throw PhoneRefusal.lens }
        guard try gate.book.change({ $0.set(lens: offset, of: phone.id) }) else {
          throw PhoneRefusal.notPaired
        }
        server.bell.ring()
        return .redirect("/phones?done=lens-set")
      }
    }
    routes.get(Self.style.path) { Self.style.response(to: $0) }
  }

  /// Returns the distance between antenna and lens of a form; nil if a number is none or too large. A
  /// decimal comma is a decimal point.
  private static func lens(_ form: WebForm) -> LensOffset? {
    func metres(_ name: String) -> Double? {
      let text = (form[name] ?? "").trimmingCharacters(in: .whitespaces)
      return text.isEmpty ? 0 : Double(text.replacing(",", with: "."))
    }
    guard let offset = metres("lens"), let uncertainty = metres("uncertainty") else { return nil }
    return LensOffset(metres: offset, uncertaintyMetres: uncertainty)
  }

  private func list(_ reader: Reader) throws -> WebResponse {
    let lost = t("This page is not up to date: the program does not answer.")
    return page(
      t("Phones"), reader, current: "/", styles: [Self.style.href],
      """
      <div class="heading"><h1>\(t("Phones"))</h1></div>
      <p>\(t("A paired phone shows these pages, and takes the photos with its own camera. It works as you, until you end it here or sign out."))</p>
      <div data-live="/live/phones" data-live-lost="\(lost)">\(fragment(reader))</div>
      """)
  }

  private func fragment(_ reader: Reader) -> HTML {
    guard let register = readable("phones", { try gate.book.register() }) else {
      return
        "<p class=\"notice notice-error\">\(t("The list of phones cannot be read: see the log."))</p>"
    }
    let own = readable("phones") { try gate.phone(of: reader.request) }
    let phones = register.phones.filter { $0.works(as: reader.unit.person) }
    let rows = phones.map { row($0, isOwn: $0.id == own??.id, reader.request) }
    let guesses: HTML? =
      register.wrongCodes > 0
      ? "<p class=\"notice notice-warning\" role=\"status\">\(register.wrongCodes == 1 ? t("Somebody entered a wrong code.") : t("Wrong codes were entered {1} times.", register.wrongCodes))</p>"
      : nil
    // The code comes first: on a small screen it is in view at once.
    let isHere = reader.request.isOfThisMachine
    let code = isHere ? pairing(register, reader) : nil
    let network = isHere ? hotspot.part(reader.request) : nil
    return """
      \(guesses)\(code)\(network)<section class="card"><h2>\(t("Paired phones"))</h2>
      \(rows.isEmpty ? "<p class=\"muted\">\(t("No phone is paired."))</p>" as HTML : "<ul class=\"phones\">\(rows)</ul>")</section>
      """
  }

  private func row(_ phone: PairedPhone, isOwn: Bool, _ request: WebRequest) -> HTML {
    let mayEnd = request.isOfThisMachine || isOwn
    let end: HTML? =
      mayEnd
      ? """
      <form method="post" action="/phones/\(phone.id)/end">\(request.formField)
      <button class="button">\(isOwn ? t("Leave") : t("End now"))</button></form>
      """ : nil
    return """
      <li><span><strong>\(phone.name)</strong>\(isOwn ? " (\(t("this phone")))" as HTML : "")<br>
      \(mayEnd ? link(phone) : nil)<span class="muted">\(t("paired")) \(t.time(phone.paired)), \(t("last heard")) \(t.time(phone.lastHeard))</span></span>\(end)</li>
      """
  }

  private func link(_ phone: PairedPhone) -> HTML {
    "<a href=\"/phones/\(phone.id)/lens\">\(lensWords(phone))</a><br>"
  }

  private func lensWords(_ phone: PairedPhone) -> String {
    let lens = phone.lens ?? .none
    return lens == .none
      ? t("Lens at the antenna")
      : t(
        "Lens {1} m (± {2} m) from the antenna", number(lens.metres), number(lens.uncertaintyMetres)
      )
  }

  private func number(_ metres: Double) -> String { t.decimal(metres, places: 2) }

  /// Returns the page on which a phone's distance to the antenna is set. It stands by itself, because the
  /// list is drawn anew while somebody types.
  private func lensPage(_ reader: Reader) throws -> WebResponse {
    let phone = try ownPhone(reader.request)
    let lens = phone.lens ?? .none
    let (metres, uncertainty) =
      lens == .none ? ("", "") : (number(lens.metres), number(lens.uncertaintyMetres))
    return page(
      t("Antenna and lens"), reader, current: "/",
      """
      <div class="heading"><h1>\(t("Antenna and lens"))</h1></div>
      <section class="card"><h2>\(phone.name)</h2>
      <p>\(t("A photo's position is that of the receiver's antenna. If you hold the phone away from it, the distance is added to the uncertainty of its photos, and sealed with them. Sets of pictures do not have it."))</p>
      <form class="fields" method="post" action="/phones/\(phone.id)/lens">\(reader.request.formField)
      <label>\(t("From the antenna to the lens, metres"))<input name="lens" inputmode="decimal" value="\(metres)" placeholder="\(number(0))"></label>
      <label>\(t("Give or take, metres"))<input name="uncertainty" inputmode="decimal" value="\(uncertainty)" placeholder="\(number(0))"></label>
      <p class="actions"><button class="button primary">\(t("Set"))</button> <a class="button quiet" href="/phones">\(t("Cancel"))</a></p></form></section>
      """)
  }

  /// Returns the phone that an address names, to this device and to the phone itself.
  /// - Throws: `PhoneRefusal`.
  private func ownPhone(_ request: WebRequest) throws -> PairedPhone {
    let id = request.parameters["id"] ?? ""
    guard try request.isOfThisMachine || gate.phone(of: request)?.id == id else {
      throw PhoneRefusal.onDevice
    }
    guard let phone = try gate.book.register().phones.first(where: { $0.id == id }) else {
      throw PhoneRefusal.notPaired
    }
    return phone
  }

  // MARK: pairing

  private func pairing(_ register: PhoneRegister, _ reader: Reader) -> HTML {
    let now = gate.clock.deviceTime
    let holds = register.code?.holds(at: now) == true
    let begin: HTML = """
      <form method="post" action="/phones/code">\(reader.request.formField)
      <p class="actions"><button class="button primary">\(holds ? t("New code") : t("Pair a phone"))</button></p></form>
      """
    let fault: HTML? = desk.fault.map { "<p class=\"notice notice-error\">\(t($0))</p>" }
    let paired: HTML? = register.code?.phone.flatMap { id in
      register.phones.first { $0.id == id }
    }.map { "<p class=\"notice notice-success\" role=\"status\">\(t("Paired: {1}", $0.name))</p>" }
    return """
      <section class="card"><h2>\(t("Pair a phone"))</h2>\(fault)\(paired)\(holds ? code(register) : hint)\(begin)</section>
      """
  }

  /// Returns a fingerprint as phones show it, in pairs of digits.
  private static func grouped(_ fingerprint: String) -> String {
    let digits = Array(fingerprint.uppercased())
    return stride(from: 0, to: digits.count, by: 2).map {
      String(digits[$0..<min($0 + 2, digits.count)])
    }
    .joined(separator: ":")
  }

  private var hint: HTML {
    """
    <ol><li>\(t("Bring the phone into the same network: the same Wi-Fi, or a hotspot of one of the two."))</li>
    <li>\(t("Press the button, and read the code with the phone's camera."))</li>
    <li>\(t("Follow the page that opens on the phone."))</li></ol>
    """
  }

  private func code(_ register: PhoneRegister) -> HTML {
    // A command may have made another one since.
    guard let code = desk.shown, Token.digest(code.text) == register.code?.digest else {
      return "<p>\(t("A command has made a code: it is shown in its terminal."))</p>"
    }
    let invitation = readable("phones", { try desk.invitation(code) }).flatMap(\.self)
    guard let invitation else {
      return
        "<p class=\"notice notice-warning\">\(t("This device is in no network: connect it to a Wi-Fi, or make a hotspot."))</p>"
    }
    let left = register.code.map {
      max(
        0,
        ($0.expires.millisecondsSince1970 - gate.clock.deviceTime.millisecondsSince1970) / 60_000)
    }
    let name: HTML? =
      switch desk.nameStanding {
      case .published: "<dt>\(t("Name"))</dt><dd>\(DeviceNetwork.commonName)</dd>"
      case .taken:
        "<dt>\(t("Name"))</dt><dd>\(t("none: another device here has the name {1}. Phones find this one by its address.", DeviceNetwork.commonName))</dd>"
      case .unavailable: nil
      }
    return """
      <div class="pairing">\(CodePicture.svg(invitation.url, label: t("QR code that pairs a phone")))
      <dl class="facts"><dt>\(t("Address"))</dt><dd>\(invitation.url.prefix { $0 != "#" })</dd>
      <dt>\(t("Code"))</dt><dd><code class="code">\(code.description)</code></dd>
      \(name)<dt>\(t("Valid"))</dt><dd>\(t("for one phone, {1} minutes more", Int(left ?? 0) + 1))</dd>
      <dt>\(t("Fingerprint of this device"))</dt><dd><code class="digest">\(Self.grouped(invitation.fingerprint))</code></dd></dl></div>
      """
  }
}
