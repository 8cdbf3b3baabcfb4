import Foundation
import TimeAndText

/// The reason why a text is no answer to an item. Nothing is kept then.
public struct AnswerFault: Error, Hashable, Sendable, Worded {
  /// The fault, and what to write instead.
  public let wording: Wording

  init(_ wording: Wording) { self.wording = wording }
}

extension OrderItem {
  /// Reads an answer as people write it: a choice by its name or its wording, several with commas
  /// between, a number with a point or a comma, yes or no, a day as `2026-05-31`.
  /// - Throws: `AnswerFault` if it is no answer to this item.
  public func value(written text: String) throws(AnswerFault) -> AnswerValue {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let question: Question
    switch content {
    case .question(let asked): question = asked
    case .note: question = Question(.text)
    case .shot, .track, .words:
      throw AnswerFault(
        "“\(name.description)” has no answer in words: take what it asks for, or say why it is not possible"
      )
    }
    if InspectionTask.isBlank(text) {
      throw AnswerFault("nothing was answered: give an answer, or say why it is not possible")
    }
    let value = try question.value(written: text)
    guard question.allows(value) else { throw question.fault(text) }
    return value
  }
}

extension OrderItem {
  /// Reads an answer as the fields of a form give it: choices by their names alone, since the wording
  /// of one choice may be the name of another; anything else as people write it.
  /// - Throws: `AnswerFault` if it is no answer to this item.
  public func value(fields: [String]) throws(AnswerFault) -> AnswerValue {
    guard let question, !question.choices.isEmpty, !fields.isEmpty else {
      return try value(written: fields.first ?? "")
    }
    let names = fields.compactMap(ItemName.init(choice:))
    let value: AnswerValue? =
      if case .several = question.form { .several(Set(names)) } else {
        names.count == 1 ? names.first.map(AnswerValue.choice) : nil
      }
    guard names.count == fields.count, let value, question.allows(value) else {
      throw question.fault(fields.joined(separator: ", "))
    }
    return value
  }
}

extension Question {
  fileprivate func value(written text: String) throws(AnswerFault) -> AnswerValue {
    switch form {
    case .choice: return .choice(try choice(written: text))
    case .several:
      if let whole = name(ofChoice: text) { return .several([whole]) }
      var chosen: Set<ItemName> = []
      for part in text.split(separator: ",") {
        chosen.insert(try choice(written: part.trimmingCharacters(in: .whitespaces)))
      }
      return .several(chosen)
    case .number:
      guard let number = Self.number(written: text) else { throw fault(text) }
      return .number(number)
    case .text: return .text(text)
    case .yesOrNo:
      switch text.lowercased() {
      case "yes", "true": return .yes(true)
      case "no", "false": return .yes(false)
      default: throw fault(text)
      }
    case .date:
      guard let day = CivilDate(iso8601: text) else { throw fault(text) }
      return .date(day)
    }
  }

  private func choice(written text: String) throws(AnswerFault) -> ItemName {
    guard let name = name(ofChoice: text) else { throw fault(text) }
    return name
  }

  private func name(ofChoice text: String) -> ItemName? {
    // The wording of one choice may be the name of another: the name goes first.
    choices.first { $0.name.description == text }?.name
      ?? choices.first { $0.wording == text }?.name
  }

  /// Reads a number with a decimal point or a decimal comma; nil for anything else. Nothing parts
  /// thousands: `1,234` is a little more than one, as in most of Europe.
  public static func number(written text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.,".utf8.contains($0) }
    guard isPlain, text.utf8.count <= 32, text.count(where: { $0 == "." || $0 == "," }) <= 1 else {
      return nil
    }
    return Double(text.replacing(",", with: ".")).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns the fault of a text that is no answer, with what to write.
  fileprivate func fault(_ text: String) -> AnswerFault {
    let given = String(text.prefix(60))
    switch form {
    case .choice, .several:
      let offered = choices.map(\.name.description).joined(separator: ", ")
      return AnswerFault("“\(given)” is none of the choices: \(offered)")
    case .number(let range):
      let least = range.least.map(Self.decimalText) ?? "−∞"
      let most = range.most.map(Self.decimalText) ?? "∞"
      return range.isWhole
        ? AnswerFault("“\(given)” is no whole number from \(least) to \(most)")
        : AnswerFault("“\(given)” is no number from \(least) to \(most), such as 2.5")
    case .text:
      return AnswerFault("the answer is too long: at most \(Self.charactersAtMost) characters")
    case .yesOrNo: return AnswerFault("“\(given)” is neither yes nor no")
    case .date: return AnswerFault("“\(given)” is no day: write it as 2026-05-31")
    }
  }

  /// Returns a number as it is written, a whole one without places.
  public static func decimalText(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }

  /// Returns an answer in the words of the question, for people and for records: wordings of
  /// choices, a number with its unit, `yes` or `no`, a day in ISO 8601.
  public func words(_ value: AnswerValue) -> String {
    func wording(_ name: ItemName) -> String {
      choices.first { $0.name == name }?.wording ?? name.description
    }
    switch value {
    case .choice(let name): return wording(name)
    case .several(let names):
      let offered = choices.map(\.name)
      let inOrder = offered.filter(names.contains) + names.subtracting(offered).sorted()
      return inOrder.map(wording).joined(separator: ", ")
    case .number(let number):
      guard case .number(let range) = form, let unit = range.unit else {
        return Self.decimalText(number)
      }
      return "\(Self.decimalText(number)) \(unit)"
    case .text(let text): return text
    case .yes(let isYes): return isYes ? "yes" : "no"
    case .date(let day): return day.iso8601
    }
  }
}

extension OrderItem {
  /// Returns an answer to this item in words.
  public func words(_ value: AnswerValue) -> String { (question ?? Question(.text)).words(value) }
}
