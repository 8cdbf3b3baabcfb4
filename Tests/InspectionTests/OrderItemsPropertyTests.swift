import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Inspection

@Suite("Any order with items", .timeLimit(.minutes(5)))
struct OrderItemsPropertyTests {
  /// Returns the records of so many things.
  private static func records(_ count: Int) -> [Identifier] {
    (0..<count).map { _ in Identifier(at: DeviceTime(millisecondsSince1970: 1)) }
  }

  /// The templates that are made, and the answerings of each: 100,000 in all.
  private static let (templates, answerings) = (1000, 100)

  // MARK: making

  private static func choices(_ random: inout SeededGenerator) -> [Question.Choice] {
    (0..<Int.random(in: 1...5, using: &random)).compactMap { number in
      ItemName(choice: "\(number)").map { Question.Choice(name: $0, wording: "Choice \(number)") }
    }
  }

  private static func content(_ random: inout SeededGenerator) -> OrderItem.Content {
    switch Int.random(in: 0..<11, using: &random) {
    case 0, 1: .question(Question(.choice(choices(&random))))
    case 2, 3: .question(Question(.several(choices(&random))))
    case 4: .question(Question(.number(.init(least: 0, most: 10))))
    case 5: .question(Question(.yesOrNo))
    case 6: .question(Question(.date))
    case 7: .question(Question(.text))
    case 8: .shot(WantedShot(least: Int.random(in: 1...4, using: &random)))
    case 9: .track(.free)
    default: .note
    }
  }

  /// Returns a value that a question may have.
  private static func value(_ question: Question, _ random: inout SeededGenerator) -> AnswerValue {
    switch question.form {
    case .choice(let choices):
      return .choice(choices[Int.random(in: 0..<choices.count, using: &random)].name)
    case .several(let choices):
      let some = choices.filter { _ in Bool.random(using: &random) }.map(\.name)
      return .several(Set(some.isEmpty ? [choices[0].name] : some))
    case .number: return .number(Double(Int.random(in: 0...10, using: &random)))
    case .text: return .text("words")
    case .yesOrNo: return .yes(.random(using: &random))
    case .date:
      return .date(CivilDate(daysSince1970: 20_000 + Int.random(in: 0...9, using: &random)))
    }
  }

