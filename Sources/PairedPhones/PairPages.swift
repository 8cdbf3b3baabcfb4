import FieldPages
import FieldUnit
import Guide
import Inspection
import TimeAndText
import Web

/// The page on which a phone enters its code: all that a browser without a session sees.
struct PairPages: FieldPage {
  static let path = "/pair"
  /// Where a phone that came by an address asks, by the name, whose name it is.
  static let whoPath = "/device.json"
  static let script = Asset(file: "/assets/pair.js", [PackageResources.pair_js])

  let gate: PhoneGate
  let desk: PhoneDesk
  var server: FieldServer { gate.server }
  let help = GuidePart.fieldPhones

  func add(to routes: inout Routes) {
    routes.get("/pair") { request in
      if request.isOfThisMachine { return .redirect("/phones") }
      if try gate.phone(of: request) != nil { return .redirect("/") }
      return .page(form(request))
    }
    routes.post("/pair") { request in
      let entered = try await request.form()
      do {
        let token = try gate.pair(
          entered["code"] ?? "", name: entered["name"] ?? "", line: request.line)
        return WebResponse.redirect("/?done=paired")
          .settingSession(token: token, maxAgeSeconds: PhoneGate.sessionSeconds)
      } catch let refusal as PhoneRefusal {
        return .page(form(request, entered, refusal), status: refusal.status)
      }
    }
    routes.get("/device.json") { _ in
      WebResponse.bytes(
        Array("{\"fingerprint\": \"\(try desk.authorityFingerprint())\"}".utf8),
        mediaType: "application/json"
      )
      .setting(header: "Access-Control-Allow-Origin", to: "*")
      .setting(header: "Cache-Control", to: "no-store")
    }
    routes.get(Self.script.path) { Self.script.response(to: $0) }
  }

  private func form(
    _ request: WebRequest, _ entered: WebForm? = nil, _ refusal: PhoneRefusal? = nil
  ) -> HTML {
    outside(
      request, title: t("Pair this phone"),
      notice: refusal.map { PageFrame.Notice(kind: .error, text: t($0.wording)) },
      scripts: [Self.script.href],
      """
      <section class="card"><h1>\(t("Pair this phone"))</h1>
      <p>\(t("With its code, this phone works as the inspector who is signed in on the field unit."))</p>
      <form class="fields" id="pair" method="post" action="\(Self.path)">\(request.formField)
      <label>\(t("Name of this phone"))<input name="name" value="\(entered?["name"] ?? "")" maxlength="\(PhoneRegister.nameCharactersAtMost)" required data-android="\(t("Android phone"))" data-ios="\(t("iPhone"))" data-other="\(t("Phone"))"></label>
      <label>\(t("Code from the field unit"))<input name="code" value="\(entered?["code"] ?? "")" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="60" required></label>
      <p class="hint">\(t("The field unit shows it under Settings, Phones. It pairs one phone, within 10 minutes."))</p>
      <p class="actions"><button class="button primary">\(t("Pair"))</button></p></form></section>
      """)
  }
}
