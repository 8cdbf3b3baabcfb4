import Evidence
import FieldUnit
import Foundation
import Guide
import Inspection
import Positioning
import Receivers
import TimeAndText
import Web

/// The part of the settings page that tells if the radio surroundings are recorded, and shows them.
struct SurroundingsPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.surroundings

  func add(to routes: inout Routes) {
    routes.post("/settings/surroundings") { request in
      try await reading(request) { reader in
        do {
          return try SettingsPages(server: server).settings(
            reader, above: list(try await reader.unit.radio.hear(looksAround: true)))
        } catch let failure as RadioFailure {
          return try SettingsPages(server: server).settings(reader, refusal: t(failure.wording))
        }
      }
    }
  }

  /// Returns the section on the radio surroundings, so that each inspector knows if the agency has
  /// them recorded.
  func surroundings(_ reader: Reader) throws -> HTML {
    let isOn = try reader.unit.policy()?.policy.readsSurroundings == true
    return """
      <section class="card"><h2>\(t("Radio surroundings"))</h2>
      <p>\(isOn
        ? t("Your agency has turned this on: each photo also records which mobile cells and Wi-Fi access points were heard. They go to your office with the photo's record.")
        : t("Off: your agency has not turned it on. Photos do not record mobile cells and Wi-Fi."))</p>
      <form method="post" action="/settings/surroundings">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Show cells and Wi-Fi"))</button>
      <span class="muted">\(t("only shown here, not saved"))</span></p></form></section>
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
        cell.signalDecibelMilliwatts.map { "\(t.decimal($0, places: 0)) dBm" },
      ].compactMap(\.self).joined(separator: ", ")
      return "<li>\(words)</li>"
    }
    let points = fresh.accessPoints.map { one -> HTML in
      let words = [
        one.channel.map { t("channel {1}", $0) }, one.signalPercent.map { "\($0) %" },
        t("{1} s ago", t.decimal(max(0, now.seconds(since: one.heard)), places: 0)),
      ].compactMap(\.self).joined(separator: ", ")
      return "<li><code>\(one.address)</code> \(words)</li>"
    }
    let remarks = heard.remarks.map { "<p class=\"muted\">\(t($0))</p>" as HTML }
    return """
      <section class="card"><h2>\(t("Heard"))</h2><p>\(t("{1} cells, {2} access points", cells.count, points.count))</p>
      \(remarks)<ul>\(cells)\(points)</ul></section>
      """
  }
}
