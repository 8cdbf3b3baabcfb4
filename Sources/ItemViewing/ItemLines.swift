import Inspection
import Web

/// The items of an order as numbered lines of text, for phones whose apps know no items.
package struct ItemLines: Sendable {
  /// The most characters of all lines of an order: an app keeps them in one field. The items that
  /// are left out are counted.
  static let charactersAtMost = 20_000
  /// The most characters of the things that one item asks for, such as its choices.
  static let wishCharactersAtMost = 500

  private let t: Texts
  private var parts: ItemParts { ItemParts(t: t) }

  /// Creates the lines in a language.
  package init(t: Texts) { self.t = t }

  /// Returns a line for each item: its number and wording, and in brackets everything else that is
  /// wanted. Words that are only read have no number, and stay as they are.
  /// - Parameter verdicts: the office's words on the items from the last return; none for a task
  ///   that is not returned.
  package func text(of order: OrderItems, verdicts: [ItemVerdict] = []) -> String {
    let verdicts = Dictionary(verdicts.map { ($0.item, $0) }) { $1 }
    var numbers: [ItemName: Int] = [:]
    var lines: [String] = []
    var characters = 0
    for (index, item) in order.items.enumerated() {
      let head: String
      if item.content == .words {
        head = item.wording
      } else {
        let number = numbers.count + 1
        numbers[item.name] = number
        head = "\(number). \(Self.oneLine(item.wording))"
      }
      let hint = item.hint.map { " (\(Self.oneLine($0)))" } ?? ""
      let words = head + hint + wishes(of: item, in: order, numbers) + mark(verdicts[item.name])
      characters += words.unicodeScalars.count + 1
      guard characters <= Self.charactersAtMost else {
        let left = order.items.count - index
        lines.append(t("… and {1} more: see the task's page at the office", left))
        break
      }
      lines.append(words)
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the things that an item asks for in brackets, with the condition under which it does.
  private func wishes(
    of item: OrderItem, in order: OrderItems, _ numbers: [ItemName: Int]
  ) -> String {
    let condition = item.condition.map { words(of: $0, in: order, numbers) ?? t("only if needed") }
    let isOptional = !item.isRequired && item.content != .words
    let wishes = [
      parts.content(item.content).map(Self.short), isOptional ? t("may be left out") : nil,
      condition.map(Self.short),
    ].compactMap(\.self)
    return wishes.isEmpty ? "" : " [\(wishes.joined(separator: "; "))]"
  }

  /// Returns the office's word on an item; empty for none.
  private func mark(_ verdict: ItemVerdict?) -> String {
    guard let verdict else { return "" }
    guard let reason = verdict.returned else { return " – \(t("accepted by the office"))" }
    return " – \(t("Returned")): \(Self.oneLine(reason))"
  }

  /// Returns a condition in words, which name questions by their numbers; nil for one that is more
  /// than comparisons that all hold.
  private func words(
    of condition: ItemCondition, in order: OrderItems, _ numbers: [ItemName: Int]
  ) -> String? {
    func shown(_ value: AnswerValue, _ name: ItemName) -> String {
      order[name].map { parts.shown(value, of: $0) } ?? value.programText
    }
    func different(_ name: ItemName, _ value: AnswerValue) -> String? {
      numbers[name].map { t("only if the answer to {1} is not: {2}", $0, shown(value, name)) }
    }
    switch condition {
    case .equals(let name, let value):
      return numbers[name].map { t("only if the answer to {1} is: {2}", $0, shown(value, name)) }
    case .isOneOf(let name, let choices):
      let wanted = shown(.several(choices), name)
      guard choices.count > 1 else {
        return numbers[name].map { t("only if the answer to {1} is: {2}", $0, wanted) }
      }
      return numbers[name].map { t("only if the answer to {1} is one of: {2}", $0, wanted) }
    case .less(let name, let limit):
      return numbers[name].map {
        t("only if the answer to {1} is less than {2}", $0, shown(limit, name))
      }
    case .more(let name, let limit):
      return numbers[name].map {
        t("only if the answer to {1} is more than {2}", $0, shown(limit, name))
      }
    case .not(.equals(let name, let value)): return different(name, value)
    case .not(.isOneOf(let name, let choices)): return different(name, .several(choices))
    case .all(let conditions):
      let all = conditions.compactMap { words(of: $0, in: order, numbers) }
      return all.count == conditions.count && !all.isEmpty ? all.joined(separator: ", ") : nil
    case .not, .any: return nil
    }
  }

  /// Returns a text in one line: a line's end within it could look like the next item.
  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Returns the beginning of a text that is too long for a line.
  private static func short(_ text: String) -> String {
    let scalars = oneLine(text).unicodeScalars
    guard scalars.count > wishCharactersAtMost else { return String(scalars) }
    return String(String.UnicodeScalarView(scalars.prefix(wishCharactersAtMost - 1))) + "…"
  }
}
