import Geodesy
import Testing
import TimeAndText

@testable import Inspection

@Suite("The items of an order")
struct OrderItemsTests {
  private func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  private func question(
    _ text: String, _ form: Question.Form, if condition: ItemCondition? = nil
  ) throws -> OrderItem {
    OrderItem(
      name: try name(text), wording: "\(text)?", condition: condition,
      content: .question(Question(form)))
  }

  private func choices(_ names: String...) throws -> [Question.Choice] {
    try names.map {
      Question.Choice(name: try #require(ItemName(choice: $0)), wording: "Choice \($0)")
    }
  }

  private func fault(_ items: [OrderItem]) -> String? {
    do {
      _ = try OrderItems(items)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("a name is what a table of questions can have as a name")
  func names() {
    for text in ["crop", "_x", "a.b-c_9", "Z", String(repeating: "a", count: 64)] {
      #expect(ItemName(text)?.description == text)
    }
    for text in [
      "", "9a", "-a", "a b", "é", "a\u{0}", "a/b", "${a}", String(repeating: "a", count: 65),
    ] {
      #expect(ItemName(text) == nil, "\(text)")
    }
    #expect(ItemName(choice: "115") != nil && ItemName(choice: "") == nil)
    #expect(ItemName(choice: "1 2") == nil)
  }

  @Test("a second crop is asked for only if the first is other than declared")
  func conditional() throws {
    let crop = try name("crop")
    let other = try #require(ItemName(choice: "other"))
    let order = try OrderItems([
      question("crop", .choice(try choices("declared", "other"))),
      question("which", .text, if: .equals(crop, .choice(other))),
      OrderItem(
        name: name("overview"), wording: "The parcel", content: .shot(WantedShot(least: 2))),
      OrderItem(
        name: name("read"), wording: "Mind the ditch", isRequired: false, content: .words),
      OrderItem(
        name: name("way"), wording: "Round it", isRequired: false, content: .track(.roundParcel)),
    ])
    var given = GivenItems()
    func states() -> [ItemStanding.State] { ItemStanding(of: order, given).states.map(\.state) }
    #expect(states() == [.open, .notAsked, .open, .done, .open])
    given.answers[crop] = .value(.choice(try #require(ItemName(choice: "declared"))))
    given.photos[try name("overview")] = (1...2).map {
      Identifier(at: DeviceTime(millisecondsSince1970: $0))
    }
    #expect(states() == [.done, .notAsked, .done, .done, .open])
    var standing = ItemStanding(of: order, given)
    #expect(standing.isComplete && standing.asked(of: order) == 3)
    #expect(standing.answered(of: order) == 2)
    given.answers[crop] = .value(.choice(other))
    #expect(ItemStanding(of: order, given).missing == [try name("which")])
    given.answers[try name("which")] = .value(.text(" \n"))
    #expect(!ItemStanding(of: order, given).isComplete, "blanks are no answer")
    given.answers[try name("which")] = .notPossible(reason: "a hedge hides it")
    standing = ItemStanding(of: order, given)
    #expect(standing.isComplete && standing.states[1].state == .notPossible)
    // An answer that is not asked for any more does not count, and is not lost.
    given.answers[crop] = .notPossible(reason: "under snow")
    #expect(states() == [.notPossible, .notAsked, .done, .done, .open])
  }

  @Test("several choices, numbers and days are compared as they are meant")
  func comparisons() throws {
    let (species, height, sown) = (try name("species"), try name("height"), try name("sown"))
    func chosen(_ names: String...) throws -> Set<ItemName> {
      Set(try names.map { try #require(ItemName(choice: $0)) })
    }
    let day = try #require(CivilDate(iso8601: "2026-05-01"))
    let later = try #require(CivilDate(iso8601: "2026-05-02"))
    let values: [ItemName: AnswerValue] = [
      species: .several(try chosen("sage", "daisy")), height: .number(12.5), sown: .date(day),
    ]
    for (condition, isMet) in [
      (.isOneOf(species, try chosen("daisy", "clover")), true),
      (.isOneOf(species, try chosen("clover")), false),
      (.equals(species, .several(try chosen("daisy", "sage"))), true),
      (.equals(species, .several(try chosen("daisy"))), false),
      (.less(height, than: .number(12.5)), false), (.less(height, than: .number(13)), true),
      (.more(height, than: .number(12)), true), (.more(sown, than: .date(day)), false),
      (.less(sown, than: .date(later)), true), (.more(height, than: .date(day)), false),
      (.all([]), true), (.any([]), false), (.not(.any([])), true),
      (.not(.equals(try name("unknown"), .yes(true))), true),
      (.all([.more(height, than: .number(1)), .not(.less(sown, than: .date(day)))]), true),
    ] as [(ItemCondition, Bool)] {
      #expect(condition.holds { values[$0] } == isMet, "\(condition)")
    }
  }

  @Test(
    "a condition on itself, on an item below, on a choice that is gone, or on no question is named")
  func badConditions() throws {
    let crop = try name("crop")
    let crops = try question("crop", .choice(try choices("wheat", "beet")))
    let maize = try #require(ItemName(choice: "maize"))
    let wheat = try #require(ItemName(choice: "wheat"))
    for (items, words) in [
      ([try question("a", .yesOrNo, if: .equals(try name("a"), .yes(true)))], "refers to itself"),
      (
        [try question("a", .text, if: .equals(crop, .choice(wheat))), crops],
        "refers to crop, which is no item above it"
      ),
      (
        [crops, try question("a", .text, if: .isOneOf(crop, [wheat, maize]))],
        "compares crop with an answer that it cannot have"
      ),
      (
        [crops, try question("a", .text, if: .less(crop, than: .number(3)))],
        "compares crop with an answer that it cannot have"
      ),
      (
        [
          OrderItem(name: crop, wording: "Crop", content: .shot(WantedShot())),
          try question("a", .text, if: .not(.equals(crop, .yes(true)))),
        ], "refers to crop, which is no question"
      ),
      ([crops, crops], "another item has the same name"),
    ] {
      #expect(fault(items)?.contains(words) == true, "\(words): \(fault(items) ?? "none")")
    }
    var deep = ItemCondition.equals(crop, .choice(wheat))
    for _ in 1..<16 { deep = .not(deep) }
    #expect(fault([crops, try question("a", .text, if: deep)]) == nil)
    #expect(
      fault([crops, try question("a", .text, if: .not(deep))])?.contains("16 levels") == true)
    let wide = ItemCondition.any(Array(repeating: .equals(crop, .choice(wheat)), count: 201))
    #expect(
      fault([crops, try question("a", .text, if: wide)])?.contains("201 comparisons") == true)
  }

  @Test("an item that cannot be done, or is too much to read, is named with its fault")
  func badItems() throws {
    func shot(_ shot: WantedShot) throws -> OrderItem {
      OrderItem(name: try name("s"), wording: "Shot", content: .shot(shot))
    }
    let place = try #require(Coordinate(latitudeDegrees: 50, longitudeDegrees: -179))
    let long = String(repeating: "ا", count: 1001)
    for (item, words) in [
      (try question("a", .choice([])), "offers no choice"),
      (try question("a", .several(try choices("x", "x"))), "two of its choices are named x"),
      (try question("a", .number(.init(least: 3, most: 2))), "least number is larger"),
      (try question("a", .number(.init(least: .nan))), "a limit of its number is none"),
      (try question("a", .number(.init(least: 0.2, most: 0.8, isWhole: true))), "no whole number"),
      (try shot(WantedShot(least: 0)), "asks for 0 photos"),
      (try shot(WantedShot(least: 3, most: 2)), "largest number of photos is 2"),
      (try shot(WantedShot(station: .point(place, radiusMetres: 1))), "2 to 5000 m"),
      (
        try shot(WantedShot(bearing: .init(degreesTrue: 360, toleranceDegrees: 10))),
        "bearing is not"
      ),
      (
        try shot(WantedShot(bearing: .init(degreesTrue: .nan, toleranceDegrees: 10))),
        "bearing is not"
      ),
      (try shot(WantedShot(set: NeededSet(kind: .turn, sectors: 5))), "4, 8 or 12 views, not 5"),
      (OrderItem(name: try name("w"), wording: " ", content: .note), "has no wording"),
      (OrderItem(name: try name("w"), wording: long, content: .note), "1001 characters"),
      (OrderItem(name: try name("w"), wording: "x", content: .words), "cannot be required"),
    ] {
      #expect(fault([item])?.contains(words) == true, "\(words): \(fault([item]) ?? "none")")
    }
    let many = try (0...500).map { try question("q\($0)", .text) }
    #expect(fault(many)?.contains("at most 500 items, not 501") == true)
    #expect(fault(Array(many.dropLast())) == nil)
  }

  @Test("an answer is taken only in the form of its question")
  func answers() throws {
    let number = Question(.number(.init(unit: "cm", least: -1, most: 10, isWhole: true)))
    #expect(number.allows(.number(-1)) && number.allows(.number(10)))
    for value in [-1.5, 10.5, 11, .nan, .infinity] { #expect(!number.allows(.number(value))) }
    #expect(!number.allows(.text("3")))
    let crops = Question(.several(try choices("wheat", "beet")))
    let (wheat, maize) = (
      try #require(ItemName(choice: "wheat")), try #require(ItemName(choice: "maize"))
    )
    #expect(crops.allows(.several([wheat])))
    #expect(!crops.allows(.several([])) && !crops.allows(.several([wheat, maize])))
    #expect(!crops.allows(.choice(wheat)))
    #expect(!Question(.text).allows(.text(String(repeating: "x", count: 5001))))
    #expect(Question(.yesOrNo).allows(.yes(false)) && !Question(.date).allows(.yes(true)))
  }
}
