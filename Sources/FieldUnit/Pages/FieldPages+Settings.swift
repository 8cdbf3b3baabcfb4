import Evidence
import Foundation
import Inspection
import Positioning
import Receivers
import Web

extension FieldPages {
  func addSettings(to routes: inout Routes) {
    routes.get("/settings") { request in
      try await reading(request) { try await settings($0) }
    }
    routes.post("/settings/receiver") { request in
      try await reading(request) { reader in
        let text = try await request.form()["receiver"] ?? ""
        do {
          try await server.useReceiver(text)
          return .redirect("/settings?done=receiver")
        } catch let error as ReceiverError {
          return try await settings(reader, given: text, refusal: t(error.wording))
        }
      }
    }
    routes.post("/settings/test") { request in
      try await reading(request) { reader in
        guard let follower = server.follower else { return try await settings(reader) }
        let outcome = try await follower.survey(seconds: server.surveySeconds)
        return try await settings(reader, below: survey(outcome))
      }
    }
    routes.post("/settings/surroundings") { request in
      try await reading(request) { reader in
        do {
          return try await settings(
            reader, below: list(try await reader.unit.radio.hear(looksAround: true)))
        } catch let failure as RadioFailure {
          return try await settings(reader, refusal: t(failure.wording))
        }
      }
    }
    routes.post("/settings/removal") { request in
      try await reading(request) { reader in
        let text = try await request.form()["days"] ?? ""
        guard text.isEmpty || Int(text) != nil else {
          throw FieldUnitError.malformedSetting(
            name: "Days", reason: "it is a number of days from 0 to 3650, or empty")
        }
        try reader.unit.setRemovalDays(Int(text))
        return .redirect("/settings?done=rule")
      }
    }
    addBluetooth(to: &routes)
  }

  // MARK: parts

  func settings(
    _ reader: Reader, given: String? = nil, refusal: String? = nil, below: HTML = ""
  ) async throws -> WebResponse {
    let source = server.follower.map { "\($0.source)" }
    return page(
      t("Settings"), reader, current: "/",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? [],
      status: refusal == nil ? 200 : 422,
      refreshSeconds: reader.request.method == "GET" && isPairing ? 2 : nil,
      """
      <h1>\(t("Settings"))</h1>
      <section class="card" data-live="/live/light" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(await lightFragment())</section>\(pairing(reader))\(below)
      <section class="card"><h2>\(t("Receiver"))</h2>
      <p>\(t("One receiver serves gate, photos and tracks alike. It is followed for ever and comes back by itself; only what you choose here changes it."))</p>
      <form class="fields" method="post" action="/settings/receiver">\(reader.request.formField)
      <label>\(t("Receiver"))<input name="receiver" required autocapitalize="none" autocomplete="off" spellcheck="false"
      value="\(given ?? source ?? "")" placeholder="gpsd://localhost:2947"></label>
      <p class="hint"><code>gpsd://localhost:2947</code>, <code>serial:///dev/ttyACM0?baud=115200</code>,
      <code>bluetooth://AA:BB:CC:DD:EE:FF</code>, <code>tcp://192.168.1.5:9001</code></p>
      <p class="actions"><button class="button primary" data-confirm="\(t("Change the receiver? A photo in progress is broken off, and the samples begin anew."))">\(t("Use this receiver"))</button></p></form>
      <form method="post" action="/settings/test">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Test it"))</button>
      <span class="muted">\(t("listens for some seconds"))</span></p></form></section>
      <section class="card"><h2>\(t("Bluetooth"))</h2>
      <form method="post" action="/settings/scan">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Look for receivers"))</button>
      <span class="muted">\(t("takes some seconds; the receiver has to be switched on and visible"))</span></p></form></section>
      \(try rules(reader))\(try removal(reader))\(try surroundings(reader))
      """)
  }

