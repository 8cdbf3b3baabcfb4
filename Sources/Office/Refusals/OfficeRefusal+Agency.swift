import Inspection
import Store
import TimeAndText

extension OfficeRefusal {
  /// Returns the refusal of a name that no agency has, with the names that agencies have.
  package static func noAgency(_ name: String, among known: [Agency]) -> OfficeRefusal {
    guard !known.isEmpty else {
      return OfficeRefusal(
        .unknown, "there is no agency yet: standpoint office agency add \(name) adds one")
    }
    // A terminal's line holds some of them.
    let names = known.map(\.name).sorted()
    let listed = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
    return OfficeRefusal(.unknown, "there is no agency \(name); choose one of \(listed)")
  }
}
