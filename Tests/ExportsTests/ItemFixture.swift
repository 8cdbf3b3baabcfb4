import Exports
import Inspection
import Sync
import TestSupport
import Testing
import TimeAndText

/// A made-up order with items, and what was given for it.
enum ItemFixture {
  static func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  /// Returns an order with one item of each kind.
  static func order() throws -> OrderedItems {
    let choices = [
      Question.Choice(name: try name("maize"), wording: "Maize, \"silage\""),
      Question.Choice(name: try name("fallow"), wording: "Ležící ladem"),
    ]
    return OrderedItems(
      type: "crop", version: 3,
      items: try OrderItems([
        OrderItem(
          name: name("crop"), wording: "Which crop?", content: .question(.init(.choice(choices)))),
        OrderItem(
          name: name("seen"), wording: "Seen?", content: .question(.init(.several(choices)))),
        OrderItem(
          name: name("height"), wording: "How high?", isRequired: false,
          content: .question(.init(.number(.init(unit: "m"))))),
        OrderItem(name: name("wet"), wording: "Wet?", content: .question(.init(.yesOrNo))),
        OrderItem(
          name: name("why"), wording: "Why?", condition: .equals(name("wet"), .yes(false)),
          content: .note),
        OrderItem(name: name("roof"), wording: "The roof", content: .shot(WantedShot(least: 2))),
        OrderItem(name: name("door"), wording: "The door", content: .shot(WantedShot())),
        OrderItem(name: name("read"), wording: "Read this.", isRequired: false, content: .words),
      ]))
  }

  /// Returns the items with answers: a changed mind, a number, an item that was not possible, one that was
  /// returned, and a shot with one photo of two.
  static func exported(task: Identifier, photos: [Identifier]) throws -> ExportedItems {
    let order = try order()
    var number = 50
    func answer(
      _ item: String, _ answer: ItemAnswer, counts: Bool = true, photos: [Identifier] = []
    ) throws -> ExportedAnswer {
      number += 1
      let asked = try #require(order.items[name(item)])
      return ExportedAnswer(
        SealedAnswer(
          id: try ExportFixture.id(number), to: asked, of: order, task: task, revision: 1, answer,
          photos: photos, at: ExportFixture.time.advanced(bySeconds: Double(number))),
        inspector: "ines", received: ExportFixture.time.advanced(bySeconds: 3600), counts: counts)
    }
    let answers = try [
      answer("crop", .value(.choice(name("fallow"))), counts: false),
      answer("crop", .value(.choice(name("maize"))), photos: Array(photos.prefix(1))),
      answer("seen", .value(.several([name("maize"), name("fallow")]))),
      answer("height", .value(.number(1.25))),
      answer("wet", .value(.yes(true))),
      answer("door", .notPossible(reason: "a dog <script>")),
    ]
    var given = GivenItems()
    for one in answers where one.counts { given.answers[one.sealed.item] = one.sealed.answer }
    given.photos[try name("roof")] = photos
    return ExportedItems(
      order: order, standing: ItemStanding(of: order.items, given), given: given,
      verdicts: ItemVerdicts(
        last: [ItemVerdict(item: try name("roof"), returned: "blurred", judged: [])], refused: []),
      answers: answers)
  }
}