  private static func condition(
    on above: [OrderItem], depth: Int, _ random: inout SeededGenerator
  ) -> ItemCondition? {
    let questions = above.filter { $0.question != nil }
    guard let item = questions.randomElement(using: &random), let question = item.question
    else { return nil }
    if depth > 0, Int.random(in: 0..<3, using: &random) > 0 {
      let parts = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
        condition(on: above, depth: depth - 1, &random)
      }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return .all(parts)
      case 1: return .any(parts)
      default: return .not(parts.first ?? .any([]))
      }
    }
    switch question.form {
    case .choice(let choices), .several(let choices):
      if Bool.random(using: &random) {
        return .isOneOf(item.name, Set(choices.prefix(2).map(\.name)))
      }
      return .equals(item.name, value(question, &random))
    case .number, .date:
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return .less(item.name, than: value(question, &random))
      case 1: return .more(item.name, than: value(question, &random))
      default: return .equals(item.name, value(question, &random))
      }
    case .text, .yesOrNo: return .equals(item.name, value(question, &random))
    }
  }

  private static func template(_ random: inout SeededGenerator) -> [OrderItem] {
    var items: [OrderItem] = []
    for number in 0..<Int.random(in: 1...14, using: &random) {
      guard let name = ItemName("item_\(number)") else { continue }
      let isFree = Int.random(in: 0..<3, using: &random) == 0
      items.append(
        OrderItem(
          name: name, wording: "Item \(number)",
          isRequired: Int.random(in: 0..<4, using: &random) > 0,
          condition: isFree ? nil : condition(on: items, depth: 3, &random),
          content: content(&random)))
    }
    return items
  }

  private static func given(
    _ items: [OrderItem], _ random: inout SeededGenerator
  ) -> GivenItems {
    var given = GivenItems()
    for item in items {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: continue
      case 1: given.answers[item.name] = .notPossible(reason: "under water")
      case 2: given.answers[item.name] = .notPossible(reason: " ")
      case 3: given.answers[item.name] = .value(.number(11))
      default:
        given.answers[item.name] = .value(
          item.question.map { value($0, &random) } ?? .text("words"))
        given.photos[item.name] = Self.records(.random(in: 0...4, using: &random))
        given.tracks[item.name] = Self.records(.random(in: 0...1, using: &random))
      }
    }
    return given
  }

  // MARK: the other evaluation

  /// Judges an order in another way than the program does: from the question that is asked, backwards,
  /// with no memory, and with conditions as three lists of cases.
  private struct Judge {
    let items: [OrderItem]
    let given: GivenItems

    func isAsked(_ place: Int) -> Bool {
      guard let condition = items[place].condition else { return true }
      return isTrue(condition)
    }

    func counts(_ name: ItemName) -> AnswerValue? {
      guard let place = items.firstIndex(where: { $0.name == name }) else { return nil }
      guard isAsked(place), case .value(let value)? = given.answers[name] else { return nil }
      return isPossible(value, items[place]) ? value : nil
    }

    func isPossible(_ value: AnswerValue, _ item: OrderItem) -> Bool {
      guard case .question(let question) = item.content else { return false }
      switch question.form {
      case .choice(let all):
        for one in all where value == .choice(one.name) { return true }
        return false
      case .several(let all):
        guard case .several(let chosen) = value, let first = chosen.first else { return false }
        return chosen.union([first]).subtracting(all.map(\.name)).isEmpty
      case .number:
        guard case .number(let number) = value else { return false }
        return number >= 0 && number <= 10
      case .text: if case .text = value { return true } else { return false }
      case .yesOrNo: return value == .yes(true) || value == .yes(false)
      case .date: if case .date = value { return true } else { return false }
      }
    }

    func isTrue(_ condition: ItemCondition) -> Bool {
      switch condition {
      case .not(let inner): return isTrue(inner) == false
      case .all(let parts): return parts.first { !isTrue($0) } == nil
      case .any(let parts): return parts.first { isTrue($0) } != nil
      case .equals(let name, let wanted):
        guard let value = counts(name) else { return false }
        return value == wanted
      case .isOneOf(let name, let wanted):
        guard let value = counts(name) else { return false }
        if case .choice(let one) = value { return wanted.contains(one) }
        if case .several(let some) = value { return some.contains { wanted.contains($0) } }
        return false
      case .less(let name, let limit):
        guard let value = counts(name) else { return false }
        return number(value) < number(limit)
      case .more(let name, let limit):
        guard let value = counts(name) else { return false }
        return number(value) > number(limit)
      }
    }

    func number(_ value: AnswerValue) -> Double {
      switch value {
      case .number(let number): number
      case .date(let day): Double(day.daysSince1970)
      default: .nan
      }
    }

    func state(_ place: Int) -> ItemStanding.State {
      let item = items[place]
      guard isAsked(place) else { return .notAsked }
      if given.answers[item.name] == .notPossible(reason: "under water") { return .notPossible }
      let isDone: Bool
      switch item.content {
      case .question: isDone = counts(item.name) != nil
      case .shot(let shot): isDone = given.photos[item.name, default: []].count >= shot.least
      case .track: isDone = given.tracks[item.name, default: []].count >= 1
      case .note: isDone = given.answers[item.name] == .value(.text("words"))
      case .words: isDone = true
      }
      return isDone ? .done : .open
    }
  }

  @Test("is judged as another evaluation judges it, and can always be sent in the end")
  func standing() throws {
    try forEachSeed(0..<UInt64(Self.templates)) { seed, random in
      let items = Self.template(&random)
      let order = try OrderItems(items)
      for number in 0..<Self.answerings {
        let given = Self.given(items, &random)
        let standing = ItemStanding(of: order, given)
        let judge = Judge(items: items, given: given)
        let states = items.indices.map(judge.state)
        #expect(standing.states.map(\.state) == states, "seed \(seed), answering \(number)")
        let lacking = zip(items, states).filter { $0.isRequired && $1 == .open }.map(\.0.name)
        #expect(standing.missing == lacking, "seed \(seed), answering \(number)")
        if number == 0 { try sent(order, from: given, seed: seed, &random) }
      }
    }
  }

  /// Expects that an inspector can go on to a complete task: with reasons alone, and with answers.
  private func sent(
    _ order: OrderItems, from given: GivenItems, seed: UInt64, _ random: inout SeededGenerator
  ) throws {
    var (refusing, working) = (given, given)
    for name in ItemStanding(of: order, refusing).missing {
      refusing.answers[name] = .notPossible(reason: "no access")
    }
    #expect(ItemStanding(of: order, refusing).isComplete, "seed \(seed): reasons are enough")
    // An answer may ask for more, but only below: at most one round for each item.
    for _ in order.items {
      guard let name = ItemStanding(of: order, working).missing.first else { break }
      let item = try #require(order[name])
      working.answers[name] = .value(item.question.map { Self.value($0, &random) } ?? .text("x"))
      working.photos[name] = Self.records(4)
      working.tracks[name] = Self.records(1)
    }
    #expect(ItemStanding(of: order, working).isComplete, "seed \(seed): answers are enough")
  }
}
