import Inspection
import Sync
import TimeAndText

/// The items of a task's order with all that was given for them.
public struct ExportedItems: Hashable, Sendable {
  /// The items.
  public var order: OrderedItems
  /// The standing of the items.
  public var standing: ItemStanding
  /// The things that count for the items.
  public var given: GivenItems
  /// The reasons of the items that the office has returned last, by item.
  public var returned: [ItemName: String]
  /// Each word of the inspector on an item, those that do not count too, the oldest first.
  public var answers: [ExportedAnswer]

  /// Creates the items of a task.
  public init(
    order: OrderedItems, standing: ItemStanding, given: GivenItems, verdicts: ItemVerdicts,
    answers: [ExportedAnswer]
  ) {
    (self.order, self.standing, self.given) = (order, standing, given)
    returned = verdicts.reasons
    self.answers = answers
  }

  /// The items in their order, each as a row.
  func rows(of task: InspectionTask) -> [ExportedItem] {
    zip(order.items.items, standing.states).enumerated().map { index, pair in
      ExportedItem(task: task, number: index + 1, item: pair.0, state: pair.1.state, items: self)
    }
  }

  /// Returns the value that counts for a question; nil if it has none, or is not asked.
  func value(of name: ItemName) -> AnswerValue? {
    guard standing.states.contains(where: { $0.name == name && $0.state == .done }),
      case .value(let value) = given.answers[name]
    else { return nil }
    return value
  }
}

/// One item of a task's order.
public struct ExportedItem {
  let task: InspectionTask
  let number: Int
  let item: OrderItem
  let state: ItemStanding.State
  let items: ExportedItems

  /// The last word on the item, as the record has it; nil if there is none that counts.
  var answer: ExportedAnswer? {
    items.answers.last { $0.sealed.item == item.name && $0.counts }
  }
}

/// An inspector's word on an item of a task.
public struct ExportedAnswer: Hashable, Sendable {
  /// The word as it was sealed.
  public var sealed: SealedAnswer
  /// The login of who gave it.
  public var inspector: String
  /// The time at which the office received it; nil on the device.
  public var received: DeviceTime?
  /// True if it is the word that counts for its item.
  public var counts: Bool
  /// True if it came after the task's decision.
  public var isLate: Bool

  /// Creates an answer.
  public init(
    _ sealed: SealedAnswer, inspector: String, received: DeviceTime? = nil, counts: Bool,
    isLate: Bool = false
  ) {
    (self.sealed, self.inspector, self.received) = (sealed, inspector, received)
    (self.counts, self.isLate) = (counts, isLate)
  }
}
