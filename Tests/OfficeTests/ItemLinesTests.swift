import Foundation
import Geodesy
import Inspection
import OfficeScenes
import Testing
import TimeAndText

@testable import ItemViewing
@testable import Web

@Suite("Items as lines of text")
struct ItemLinesTests {
  private func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  private func shot(_ item: String, _ wording: String, _ shot: WantedShot = WantedShot()) throws
    -> OrderItem
  {
    OrderItem(name: try name(item), wording: wording, content: .shot(shot))
  }

  private func question(
    _ item: String, _ wording: String, _ form: Question.Form, isRequired: Bool = true,
    if condition: ItemCondition? = nil
  ) throws -> OrderItem {
    OrderItem(
      name: try name(item), wording: wording, isRequired: isRequired, condition: condition,
      content: .question(Question(form)))
  }

  private func choices(_ names: String...) throws -> [Question.Choice] {
    try names.map { Question.Choice(name: try name($0), wording: $0.capitalized) }
  }

  private func lines(
    _ items: [OrderItem], _ verdicts: [ItemVerdict] = [], in t: Texts = .english
  ) throws -> [String] {
    ItemLines(t: t).text(of: try OrderItems(items), verdicts: verdicts)
      .components(separatedBy: "\n")
  }

  @Test("each item is a line with what is wanted; words that are only read have no number")
  func kinds() throws {
    let place = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16))
    let items = [
      OrderItem(
        name: try name("intro"), wording: "Begin at the gate.", isRequired: false, content: .words),
      try shot(
        "roof", "The roof",
        WantedShot(
          least: 2, station: .point(place, radiusMetres: 20),
          bearing: .init(degreesTrue: 90, toleranceDegrees: 15), needsScale: true)),
      try question("crop", "Which crop?", .choice(choices("maize", "rye"))),
      try question(
        "height", "How high?",
        .number(.init(unit: "m", least: 0, most: 4.5)), isRequired: false),
      OrderItem(name: try name("way"), wording: "The edge", content: .track(.roundParcel)),
      OrderItem(
        name: try name("more"), wording: "Anything else?", hint: "In short.", isRequired: false,
        content: .note),
    ]
    #expect(
      try lines(items) == [
        "Begin at the gate.",
        "1. The roof [2 photos, within 20 m of a station, looking to 90° ± 15°, with a scale]",
        "2. Which crop? [one of: Maize, Rye]",
        "3. How high? [a number (m), 0 to 4.5; may be left out]",
        "4. The edge [a track round the parcel]",
        "5. Anything else? (In short.) [a note; may be left out]",
      ])
    #expect(
      try lines(items, in: .czech)[1]
        == "1. The roof [Fotografie: 2, do 20 m od stanoviště, pohled na 90° ± 15°, s měřítkem]")
  }

  @Test("a condition names its question by number, as far as words of one line can say it")
  func conditions() throws {
    let (crop, high, new) = (try name("crop"), try name("high"), try name("new"))
    let (maize, rye) = (try name("maize"), try name("rye"))
    let above = [
      try question("crop", "Crop?", .choice(choices("maize", "rye"))),
      OrderItem(name: try name("look"), wording: "Look.", isRequired: false, content: .words),
      try question("high", "High?", .number(.init(unit: "m"))),
      try question("new", "New?", .yesOrNo),
    ]
    func words(_ condition: ItemCondition) throws -> String {
      let last = try lines(above + [question("why", "Why?", .text, if: condition)]).last ?? ""
      return last.replacing("4. Why? [in words; ", with: "").replacing("]", with: "")
    }
    for (condition, expected) in [
      (.equals(new, .yes(true)), "only if the answer to 3 is: yes"),
      (.isOneOf(crop, [maize]), "only if the answer to 1 is: Maize"),
      (.isOneOf(crop, [rye, maize]), "only if the answer to 1 is one of: Maize, Rye"),
      (.not(.equals(new, .yes(false))), "only if the answer to 3 is not: no"),
      (.not(.isOneOf(crop, [rye])), "only if the answer to 1 is not: Rye"),
      (.less(high, than: .number(2.5)), "only if the answer to 2 is less than 2.5 m"),
      (.more(high, than: .number(2)), "only if the answer to 2 is more than 2 m"),
      (
        .all([.isOneOf(crop, [rye]), .equals(new, .yes(true))]),
        "only if the answer to 1 is: Rye, only if the answer to 3 is: yes"
      ),
      (.any([.isOneOf(crop, [rye]), .equals(new, .yes(true))]), "only if needed"),
      (.all([.any([.equals(new, .yes(true))])]), "only if needed"),
      (.not(.less(high, than: .number(1))), "only if needed"),
    ] as [(ItemCondition, String)] {
      #expect(try words(condition) == expected)
    }
  }

  @Test("the words of the last return stand in the lines of their items")
  func returned() throws {
    let items = [try shot("roof", "The roof"), try shot("gate", "The gate"), try shot("x", "Heap")]
    let verdicts = [
      ItemVerdict(item: try name("roof"), returned: "too\ndark", judged: []),
      ItemVerdict(item: try name("gate"), returned: nil, judged: []),
    ]
    #expect(
      try lines(items, verdicts) == [
        "1. The roof [1 photo] – Returned: too dark",
        "2. The gate [1 photo] – accepted by the office", "3. Heap [1 photo]",
      ])
  }

  @Test("no wording makes a line of its own, and none fills a template's place")
  func hostile() throws {
    let wording = "\(hostileText) {1}\r\n2. Everything\u{2028}3. is done"
    var item = try shot("roof", wording)
    item.hint = "a\nb"
    #expect(
      try lines([item]) == ["1. \(hostileText) {1} 2. Everything 3. is done (a b) [1 photo]"])
  }

  @Test("a wording is whole, a long list of choices is cut, and what is left out is counted")
  func lengths() throws {
    let long = String(repeating: "ž", count: OrderItem.charactersAtMost)
    #expect(try lines([shot("roof", long)]) == ["1. \(long) [1 photo]"])
    let many = try (0..<300).map { number in
      Question.Choice(name: try name("c\(number)"), wording: "Choice \(number)")
    }
    let cut = try #require(try lines([question("which", "Which?", .choice(many))]).first)
    #expect(cut.hasPrefix("1. Which? [one of: Choice 0, Choice 1,") && cut.hasSuffix("…]"))
    #expect(
      cut.unicodeScalars.count == "1. Which? []".count + ItemLines.wishCharactersAtMost)
    let items = try (0..<50).map { try shot("q\($0)", long) }
    let all = try lines(items)
    #expect(all.count == 20, "19 wordings of 1,000 characters, and the rest")
    #expect(all.last == "… and 31 more: see the task's page at the office")
    #expect(
      all.dropLast().joined(separator: "\n").unicodeScalars.count <= ItemLines.charactersAtMost)
  }
}
