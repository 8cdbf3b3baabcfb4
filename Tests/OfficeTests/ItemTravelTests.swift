import Evidence
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
@testable import OfficePages

@Suite("What an order asks for, on its way to the inspector", .timeLimit(.minutes(3)))
struct ItemTravelTests {
  private func items(_ wordings: String...) throws -> OrderItems {
    try OrderItems(
      wordings.enumerated().map { number, wording in
        OrderItem(
          name: try #require(ItemName("q\(number)")), wording: wording,
          content: .shot(WantedShot(least: number + 1)))
      })
  }

  @Test(
    "an order has the newest version of its type's template, and keeps it until its type changes")
  func travel() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (first, second) = (try items("<Roof> & gable", "Heap"), try items("Roof, from the road"))
      func take(_ items: OrderItems) async throws {
        _ = try await scene.office.templates.take(
          items, title: nil, forType: "crop", in: "north", by: "otto")
      }
      let plain = try await scene.order("Without", type: "crop")
      try await take(first)
      let asked = try await scene.order("With", type: "crop")
      try await take(second)
      let unit = try await scene.unit()
      func fetched(_ task: InspectionTask) async throws -> OrderedItems? {
        _ = try await unit.delivery.fetchTasks(over: scene.link)
        return try unit.taskItems(of: task.id)?.order
      }
      func revise(_ change: @escaping (inout InspectionTask) -> Void) async throws {
        _ = try await scene.office.orders.changeOrder(of: asked.id, in: "north", by: "otto") {
          change(&$0)
        }
      }
      #expect(
        try await fetched(asked) == OrderedItems(type: "crop", version: 1, items: first))
      #expect(try await fetched(plain) == nil)
      try await revise { $0.instructions = "Two photos." }
      #expect(try await fetched(asked)?.version == 1)
      #expect(try unit.task(asked.id).instructions == "Two photos.")
      try await revise { $0.type = "other" }
      #expect(try await fetched(asked) == nil)
      try await revise { $0.type = "crop" }
      #expect(
        try await fetched(asked) == OrderedItems(type: "crop", version: 2, items: second))
      #expect(try unit.task(asked.id).revision == 4)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(asked.id)").body
        #expect(page.contains("What is asked for") && page.contains("Roof, from the road"))
        #expect(try await !otto.get("/tasks/\(plain.id)").body.contains("What is asked for"))
      }
    }
  }

  @Test("a device that has fetched an order without its items gets them with its next change")
  func earlierProgram() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let asked = try items("Roof")
      _ = try await scene.office.templates.take(
        asked, title: nil, forType: "crop", in: "north", by: "otto")
      let task = try await scene.order(type: "crop")
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      // As a program that knew no items has left it.
      try unit.store.write(as: unit.person) { try $0.tasks.keep(nil, ofTask: task) }
      #expect(try unit.taskItems(of: task.id)?.order == nil)
      _ = try await scene.office.review.decide(
        .withdraw, on: task.id, by: scene.person("otto"), reason: "rain", seen: 0)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.taskItems(of: task.id)?.order.items == asked)
      #expect(try unit.task(task.id).state == .withdrawn)
    }
  }

  @Test("items that this program does not understand stop the fetch in words, and change nothing")
  func unknown() async throws {
    var message = TaskMessage(
      InspectionTask(
        id: Identifier(at: DeviceTime(millisecondsSince1970: 0)), agency: "north",
        inspector: "ines", name: "Beet", created: DeviceTime(millisecondsSince1970: 0)),
      items: OrderedItems(type: "crop", version: 1, items: try items("Roof")))
    #expect(try message.orderedItems()?.items == items("Roof"))
    for (json, words) in [
      (
        "[{\"id\":\"q\",\"kind\":\"hologram\",\"wording\":\"x\"}]",
        "items: item 1: its kind is none"
      ),
      ("{}", "items: the items are no array"), ("null", "items: the items are no array"),
    ] {
      message.items?.items = try JSONValue(parsing: Array(json.utf8))
      let bytes = try WireJSON.bytes(message)
      let read = try WireJSON.message(TaskMessage.self, bytes)
      #expect(read == message)
      do {
        _ = try read.orderedItems()
        Issue.record("\(json) was read")
      } catch {
        #expect("\(error)".contains(words), "\(error)")
      }
    }
  }

  @Test("a file of tasks gives each task the items of its type")
  func imported() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      for type in ["crop", "roof"] {
        _ = try await scene.office.templates.take(
          try items("Photo for \(type)"), title: nil, forType: type, in: "north", by: "otto")
      }
      let file = folder.appendingPathComponent("tasks.csv")
      try "identifier,name,type,inspector\nP-1,A,crop,ines\nP-2,B,roof,ines\nP-3,C,,ines\n".write(
        to: file, atomically: true, encoding: .utf8)
      let report = try await scene.office.imports.importFile(
        ImportedFile(path: file.path), of: .tasks, in: "north", by: "otto", isCarriedOut: true)
      #expect(report.tasks.count == 3, "\(report.faults)")
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      let wordings = try report.tasks.map {
        try unit.taskItems(of: $0)?.order.items.items.map(\.wording)
      }
      #expect(wordings == [["Photo for crop"], ["Photo for roof"], nil])
    }
  }
}
