import Testing
import TimeAndText

@testable import Inspection

@Suite("Answers as people write them")
struct AnswerReadingTests {
  private func item(_ content: OrderItem.Content) throws -> OrderItem {
    OrderItem(name: try #require(ItemName("q")), wording: "Q", content: content)
  }

  private func choices() throws -> [Question.Choice] {
    try [("maize", "Maize"), ("other", "Other, such as hops"), ("12", "Code 12")].map {
      Question.Choice(name: try #require(ItemName(choice: $0.0)), wording: $0.1)
    }
  }

  private func read(_ content: OrderItem.Content, _ text: String) throws -> AnswerValue {
    try item(content).value(written: text)
  }

  private func fault(_ content: OrderItem.Content, _ text: String) throws -> String {
    do {
      return "\(try read(content, text))"
    } catch let fault as AnswerFault { return "\(fault)" }
  }

  @Test("a choice is read by its name or its wording, and several with commas between")
  func chosen() throws {
    let (maize, other) = (
      try #require(ItemName(choice: "maize")), try #require(ItemName(choice: "other"))
    )
    let one = OrderItem.Content.question(Question(.choice(try choices())))
    let several = OrderItem.Content.question(Question(.several(try choices())))
    #expect(try read(one, " maize ") == .choice(maize))
    #expect(try read(one, "Maize") == .choice(maize))
    #expect(try read(one, "Other, such as hops") == .choice(other))
    #expect(try read(several, "maize, other") == .several([maize, other]))
    #expect(try read(several, "Other, such as hops") == .several([other]))
    #expect(try fault(one, "rye") == "“rye” is none of the choices: maize, other, 12")
    #expect(try fault(one, "maize, other").contains("none of the choices"))
    #expect(try fault(several, "maize, rye").contains("“rye” is none"))
    #expect(try fault(several, ",") == "“,” is none of the choices: maize, other, 12")
    #expect(
      try fault(one, "  ") == "nothing was answered: give an answer, or say why it is not possible")
  }

  @Test(
    "the wording of one choice may be the name of another: names go first, and forms have names only"
  )
  func shadowed() throws {
    let names = try ["1", "2", "3"].map { try #require(ItemName(choice: $0)) }
    let choices = zip(names, ["2", "3", "1, 2"]).map { Question.Choice(name: $0, wording: $1) }
    let one = try item(.question(Question(.choice(choices))))
    let several = try item(.question(Question(.several(choices))))
    #expect(try one.value(written: "2") == .choice(names[1]))
    #expect(try one.value(fields: ["2"]) == .choice(names[1]))
    #expect(try several.value(fields: ["1", "2"]) == .several([names[0], names[1]]))
    #expect(throws: AnswerFault.self) { try one.value(fields: ["1", "2"]) }
    #expect(throws: AnswerFault.self) { try one.value(fields: []) }
    #expect(throws: AnswerFault.self) { try several.value(fields: ["1, 2"]) }
    #expect(throws: AnswerFault.self) { try several.value(fields: []) }
    #expect(try item(.note).value(fields: ["wet"]) == .text("wet"))
  }

  @Test("a number has a decimal point or a decimal comma, and lies in its range")
  func numbers() throws {
    let height = OrderItem.Content.question(
      Question(.number(Question.NumberRange(unit: "m", least: 0, most: 40))))
    #expect(try read(height, "2.5") == .number(2.5))
    #expect(try read(height, "2,5") == .number(2.5))
    #expect(try read(height, "+3") == .number(3))
    for text in ["1.234,5", "1,234,5", "0x10", "1e1", "inf", "nan", "two", "41", "-1", "1 2", "٣"] {
      #expect(
        try fault(height, text) == "“\(text)” is no number from 0 to 40, such as 2.5", "\(text)")
    }
    let plants = OrderItem.Content.question(
      Question(.number(Question.NumberRange(least: 1, isWhole: true))))
    #expect(try read(plants, "12") == .number(12))
    #expect(try fault(plants, "1.5") == "“1.5” is no whole number from 1 to ∞")
  }

  @Test("yes and no, days and words are read, and anything else is refused with what to write")
  func others() throws {
    #expect(try read(.question(Question(.yesOrNo)), "YES") == .yes(true))
    #expect(try read(.question(Question(.yesOrNo)), "no") == .yes(false))
    #expect(try fault(.question(Question(.yesOrNo)), "maybe") == "“maybe” is neither yes nor no")
    let day = try #require(CivilDate(iso8601: "2026-05-31"))
    #expect(try read(.question(Question(.date)), "2026-05-31") == .date(day))
    #expect(
      try fault(.question(Question(.date)), "31.5.2026")
        == "“31.5.2026” is no day: write it as 2026-05-31")
    #expect(try read(.note, " wet ") == .text("wet"))
    #expect(
      try fault(.question(Question(.text)), String(repeating: "x", count: 5001))
        == "the answer is too long: at most 5000 characters")
    #expect(try fault(.shot(WantedShot()), "x").contains("has no answer in words"))
  }

  @Test("an answer in words has the wordings of its day")
  func words() throws {
    let several = Question(.several(try choices()))
    let names = Set(try choices().map(\.name))
    #expect(several.words(.several(names)) == "Maize, Other, such as hops, Code 12")
    let height = Question(.number(Question.NumberRange(unit: "m")))
    #expect(height.words(.number(2)) == "2 m" && height.words(.number(2.25)) == "2.25 m")
    #expect(Question(.yesOrNo).words(.yes(true)) == "yes")
  }
}

