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
@testable import Web

@Suite("What comes for a task that was decided already")
struct LateRecordsTests {
  /// Decides upon a task with one photo, and lets the inspector's other device, which has not heard
  /// of it, deliver a late one.
  private func late(
    _ scene: OfficeScene, _ decision: TaskAction = .accept
  ) async throws -> (task: Identifier, seen: Photo, late: Photo) {
    let order = try await scene.order()
    let (handheld, _) = try await scene.working(photos: 0, on: "handheld")
    let (tablet, _) = try await scene.working(photos: 0, on: "tablet")
    let seen = try await scene.capture(tablet, order.id, 1)
    try tablet.noteTask(order.id, "sown in May")
    try tablet.provideTask(order.id)
    _ = try await tablet.delivery.deliver(over: scene.link)
    let view = try await scene.office.review.view(of: order.id, in: "north")
    try await scene.office.review.decide(
      decision, on: order.id, by: scene.person("otto"), reason: "Seen.",
      seen: view.task.history.count)
    let late = try await scene.capture(handheld, order.id, 2)
    try handheld.notePhoto(late.id, "another crop")
    try handheld.noteTask(order.id, "never sown")
    try handheld.provideTask(order.id)
    _ = try await handheld.delivery.deliver(over: scene.link)
    return (order.id, seen, late)
  }

  @Test(
    "it is kept beside the task, marked, and the decision stays with what was seen",
    arguments: [TaskAction.accept, .decline])
  func frozen(decision: TaskAction) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (task, seen, late) = try await late(scene, decision)
      let view = try await scene.office.review.view(of: task, in: "north")
      #expect(view.task.state.isDecided)
      #expect(view.task.note == "sown in May")
      #expect(view.photos.map(\.photo.id) == [seen.id])
      #expect(view.photos[0].photo.note == nil)
      #expect(view.late.photos.map(\.photo.id) == [late.id])
      #expect(view.late.photos[0].photo.note == "another crop")
      #expect(view.late.notes.map(\.text) == ["never sown"])
      #expect(view.late.photos[0].verdict != nil, "it is looked at as any other")

      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(task)").body
        #expect(page.contains("2 records of this task arrived after the decision"))
        #expect(page.contains("Arrived late") && page.contains("never sown"))
        let alone = try await otto.get("/photos/\(late.id)").body
        #expect(alone.contains("It arrived after its task was decided"))
        let list = try await otto.get("/photos").body
        #expect(list.contains(">late</span>"))
        let kml = try await otto.get("/tasks/\(task)/task.kml").body
        #expect(kml.contains(seen.id.description) && !kml.contains(late.id.description))
        let answer = try await ConsoleProgram.signedIn("otto", at: site).get("/tasks/\(task)/late")
        #expect(answer["photos"]?.elements?.first?["lateTask"]?.text == "\(task)")
        #expect(answer["notes"]?.elements?.count == 1)
      }
      var actions: [String] = []
      try await scene.office.database.readRegistry { registry in
        try registry.forEachLogEntry { actions.append($0.action) }
      }
      #expect(actions.count { $0 == "record-late" } == 2)
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }

  @Test("once the task is reopened, an officer may take a late photo into it, and into no other")
  func reopened() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (task, seen, late) = try await late(scene)
      let other = try await scene.order("Wheat")
      func assign(to id: Identifier) async throws {
        try await scene.office.review.assign(photo: late.id, toTask: id, in: "north", by: "otto")
      }
      await #expect(throws: OfficeRefusal.self) { try await assign(to: task) }
      let steps = try await scene.office.review.view(of: task, in: "north").task.history.count
      try await scene.office.review.decide(
        .reopen, on: task, by: scene.person("anna", .administrator), reason: "Look again.",
        seen: steps)
      await #expect(throws: OfficeRefusal.self) { try await assign(to: other.id) }
      try await assign(to: task)
      let view = try await scene.office.review.view(of: task, in: "north")
      #expect(Set(view.photos.map(\.photo.id)) == [seen.id, late.id])
      #expect(view.photos.contains { $0.lateTask == task && $0.assigned != nil })
    }
  }

  @Test("a note that comes while an officer looks keeps the decision from being made")
  func noteMeanwhile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (unit, _) = try await scene.working(photos: 1)
      try unit.provideTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      let shown = Review.mark(of: view.task, view.photos)
      try await scene.office.database.write(in: "north") {
        try $0.tasks.setNote("not sown", of: order.id)
      }
      let refusal = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.review.decide(
          .accept, on: order.id, by: scene.person("otto"), reason: nil,
          seen: view.task.history.count, examined: 1, shown: shown)
      }
      #expect(refusal?.kind == .taskChanged)
    }
  }
}
