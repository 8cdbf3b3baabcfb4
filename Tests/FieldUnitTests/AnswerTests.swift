import Evidence
import Foundation
import Inspection
import NIOHTTP1
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import FieldPages
@testable import FieldUnit

@Suite("Answers to items on the device", .timeLimit(.minutes(5)))
struct AnswerTests {
  /// The items that the tests ask for: a choice, a number and words after one of its choices.
  static func order() throws -> OrderedItems {
    func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }
    let choices = try ["maize", "other"].map {
      Question.Choice(name: try name($0), wording: $0.capitalized)
    }
    let items = try [
      OrderItem(
        name: name("crop"), wording: "Which crop?", content: .question(Question(.choice(choices)))),
      OrderItem(
        name: name("which"), wording: "Which one? <script>",
        condition: .equals(name("crop"), .choice(name("other"))),
        content: .question(Question(.text))),
      OrderItem(
        name: name("height"), wording: "How high?",
        content: .question(
          Question(.number(Question.NumberRange(unit: "m", least: 0, most: 40))))),
      OrderItem(name: name("roof"), wording: "The roof", content: .shot(WantedShot())),
    ]
    return OrderedItems(type: "crop check", version: 3, items: try OrderItems(items))
  }

  private func task(_ scene: FieldScene) throws -> InspectionTask {
    let task = try #require(try scene.tasks().first)
    let order = try Self.order()
    try scene.unit.store.write(as: scene.unit.person) { try $0.tasks.keep(order, ofTask: task) }
    return try scene.unit.openTask(task.id)
  }

  private func refusal(_ body: () throws -> Void) throws -> String {
    do {
      try body()
      return "taken"
    } catch let error as InspectionError { return "\(error)" }
  }

  @Test(
    "the last word on an item counts, each word is sealed, and they verify with what they rest on")
  func sealed() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let task = try task(scene)
      let photo = try await scene.capture(scene.request(task: task.id))
      let unit = scene.unit
      try unit.answer(.text("maize"), to: "crop", ofTask: task.id)
      try unit.answer(.text("Other"), to: "crop", ofTask: task.id, photos: [photo.id])
      try unit.answer(.text("hops"), to: "which", ofTask: task.id)
      try unit.answer(.text("2,5"), to: "height", ofTask: task.id)
      try unit.answer(.notPossible("a dog"), to: "roof", ofTask: task.id)
      let again = try FieldScene.unit(folder, clock: scene.clock)
      let items = try #require(try again.taskItems(of: task.id))
      #expect(items.answers.count == 4 && items.standing.isComplete)
      let name = try #require(ItemName("crop"))
      let crop = try #require(items.answers[name])
      #expect(crop.words == "Other" && crop.photos == [photo.id] && crop.version == 3)
      #expect(items.standing.states.map(\.state) == [.done, .done, .done, .notPossible])
      let report = try scene.verify()
      #expect(report.verdict == .intact, "\(report.findings)")
      #expect(report.checked == 7)
      // Each record says what its answer was, and reads back as it was made.
      let seals = try unit.store.read(as: unit.person) {
        try $0.chain.undeliveredSeals(ofWhole: task.id)
      }.filter { $0.seal.link.kind == .answer }
      #expect(seals.count == 5)
      #expect(try seals.map { try $0.answer().words } == ["Maize", "Other", "hops", "2.5 m", nil])
      #expect(try seals[1].answer().id == crop.id)
    }
  }

  @Test("an answer that is none is refused in words, and nothing is sealed")
  func refused() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let task = try task(scene)
      let unit = scene.unit
      func answer(_ written: WrittenAnswer, _ item: String, _ photos: [Identifier] = []) throws
        -> String
      {
        try refusal { try unit.answer(written, to: item, ofTask: task.id, photos: photos) }
      }
      let elsewhere = try await scene.capture(scene.request(task: nil))
      #expect(try answer(.text("rye"), "crop").contains("none of the choices"))
      #expect(try answer(.text("x"), "wheat").contains("no item “wheat”"))
      #expect(try answer(.text("hops"), "which").contains("not asked for"))
      #expect(try answer(.text("x"), "roof").contains("has no answer in words"))
      #expect(try answer(.notPossible(" "), "roof").contains("say in words why"))
      #expect(try answer(.text("maize"), "crop", [elsewhere.id]).contains("does not belong"))
      #expect(
        try answer(.text("maize"), "crop", Array(repeating: elsewhere.id, count: 51))
          .contains("at most 50 photos"))
      #expect(try unit.taskItems(of: task.id)?.answers.isEmpty == true)
      let plain = try #require(try scene.unit.tasks().last { $0.id != task.id })
      #expect(
        try refusal { try unit.answer(.text("maize"), to: "crop", ofTask: plain.id) }
          .contains("no item"))
      _ = try await scene.capture(scene.request(task: task.id))
      try unit.answer(.text("maize"), to: "crop", ofTask: task.id)
      #expect(
        try refusal { try unit.provideTask(task.id) }.contains("still asks for “height”"))
      try unit.answer(.text("4"), to: "height", ofTask: task.id)
      try unit.provideTask(task.id)
      #expect(try answer(.text("other"), "crop").contains("locked"))
    }
  }

  @Test("an answer that no office would take is refused before it is sealed")
  func tooLong() throws {
    try withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let task = try #require(try scene.tasks().first)
      let choices = try (1...500).map {
        Question.Choice(
          name: try #require(ItemName(choice: "c\($0)")),
          wording: String(repeating: "č", count: 200))
      }
      let order = OrderedItems(
        type: "t", version: 1,
        items: try OrderItems([
          OrderItem(
            name: try #require(ItemName("q")), wording: "Which?",
            content: .question(Question(.several(choices))))
        ]))
      let unit = scene.unit
      try unit.store.write(as: unit.person) { try $0.tasks.keep(order, ofTask: task) }
      let all = choices.map(\.name.description)
      #expect(
        try refusal { try unit.answer(.fields(all), to: "q", ofTask: task.id) }
          .contains("too long for an office"))
      try unit.answer(.fields(Array(all.prefix(200))), to: "q", ofTask: task.id)
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test("the page asks for one thing after the other, and shows a refused answer as it was written")
  func page() async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      let unit = try #require(try site.server.unit())
      let task = try #require(try site.scene.tasks().first)
      let order = try Self.order()
      try unit.store.write(as: unit.person) { try $0.tasks.keep(order, ofTask: task) }
      _ = try unit.openTask(task.id)
      let page = try await site.browser.get("/tasks/\(task.id)").body
      #expect(page.contains("0 of 3 done") && page.contains("not asked for after the answers"))
      let first = try await site.browser.post("/tasks/\(task.id)/items/crop", ["value": "other"])
      #expect(first.headers["location"] == ["/tasks/\(task.id)?item=which#item-which"])
      let second = try await site.browser.get("/tasks/\(task.id)?item=which").body
      #expect(second.contains("1 of 4 done") && second.contains("Which one? &lt;script&gt;"))
      let wrong = try await site.browser.post("/tasks/\(task.id)/items/height", ["value": "4\"00"])
      #expect(wrong.status == 422)
      #expect(wrong.body.contains("is no number from 0 to 40"))
      #expect(wrong.body.contains("required autofocus>"), "the field is in view")
      #expect(wrong.body.contains("value=\"4&quot;00\""))
      _ = try await site.browser.post("/tasks/\(task.id)/items/which", ["value": "hops"])
      _ = try await site.browser.post("/tasks/\(task.id)/items/height", ["value": "2,5"])
      let last = try await site.browser.post("/tasks/\(task.id)/items/roof", ["reason": "a dog"])
      #expect(last.headers["location"] == ["/tasks/\(task.id)?done=answered#items"])
      let done = try await site.browser.get("/tasks/\(task.id)").body
      #expect(done.contains("4 of 4 done") && done.contains("a dog") && done.contains("2.5 m"))
    }
  }
}
