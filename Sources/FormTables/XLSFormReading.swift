import Foundation
import Inspection
import TimeAndText

/// Reads the rows of a form one after the other.
struct XLSFormReading {
  private(set) var rows: [(number: Int, item: OrderItem)] = []
  private(set) var faults: [TableFault] = []
  private(set) var leftOut: [TableFault] = []

  private let survey: FormTable
  private let choiceTable: FormTable?
  private let language: String?
  private var lists: [String: [Question.Choice]] = [:]
  private var questions: [ItemName: Question] = [:]
  /// The conditions of the groups around the present row; nil for a group that is always shown.
  private var groups: [ItemCondition?] = []

  /// Rows of these types are filled in by a device itself. Here each record says the same.
  private static let selfFilled: Set = [
    "start", "end", "today", "deviceid", "username", "phonenumber", "email", "audit",
    "subscriberid",
    "simserial", "start-geopoint", "background-audio",
  ]
  /// Columns that make no difference to what is asked.
  private static let lookOnly: Set = [
    "appearance", "constraint_message", "required_message", "guidance_hint", "default",
    "parameters",
    "media", "image", "audio", "video", "big-image", "autoplay", "body", "body_esri", "note",
  ]
  private static let known: Set = [
    "type", "name", "label", "hint", "required", "relevant", "constraint", "read_only",
  ]

  init(_ survey: FormTable, _ choices: FormTable?, _ language: String?) {
    (self.survey, choiceTable, self.language) = (survey, choices, language)
  }

  // MARK: places

  private mutating func complain(
    _ row: Workbook.Row, _ cell: FormTable.Cell?, of table: FormTable? = nil, _ words: Wording
  ) {
    faults.append(
      TableFault(
        in: (table ?? survey).name, row: row.number,
        cell: cell.map { (column: $0.column, heading: $0.heading) }, words))
  }

  private mutating func leaveOut(_ row: Workbook.Row, _ cell: FormTable.Cell?, _ words: Wording) {
    leftOut.append(
      TableFault(
        in: survey.name, row: row.number,
        cell: cell.map { (column: $0.column, heading: $0.heading) }, words))
  }

  // MARK: rows

  mutating func read() {
    readChoices()
    for row in survey.rows {
      if let type = survey.cell("type", row) {
        read(row, type)
      } else {
        complain(row, nil, "the row has no type")
      }
    }
    if !groups.isEmpty {
      faults.append(TableFault(in: survey.name, "a group has no end: a row “end_group” is missing"))
    }
  }

  private mutating func readChoices() {
    guard let table = choiceTable else { return }
    var names: [String: Set<ItemName>] = [:]
    for row in table.rows {
      guard let list = table.cell("list_name", row) else {
        complain(row, nil, of: table, "the choice belongs to no list: list_name is empty")
        continue
      }
      guard let cell = table.cell("name", row) ?? table.cell("value", row) else {
        complain(row, nil, of: table, "the choice has no name")
        continue
      }
      guard let name = ItemName(choice: cell.text) else {
        complain(
          row, cell, of: table,
          "“\(String(cell.text.prefix(80)))” is no name of a choice: it has letters, digits, _, - and ., 64 characters at most"
        )
        continue
      }
      guard names[list.text, default: []].insert(name).inserted else {
        complain(row, cell, of: table, "the list has two choices of this name")
        continue
      }
      guard let words = table.words("label", language, row) else {
        complain(row, nil, of: table, "the choice has no label\(inLanguage)")
        continue
      }
      lists[list.text, default: []].append(Question.Choice(name: name, wording: words.text))
    }
  }

  private var inLanguage: String { language.map { " (\($0))" } ?? "" }