  /// What the agency has laid down, as far as it differs from the defaults.
  private func rules(_ reader: Reader) throws -> HTML {
    guard let policy = try reader.unit.policy()?.policy else { return "" }
    func facts(_ rules: CaptureRules) -> HTML {
      HTML.facts(
        rules.rules.map { rule in
          (t(rule.title), rules[rule].map { .text(rule.words(of: $0) { t($0) }) })
        })
    }
    let types = policy.types.sorted { $0.key < $1.key }.map { type, rules -> HTML in
      "<h3>\(t("Tasks of type \"{1}\"", type))</h3>\(facts(rules))"
    }
    return """
      <section class="card"><h2>\(t("Your agency's rules"))</h2>
      <p class="muted">\(t("Revision {1} of {2}.", policy.revision, Self.time(policy.issued)))</p>
      \(policy.general.isEmpty ? "<p>\(t("For all tasks the defaults hold."))</p>" as HTML : facts(policy.general))\(HTML.joined(types, separator: ""))</section>
      """
  }

  /// When delivered photos leave the device.
  private func removal(_ reader: Reader) throws -> HTML {
    let rule = try reader.unit.removalRule()
    let agency =
      rule.agencyDays.map { t("Your agency has them leave after {1} days.", $0) }
      ?? t("Your agency has laid down nothing: what you set here holds.")
    return """
      <section class="card"><h2>\(t("Delivered photos"))</h2>
      <p>\(t("They stay on this device until you or your agency want the room. Then they leave when their task is decided, and when the office has read them again and found them whole."))
      \(agency)</p>
      <form class="fields" method="post" action="/settings/removal">\(reader.request.formField)
      <label>\(t("Days after the delivery"))<input name="days" inputmode="numeric" pattern="[0-9]{0,4}"
      value="\(rule.ownDays.map(String.init) ?? "")" placeholder="\(t("never"))"></label>
      <p class="actions"><button class="button">\(t("Keep this"))</button></p></form></section>
      """
  }

  /// What the agency has the device tell beside the receiver: nobody is listened to unawares.
  private func surroundings(_ reader: Reader) throws -> HTML {
    let isOn = try reader.unit.policy()?.policy.readsSurroundings == true
    return """
      <section class="card"><h2>\(t("Radio surroundings"))</h2>
      <p>\(isOn
        ? t("Your agency has turned this on: each photo also tells which mobile cells and Wi-Fi access points were heard. They go to your office with the photo's record.")
        : t("Off: your agency has not turned it on. Photos tell nothing of mobile cells and Wi-Fi."))</p>
      <form method="post" action="/settings/surroundings">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Show what is heard"))</button>
      <span class="muted">\(t("only here, nothing is kept"))</span></p></form></section>
      """
  }

  private func list(_ heard: RadioSurroundings) -> HTML {
    let now = server.clock.elapsed
    let fresh = heard.fresh(at: now)
    let cells = fresh.cells.map { cell -> HTML in
      let name = [cell.countryCode, cell.networkCode].compactMap(\.self).joined(separator: " ")
      let number = cell.cell ?? cell.physicalCell
      let words = [
        cell.technology.rawValue.uppercased(), cell.isServing ? t("serving") : t("neighbour"),
        name.isEmpty ? nil : name, number.map { "\($0)" },
        cell.signalDecibelMilliwatts.map { "\(DecimalText.fixed($0, places: 0)) dBm" },
      ].compactMap(\.self).joined(separator: ", ")
      return "<li>\(words)</li>"
    }
    let points = fresh.accessPoints.map { one -> HTML in
      let words = [
        one.channel.map { t("channel {1}", $0) }, one.signalPercent.map { "\($0) %" },
        t("{1} s ago", DecimalText.fixed(max(0, now.seconds(since: one.heard)), places: 0)),
      ].compactMap(\.self).joined(separator: ", ")
      return "<li><code>\(one.address)</code> \(words)</li>"
    }
    let remarks = heard.remarks.map { "<p class=\"muted\">\(t($0))</p>" as HTML }
    return """
      <section class="card"><h2>\(t("Heard"))</h2><p>\(t("{1} cells, {2} access points", cells.count, points.count))</p>
      \(remarks)<ul>\(cells)\(points)</ul></section>
      """
  }

  private func survey(_ outcome: ReceiverSurvey.Outcome) -> HTML {
    var facts: [(String, HTML)] = []
    let kinds = outcome.sentencesText
    if !kinds.isEmpty { facts.append((t("Sentences"), .text(kinds))) }
    if let rate = outcome.epochsPerSecond {
      facts.append((t("Fixes a second"), .text(DecimalText.fixed(rate, places: 1))))
    }
    if let fix = outcome.fixWording { facts.append((t("Fix"), .text(t(fix)))) }
    let heard = outcome.capability.constellations.map(\.name).joined(separator: ", ")
    if !heard.isEmpty { facts.append((t("Hears"), .text(heard))) }
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
      <p class="light \(outcome.willDo ? "light-good" : "light-bad")">\(outcome.willDo ? t("It will do.") : t("It will not do as it is."))</p>
      \(findings)\(HTML.facts(facts))</section>
      """
  }
}
