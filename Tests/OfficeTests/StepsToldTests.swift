import Evidence
import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("The office hears what is done with a task before it is sent")
struct StepsToldTests {
  @Test("the office hears how far the items are before Send, if the agency allows it")
  func progress() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let items = try OrderItems(
        ["roof", "wall"].map {
          OrderItem(
            name: try #require(ItemName($0)), wording: $0, content: .shot(WantedShot(least: 1)))
        } + [
          OrderItem(
            name: try #require(ItemName("new")), wording: "New?",
            content: .question(Question(.yesOrNo)))
        ])
      _ = try await scene.office.templates.take(
        items, title: nil, forType: "roof", in: "north", by: "otto")
      let order = try await scene.order("Roof", type: "roof")
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      try await withSite(scene.office) { site in
        let link = try HTTPOfficeLink(address: "http://127.0.0.1:\(site.port)")
        let otto = site.browser()
        try await otto.signIn("otto")
        func tell() async throws -> Bool {
          try await unit.delivery.tellProgress(over: link)
          return try await otto.get("/tasks").body.contains("of 3 items")
        }
        _ = try await tell()
        #expect(try await !otto.get("/tasks").body.contains("1 of 3 items"))
        try unit.openTask(order.id)
        _ = try await scene.capture(unit, order.id, 1, item: "roof")
        _ = try await tell()
        #expect(try await otto.get("/tasks").body.contains("0 of 3 items"), "it is New here")
        _ = try await unit.delivery.deliver(over: scene.link)
        #expect(try await otto.get("/tasks").body.contains("1 of 3 items"))
        #expect(try await scene.office.review.view(of: order.id, in: "north").photos.isEmpty)
        try unit.answer(.text("yes"), to: "new", ofTask: order.id)
        _ = try await tell()
        #expect(try await otto.get("/tasks").body.contains("2 of 3 items"))

        // Another inspector's word on this task counts nothing.
        let igor = try await scene.unit("igor", on: "phone")
        let signIn = try igor.store.read(as: igor.person) { try $0.signIns.own() }
        let token = try #require(signIn?.token)
        try await link.tell(
          ProgressMessage(
            tasks: [.init(task: order.id, ItemProgress(answered: 0, asked: 3))]), token: token)
        #expect(try await otto.get("/tasks").body.contains("2 of 3 items"))
        let bad = ProgressMessage(
          tasks: [.init(task: order.id, ItemProgress(answered: 4, asked: 3))])
        var newer = ProgressMessage(tasks: [])
        newer.schema = "standpoint.progress/9"
        for message in [bad, newer] {
          await #expect(throws: DeliveryError.self) {
            try await link.tell(message, token: token)
          }
        }

        // An agency that does not want to know is not told.
        _ = try await scene.office.policies.setPolicy(of: "north", by: "anna") {
          $0.general[.answersAhead] = .flag(false)
        }
        _ = try await unit.delivery.fetchTasks(over: scene.link)
        _ = try await scene.capture(unit, order.id, 2, item: "wall")
        _ = try await tell()
        #expect(try await !otto.get("/tasks").body.contains("3 of 3 items"))
        await link.close()
      }
    }
  }

  @Test("opening, a note and taking back are told at the next contact; photos stay until Send")
  func told() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (unit, _) = try await scene.working(photos: 1)
      func view() async throws -> TaskView {
        try await scene.office.review.view(of: order.id, in: "north")
      }
      try unit.noteTask(order.id, "the gate is shut")
      #expect(try unit.outbox().isEmpty, "nothing waits for its owner's Send")
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await view().task.state == .open)
      #expect(try await view().task.note == "the gate is shut")
      #expect(try await view().photos.isEmpty)
      #expect(
        try await scene.office.database.read(in: "north") { try $0.photos.list(.all).isEmpty })

      // The task is sent and taken back before any contact: the office reads both steps, and the
      // task stays in hand.
      try unit.provideTask(order.id)
      try unit.takeBackTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await view().task.state == .open)
      #expect(try await view().task.history.map(\.action) == [.open, .provide, .takeBack])
      let seen = try await view()
      #expect(seen.conflicts.isEmpty && seen.photos.isEmpty)

      // The office is told once: nothing travels when nothing is new.
      let calls = scene.link.calls.count { $0 == "batch" }
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(scene.link.calls.count { $0 == "batch" } == calls)

      try unit.provideTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await view().task.state == .dataProvided)
      #expect(try await view().photos.count == 1)
      #expect(try await view().photos[0].findings.allSatisfy { $0.check != .chain })
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }
}
