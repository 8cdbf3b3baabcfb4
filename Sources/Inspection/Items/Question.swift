import TimeAndText

/// A question of an order: its answer is data that can be counted.
public struct Question: Hashable, Sendable {
  /// The form of an answer.
  public enum Form: Hashable, Sendable {
    /// One of several choices.
    case choice([Choice])
    /// Any number of several choices, at least one.
    case several([Choice])
    /// A number.
    case number(NumberRange)
    /// Words.
    case text
    /// Yes or no.
    case yesOrNo
    /// A day.
    case date
  }

  /// One of the answers that a question offers.
  public struct Choice: Hashable, Sendable {
    /// The name by which the choice is kept.
    public var name: ItemName
    /// The words that the inspector reads.
    public var wording: String

    /// Creates a choice.
    public init(name: ItemName, wording: String) { (self.name, self.wording) = (name, wording) }
  }

  /// The numbers that are possible.
  public struct NumberRange: Hashable, Sendable {
    /// The unit, as the inspector reads it; nil for a bare number.
    public var unit: String?
    /// The least number; nil for no limit.
    public var least: Double?
    /// The largest number; nil for no limit.
    public var most: Double?
    /// True if only whole numbers are possible.
    public var isWhole: Bool

    /// Creates a range.
    public init(
      unit: String? = nil, least: Double? = nil, most: Double? = nil, isWhole: Bool = false
    ) {
      (self.unit, self.least, self.most, self.isWhole) = (unit, least, most, isWhole)
    }

    /// Returns true if a number is possible.
    public func allows(_ number: Double) -> Bool {
      number.isFinite && (least.map { number >= $0 } ?? true) && (most.map { number <= $0 } ?? true)
        && (!isWhole || number == number.rounded())
    }
  }

  /// The most characters of an answer in words.
  public static let charactersAtMost = 5000

  /// The form of its answer.
  public var form: Form

  /// Creates a question.
  public init(_ form: Form) { self.form = form }

  /// The choices that it offers; empty if it offers none.
  public var choices: [Choice] {
    switch form {
    case .choice(let choices), .several(let choices): choices
    case .number, .text, .yesOrNo, .date: []
    }
  }

  /// Returns true if a value is a possible answer.
  public func allows(_ value: AnswerValue) -> Bool {
    switch (form, value) {
    case (.choice(let choices), .choice(let name)): choices.contains { $0.name == name }
    case (.several(let choices), .several(let names)):
      !names.isEmpty && names.allSatisfy { name in choices.contains { $0.name == name } }
    case (.number(let range), .number(let number)): range.allows(number)
    case (.text, .text(let text)):
      !InspectionTask.isBlank(text) && text.unicodeScalars.count <= Self.charactersAtMost
    case (.yesOrNo, .yes), (.date, .date): true
    default: false
    }
  }
}

/// The value that an inspector gave for a question.
public enum AnswerValue: Hashable, Sendable {
  /// The choice of this name.
  case choice(ItemName)
  /// The choices of these names.
  case several(Set<ItemName>)
  /// A number, in the question's unit.
  case number(Double)
  /// Words.
  case text(String)
  /// Yes (true) or no.
  case yes(Bool)
  /// A day.
  case date(CivilDate)
}

extension AnswerValue {
  /// The value for programs: the names of choices with spaces between them, a number, `true` or `false`, a
  /// day, or words.
  public var programText: String {
    switch self {
    case .choice(let name): name.description
    case .several(let names): names.sorted().map(\.description).joined(separator: " ")
    case .number(let number): Question.decimalText(number)
    case .text(let words): words
    case .yes(let isYes): isYes ? "true" : "false"
    case .date(let day): day.iso8601
    }
  }

  /// The values that are counted, for programs: each of several choices by itself; none for words.
  public var countedTexts: [String] {
    switch self {
    case .several(let names): names.sorted().map(\.description)
    case .text: []
    case .choice, .number, .yes, .date: [programText]
    }
  }
}

/// The inspector's last word on an item.
public enum ItemAnswer: Hashable, Sendable {
  /// The answer to a question, or the words of a note.
  case value(AnswerValue)
  /// The item cannot be done, for this reason.
  case notPossible(reason: String)
}
