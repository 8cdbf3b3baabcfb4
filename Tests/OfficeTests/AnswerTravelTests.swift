import Evidence
import Exports
import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficeExporting
@testable import OfficePages

@Suite("Answers on their way to the office", .timeLimit(.minutes(3)))
struct AnswerTravelTests {
  private func items() throws -> OrderItems {
    try OrderItems([
      OrderItem(
        name: try #require(ItemName("ripe")), wording: "Is it ripe?",
        content: .question(Question(.yesOrNo))),
      OrderItem(
        name: try #require(ItemName("height")), wording: "How high?",
        content: .question(Question(.number(Question.NumberRange(unit: "m"))))),
      OrderItem(
        name: try #require(ItemName("why")), wording: "Why?", isRequired: false,
        condition: .equals(try #require(ItemName("ripe")), .yes(false)), content: .note),
    ])
  }

  private func answers(
    _ scene: OfficeScene, _ task: Identifier, late: Bool = false
  ) async throws -> [String] {
    try await scene.office.database.read(in: "north") { try $0.answers.list(ofTask: task) }
      .filter { $0.isLate == late }.map { "\($0.answer.item): \($0.answer.words ?? "–")" }
  }

  /// Orders a task with items, which an inspector opens and answers for the first time.
  /// - Parameter isToldAhead: the rule by which answers reach the office before Send.
  private func answering(
    isToldAhead: Bool = true,
    _ body:
      @escaping @Sendable (OfficeScene, InspectorUnit, InspectionTask) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.office.templates.take(
        try items(), title: nil, forType: "crop", in: "north", by: "otto")
      _ = try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        $0.general[.answersAhead] = .flag(isToldAhead)
      }
      let order = try await scene.order("Upper field", type: "crop")
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      try unit.openTask(order.id)
      try unit.answer(.text("no"), to: "ripe", ofTask: order.id)
      try await body(scene, unit, order)
    }
  }

  @Test("an answer to an item that is not asked for any more counts in no export, on either side")
  func counting() async throws {
    try await answering { scene, unit, order in
      try unit.answer(.text("words"), to: "why", ofTask: order.id)
      try unit.answer(.text("yes"), to: "ripe", ofTask: order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      var options = ExportOptions()
      for (rows, expected) in [
        (CSVDocument.Rows.answers, ["ripe false", "why false", "ripe true"]),
        (.items, ["ripe done yes", "height open ", "why notAsked "]),
      ] {
        options.rows = rows
        let path = scene.folder.appendingPathComponent("\(rows).csv").path
        try await scene.office.exports.export(
          .tasks([order.id]), in: "north", as: .csv, options: options, toFile: path)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n")
          .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        let head = try #require(lines.first)
        let columns = rows == .answers ? ["item", "counts"] : ["item", "state", "answer"]
        let places = try columns.map { try #require(head.firstIndex(of: $0)) }
        #expect(
          lines.dropFirst().map { row in places.map { row[$0] }.joined(separator: " ") } == expected
        )
      }
      let items = try #require(try unit.taskItems(of: order.id))
      #expect(
        items.counting == Set([items.answers[try #require(ItemName("ripe"))]].compactMap(\.?.id)))
    }
  }

  @Test("if the rules withhold them, they come with Send, and the opened task is told all the same")
  func withheld() async throws {
    try await answering(isToldAhead: false) { scene, unit, order in
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await answers(scene, order.id).isEmpty)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      #expect(view.task.state == .open)
      try unit.answer(.notPossible("a dog"), to: "height", ofTask: order.id)
      _ = try await scene.capture(unit, order.id, 1)
      try unit.provideTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await answers(scene, order.id) == ["ripe: no", "height: –"])
    }
  }

  @Test("they come with each delivery, before the task is sent, and the officer reads what counts")
  func travel() async throws {
    try await answering { scene, unit, order in
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await answers(scene, order.id) == ["ripe: no"])
      let photo = try await scene.capture(unit, order.id, 1)
      try unit.answer(.text("yes"), to: "ripe", ofTask: order.id, photos: [photo.id])
      try unit.answer(.notPossible("a <script>"), to: "height", ofTask: order.id)
      try unit.provideTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await answers(scene, order.id) == ["ripe: no", "ripe: yes", "height: –"])
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(order.id)").body
        #expect(page.contains("2 of 2 done") && page.contains("a &lt;script&gt;"))
        #expect(page.contains("Shown by") && page.contains("Answers that do not count"))
      }
    }
  }

  @Test("an answer to an item that the order has no more stays to be read")
  func orderChanged() async throws {
    try await answering { scene, unit, order in
      _ = try await scene.office.orders.changeOrder(of: order.id, in: "north", by: "otto") {
        $0.type = "other"
      }
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await answers(scene, order.id) == ["ripe: no"])
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(order.id)").body
        #expect(page.contains("Answers that do not count") && page.contains("Is it ripe? – no"))
        #expect(!page.contains("What is asked for"))
      }
    }
  }

  @Test("an answer that comes after the decision is kept beside the task, and does not count")
  func late() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.office.templates.take(
        try items(), title: nil, forType: "crop", in: "north", by: "otto")
      let order = try await scene.order("Upper field", type: "crop")
      let (handheld, _) = try await scene.working(photos: 0, on: "handheld")
      let (tablet, _) = try await scene.working(photos: 1, on: "tablet")
      try tablet.answer(.text("yes"), to: "ripe", ofTask: order.id)
      try tablet.answer(.text("2"), to: "height", ofTask: order.id)
      try tablet.provideTask(order.id)
      _ = try await tablet.delivery.deliver(over: scene.link)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      try await scene.office.review.decide(
        .accept, on: order.id, by: scene.person("otto"), reason: "Seen.",
        seen: view.task.history.count)
      try handheld.answer(.text("no"), to: "ripe", ofTask: order.id)
      try handheld.answer(.text("3"), to: "height", ofTask: order.id)
      _ = try await scene.capture(handheld, order.id, 2)
      try handheld.provideTask(order.id)
      _ = try await handheld.delivery.deliver(over: scene.link)
      #expect(try await answers(scene, order.id) == ["ripe: yes", "height: 2 m"])
      #expect(try await answers(scene, order.id, late: true) == ["ripe: no", "height: 3 m"])
    }
  }
}
