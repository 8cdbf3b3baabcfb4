import Evidence
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
@testable import OfficePages

@Suite("Photos that an officer moves to other items", .timeLimit(.minutes(3)))
struct PhotoItemTests {
  /// A task that was sent with a photo that names no item, and with one that names the door.
  private struct Sent: Sendable {
    let scene: OfficeScene
    let unit: InspectorUnit
    let task: Identifier
    let free: Identifier
    let named: Identifier

    /// The task with its photos, as the office has it now.
    func view() async throws -> TaskView {
      try await scene.office.review.view(of: task, in: "north")
    }

    /// The item to which an officer moved the first photo; nil for none.
    func mark() async throws -> ItemName? {
      try await view().photos.first { $0.photo.id == free }?.officeItem
    }

    /// Moves a photo as an officer who has just opened the page.
    func move(_ photo: Identifier, to item: String?, by person: Person? = nil) async throws {
      let view = try await view()
      try await scene.office.review.move(
        photo: photo, toItem: item.flatMap { ItemName($0) }, by: person ?? scene.person("otto"),
        seen: view.task.history.count, shown: Review.mark(of: view.task, view.photos))
    }

    /// The number of the agency's tasks in which an item is missing, as lists count them.
    func missing() async throws -> Int {
      var filter = TaskFilter()
      filter.items = .missing
      let now = scene.clock.deviceTime
      return try await scene.office.database.read(in: "north") { [filter] in
        try $0.tasks.count(filter, at: now)
      }
    }
  }

