import Evidence
import FieldUnit
import Foundation
import Guide
import Inspection
import Positioning
import Receivers
import TimeAndText
import Web

// Map, tracks and photos all use the same receiver: only this page chooses it.

/// The page on which the receiver is chosen, tested and paired.
struct ReceiverPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.receiver

  func add(to routes: inout Routes) {
    routes.get("/settings/receiver") { request in
      try await reading(request) { try await receiver($0) }
    }
    routes.post("/settings/receiver") { request in
      try await reading(request) { reader in
        let text = try await request.form()["receiver"] ?? ""
        do {
          try await server.useReceiver(text)
          return .redirect("/settings/receiver?done=receiver")
        } catch let error as ReceiverError {
          return try await receiver(reader, given: text, refusal: t(error.wording))
        }
      }
    }
    routes.post("/settings/test") { request in
      try await reading(request) { reader in
        guard let follower = server.follower else { return try await receiver(reader) }
        let outcome = try await follower.survey(seconds: server.surveySeconds)
        return try await receiver(reader, below: survey(outcome))
      }
    }
    BluetoothPages(server: server).add(to: &routes)
  }

  func receiver(
    _ reader: Reader, given: String? = nil, refusal: String? = nil, below: HTML = ""
  ) async throws -> WebResponse {
    let source = server.follower.map { "\($0.source)" }
    return page(
      t("Receiver"), reader, current: "/",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? [],
      status: refusal == nil ? 200 : 422,
      refreshSeconds: reader.request.method == "GET" && BluetoothPages(server: server).isPairing
        ? 2 : nil,
      """
      <p><a href="/settings">\(t("Settings"))</a></p>
      <h1>\(t("Receiver"))</h1>
      <section class="card" data-live="/live/light" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(await CameraPages(server: server).lightFragment())</section>\(BluetoothPages(server: server).pairing(reader))\(below)
      <section class="card"><h2>\(t("The receiver in use"))</h2>
      <p>\(t("One receiver serves the gate, photos and tracks. The field unit reconnects to it by itself; it changes only if you choose another one here."))</p>
      <form class="fields" method="post" action="/settings/receiver">\(reader.request.formField)
      <label>\(t("Receiver"))<input name="receiver" required autocapitalize="none" autocomplete="off" spellcheck="false"
      value="\(given ?? source ?? "")" placeholder="gpsd://localhost:2947"></label>
      <p class="hint"><code>gpsd://localhost:2947</code>, <code>serial:///dev/ttyACM0?baud=115200</code>,
      <code>bluetooth://AA:BB:CC:DD:EE:FF</code>, <code>tcp://192.168.1.5:9001</code></p>
      <p class="actions"><button class="button primary" data-confirm="\(t("Change the receiver? A photo in progress is cancelled, and sampling starts again."))">\(t("Use this receiver"))</button></p></form>
      <form method="post" action="/settings/test">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Test it"))</button>
      <span class="muted">\(t("listens for a few seconds"))</span></p></form></section>
      <section class="card"><h2>\(t("Bluetooth"))</h2>
      <form method="post" action="/settings/scan">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Find receivers"))</button>
      <span class="muted">\(t("takes a few seconds; the receiver must be switched on and visible"))</span></p></form></section>
      """)
  }

  private func survey(_ outcome: ReceiverSurvey.Outcome) -> HTML {
    var facts: [(String, HTML)] = []
    let kinds = outcome.sentencesText
    if !kinds.isEmpty { facts.append((t("Sentences"), .text(kinds))) }
    if let rate = outcome.epochsPerSecond {
      facts.append((t("Fixes per second"), .text(t.decimal(rate, places: 1))))
    }
    if let fix = outcome.fixWording { facts.append((t("Fix"), .text(t(fix)))) }
    let heard = outcome.capability.constellations.map(\.name).joined(separator: ", ")
    if !heard.isEmpty { facts.append((t("Constellations"), .text(heard))) }
    let findings = outcome.findings.map { finding -> HTML in
      let style =
        switch finding.weight {
        case .unusable: "light light-bad"
        case .poor: "light light-warn"
        case .note: "muted"
        }
      return "<p class=\"\(style)\">\(t(finding.wording))</p>"
    }
    return """
      <section class="card"><h2>\(t("Test"))</h2>
      <p class="light \(outcome.willDo ? "light-good" : "light-bad")">\(outcome.willDo ? t("This receiver is good enough.") : t("This receiver is not good enough yet."))</p>
      \(findings)\(HTML.facts(facts))</section>
      """
  }
}
