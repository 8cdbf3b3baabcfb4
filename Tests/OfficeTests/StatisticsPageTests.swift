import Evidence
import Exports
import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficeExporting
@testable import OfficePages
@testable import Web

@Suite("The page of statistics, and lists by answer", .timeLimit(.minutes(3)))
struct StatisticsPageTests {
  private static func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  private static func items() throws -> OrderItems {
    let choices = [
      Question.Choice(name: try name("maize"), wording: "Maize"),
      Question.Choice(name: try name("fallow"), wording: "Fallow <script>"),
    ]
    return try OrderItems([
      OrderItem(
        name: name("crop"), wording: "Which crop <script>?",
        content: .question(.init(.choice(choices)))),
      OrderItem(
        name: name("high"), wording: "How high?", isRequired: false,
        content: .question(.init(.number(.init(unit: "cm"))))),
    ])
  }

  /// Makes three tasks, of which two have answers that came to the office without being sent.
  private func withAnswers(
    _ body: @escaping @Sendable (OfficeScene, [InspectionTask], OfficeBrowser) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.office.templates.take(
        try Self.items(), title: "Crops <script>", forType: "crop", in: "north", by: "otto")
      var orders: [InspectionTask] = []
      for name in ["First", "Second", "Third"] {
        orders.append(try await scene.order(name, type: "crop"))
      }
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      for (order, crop, high) in [(orders[0], "fallow", "12.5"), (orders[1], "maize", "40")] {
        try unit.openTask(order.id)
        try unit.answer(.text(crop), to: "crop", ofTask: order.id)
        try unit.answer(.text(high), to: "high", ofTask: order.id)
        _ = try await scene.capture(unit, order.id, high == "40" ? 2 : 1)
        try unit.provideTask(order.id)
      }
      _ = try await unit.delivery.deliver(over: scene.link)
      let made = orders
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        try await body(scene, made, otto)
      }
    }
  }

  @Test("answers are counted, lead to their tasks, and stand by inspector and week")
  func counted() async throws {
    try await withAnswers { _, _, otto in
      let page = try await otto.get("/statistics").body
      #expect(page.contains("Which crop &lt;script&gt;?") && page.contains("Fallow &lt;script&gt;"))
      #expect(page.contains("Crops &lt;script&gt;") && !page.contains("<script>alert"))
      #expect(page.contains("3 tasks: New 1, Submitted 2"))
      #expect(page.contains("12.5 cm") && page.contains("Least 12.5, mean 26.3, most 40"))
      #expect(page.contains("/tasks?type=crop&amp;answer=crop%3Dfallow"))
      let list = try await otto.get("/tasks?type=crop&answer=crop%3Dfallow").body
      #expect(list.contains("1 task<") && list.contains(">First<") && !list.contains(">Second<"))
      #expect(list.contains("<option value=\"crop=fallow\" selected>Fallow &lt;script&gt;"))
      #expect(list.contains("2 of 2 items"))
      let open = try await otto.get("/tasks?items=missing").body
      #expect(
        open.contains(">Third<") && !open.contains(">First<") && open.contains("0 of 2 items"))
      let groups = try await otto.get("/statistics?type=crop&item=crop").body
      #expect(groups.contains("By inspector") && groups.contains("Week from"))
      #expect(!groups.contains("How high?"))
    }
  }

  @Test("numbers of any size and length are counted, and no bar traps")
  func numbers() throws {
    let template = ItemTemplate(
      type: "crop", version: 1, title: nil, items: try Self.items(),
      made: DeviceTime(millisecondsSince1970: 0), author: "otto")
    let item = template.items.items[1]
    func figures(_ values: [String]) -> String {
      let counts = values.map {
        AnswerCount(item: item.name, kind: .value, value: $0, tasks: 1)
      }
      let figures = AnswerFigures(t: Texts.current, template: template, counts: counts)
      let groups = figures.groups(item, counts, "By", "Who", atMost: 10) { $0 }
      return "\(figures.section(item, atMost: 40))\(groups)"
    }
    let few = figures(["0.0033333333333333335", "1e-07", "1.2345678901234568e-05", "1.7e308", "x"])
    #expect(few.contains("0.0033333333333333335 cm") && !few.contains("nan"))
    let small = figures((1...11).map { "0.00\($0)" })
    #expect(!small.contains("0.00 to 0.00"))
    let huge =
      (1...9).map(String.init) + ["1.7e308", "-1.7e308", "5e-324", "old_choice", "nan", "inf"]
    let all = figures(huge)
    #expect(
      all.contains("old_choice") && all.contains("1.7e308"),
      "too far apart to be divided: each by itself")
    let mixed = figures((1...11).map(String.init) + ["old_choice"])
    #expect(mixed.contains("other answers") && mixed.contains("Least 1.0, mean 6.0, most 11.0"))
  }

  @Test("what nobody knows is refused or passed over, and inspectors do not see the page")
  func unknown() async throws {
    try await withAnswers { scene, _, otto in
      #expect(try await otto.get("/statistics?type=beet%3Cscript%3E").status == 404)
      #expect(try await otto.get("/statistics?type=crop&item=none").status == 200)
      let list = try await otto.get("/tasks?answer=crop%3D%22%3E%3Cscript%3E").body
      #expect(list.contains("No task matches this filter") && !list.contains("\"><script>"))
      #expect(try await otto.get("/tasks?answer=nonsense&items=nonsense").status == 200)
      _ = scene
    }
  }

  @Test("an office's CSV of tasks has the answers in columns, also through the page's export")
  func exported() async throws {
    try await withAnswers { scene, orders, otto in
      let path = scene.folder.appendingPathComponent("tasks.csv").path
      var options = ExportOptions()
      options.rows = .tasks
      try await scene.office.exports.export(
        .tasks(orders.map(\.id)), in: "north", as: .csv, options: options, toFile: path)
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n")
      #expect(lines.count == 4)
      #expect(lines[0].hasSuffix(",answer_crop,answer_high"))
      #expect(lines.contains { $0.hasSuffix(",fallow,12.5") })
      #expect(lines.contains { $0.hasSuffix(",maize,40") })
      options.rows = .answers
      try await scene.office.exports.export(
        .tasks(orders.map(\.id)), in: "north", as: .csv, options: options, toFile: path)
      let answers = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n")
      #expect(answers.count == 5)
      let csv = try await otto.get("/statistics/answers.csv?type=crop").body
      #expect(Set(csv.split(separator: "\r\n")) == Set(lines))
      #expect(try await otto.get("/statistics/answers.csv?type=none").status == 404)
      let ticked = try await otto.post(
        "/tasks/selection", ["task": orders[0].id.description, "do": "answers"])
      #expect(ticked.body.hasSuffix(",fallow,12.5\r\n"))
      let none = try await otto.post("/tasks/selection", ["do": "answers"])
      #expect(none.body.contains("select tasks in the list first"))
    }
  }
}
