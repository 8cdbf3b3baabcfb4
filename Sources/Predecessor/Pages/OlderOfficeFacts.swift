import Evidence
import Guide
import Inspection
import Office
import OfficeFrame
import OfficePages
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// The older office's notes on a thing that was carried over.
struct OlderOfficeFacts: OfficePage {
  let office: OfficeServer
  let help = GuidePart.phonePhoto

  /// The most characters of one value that are shown.
  private static let charactersAtMost = 4000

  /// Returns the older office that a thing came from, and its notes on it; nil for a thing that
  /// came here first.
  func facts(
    of kind: CarriedOver.Kind, _ id: Identifier, _ reader: Reader
  ) async throws -> HTML? {
    let carried = try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.phones.carriedOver(kind, subject: id.description)
    }
    guard let carried else { return nil }
    let facts = (try? JSONValue(parsing: Array(carried.facts.utf8))) ?? .null
    var rows: [HTML] = []
    if case .object(let members) = facts {
      rows = members.sorted { $0.key < $1.key }.map { name, value in
        let text = value.text ?? ""
        let shown = text.prefix(Self.charactersAtMost)
        return """
          <dt><code>\(name)</code></dt><dd><code>\(shown + (shown.count < text.count ? " …" : ""))</code></dd>
          """
      }
    }
    let words = t.html(
      "This came from an older office as {1}, on {2}. Its notes were not checked here.",
      carried.reference, t.time(carried.time))
    return """
      <p class="notice notice-note">\(words)</p>
      <details><summary>\(t("Notes of the older office"))</summary>
      <div class="sent"><dl class="facts">\(rows)</dl></div></details>
      """
  }
}
