import Inspection
import Positioning
import Testing
import TimeAndText

@testable import FormTables

@Suite("Conditions of XLSForm")
struct ConditionTests {
  private func name(_ text: String) throws -> ItemName { try #require(ItemName(choice: text)) }

  private func questions() throws -> [ItemName: Question] {
    func choice(_ text: String) throws -> Question.Choice {
      Question.Choice(name: try name(text), wording: text)
    }
    return [
      try name("crop"): Question(
        .choice([try choice("maize"), try choice("12"), try choice("other")])),
      try name("signs"): Question(.several([try choice("tracks"), try choice("dung")])),
      try name("height"): Question(.number(Question.NumberRange())),
      try name("day"): Question(.date), try name("words"): Question(.text),
    ]
  }

  private func read(_ text: String) throws -> ItemCondition {
    try XLSFormCondition.read(text, try questions())
  }

  @Test("comparisons of every kind are read")
  func comparisons() throws {
    #expect(try read("${crop} = 'maize'") == .equals(name("crop"), .choice(name("maize"))))
    #expect(try read("${crop}=12") == .equals(name("crop"), .choice(name("12"))))
    #expect(
      try read("${ crop } != \"other\"") == .not(.equals(name("crop"), .choice(name("other")))))
    #expect(try read("selected(${signs}, 'dung')") == .isOneOf(name("signs"), [name("dung")]))
    #expect(try read("selected( ${crop} ,‘maize’)") == .isOneOf(name("crop"), [name("maize")]))
    #expect(try read("${height} < -1.5") == .less(name("height"), than: .number(-1.5)))
    #expect(try read("${height} > '3'") == .more(name("height"), than: .number(3)))
    #expect(
      try read("${height} >= 3")
        == .any([
          .more(name("height"), than: .number(3)), .equals(name("height"), .number(3)),
        ]))
    let day = try #require(CivilDate(year: 2026, month: 5, day: 31))
    #expect(try read("${day} < date('2026-05-31')") == .less(name("day"), than: .date(day)))
    #expect(try read("${words} = 'a b'") == .equals(name("words"), .text("a b")))
    #expect(
      try read("${signs} != ''") == .isOneOf(name("signs"), [name("dung"), name("tracks")]))
  }

  @Test("“and” binds closer than “or”, and parentheses closer than both")
  func binding() throws {
    let (a, b, c) = (
      try read("${crop} = 'maize'"), try read("${height} > 1"), try read("${words} = 'x'")
    )
    let all = "${crop} = 'maize' or ${height} > 1 and ${words} = 'x'"
    #expect(try read(all) == .any([a, .all([b, c])]))
    #expect(
      try read("(${crop} = 'maize' or ${height} > 1) and ${words} = 'x'")
        == .all([.any([a, b]), c]))
    #expect(
      try read("not(${crop} = 'maize') and not(not(${height} > 1))")
        == .all([.not(a), .not(.not(b))]))
  }

  @Test(
    "what is not understood is named",
    arguments: [
      ("${gone} = 'x'", "${gone} is no question above this row"),
      ("${crop} = 'rye'", "“rye” is no choice of ${crop}"),
      ("${crop} =", "“the end” stands where a choice in quotation marks is expected"),
      ("${crop} 'maize'", "“'maize'” stands where a comparison such as = is expected"),
      ("${crop} = 'maize", "a text that begins with a quotation mark does not end"),
      ("${crop = 'maize'", "a name that begins with ${ has no }"),
      ("count(${signs}) > 1", "“count” is not understood"),
      ("${height} + 1 > 2", "“+” is not understood here"),
      ("${height} > 1 ${height}", "“${height}” is not understood here"),
      ("${height} != ''", "only a question with choices"),
      ("(${height} > 1", "“the end” stands where “)” is expected"),
      ("${height} > 1.2.3", "“1.2.3” is no number"),
      ("", "“the end” is not understood: a comparison begins with an answer"),
    ])
  func faults(text: String, words: String) throws {
    do {
      _ = try read(text)
      Issue.record("\(text) was read")
    } catch let fault as XLSFormCondition.Fault {
      #expect(fault.words.description.hasPrefix(words), "\(fault.words)")
    }
  }

  @Test("a thousand parentheses are refused before they fill the stack")
  func deep() {
    for text in [
      String(repeating: "(", count: 100_000), String(repeating: "not(", count: 100_000),
      String(repeating: "(", count: 20) + "${height} > 1" + String(repeating: ")", count: 20),
    ] {
      #expect(throws: XLSFormCondition.Fault.self) { try read(text) }
    }
  }

  @Test("texts of random pieces are read or refused, and never trap")
  func random() throws {
    let questions = try questions()
    var chance = SeededGenerator(seed: 31)
    let pieces = [
      "${crop}", "${height}", "${day}", "=", "!=", "<", "<=", "'maize'", "''", "1", "and", "or",
      "not(", "(", ")", "selected(", ",", "date(", "'2026-05-31'", " ", "$", "{", "“", "é", "\u{0}",
    ]
    var read = 0
    for _ in 0..<20_000 {
      var text = ["not(", "${crop}", "=", "'maize'", ")", "and", "${height}", "<", "1"]
      for _ in 0..<Int.random(in: 0...4, using: &chance) {
        let place = Int.random(in: 0..<text.count, using: &chance)
        if Bool.random(using: &chance) {
          text[place] = pieces.randomElement(using: &chance) ?? ""
        } else {
          text.insert(pieces.randomElement(using: &chance) ?? "", at: place)
        }
      }
      let joined = text.joined(separator: " ")
      if (try? XLSFormCondition.read(joined, questions)) != nil { read += 1 }
    }
    // A fifth has no change at all.
    #expect((4000..<12_000).contains(read))
  }
}
