import Foundation
import Inspection
import Office
import Store
import Sync
import TimeAndText

extension OfficeSeed {
  private static let answeredInTransaction = 2000

  /// Makes a template of so many items for each type, orders its items with every task, and answers the
  /// questions of the tasks that were sent. Like the photos, the answers have no seals.
  /// - Parameter progress: called with the number of tasks done.
  mutating func fillItems(at now: DeviceTime, _ progress: (Int) -> Void) async throws {
    guard size.items > 0, size.tasks > 0 else { return }
    let items = try Self.items(size.items)
    for type in Self.types {
      _ = try await office.templates.take(
        items, title: nil, forType: type, in: Self.agency, by: "officer")
    }
    let ids = try await office.database.read(in: Self.agency) {
      try $0.tasks.identifiers(TaskFilter(), TaskSorting(.created), at: now)
    }
    for start in stride(from: 0, to: ids.count, by: Self.answeredInTransaction) {
      let some = ids[start..<min(start + Self.answeredInTransaction, ids.count)]
      let tasks = try await office.database.read(in: Self.agency) { session in
        try some.map { try session.tasks.task($0) }
      }
      var answers: [ReceivedAnswer] = []
      for task in tasks { answers += try makeAnswers(to: items, of: task) }
      let made = answers
      try await office.database.write(in: Self.agency) { session in
        for task in tasks {
          try session.tasks.keep(template: task.type.map { ($0, 1) }, ofTask: task)
        }
        for answer in made { try session.answers.insert(answer) }
      }
      progress(tasks.count)
    }
  }

  /// Returns items of all kinds that are answered in words and numbers, and every fifth a shot.
  private static func items(_ count: Int) throws -> OrderItems {
    func choices(_ names: [String]) -> [Question.Choice] {
      names.compactMap { name in
        ItemName(choice: name.lowercased()).map { Question.Choice(name: $0, wording: name) }
      }
    }
    let crops = Self.crops + ["Fallow"]
    let kinds: [(String, String, OrderItem.Content)] = [
      ("crop", "Which crop is it?", .question(Question(.choice(choices(crops))))),
      ("declared", "Is it the declared crop?", .question(Question(.yesOrNo))),
      ("roof", "The parcel from its edge", .shot(WantedShot())),
      ("height", "How high is it?", .question(Question(.number(.init(unit: "cm", least: 0))))),
      ("others", "Which others are there?", .question(Question(.several(choices(crops))))),
      ("sown", "When was it sown?", .question(Question(.date))),
      ("note", "Anything else?", .note),
    ]
    return try OrderItems(
      (0..<count).compactMap { number in
        let (name, wording, content) = kinds[number % kinds.count]
        let round = number / kinds.count
        return ItemName(round == 0 ? name : "\(name)_\(round + 1)").map {
          OrderItem(name: $0, wording: wording, isRequired: content != .note, content: content)
        }
      })
  }

  private mutating func makeAnswers(
    to items: OrderItems, of task: InspectionTask
  ) throws -> [ReceivedAnswer] {
    guard let sent = task.history.first(where: { $0.action == .provide })?.time,
      let type = task.type
    else { return [] }
    let order = OrderedItems(type: type, version: 1, items: items)
    var answers: [ReceivedAnswer] = []
    for item in items.items {
      // One in fifty stays open, and one in fifty is not possible.
      let chance = Double.random(in: 0..<1, using: &extras)
      guard chance > 0.02, let value = makeValue(for: item) else { continue }
      let answer: ItemAnswer =
        chance < 0.04 ? .notPossible(reason: "Made-up reason.") : .value(value)
      let time = sent.advanced(bySeconds: -Double.random(in: 60...3600, using: &extras))
      answers.append(
        ReceivedAnswer(
          SealedAnswer(
            id: Identifier(at: time, using: &extras), to: item, of: order, task: task.id,
            revision: 1, answer, photos: [], at: time),
          inspector: task.inspector, received: sent, isLate: false))
    }
    return answers
  }

  private mutating func makeValue(for item: OrderItem) -> AnswerValue? {
    guard let question = item.question else {
      return item.content == .note ? .text("Made-up words.") : nil
    }
    switch question.form {
    case .choice(let choices): return choices.randomElement(using: &extras).map { .choice($0.name) }
    case .several(let choices):
      return .several(Set(choices.prefix(Int.random(in: 1...3, using: &extras)).map(\.name)))
    case .number: return .number(Double(Int.random(in: 0...2500, using: &extras)) / 10)
    case .yesOrNo: return .yes(Bool.random(using: &extras))
    case .date:
      return .date(CivilDate(daysSince1970: 20_000 + Int.random(in: 0...300, using: &extras)))
    case .text: return .text("Made-up words.")
    }
  }
}
