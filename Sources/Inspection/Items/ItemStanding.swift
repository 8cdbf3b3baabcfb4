/// The standing of an order's items: which are asked for, which are done, and what is missing.
public struct ItemStanding: Hashable, Sendable {
  /// The standing of one item.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Its condition does not hold: nothing is asked for.
    case notAsked
    /// It is asked for, and not done.
    case open
    /// It is done.
    case done
    /// The inspector has said why it is not possible.
    case notPossible
  }

  /// One item with its state.
  public struct Entry: Hashable, Sendable {
    /// The item's name.
    public let name: ItemName
    /// The item's state.
    public let state: State
  }

  /// The state of each item, in their order.
  public let states: [Entry]
  /// The items without which the task cannot be sent, in their order.
  public let missing: [ItemName]

  /// Judges the items. A condition refers to items above only, so that one pass suffices. The answer
  /// to a question that is not asked for any more does not count, and is kept: the inspector may
  /// change their mind once more.
  /// - Parameter returned: the items that the office has returned. None of them may be left out, even
  ///   if the order does not require it.
  public init(of order: OrderItems, _ given: GivenItems, returned: Set<ItemName> = []) {
    var values: [ItemName: AnswerValue] = [:]
    var states: [Entry] = []
    var missing: [ItemName] = []
    for item in order.items {
      let isAsked = item.condition?.holds { values[$0] } ?? true
      let state = isAsked ? Self.state(of: item, given) : .notAsked
      if state == .done, item.question != nil, case .value(let value) = given.answers[item.name] {
        values[item.name] = value
      }
      if state == .open, item.isRequired || returned.contains(item.name) {
        missing.append(item.name)
      }
      states.append(Entry(name: item.name, state: state))
    }
    (self.states, self.missing) = (states, missing)
  }

  /// The items whose last word counts: they are asked for, and done or not possible.
  public var counting: Set<ItemName> {
    Set(states.filter { $0.state == .done || $0.state == .notPossible }.map(\.name))
  }

  /// True if nothing that is required is missing.
  public var isComplete: Bool { missing.isEmpty }

  /// The number of items that are asked for; words that are only read are not counted.
  public func asked(of order: OrderItems) -> Int {
    zip(order.items, states).count { $0.content != .words && $1.state != .notAsked }
  }

  /// The number of items that are done, or not possible.
  public func answered(of order: OrderItems) -> Int {
    zip(order.items, states).count {
      $0.content != .words && ($1.state == .done || $1.state == .notPossible)
    }
  }

  private static func state(of item: OrderItem, _ given: GivenItems) -> State {
    if case .notPossible(let reason) = given.answers[item.name], !InspectionTask.isBlank(reason) {
      return .notPossible
    }
    return isDone(item, given) ? .done : .open
  }

  private static func isDone(_ item: OrderItem, _ given: GivenItems) -> Bool {
    switch item.content {
    case .question(let question):
      guard case .value(let value) = given.answers[item.name] else { return false }
      return question.allows(value)
    case .note:
      guard case .value(.text(let text)) = given.answers[item.name] else { return false }
      return Question(.text).allows(.text(text))
    case .shot(let shot):
      if let set = shot.set { return given.sets[item.name]?.contains(where: set.isMet) ?? false }
      return given.photos[item.name]?.count ?? 0 >= shot.least
    case .track: return given.tracks[item.name]?.isEmpty == false
    case .words: return true
    }
  }
}
