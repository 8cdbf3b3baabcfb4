import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Receivers
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("Several tasks at once", .timeLimit(.minutes(5)))
struct SelectionTests {
  @Test("who accepts does so for the photos that were shown, and no others")
  func otherPhotos() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      let alone = try await scene.capture(unit, nil, 5)
      try unit.sendPhotos([alone.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      let shown = Review.mark(of: view.task, view.photos)
      let otto = scene.person("otto")
      try await scene.office.review.assign(
        photo: alone.id, toTask: task.id, in: "north", by: "olga")
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.review.decide(
          .accept, on: task.id, by: otto, reason: nil, seen: view.task.history.count, examined: 1,
          shown: shown)
      }
      try await scene.office.review.unassign(photo: alone.id, in: "north", by: "olga")
      try await scene.office.review.decide(
        .accept, on: task.id, by: otto, reason: nil, seen: view.task.history.count, examined: 1,
        shown: shown, needsCleanPhotos: true)
    }
  }

  @Test("a forged form is refused and changes nothing; KML has what was chosen")
  func forged() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        #expect(try await otto.post("/tasks/selection", ["do": "burn"]).status == 400)
        _ = try await otto.get("/tasks/\(task.id)")
        let least = try await otto.post(
          "/tasks/\(task.id)/decide",
          [
            "action": "accept", "seen": "\(task.history.count)",
            "examined": "-9223372036854775808",
          ])
        #expect(least.status == 422, "no number of a form ends the office")
        #expect(
          try await otto.post("/tasks/selection", ["task": "../x", "do": "accept"]).status == 400)
        #expect(
          try await scene.office.review.view(of: task.id, in: "north").task.state == .dataProvided)
        let kml = try await otto.post(
          "/tasks/selection", ["task": task.id.description, "do": "kml"])
        #expect(kml.header("Content-Type") == "application/vnd.google-earth.kml+xml")
        #expect(kml.body.contains(task.name))

        let sara = site.browser()
        try await sara.signIn("sara")
        #expect(
          try await sara.post("/tasks/selection", ["task": task.id.description, "do": "kml"]).status
            == 404)
      }
    }
  }
}
