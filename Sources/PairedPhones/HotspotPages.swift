import CodeDrawing
import FieldPages
import FieldUnit
import Guide
import Inspection
import TimeAndText
import Web

/// The page that asks before this device makes a Wi-Fi of its own, and the hotspot's part of the page of phones.
struct HotspotPages: FieldPage {
  static let path = "/hotspot"

  /// The fields of the form that starts it: what its page has told.
  private enum Field {
    static let radio = "radio"
    static let ends = "ends"
  }

  let gate: PhoneGate
  let desk: PhoneDesk
  let hotspot: HotspotDesk
  var server: FieldServer { gate.server }
  let help = GuidePart.fieldPhones

  func add(to routes: inout Routes) {
    routes.get("/hotspot") { request in
      try await reading(request) { reader in
        guard request.isOfThisMachine else { throw PhoneRefusal.onDevice }
        return try await question(reader)
      }
    }
    routes.post("/hotspot/start") { request in
      try await reading(request) { _ in
        guard request.isOfThisMachine else { throw PhoneRefusal.onDevice }
        let form = try await request.form()
        // A network's name may be anything, even blanks.
        let ends = form.exact(Field.ends) ?? ""
        hotspot.start(
          expecting: Hotspot.Outlook(
            radio: form[Field.radio] ?? "", isUp: false, ends: ends.isEmpty ? nil : ends)
        ) { lookAround() }
        return .redirect("/phones")
      }
    }
    routes.post("/hotspot/stop") { request in
      try await reading(request) { _ in
        guard request.isOfThisMachine else { throw PhoneRefusal.onDevice }
        await hotspot.stop()
        lookAround()
        return .redirect("/phones")
      }
    }
  }

  /// The certificate gets the hotspot's address before the first phone asks for it.
  private func lookAround() {
    do {
      try desk.look(at: gate.clock.deviceTime)
    } catch {
      server.log.note("phones: \(error)")
    }
  }

  // MARK: the question

  private func question(_ reader: Reader) async throws -> WebResponse {
    let content: HTML
    do {
      let outlook = try await hotspot.outlook()
      if outlook.isUp { return .redirect("/phones") }
      content = question(outlook, reader.request)
    } catch let failure as HotspotFailure {
      content = """
        <p class="notice notice-warning">\(t(failure.wording))</p>
        <p class="actions"><a class="button" href="\(Self.path)">\(t("Try again"))</a> <a class="button quiet" href="/phones">\(t("Back"))</a></p>
        """
    }
    return page(
      t("Make a hotspot"), reader, current: "/",
      """
      <div class="heading"><h1>\(t("Make a hotspot"))</h1></div><section class="card">\(content)</section>
      """)
  }

  private func question(_ outlook: Hotspot.Outlook, _ request: WebRequest) -> HTML {
    let ends: HTML? = outlook.ends.map {
      "<p class=\"notice notice-warning\">\(t("This device leaves the Wi-Fi {1}. If it reaches the office over it, deliveries wait until the hotspot ends.", $0))</p>"
    }
    return """
      <p>\(t("This device makes a Wi-Fi of its own with {1}, for {2} phones at most. Its name and password stay the same, so a phone that joined once comes back by itself.", outlook.radio, PhoneRegister.phonesAtMost))</p>
      <p>\(t("Phones in it also use this device's other connection to the internet, if it has one. It needs no internet itself."))</p>\(ends)
      <form method="post" action="\(Self.path)/start">\(request.formField)\
      <input type="hidden" name="\(Field.radio)" value="\(outlook.radio)"><input type="hidden" name="\(Field.ends)" value="\(outlook.ends ?? "")">
      <p class="actions"><button class="button primary">\(t("Make the hotspot"))</button> <a class="button quiet" href="/phones">\(t("Cancel"))</a></p></form>
      """
  }

  // MARK: its part of the page of phones

  /// Returns the hotspot as it is now, with what can be done.
  func part(_ request: WebRequest) -> HTML {
    let content: HTML =
      switch hotspot.stage {
      case .down: offer(t("Make a hotspot"))
      case .rising:
        "<p role=\"status\">\(t("The hotspot is coming up. This takes some seconds."))</p>"
      case .up(let access): joining(access, request)
      case .failed(let words):
        "<p class=\"notice notice-error\" role=\"alert\">\(t(words))</p>\(offer(t("Try again")))"
      }
    return "<section class=\"card\"><h2>\(t("Hotspot"))</h2>\(content)</section>"
  }

  private func offer(_ words: String) -> HTML {
    """
    <p>\(t("Is there no Wi-Fi that both are in? This device can make one."))</p>
    <p class="actions"><a class="button" href="\(Self.path)">\(words)</a></p>
    """
  }

  private func joining(_ access: HotspotAccess, _ request: WebRequest) -> HTML {
    """
    <p>\(t("Read this code with the phone's camera to join, and then pair the phone. If the phone says that this Wi-Fi has no internet, stay in it."))</p>
    <div class="pairing">\(CodePicture.svg(access.joiningText, label: t("QR code that joins the hotspot")))
    <dl class="facts"><dt>\(t("Name of the Wi-Fi"))</dt><dd>\(access.name)</dd>
    <dt>\(t("Password"))</dt><dd><code class="code">\(access.password)</code></dd></dl></div>
    <form method="post" action="\(Self.path)/stop">\(request.formField)
    <p class="actions"><button class="button">\(t("End the hotspot"))</button></p></form>
    """
  }
}
