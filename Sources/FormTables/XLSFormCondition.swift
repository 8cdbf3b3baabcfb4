import Inspection
import TimeAndText

/// Reads the condition of a question as XLSForm has it (`relevant`), as far as it is a comparison of
/// answers above it: `${crop} = 'maize' and (${height} > 10 or selected(${signs}, 'tracks'))`.
struct XLSFormCondition {
  /// A fault in a condition.
  struct Fault: Error {
    let words: Wording
  }

  private enum Token: Equatable {
    case question(String)
    case text(String)
    case number(Double)
    case name(String)
    case sign(String)
  }

  /// The questions above the row, by their names.
  private let questions: [ItemName: Question]
  private var tokens: [Token]
  private var next = 0
  private var depth = 0

  /// Reads a condition.
  /// - Parameter questions: the questions above it.
  static func read(
    _ text: String, _ questions: [ItemName: Question]
  ) throws(Fault) -> ItemCondition {
    var reading = XLSFormCondition(questions: questions, tokens: try tokens(text))
    let condition = try reading.any()
    guard reading.next == reading.tokens.count else {
      throw Fault(words: "“\(reading.shown)” is not understood here")
    }
    return condition
  }

  private init(questions: [ItemName: Question], tokens: [Token]) {
    (self.questions, self.tokens) = (questions, tokens)
  }

  // MARK: tokens