  private mutating func read(_ row: Workbook.Row, _ type: FormTable.Cell) {
    let words = type.text.split(whereSeparator: \.isWhitespace).map(String.init)
    let kind = Self.kind(words)
    if Self.selfFilled.contains(kind.type) {
      return leaveOut(row, type, "each record says this by itself")
    }
    switch kind.type {
    case "begin_group": return beginGroup(row)
    case "end_group":
      if groups.popLast() == nil { complain(row, type, "no group begins above this row") }
      return
    default: break
    }
    let count = faults.count
    checkColumns(row)
    let name = name(row)
    let content = content(kind, row, type)
    let condition = condition(row)
    guard let label = label(row), let name, let content, faults.count == count else { return }
    if case .question(let question) = content { questions[name] = question }
    rows.append(
      (
        row.number,
        OrderItem(
          name: name, wording: label, hint: survey.words("hint", language, row)?.text,
          isRequired: required(row, content), condition: within(condition), content: content)
      ))
  }

  /// Returns the type of a row in its newer form, and the list of its choices.
  private static func kind(_ words: [String]) -> (type: String, list: String?, rest: [String]) {
    let small = words.map { $0.lowercased() }
    let joined = small.joined(separator: " ")
    for (start, type) in [
      ("select_one", "select_one"), ("select one from", "select_one"), ("select one", "select_one"),
      ("select1", "select_one"), ("select_multiple", "select_multiple"),
      ("select all that apply from", "select_multiple"),
      ("select all that apply", "select_multiple"), ("select multiple", "select_multiple"),
    ] where joined == start || joined.hasPrefix(start + " ") {
      let rest = Array(words.dropFirst(start.split(separator: " ").count))
      return (type, rest.first, Array(rest.dropFirst()))
    }
    let aliases = [
      "begin group": "begin_group", "end group": "end_group", "int": "integer", "string": "text",
      "photo": "image",
    ]
    return (aliases[joined] ?? joined, nil, [])
  }

  private mutating func beginGroup(_ row: Workbook.Row) {
    checkColumns(row)
    let own = condition(row)
    // A group without a label is only there for its condition.
    if let label = survey.words("label", language, row)?.text, let name = name(row) {
      rows.append(
        (
          row.number,
          OrderItem(
            name: name, wording: label, isRequired: false, condition: within(own), content: .words)
        ))
    }
    groups.append(own)
  }

  /// Returns a condition together with those of the groups around the row.
  private func within(_ condition: ItemCondition?) -> ItemCondition? {
    let all = groups.compactMap(\.self) + [condition].compactMap(\.self)
    return all.count > 1 ? .all(all) : all.first
  }

  // MARK: cells

  private mutating func checkColumns(_ row: Workbook.Row) {
    for (column, heading) in survey.headings.sorted(by: { $0.key < $1.key }) {
      guard let text = row.cells[column]?.trimmingSpaces, !text.isEmpty else { continue }
      let name = FormTable.canonical(heading)
      let base = name.components(separatedBy: "::")[0]
      guard !Self.known.contains(base) else { continue }
      let cell = FormTable.Cell(column: column, heading: heading, text: text)
      if Self.lookOnly.contains(base) {
        leaveOut(row, cell, "it makes no difference to what is asked")
      } else {
        complain(row, cell, "the column is not understood")
      }
    }
    if let cell = survey.cell("read_only", row), Self.isYes(cell.text) != false {
      complain(row, cell, "a question that nobody can answer is not understood: make it a note")
    }
  }

  private mutating func name(_ row: Workbook.Row) -> ItemName? {
    guard let cell = survey.cell("name", row) else {
      complain(row, nil, "the row has no name")
      return nil
    }
    guard let name = ItemName(cell.text) else {
      complain(
        row, cell,
        "“\(String(cell.text.prefix(80)))” is no name: it has a letter or _ first, then letters, digits, _, - and ., 64 characters at most"
      )
      return nil
    }
    return name
  }

  private mutating func label(_ row: Workbook.Row) -> String? {
    guard let cell = survey.words("label", language, row) else {
      complain(row, nil, "the row has no label\(inLanguage)")
      return nil
    }
    guard !cell.text.contains("${") else {
      complain(row, cell, "words with an answer in them, ${…}, are not understood")
      return nil
    }
    return cell.text
  }

