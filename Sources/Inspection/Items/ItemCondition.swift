/// The condition under which an item is asked for: data with a grammar of its own, of which nothing
/// is evaluated as code.
///
/// A comparison holds only if its question is asked for and has an answer; "not possible" is none. A
/// comparison with a question without an answer is false, and `not` of it is true, as in XLSForm.
public indirect enum ItemCondition: Hashable, Sendable {
  /// The answer is this value; of several choices, these and no others.
  case equals(ItemName, AnswerValue)
  /// The answer is one of these choices; of several choices, one of them is.
  case isOneOf(ItemName, Set<ItemName>)
  /// The answer, a number or a day, is less or earlier than this one.
  case less(ItemName, than: AnswerValue)
  /// The answer, a number or a day, is more or later than this one.
  case more(ItemName, than: AnswerValue)
  /// All of these hold; of none, too.
  case all([ItemCondition])
  /// One of these holds.
  case any([ItemCondition])
  /// This one does not hold.
  case not(ItemCondition)

  /// The most conditions within each other: a deeper one is nobody's wish.
  public static let depthAtMost = 16
  /// The most comparisons in one condition.
  public static let comparisonsAtMost = 200

  /// Returns true if the condition holds.
  /// - Parameter value: returns the answer to a question; nil if it has none, or is not asked for.
  public func holds(_ value: (ItemName) -> AnswerValue?) -> Bool {
    switch self {
    case .equals(let name, let wanted): return value(name) == wanted
    case .isOneOf(let name, let wanted):
      switch value(name) {
      case .choice(let chosen): return wanted.contains(chosen)
      case .several(let chosen): return !chosen.isDisjoint(with: wanted)
      default: return false
      }
    case .less(let name, let limit): return Self.isLess(value(name), limit)
    case .more(let name, let limit): return Self.isLess(limit, value(name))
    case .all(let parts): return parts.allSatisfy { $0.holds(value) }
    case .any(let parts): return parts.contains { $0.holds(value) }
    case .not(let part): return !part.holds(value)
    }
  }

  private static func isLess(_ one: AnswerValue?, _ other: AnswerValue?) -> Bool {
    switch (one, other) {
    case (.number(let one), .number(let other)): one < other
    case (.date(let one), .date(let other)): one < other
    default: false
    }
  }

  /// The comparisons of which it is made.
  public var comparisons: [ItemCondition] {
    switch self {
    case .equals, .isOneOf, .less, .more: [self]
    case .all(let parts), .any(let parts): parts.flatMap(\.comparisons)
    case .not(let part): part.comparisons
    }
  }

  /// The number of conditions within each other; 1 for a comparison.
  public var depth: Int {
    switch self {
    case .equals, .isOneOf, .less, .more: 1
    case .all(let parts), .any(let parts): 1 + (parts.map(\.depth).max() ?? 0)
    case .not(let part): 1 + part.depth
    }
  }

  /// The question that a comparison asks; nil for a condition of several.
  public var question: ItemName? {
    switch self {
    case .equals(let name, _), .isOneOf(let name, _), .less(let name, _), .more(let name, _): name
    case .all, .any, .not: nil
    }
  }

  /// Returns true if a comparison can be made with the answers to a question.
  func fits(_ question: Question) -> Bool {
    switch self {
    case .equals(_, let value): return question.allows(value)
    case .isOneOf(_, let names):
      let offered = Set(question.choices.map(\.name))
      return !names.isEmpty && names.isSubset(of: offered)
    case .less(_, let limit), .more(_, let limit):
      switch (question.form, limit) {
      case (.number, .number(let number)): return number.isFinite
      case (.date, .date): return true
      default: return false
      }
    case .all, .any, .not: return true
    }
  }
}