  private static func tokens(_ text: String) throws(Fault) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if rest.hasPrefix("${") {
        guard let end = rest.firstIndex(of: "}") else {
          throw Fault(words: "a name that begins with ${ has no }")
        }
        let name = rest[rest.index(rest.startIndex, offsetBy: 2)..<end]
        tokens.append(.question(name.trimmingSpaces))
        rest = rest[rest.index(after: end)...]
      } else if "'\"‘’“”".contains(first) {
        guard let end = rest.dropFirst().firstIndex(where: { Self.closes($0, first) }) else {
          throw Fault(words: "a text that begins with a quotation mark does not end")
        }
        tokens.append(.text(String(rest.dropFirst()[..<end])))
        rest = rest[rest.index(after: end)...]
      } else if let sign = ["!=", "<=", ">=", "=", "<", ">", "(", ")", ","].first(
        where: rest.hasPrefix)
      {
        tokens.append(.sign(sign))
        rest = rest.dropFirst(sign.count)
      } else if first.isASCII, first.isNumber || first == "-" || first == "." {
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || "-.".contains($0)) }
        guard let value = Double(digits) else {
          throw Fault(words: "“\(String(digits.prefix(20)))” is no number")
        }
        tokens.append(.number(value))
        rest = rest.dropFirst(digits.count)
      } else if first.isASCII, first.isLetter {
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        tokens.append(.name(String(name)))
        rest = rest.dropFirst(name.count)
      } else {
        throw Fault(words: "“\(String(first))” is not understood here")
      }
    }
    return tokens
  }

  /// Returns true if a quotation mark ends a text that began with another one. Office programs make
  /// curly ones of straight ones.
  private static func closes(_ end: Character, _ start: Character) -> Bool {
    switch start {
    case "'": end == "'"
    case "\"": end == "\""
    case "‘", "’": end == "’" || end == "‘"
    default: end == "”" || end == "“"
    }
  }

  /// The token that comes next, as the table has it, for a message.
  private var shown: String {
    guard next < tokens.count else { return "the end" }
    return switch tokens[next] {
    case .question(let name): "${\(name)}"
    case .text(let text): "'\(text.prefix(40))'"
    case .number(let value): Self.shown(value)
    case .name(let name): "\(name.prefix(40))"
    case .sign(let sign): sign
    }
  }

  /// Returns a number as people write it: 1 for 1.0.
  private static func shown(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  private mutating func takes(_ token: Token) -> Bool {
    guard next < tokens.count, tokens[next] == token else { return false }
    next += 1
    return true
  }

  private mutating func require(_ sign: String) throws(Fault) {
    guard takes(.sign(sign)) else {
      throw Fault(words: "“\(shown)” stands where “\(sign)” is expected")
    }
  }

  // MARK: conditions

  private mutating func any() throws(Fault) -> ItemCondition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= ItemCondition.depthAtMost else {
      throw Fault(words: "the condition has more than \(ItemCondition.depthAtMost) levels")
    }
    var parts = [try all()]
    while takes(.name("or")) { parts.append(try all()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func all() throws(Fault) -> ItemCondition {
    var parts = [try single()]
    while takes(.name("and")) { parts.append(try single()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func single() throws(Fault) -> ItemCondition {
    if takes(.sign("(")) {
      let inner = try any()
      try require(")")
      return inner
    }
    if takes(.name("not")) {
      try require("(")
      let inner = try any()
      try require(")")
      return .not(inner)
    }
    if takes(.name("selected")) {
      try require("(")
      let (name, question) = try self.question()
      try require(",")
      let choice = try self.choice(of: question, name)
      try require(")")
      return .isOneOf(name, [choice])
    }
    return try comparison()
  }

  private mutating func comparison() throws(Fault) -> ItemCondition {
    guard next < tokens.count, case .question = tokens[next] else {
      throw Fault(
        words: "“\(shown)” is not understood: a comparison begins with an answer, such as ${crop}")
    }
    let (name, question) = try self.question()
    guard next < tokens.count, case .sign(let sign) = tokens[next],
      ["=", "!=", "<", "<=", ">", ">="].contains(sign)
    else { throw Fault(words: "“\(shown)” stands where a comparison such as = is expected") }
    next += 1
    if takes(.text("")) { return try answered(name, question, sign) }
    let value = try self.value(for: question, name)
    return switch sign {
    case "=": .equals(name, value)
    case "!=": .not(.equals(name, value))
    case "<": .less(name, than: value)
    case ">": .more(name, than: value)
    // A question without an answer is neither less nor more, and so it is in XLSForm.
    case "<=": .any([.less(name, than: value), .equals(name, value)])
    default: .any([.more(name, than: value), .equals(name, value)])
    }
  }

  /// Returns the condition that a question has an answer (`!= ''`), or has none (`= ''`).
  private func answered(
    _ name: ItemName, _ question: Question, _ sign: String
  ) throws(Fault) -> ItemCondition {
    let names = Set(question.choices.map(\.name))
    guard !names.isEmpty, sign == "=" || sign == "!=" else {
      throw Fault(
        words: "only a question with choices can be compared with the empty text, by = or !=")
    }
    return sign == "!=" ? .isOneOf(name, names) : .not(.isOneOf(name, names))
  }

  private mutating func question() throws(Fault) -> (ItemName, Question) {
    guard next < tokens.count, case .question(let text) = tokens[next] else {
      throw Fault(words: "“\(shown)” stands where a question such as ${crop} is expected")
    }
    guard let name = ItemName(text), let question = questions[name] else {
      throw Fault(words: "${\(text)} is no question above this row")
    }
    next += 1
    return (name, question)
  }

  private mutating func choice(
    of question: Question, _ name: ItemName
  ) throws(Fault) -> ItemName {
    let text: String
    switch next < tokens.count ? tokens[next] : .sign("") {
    case .text(let value): text = value
    case .number(let value): text = Self.shown(value)
    default: throw Fault(words: "“\(shown)” stands where a choice in quotation marks is expected")
    }
    guard let choice = question.choices.first(where: { $0.name.description == text }) else {
      throw Fault(words: "“\(String(text.prefix(80)))” is no choice of ${\(name.description)}")
    }
    next += 1
    return choice.name
  }

  private mutating func value(
    for question: Question, _ name: ItemName
  ) throws(Fault) -> AnswerValue {
    switch question.form {
    case .choice: return .choice(try choice(of: question, name))
    case .several: return .several([try choice(of: question, name)])
    case .number:
      let number: Double? =
        switch next < tokens.count ? tokens[next] : .sign("") {
        case .number(let value): value
        case .text(let text): Double(text)
        default: nil
        }
      guard let number, number.isFinite else {
        throw Fault(words: "“\(shown)” stands where a number is expected")
      }
      next += 1
      return .number(number)
    case .date:
      let isCall = takes(.name("date"))
      if isCall { try require("(") }
      guard next < tokens.count, case .text(let text) = tokens[next],
        let date = CivilDate(iso8601: text)
      else {
        throw Fault(words: "“\(shown)” stands where a day such as '2026-05-31' is expected")
      }
      next += 1
      if isCall { try require(")") }
      return .date(date)
    case .text:
      guard next < tokens.count, case .text(let text) = tokens[next] else {
        throw Fault(words: "“\(shown)” stands where a text in quotation marks is expected")
      }
      next += 1
      return .text(text)
    case .yesOrNo:
      throw Fault(words: "${\(name.description)} cannot be compared")
    }
  }
}

extension Substring {
  /// The text without spaces around it.
  var trimmingSpaces: String { String(self).trimmingSpaces }
}

extension String {
  /// The text without spaces around it.
  var trimmingSpaces: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