  private mutating func required(_ row: Workbook.Row, _ content: OrderItem.Content) -> Bool {
    guard let cell = survey.cell("required", row), content != .words else { return false }
    guard let isRequired = Self.isYes(cell.text) else {
      complain(row, cell, "only yes and no are understood")
      return false
    }
    return isRequired
  }

  private static func isYes(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "true()", "1": true
    case "no", "false", "false()", "0": false
    default: nil
    }
  }

  private mutating func condition(_ row: Workbook.Row) -> ItemCondition? {
    guard let cell = survey.cell("relevant", row) else { return nil }
    do {
      return try XLSFormCondition.read(cell.text, questions)
    } catch {
      complain(row, cell, error.words)
      return nil
    }
  }

  // MARK: contents

  private mutating func content(
    _ kind: (type: String, list: String?, rest: [String]), _ row: Workbook.Row,
    _ type: FormTable.Cell
  ) -> OrderItem.Content? {
    let constraint = survey.cell("constraint", row)
    if let constraint, kind.type != "integer", kind.type != "decimal" {
      complain(row, constraint, "a constraint is understood for a number only")
    }
    switch kind.type {
    case "select_one", "select_multiple":
      guard let choices = choices(kind, row, type) else { return nil }
      return .question(
        Question(kind.type == "select_one" ? .choice(choices) : .several(choices)))
    case "integer", "decimal":
      var range = Question.NumberRange(isWhole: kind.type == "integer")
      if let constraint { limit(&range, constraint, row) }
      return .question(Question(.number(range)))
    case "text": return .question(Question(.text))
    case "date": return .question(Question(.date))
    case "image": return .shot(WantedShot(least: 1, most: 1))
    case "geotrace": return .track(.free)
    case "note": return .words
    default:
      complain(
        row, type,
        "“\(String(type.text.prefix(80)))” is not understood; possible are select_one, select_multiple, integer, decimal, text, date, image, geotrace, note and groups"
      )
      return nil
    }
  }

  private mutating func choices(
    _ kind: (type: String, list: String?, rest: [String]), _ row: Workbook.Row,
    _ type: FormTable.Cell
  ) -> [Question.Choice]? {
    guard kind.rest.isEmpty else {
      complain(row, type, "“\(kind.rest.joined(separator: " "))” is not understood here")
      return nil
    }
    guard let list = kind.list, let choices = lists[list] else {
      complain(
        row, type,
        kind.list.map { "the sheet choices has no list “\(String($0.prefix(80)))”" }
          ?? "the type names no list of choices")
      return nil
    }
    return choices
  }

  /// Reads limits such as `. >= 0 and . <= 100`.
  private mutating func limit(
    _ range: inout Question.NumberRange, _ cell: FormTable.Cell, _ row: Workbook.Row
  ) {
    let parts = cell.text.replacing("\n", with: " ").components(separatedBy: " and ")
    for part in parts {
      let part = part.filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }
      let sign = ["<=", ">=", "<", ">"].first { part.hasPrefix("." + $0) }
      guard let sign, let value = Double(part.dropFirst(1 + sign.count)), value.isFinite,
        sign.count == 2 || range.isWhole
      else {
        return complain(
          row, cell,
          range.isWhole
            ? "“\(String(part.prefix(80)))” is not understood: limits are such as .>=0 and .<=100"
            : "“\(String(part.prefix(80)))” is not understood: limits are such as .>=0 and .<=100, both included"
        )
      }
      switch sign {
      case ">=": range.least = max(range.least ?? value, value)
      case "<=": range.most = min(range.most ?? value, value)
      case ">": range.least = max(range.least ?? value, value.rounded(.down) + 1)
      default: range.most = min(range.most ?? value, value.rounded(.up) - 1)
      }
    }
  }
}
