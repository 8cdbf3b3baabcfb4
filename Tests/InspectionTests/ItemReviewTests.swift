import Geodesy
import Inspection
import Testing
import TimeAndText

@Suite("A decision item by item")
struct ItemReviewTests {
  private func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }
  private func id(_ second: Int) -> Identifier {
    Identifier(
      at: DeviceTime(millisecondsSince1970: 1_778_000_000_000).advanced(bySeconds: Double(second)))
  }

  private func order() throws -> OrderItems {
    try OrderItems([
      OrderItem(name: name("ripe"), wording: "Ripe?", content: .question(Question(.yesOrNo))),
      OrderItem(name: name("roof"), wording: "The roof", content: .shot(WantedShot())),
      OrderItem(
        name: name("why"), wording: "Why not?", condition: .equals(name("ripe"), .yes(false)),
        content: .note),
      OrderItem(name: name("door"), wording: "The door", content: .shot(WantedShot())),
      OrderItem(
        name: name("more"), wording: "More?", isRequired: false, content: .note),
      OrderItem(name: name("thanks"), wording: "Thanks", isRequired: false, content: .words),
    ])
  }

  /// Returns what was given: an answer, and two photos that name no item.
  private func given(
    _ order: OrderItems, photos: [Identifier], _ verdicts: ItemVerdicts = .none
  ) throws -> GivenItems {
    var given = GivenItems()
    given.answers = [try name("ripe"): .value(.yes(true))]
    given.fill(
      order, photos: photos.map { GivenItems.Taken($0, for: nil) }, sets: [], tracks: [],
      verdicts: verdicts)
    return given
  }

  @Test("a task is returned if one of its items is, and its reason names each; otherwise accepted")
  func rule() throws {
    let order = try order()
    let (record, photos) = (id(0), [id(1), id(2)])
    let given = try given(order, photos: photos)
    let standing = ItemStanding(of: order, given)
    func review(_ returning: ItemReturns) throws -> ItemReview {
      try ItemReview(
        of: order, standing, given, answers: [name("ripe"): record], returning: returning)
    }
    let all = try review([:])
    #expect(all.action == .accept)
    #expect(all.verdicts.map(\.item.description) == ["ripe", "roof", "door"])
    #expect(all.verdicts.map(\.judged) == [[record], [photos[0]], [photos[1]]])
    let some = try review([name("roof"): "blurred", name("more"): "name the tree"])
    #expect(some.action == .returnToInspector)
    #expect(some.verdicts.map { $0.returned ?? "–" } == ["–", "blurred", "–", "name the tree"])
    #expect(some.reason(nil, of: order) == "The roof: blurred\nMore?: name the tree")
    #expect(some.reason("Nearly.", of: order).hasPrefix("Nearly.\nThe roof"))
    #expect(
      try review([name("roof"): String(repeating: "x", count: 500)])
        .reason(String(repeating: "y", count: 1990), of: order).count == 2000)
  }

  @Test("an item that was not asked for, no reason and too long a one are refused")
  func refused() throws {
    let order = try order()
    let given = try given(order, photos: [])
    let standing = ItemStanding(of: order, given)
    func refusal(_ item: String, _ reason: String) throws -> String {
      do {
        _ = try ItemReview(
          of: order, standing, given, answers: [:], returning: [name(item): reason])
        return "taken"
      } catch let error as InspectionError { return "\(error)" }
    }
    #expect(try refusal("why", "x").contains("not asked for"))
    #expect(try refusal("roof", " ").contains("say in words why “roof” is returned"))
    #expect(try refusal("roof", String(repeating: "x", count: 501)).contains("at most 500"))
    #expect(try refusal("gone", "x").contains("no item “gone”"))
    #expect(try refusal("roof", "it is missing") == "taken")
  }

  @Test("a mark goes to the returned item of its photo; on any other photo it is refused")
  func marks() throws {
    let order = try order()
    let photos = [id(1), id(2)]
    let given = try given(order, photos: photos)
    let mark = try PhotoMark(photo: photos[0], linesText: "1,2 3,4")
    func review(_ items: [ItemName: String], _ marks: [PhotoMark]) throws -> ItemReview {
      try ItemReview(
        of: order, ItemStanding(of: order, given), given, answers: [:],
        returning: ItemReturns(reasons: items, marks: marks))
    }
    let both = try review([name("roof"): "blurred", name("door"): "dark"], [mark])
    #expect(both.verdicts.map(\.marks) == [[], [mark], []])
    // As many places as a decision takes, and one more.
    let line = [PhotoMark.Place](
      repeating: try #require(PhotoMark.Place(across: 1, down: 1)), count: 200)
    let full = try PhotoMark(photo: photos[0], lines: Array(repeating: line, count: 20))
    let most = [PhotoMark](repeating: full, count: 5)
    #expect(try review([name("roof"): "blurred"], most).verdicts[1].marks.count == 5)
    #expect(throws: InspectionError.item(.mark)) {
      try review([name("roof"): "blurred"], most + [mark])
    }
    for items in [[try name("door"): "dark"], [:]] {
      #expect(throws: InspectionError.item(.markElsewhere(photos[0]))) {
        try review(items, [mark])
      }
    }
  }

  @Test(
    "what was judged no longer counts for a returned item, and stays with an accepted one, whatever comes"
  )
  func again() throws {
    let order = try order()
    let photos = [id(1), id(2)]
    let first = try given(order, photos: photos)
    let review = try ItemReview(
      of: order, ItemStanding(of: order, first), first, answers: [name("ripe"): id(0)],
      returning: [name("roof"): "blurred", name("more"): "name the tree"])
    let verdicts = ItemVerdicts(returns: [review.verdicts])
    func states(_ photos: [Identifier]) throws -> [ItemStanding.State] {
      ItemStanding(
        of: order, try given(order, photos: photos, verdicts),
        returned: [try name("roof"), try name("more")]
      ).states.map(\.state)
    }
    // The door's photo does not move up to the roof.
    #expect(try states(photos) == [.done, .open, .notAsked, .done, .open, .done])
    #expect(try states(photos + [id(9)]) == [.done, .done, .notAsked, .done, .open, .done])
    let standing = ItemStanding(
      of: order, try given(order, photos: photos + [id(9)], verdicts),
      returned: [try name("roof"), try name("more")])
    // It need not have been given, and was asked for again: now it must be.
    #expect(standing.missing == [try name("more")])
  }

  @Test("what a first return refused counts for nothing behind a second one, with or without marks")
  func twice() throws {
    let order = try order()
    let photos = [id(1), id(2)]
    func review(_ photos: [Identifier], _ verdicts: ItemVerdicts, _ item: String) throws
      -> [ItemVerdict]
    {
      let given = try given(order, photos: photos, verdicts)
      return try ItemReview(
        of: order, ItemStanding(of: order, given), given, answers: [:],
        returning: [name(item): "dark"]
      ).verdicts
    }
    func roof(_ photos: [Identifier], _ returns: [[ItemVerdict]]) throws -> [Identifier] {
      try given(order, photos: photos, ItemVerdicts(returns: returns)).photos[name("roof")] ?? []
    }
    let first = try review(photos, .none, "roof")
    #expect(try roof(photos, [first]) == [])
    let third = id(3)
    #expect(try roof(photos + [third], [first]) == [third])
    let second = try review(photos + [third], ItemVerdicts(returns: [first]), "roof")
    #expect(try roof(photos + [third], [first, second]) == [])
    // The officer returns another item, or the whole task.
    let other = try review(photos + [third], ItemVerdicts(returns: [first]), "door")
    #expect(try roof(photos + [third], [first, other]) == [third])
    #expect(try roof(photos, [first, []]) == [photos[1]], "the door's photo is free again")
    #expect(ItemVerdicts(returns: [first, []]).refused == [photos[0]])
  }

  @Test("a spare photo that was there already does not step in for one that is returned")
  func spare() throws {
    let order = try order()
    let photos = [id(1), id(2), id(3)]
    let first = try given(order, photos: photos)
    #expect(first.spare.photos == [photos[2]])
    let review = try ItemReview(
      of: order, ItemStanding(of: order, first), first, answers: [:],
      returning: [name("door"): "closed"])
    let later = try given(order, photos: photos, ItemVerdicts(returns: [review.verdicts]))
    #expect(try later.photos[name("door"), default: []] == [])
    #expect(try later.photos[name("roof")] == [photos[0]])
  }

  @Test("a shot whose place or direction is a condition takes no photo that does not name it")
  func strict() throws {
    let place = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16))
    let order = try OrderItems([
      OrderItem(
        name: name("gate"), wording: "Gate",
        content: .shot(WantedShot(station: .point(place, radiusMetres: 10), isStrict: true))),
      OrderItem(
        name: name("any"), wording: "Any",
        content: .shot(WantedShot(station: .point(place, radiusMetres: 10)))),
    ])
    let photo = id(1)
    var given = GivenItems()
    given.fill(order, photos: [GivenItems.Taken(photo, for: nil)], sets: [], tracks: [])
    #expect(try given.photos == [name("any"): [photo]])
  }

  @Test("an accepted track stays with its item, and is free if the order has it no more")
  func track() throws {
    func order(_ text: String) throws -> OrderItems {
      try OrderItems([OrderItem(name: name(text), wording: "Way", content: .track(.free))])
    }
    let way = id(1)
    let verdicts = ItemVerdicts(
      returns: [[ItemVerdict(item: try name("round"), returned: nil, judged: [way])]])
    for text in ["round", "walk"] {
      var given = GivenItems()
      given.fill(try order(text), photos: [], sets: [], tracks: [way], verdicts: verdicts)
      #expect(try given.tracks == [name(text): [way]])
    }
  }

  @Test("an accepted item for which something else came is said to be changed")
  func changed() throws {
    let order = try order()
    let (record, photos) = (id(0), [id(1), id(2)])
    let first = try given(order, photos: photos)
    let review = try ItemReview(
      of: order, ItemStanding(of: order, first), first, answers: [name("ripe"): record],
      returning: [name("door"): "closed"])
    let verdicts = ItemVerdicts(returns: [review.verdicts])
    let same = try given(order, photos: photos, verdicts)
    #expect(try verdicts.changed(same, answers: [name("ripe"): record]) == [])
    #expect(try verdicts.changed(same, answers: [name("ripe"): id(5)]) == [name("ripe")])
  }
}
