import Inspection
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
    returned = Dictionary(
      verdicts.last.compactMap { one in one.returned.map { (one.item, $0) } }
    ) { first, _ in first }
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
    items.answers.last { $0.item == item.name && $0.counts }
  }
}

/// An inspector's word on an item of a task.
public struct ExportedAnswer: Hashable, Sendable {
  /// The record.
  public var id: Identifier
  /// The task.
  public var task: Identifier
  /// The item.
  public var item: ItemName
  /// The type of tasks whose template the item is in.
  public var type: String
  /// The version of that template, from 1.
  public var version: Int
  /// The wording of the item on its day.
  public var asked: String
  /// The answer.
  public var answer: ItemAnswer
  /// The answer in the words of the question; nil for "not possible".
  public var words: String?
  /// The photos that the answer rests on.
  public var photos: [Identifier]
  /// The login of who gave it.
  public var inspector: String
  /// The time of the answer, by the device's clock.
  public var time: DeviceTime
  /// The time at which the office received it; nil on the device.
  public var received: DeviceTime?
  /// True if it is the word that counts for its item.
  public var counts: Bool
  /// True if it came after the task's decision.
  public var isLate: Bool

  /// Creates an answer.
  public init(
    id: Identifier, task: Identifier, item: ItemName, type: String, version: Int,
    asked: String, answer: ItemAnswer, words: String?, photos: [Identifier], inspector: String,
    time: DeviceTime, received: DeviceTime? = nil, counts: Bool, isLate: Bool = false
  ) {
    (self.id, self.task, self.item) = (id, task, item)
    (self.type, self.version) = (type, version)
    (self.asked, self.answer, self.words, self.photos) = (asked, answer, words, photos)
    (self.inspector, self.time, self.received) = (inspector, time, received)
    (self.counts, self.isLate) = (counts, isLate)
  }
}
