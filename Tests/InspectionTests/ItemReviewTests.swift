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
    _ order: OrderItems, photos: [Identifier], _ verdicts: [ItemVerdict] = []
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
    func review(_ returning: [ItemName: String]) throws -> ItemReview {
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
    func states(_ photos: [Identifier]) throws -> [ItemStanding.State] {
      ItemStanding(
        of: order, try given(order, photos: photos, review.verdicts),
        returned: [try name("roof"), try name("more")]
      ).states.map(\.state)
    }
    // The door's photo does not move up to the roof.
    #expect(try states(photos) == [.done, .open, .notAsked, .done, .open, .done])
    #expect(try states(photos + [id(9)]) == [.done, .done, .notAsked, .done, .open, .done])
    let standing = ItemStanding(
      of: order, try given(order, photos: photos + [id(9)], review.verdicts),
      returned: [try name("roof"), try name("more")])
    // It need not have been given, and was asked for again: now it must be.
    #expect(standing.missing == [try name("more")])
  }
}
