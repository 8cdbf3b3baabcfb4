import FieldUnit
import TimeAndText
import Web

/// The one page without TLS. It explains how a phone trusts this device's certificate, and hands the
/// phone on to the page over TLS.
struct TrustPage: Sendable {
  static let script = Asset(file: "/assets/trust.js", [PackageResources.trust_js])

  let desk: PhoneDesk
  /// The port of the pages over TLS, and that of this page.
  let ports: (secure: Int, plain: Int)
  /// Returns the name or address by which a request asks for this device.
  let host: @Sendable (WebRequest) -> String?

  /// The pages over TLS by the device's name, which not every phone finds.
  private var byName: String { "https://\(DeviceNetwork.commonName):\(ports.secure)" }

  private var t: Texts { .current }

  /// Returns the table of the page and its files.
  var routes: Routes {
    var routes = Routes()
    routes.get("/") { request in WebResponse.page(html(request)).connecting(to: [byName]) }
    routes.get("/field-unit.crt") { _ in
      // Phones offer to trust what comes under this type.
      WebResponse.bytes(try desk.authorityBytes(), mediaType: "application/x-x509-ca-cert")
        .setting(header: "Cache-Control", to: "no-store")
    }
    for asset in [Self.script, PhonePages.style] {
      routes.get(asset.path) { asset.response(to: $0) }
    }
    return routes
  }

  /// Returns the page of a problem: there is only one page here.
  func problem(_ problem: Problem, _ request: WebRequest) -> HTML {
    frame(
      t.title(of: problem),
      "<section class=\"card\"><h1>\(t.title(of: problem))</h1><p>\(t.detail(of: problem))</p></section>"
    )
  }

  private func frame(_ title: String, _ main: HTML) -> HTML {
    PageFrame.html(
      title: title, side: .field, language: t.language, navigation: [], person: nil, signOut: nil,
      help: nil, notices: [], main: main, scripts: [Self.script.href],
      styleSheets: [PhonePages.style.href])
  }

  private func html(_ request: WebRequest) -> HTML {
    let secure = host(request).map { "https://\($0):\(ports.secure)" } ?? "/"
    return frame(
      t("Pair this phone"),
      """
      <section class="card"><h1>\(t("Pair this phone"))</h1>
      <p class="notice notice-warning" data-portal hidden>\(t("This window has no camera. Read the field unit's QR code again with the phone's camera, or open this address in your browser:")) <code data-address>\(request.origin)</code></p>
      <p>\(t("The phone's camera works only on a connection that the phone trusts. Either let it trust this device for good, or go on once without."))</p>
      <p class="actions"><a class="button primary" href="\(secure)/pair" data-secure="\(secure)/pair" data-named="\(byName)\(PairPages.path)" data-ask="\(byName)\(PairPages.whoPath)">\(t("Go on"))</a>
      <a class="button" href="/field-unit.crt">\(t("Get the certificate"))</a></p>
      <p class="hint">\(t("Fingerprint of the certificate, to compare with the phone's:")) <span data-fingerprint>\(t("see the field unit's page"))</span></p></section>
      <section class="card"><details data-system="android"><summary>\(t("Android: three steps"))</summary>\(steps(.android))</details>
      <details data-system="ios"><summary>\(t("iPhone and iPad: three steps"))</summary>\(steps(.ios))</details></section>
      """)
  }

  // MARK: the steps

  private enum System { case android, ios }

  private func steps(_ system: System) -> HTML {
    let steps: [(lines: [String], pressed: String, words: String)] =
      switch system {
      case .android:
        [
          (
            ["⚠", t("Not private")], t("Advanced"),
            t("Once: press Go on. The browser warns: press Advanced, then Proceed.")
          ),
          (
            [t("Settings"), t("Security")], t("CA certificate"),
            t(
              "For good: press Get the certificate, then in Settings, Security, More, Install a certificate, choose CA certificate."
            )
          ),
          (
            ["field-unit.crt"], t("Install anyway"),
            t("Choose field-unit.crt, and install it. Then press Go on.")
          ),
        ]
      case .ios:
        [
          (
            ["⚠", t("Not private")], t("Show details"),
            t("Once: press Go on. Safari warns: press Show details, then visit this website.")
          ),
          (
            [t("Settings"), t("Profile downloaded")], t("Install"),
            t(
              "For good: press Get the certificate, and allow it. In Settings, Profile downloaded, press Install."
            )
          ),
          (
            [t("Settings"), t("Certificate trust")], t("Field unit: on"),
            t(
              "In Settings, General, About, Certificate Trust Settings, switch Field unit on. Then press Go on."
            )
          ),
        ]
      }
    let items = steps.map { step in
      "<li>\(Self.picture(step.lines, pressed: step.pressed))<p>\(step.words)</p></li>" as HTML
    }
    return "<ol class=\"steps\">\(items)</ol>"
  }

  /// Returns the picture of a phone's screen, with the place to press.
  private static func picture(_ lines: [String], pressed: String) -> HTML {
    let rows = lines.enumerated().map { index, line in
      """
      <rect class="bar" x="8" y="\(String(10 + index * 30))" width="164" height="24" rx="4"/>\
      <text x="16" y="\(String(27 + index * 30))">\(line)</text>
      """ as HTML
    }
    return """
      <svg viewBox="0 0 180 110" aria-hidden="true"><rect class="screen" width="180" height="110"/>\(rows)\
      <rect class="pressed" x="8" y="76" width="164" height="26" rx="4"/>\
      <text class="on-pressed" x="90" y="94" text-anchor="middle">\(pressed)</text></svg>
      """
  }
}
