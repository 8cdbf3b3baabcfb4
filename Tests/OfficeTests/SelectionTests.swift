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
  @Test(
    "what was chosen is shown once more, what needs a look of its own is left out, the rest is accepted"
  )
  func accepting() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let ready = try await scene.provided()
      let waiting = try await scene.order("Oats")
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        // The tests' browser sends each name once, so the tasks are selected one after the other.
        let question = try await otto.post(
          "/tasks/selection", ["task": ready.id.description, "do": "accept", "list": "state=open"])
        #expect(question.status == 200)
        #expect(question.body.contains("Accept 1 tasks"))
        #expect(
          try await scene.office.review.view(of: ready.id, in: "north").task.state == .dataProvided)
        let seen = try #require(
          question.body.firstMatch(of: #/value="([0-9a-f-]{36}:[0-9]+:[0-9]+:[0-9a-f]+)"/#).map {
            String($0.1)
          })

        let other = try await otto.post(
          "/tasks/selection", ["task": waiting.id.description, "do": "accept"])
        #expect(other.body.contains("it is not waiting for your decision"))

        let done = try await otto.post(
          "/tasks/selection", ["seen": seen, "do": "accept-now", "list": "state=open"])
        #expect(done.body.contains("1 task accepted."))
        #expect(done.body.contains("/tasks?state=open"))
        #expect(
          try await scene.office.review.view(of: ready.id, in: "north").task.state == .accepted)
        // The same form comes again, and the page says that somebody was quicker.
        let again = try await otto.post("/tasks/selection", ["seen": seen, "do": "accept-now"])
        #expect(again.body.contains("otto has accepted it"))
      }
    }
  }

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
        for seen in [
          "", "x", "\(task.id):1", "\(task.id):x:1", "\(task.id):99:99",
          "\(task.id):\(task.history.count):-9223372036854775808:0",
        ] {
          let answer = try await otto.post(
            "/tasks/selection", ["seen": seen, "do": "accept-now"])
          #expect(answer.status < 500, "\(seen)")
        }
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
