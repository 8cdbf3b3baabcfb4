import Evidence
import FieldUnit
import Foundation
import Inspection
import OfficeExporting
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

@Suite("Photos and tracks that came without a task", .timeLimit(.minutes(5)))
struct StandaloneTests {
  /// Delivers a task with a photo, and a photo without a task.
  private func delivered(
    _ scene: OfficeScene
  ) async throws -> (task: InspectionTask, photo: Identifier) {
    _ = try await scene.order()
    let (unit, task) = try await scene.working(photos: 1)
    try unit.provideTask(task.id)
    let photo = try await scene.capture(unit, nil, 5)
    try unit.sendPhotos([photo.id])
    _ = try await unit.delivery.deliver(over: scene.link)
    return (try await scene.office.review.view(of: task.id, in: "north").task, photo.id)
  }

  @Test(
    "a photo is given to a task: it counts there, is judged by its parcel, goes into its bundle, and can be taken out"
  )
  func assigning() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (task, photo) = try await delivered(scene)
      let office = scene.office
      try await office.review.assign(photo: photo, toTask: task.id, in: "north", by: "otto")
      let view = try await office.review.view(of: task.id, in: "north")
      let given = try #require(view.photos.first { $0.photo.id == photo })
      #expect(view.photos.count == 2)
      #expect(given.assigned == scene.clock.deviceTime)
      let check = try #require(given.checks.first { $0.name == .parcel })
      #expect(check.outcome == .agrees, "it was taken within the parcel")

      let bundle = folder.appendingPathComponent("bundle.zip").path
      try await office.exports.write(
        try office.exports.bundle(ofTask: task.id, in: "north"), toFile: bundle)
      let names = try await office.exports.bundle(ofTask: task.id, in: "north").entries.map(\.path)
      #expect(names.contains(EvidenceName.file(.capture, photo)))
      #expect(names.contains(EvidenceName.seal(.capture, photo)))

      // The photo belongs to a task already.
      await #expect(throws: OfficeRefusal.self) {
        try await office.review.assign(photo: photo, toTask: task.id, in: "north", by: "otto")
      }
      // Evidence of a task is not hidden.
      await #expect(throws: OfficeRefusal.self) {
        try await office.review.setHidden(true, photo: photo, in: "north", by: "otto")
      }
      try await office.review.unassign(photo: photo, in: "north", by: "otto")
      #expect(try await office.review.view(of: task.id, in: "north").photos.count == 1)
      let log = try await office.database.read(in: "north") { try $0.log.newest(limit: 5) }.map(
        \.action)
      #expect(log.contains("photo-assigned") && log.contains("photo-unassigned"))
    }
  }

  @Test("what an inspector took for a task stays there, and a decided task gets nothing more")
  func refusals() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (task, photo) = try await delivered(scene)
      let office = scene.office
      let own = try #require(try await office.review.view(of: task.id, in: "north").photos.first)
      await #expect(throws: OfficeRefusal.self) {
        try await office.review.unassign(photo: own.photo.id, in: "north", by: "otto")
      }
      let another = try await scene.order("Oats", for: "igor")
      // Igor did not take the photo.
      await #expect(throws: OfficeRefusal.self) {
        try await office.review.assign(photo: photo, toTask: another.id, in: "north", by: "otto")
      }
      try await office.review.decide(
        .accept, on: task.id, by: scene.person("otto"), reason: nil, seen: task.history.count)
      // The evidence of a decided task is closed.
      await #expect(throws: OfficeRefusal.self) {
        try await office.review.assign(photo: photo, toTask: task.id, in: "north", by: "otto")
      }
      // Another agency's photo is not there.
      await #expect(throws: StoreError.self) {
        try await office.review.setHidden(true, photo: photo, in: "south", by: "sara")
      }
    }
  }

  @Test(
    "the nearest task is suggested for a photo, assigned with others at once, and undone at once")
  func severalAtOnce() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (task, photo) = try await delivered(scene)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/photos")
        #expect(page.body.contains("Inside the parcel of"))
        #expect(page.body.contains("value=\"\(photo):\(task.id)\""))
        let map = try await otto.get("/photos/map.json?page=1")
        #expect(map.body.contains(photo.description) && map.body.contains(task.id.description))

        // Without a suggestion in the form there is nothing to assign the photo to.
        let none = try await otto.post(
          "/photos/selection", ["photo": photo.description, "do": "nearest", "list": "page=1"])
        #expect(none.body.contains("no task of its inspector is near: select one"))
        let done = try await otto.post(
          "/photos/selection",
          [
            "photo": photo.description, "suggested": "\(photo):\(task.id)", "do": "nearest",
            "list": "page=1",
          ])
        #expect(done.body.contains("1 photo assigned."))
        #expect(try await scene.office.review.view(of: task.id, in: "north").photos.count == 2)
        // The second press comes too late, and says so; nothing is changed by it.
        let again = try await otto.post(
          "/photos/selection",
          ["photo": photo.description, "task": task.id.description, "do": "assign"])
        #expect(again.body.contains("the photo already belongs to a task"))
        let undone = try await otto.post(
          "/photos/selection", ["photo": photo.description, "do": "unassign"])
        #expect(undone.body.contains("1 photo has no task again."))
        #expect(try await scene.office.review.view(of: task.id, in: "north").photos.count == 1)
        let nothing = try await otto.post("/photos/selection", ["do": "assign"])
        #expect(
          nothing.location?.contains("done=photos") == true
            || nothing.body.contains("Select photos"))
        let wrong = try await otto.post("/photos/selection", ["photo": "..", "do": "hide"])
        #expect(wrong.status == 422 || wrong.status == 400)
      }
    }
  }

  @Test("a hidden photo leaves the gallery, is kept, makes nothing new, and comes back")
  func hiding() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, photo) = try await delivered(scene)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        #expect(try await otto.get("/photos").body.contains(photo.description))
        let page = try await otto.get("/photos/\(photo)")
        #expect(page.status == 200)
        #expect(try await otto.post("/photos/\(photo)/hide").status == 303)
        #expect(try await otto.get("/photos").body.contains(photo.description) == false)
        #expect(try await otto.get("/photos?hidden=yes").body.contains(photo.description))
        #expect(try await otto.get("/photos/\(photo)/photo.jpg").status == 200, "it is kept")
        let card = try await otto.get("/photos/\(photo)").body
        #expect(!card.contains("/photos/\(photo)/point\"") && !card.contains("/compose/choose"))
        let point = try await otto.post("/photos/\(photo)/point", ["name": "Gate"])
        #expect(point.status == 409 || point.status == 422, "\(point.status)")
        #expect(
          try await scene.office.points.page(named: nil, after: nil, limit: 5, in: "north").points
            .isEmpty)
        await #expect(throws: OfficeRefusal.self) {
          _ = try await scene.office.composites.source(photo, in: "north")
        }
        #expect(try await otto.post("/photos/\(photo)/show").status == 303)
        _ = try await scene.office.composites.source(photo, in: "north")
        #expect(try await otto.get("/photos").body.contains(photo.description))
      }
    }
  }
}
