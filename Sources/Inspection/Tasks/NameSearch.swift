import Foundation

/// The search for the one thing that a person means at a terminal, by its identifier, its name, or
/// the beginning of either.
public enum NameSearch {
  /// The outcome of a search.
  public enum Outcome<Thing: Sendable>: Sendable {
    /// Exactly one thing fits.
    case one(Thing)
    /// Nothing fits.
    case none
    /// Several things fit, in the order in which they were given.
    case several([Thing])
  }

  /// Finds the thing that `text` means. A whole name counts before beginnings, and an earlier name
  /// before a later one; case and accents do not matter.
  /// - Parameter names: returns the names of a thing, such as its identifier and its title.
  public static func find<Thing: Sendable>(
    _ text: String, among things: [Thing], names: (Thing) -> [String]
  ) -> Outcome<Thing> {
    let asked = folded(text)
    guard !asked.isEmpty else { return .none }
    let known = things.map { (thing: $0, names: names($0).map(folded)) }
    let most = known.map(\.names.count).max() ?? 0
    var found: [Thing] = []
    for place in 0..<most where found.isEmpty {
      found = known.filter { $0.names.dropFirst(place).first == asked }.map(\.thing)
    }
    if found.isEmpty {
      found = known.filter { $0.names.contains { $0.hasPrefix(asked) } }.map(\.thing)
    }
    guard let first = found.first else { return .none }
    return found.count == 1 ? .one(first) : .several(found)
  }

  private static func folded(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespaces)
      .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