@Suite("Things that name no item")
struct ItemFillingTests {
  @Test("photos and tracks fill the items that ask for them, from top to bottom, and no other")
  func filling() throws {
    func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }
    let items = try OrderItems([
      OrderItem(name: name("ripe"), wording: "Ripe?", content: .question(Question(.yesOrNo))),
      OrderItem(name: name("two"), wording: "Two", content: .shot(WantedShot(least: 2))),
      OrderItem(name: name("locked"), wording: "Locked", content: .shot(WantedShot())),
      OrderItem(
        name: name("hidden"), wording: "Hidden", condition: .equals(name("ripe"), .yes(true)),
        content: .shot(WantedShot())),
      OrderItem(name: name("way"), wording: "Way", content: .track(.free)),
      OrderItem(name: name("last"), wording: "Last", content: .shot(WantedShot())),
    ])
    func states(photos: [ItemName?], tracks: Int = 0) throws -> [ItemStanding.State] {
      var given = GivenItems()
      given.answers = [
        try name("ripe"): .value(.yes(false)), try name("locked"): .notPossible(reason: "a dog"),
      ]
      let time = DeviceTime(millisecondsSince1970: 1_778_000_000_000)
      given.fill(
        items,
        photos: photos.enumerated().map {
          GivenItems.Taken(Identifier(at: time.advanced(bySeconds: Double($0))), for: $1)
        }, sets: [], tracks: (0..<tracks).map { _ in Identifier(at: time) })
      return ItemStanding(of: items, given).states.map(\.state)
    }
    #expect(
      try states(photos: []) == [.done, .open, .notPossible, .notAsked, .open, .open])
    #expect(
      try states(photos: [nil], tracks: 1) == [.done, .open, .notPossible, .notAsked, .done, .open])
    #expect(
      try states(photos: [nil, nil]) == [.done, .done, .notPossible, .notAsked, .open, .open])
    #expect(
      try states(photos: [nil, nil, nil])
        == [.done, .done, .notPossible, .notAsked, .open, .done])
    // A photo that names a shot is that shot's; a name that the order has no more counts as none.
    #expect(
      try states(photos: [name("last"), nil])
        == [.done, .open, .notPossible, .notAsked, .open, .done])
    #expect(
      try states(photos: [name("two"), nil])
        == [.done, .done, .notPossible, .notAsked, .open, .open])
    #expect(
      try states(photos: [name("gone"), name("way"), name("last")])
        == [.done, .done, .notPossible, .notAsked, .open, .done])
  }
}
