import Evidence
import Inspection
import Office
import OfficePages
import Positioning
import Store
import Sync
import Web

/// What an older office noted of something that was carried over.
struct OlderOfficeFacts: OfficePage {
  let office: OfficeServer

  /// More of one value is not shown.
  private static let charactersAtMost = 4000

  /// From which older office something came, and what that noted of it; nothing for what came here first.
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
    let words = t(
      "Carried over from an older office as {1}, on {2}. What that office noted is its word: nothing of it was checked here.",
      carried.reference, Self.time(carried.time))
    return """
      <p class="notice notice-note">\(words)</p>
      <details><summary>\(t("What the older office noted"))</summary>
      <div class="sent"><dl class="facts">\(rows)</dl></div></details>
      """
  }
}