  private func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  private func withSentTask(_ body: @escaping @Sendable (Sent) async throws -> Void) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let items = try OrderItems([
        OrderItem(
          name: name("ripe"), wording: "Is it ripe?", isRequired: false,
          content: .question(Question(.yesOrNo))),
        OrderItem(name: name("roof"), wording: "The roof <script>", content: .shot(WantedShot())),
        OrderItem(
          name: name("door"), wording: "The door", isRequired: false,
          content: .shot(WantedShot(least: 2))),
      ])
      _ = try await scene.office.templates.take(
        items, title: nil, forType: "crop", in: "north", by: "otto")
      let order = try await scene.order("Upper field", type: "crop")
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      try unit.openTask(order.id)
      let free = try await scene.capture(unit, order.id, 1)
      let named = try await scene.capture(unit, order.id, 2, item: "door")
      try unit.provideTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      try await body(
        Sent(scene: scene, unit: unit, task: order.id, free: free.id, named: named.id))
    }
  }

  /// Returns the row of an item in the list of a task's page.
  private func row(_ item: String, of page: String) throws -> String {
    let parts = page.components(separatedBy: "<li id=\"item-\(item)\">")
    try #require(parts.count == 2)
    return try #require(parts[1].components(separatedBy: "</li>").first)
  }

  @Test("a photo is moved on its task's page, counts for that item at once, and is left again")
  func moved() async throws {
    try await withSentTask { sent in
      try await withSite(sent.scene.office) { site in
        let (task, free, named) = (sent.task, sent.free, sent.named)
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(task)")
        #expect(page.body.contains("action=\"/photos/\(free)/item\""))
        #expect(
          !page.body.contains("action=\"/photos/\(named)/item\""), "its record names the door")
        #expect(page.body.contains("<option value=\"roof\">The roof &lt;script&gt;</option>"))
        #expect(!page.body.contains("<option value=\"ripe\""))
        #expect(try row("roof", of: page.body).contains("/photos/\(free)\""))
        #expect(try await sent.missing() == 0)
        let before = try await sent.view()
        let fields = [
          "item": "door", "seen": try #require(page.field("seen")),
          "shown": try #require(page.field("shown")),
        ]
        let answer = try await otto.post("/photos/\(free)/item", fields)
        #expect(answer.status == 303, "\(answer.body)")
        #expect(answer.location == "/tasks/\(task)?done=moved#photo-\(free)")
        let after = try await sent.view()
        #expect(try await sent.mark() == name("door"))
        #expect(after.photos.map(\.photo) == before.photos.map(\.photo), "the photos are as before")
        #expect(
          Review.mark(of: after.task, after.photos) != Review.mark(of: before.task, before.photos))
        let moved = try await otto.get("/tasks/\(task)?done=moved").body
        #expect(moved.contains("<option value=\"door\" selected>The door</option>"))
        #expect(try !row("roof", of: moved).contains("/photos/\(free)\""))
        #expect(try row("door", of: moved).contains("/photos/\(free)\""))
        #expect(try await sent.missing() == 1, "the roof has no photo any more")
        let log = try await sent.scene.office.database.read(in: "north") {
          try $0.log.newest(limit: 1)
        }
        #expect(log.first?.action == "photo-item-moved" && log.first?.detail == "door")
        #expect(log.first?.subject == free.description && log.first?.person == "otto")
        try await sent.move(free, to: nil)
        #expect(try await sent.mark() == nil)
        #expect(try await sent.missing() == 0)
        let back = try await sent.view()
        #expect(
          Review.mark(of: back.task, back.photos) == Review.mark(of: before.task, before.photos))
      }
    }
  }

  @Test("behind a move the officer stays in the list from which the task was opened")
  func list() async throws {
    try await withSentTask { sent in
      try await withSite(sent.scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(sent.task)?list=state%3DdataProvided")
        let answer = try await otto.post(
          "/photos/\(sent.free)/item",
          [
            "item": "door", "seen": page.field("seen") ?? "", "shown": page.field("shown") ?? "",
            "list": "state=dataProvided",
          ])
        let location = try #require(answer.location)
        #expect(location.hasPrefix("/tasks/\(sent.task)?list="))
        #expect(location.hasSuffix("&done=moved#photo-\(sent.free)"))
      }
    }
  }

  @Test("a wrong target, a photo that names its item, and a broken form are refused in words")
  func refused() async throws {
    try await withSentTask { sent in
      try await withSite(sent.scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(sent.task)")
        let (seen, shown) = (page.field("seen") ?? "", page.field("shown") ?? "")
        func answer(
          _ item: String?, of photo: Identifier, seen: String, shown: String
        ) async throws -> Answer {
          var fields = ["seen": seen, "shown": shown]
          fields["item"] = item
          return try await otto.post("/photos/\(photo)/item", fields)
        }
        for (item, photo, status, words) in [
          ("ripe", sent.free, 422, "“ripe” asks for no photo"),
          ("gone", sent.free, 422, "no item “gone”"),
          ("two words", sent.free, 422, "no item “two words”"),
          ("roof", sent.named, 422, "record names “door”, and a record never changes"),
        ] {
          let refused = try await answer(item, of: photo, seen: seen, shown: shown)
          #expect(refused.status == status && refused.body.contains(words), "\(refused.body)")
        }
        #expect(try await answer(nil, of: sent.free, seen: seen, shown: shown).status == 400)
        #expect(try await answer("door", of: sent.free, seen: "x", shown: shown).status == 400)
        let stale = try await answer("door", of: sent.free, seen: "1", shown: shown)
        #expect(stale.status == 409 && stale.body.contains("after you opened this page"))
        let other = try await answer("door", of: sent.free, seen: seen, shown: "0123456789abcdef")
        #expect(other.status == 409 && other.body.contains("added, removed or moved"))
        #expect(try await sent.mark() == nil)
      }
    }
  }

  @Test("only officers of the photo's own agency move it")
  func others() async throws {
    try await withSentTask { sent in
      let view = try await sent.view()
      let fields = [
        "item": "door", "seen": "\(view.task.history.count)",
        "shown": Review.mark(of: view.task, view.photos),
      ]
      try await withSite(sent.scene.office) { site in
        for (login, status) in [("anna", 403), ("ines", 403), ("sara", 404)] {
          let browser = site.browser()
          try await browser.signIn(login)
          let answer = try await browser.post("/photos/\(sent.free)/item", fields)
          #expect(answer.status == status, "\(login)")
          let page = try await browser.get("/tasks/\(sent.task)").body
          #expect(!page.contains("action=\"/photos/\(sent.free)/item\""), "\(login)")
        }
      }
      await #expect(throws: OfficeRefusal.self) {
        try await sent.move(
          sent.free, to: "door", by: sent.scene.person("anna", .administrator))
      }
      #expect(try await sent.mark() == nil)
    }
  }

  @Test("what a colleague has moved meanwhile stops a move and a decision on the earlier page")
  func meanwhile() async throws {
    try await withSentTask { sent in
      let view = try await sent.view()
      let (seen, shown) = (view.task.history.count, Review.mark(of: view.task, view.photos))
      try await sent.move(sent.free, to: "door", by: sent.scene.person("olga"))
      await #expect(throws: OfficeRefusal.self) {
        try await sent.scene.office.review.move(
          photo: sent.free, toItem: nil, by: sent.scene.person("otto"), seen: seen, shown: shown)
      }
      do {
        try await sent.scene.office.review.decide(
          .accept, on: sent.task, by: sent.scene.person("otto"), reason: nil, seen: seen,
          shown: shown)
        Issue.record("it was accepted")
      } catch let refusal as OfficeRefusal {
        #expect(refusal.kind == .taskChanged && refusal.detail.contains("removed or moved"))
      }
      #expect(try await sent.mark() == name("door"))
    }
  }

  @Test("a photo that a return has judged is not moved, and no photo of a task that is not sent")
  func judged() async throws {
    try await withSentTask { sent in
      let seen = try await sent.view().task.history.count
      try await sent.scene.office.review.decide(
        .returnToInspector, on: sent.task, by: sent.scene.person("otto"), reason: nil, seen: seen,
        returning: [name("door"): "dark"])
      await #expect(throws: InspectionError.item(.photoNotWaiting(.returned))) {
        try await sent.move(sent.free, to: "door")
      }
      _ = try await sent.unit.delivery.fetchTasks(over: sent.scene.link)
      let fresh = try await sent.scene.capture(sent.unit, sent.task, 3)
      _ = try await sent.scene.capture(sent.unit, sent.task, 4)
      try sent.unit.provideTask(sent.task)
      _ = try await sent.unit.delivery.deliver(over: sent.scene.link)
      await #expect(throws: InspectionError.item(.photoJudged)) {
        try await sent.move(sent.free, to: "door")
      }
      try await withSite(sent.scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(sent.task)").body
        #expect(page.contains("action=\"/photos/\(fresh.id)/item\""))
        #expect(!page.contains("action=\"/photos/\(sent.free)/item\""))
      }
      try await sent.move(fresh.id, to: "roof")
      let read = try await sent.scene.office.database.read(in: "north") { session in
        try TaskItemsRead(
          of: session.tasks.task(sent.task), photos: session.photos.list(.task(sent.task)),
          session)
      }
      let items = try #require(read)
      #expect(try Set(items.given.photos[name("roof")] ?? []) == [sent.free, fresh.id])
      #expect(try items.changed == [name("roof")], "something else came for an accepted item")
    }
  }

  @Test("a mark on an item that the order has no more counts for none")
  func changedOrder() async throws {
    try await withSentTask { sent in
      try await sent.move(sent.free, to: "door")
      #expect(try await sent.missing() == 1)
      let only = try OrderItems([
        OrderItem(name: name("roof"), wording: "The roof", content: .shot(WantedShot()))
      ])
      _ = try await sent.scene.office.templates.take(
        only, title: nil, forType: "crop", in: "north", by: "otto")
      try await sent.scene.office.database.write(in: "north") { session in
        let before = try session.tasks.task(sent.task)
        var after = before
        after.revision += 1
        try session.tasks.replaceOrder(of: before, with: after, at: sent.scene.clock.deviceTime)
        try session.tasks.keep(template: ("crop", 2), ofTask: after)
      }
      #expect(try await sent.missing() == 0, "the photo fills the first open shot again")
    }
  }
}
