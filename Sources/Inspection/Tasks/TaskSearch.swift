import Foundation

/// The search for the one task that a person means at a terminal, by its identifier, its name, or the
/// beginning of either.
public enum TaskSearch {
  /// The outcome of a search.
  public enum Outcome: Hashable, Sendable {
    /// Exactly one task fits.
    case one(Identifier)
    /// No task fits.
    case none
    /// Several tasks fit: their names and identifiers, in the order in which they were given.
    case several([Candidate])
  }

  /// A task by which a person may be understood.
  public struct Candidate: Hashable, Sendable {
    /// The task's identifier.
    public let id: Identifier
    /// The task's name.
    public let name: String

    /// Creates a candidate.
    public init(id: Identifier, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// Finds the task that `text` means. A whole identifier or a whole name counts before beginnings;
  /// case and accents do not matter.
  public static func find(_ text: String, among tasks: [Candidate]) -> Outcome {
    let asked = folded(text)
    guard !asked.isEmpty else { return .none }
    let tries: [(Candidate) -> Bool] = [
      { $0.id.description == asked }, { folded($0.name) == asked },
      { $0.id.description.hasPrefix(asked) || folded($0.name).hasPrefix(asked) },
    ]
    for fits in tries {
      let found = tasks.filter(fits)
      if let first = found.first { return found.count == 1 ? .one(first.id) : .several(found) }
    }
    return .none
  }

  private static func folded(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespaces)
      .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
