import Evidence
import FieldUnit
import Foundation
import Geodesy
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
@testable import OfficeFrame
@testable import OfficePages

@Suite("An inspector at the office's pages", .timeLimit(.minutes(5)))
struct OwnPagesTests {
  /// Makes an office to which two inspectors of one agency have delivered.
  private func scene(
    _ folder: URL
  ) async throws -> (scene: OfficeScene, hers: OfficeScene.Things, his: OfficeScene.Things) {
    let scene = try await OfficeScene(folder)
    let hers = try await scene.delivered("ines", on: "tablet", task: "Beet of Ines")
    let his = try await scene.delivered("igor", on: "phone", task: "Oats of Igor")
    return (scene, hers, his)
  }

  @Test("own tasks, photos and tracks are shown, and nothing of another inspector's in any list")
  func lists() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, hers, his) = try await scene(folder)
      try await withSite(scene.office) { site in
        let ines = site.browser()
        try await ines.signIn("ines")
        let lists = [
          ("/tasks", "1 task", hers.task, his.task),
          ("/photos", "1 photo", hers.alone, his.alone),
          ("/tracks", "1 track", hers.track, his.track),
        ]
        for (path, count, own, other) in lists {
          // No query shows her more than her own things.
          for query in ["", "?inspector=ines", "?page=9", "?state=dataProvided"] {
            let page = try await ines.get(path + query)
            #expect(page.status == 200, "\(path)\(query)")
            #expect(page.body.contains(own.description), "\(path)\(query)")
            #expect(page.body.contains(count), "\(path)\(query)")
            #expect(!page.body.contains(other.description), "\(path)\(query)")
            for absent in ["Oats of Igor", "type-igor", "way of igor", "<td>igor"] {
              #expect(!page.body.contains(absent), "\(path)\(query): \(absent)")
            }
          }
          let others = try await ines.get(path + "?inspector=igor")
          #expect(!others.body.contains(other.description))
          #expect(!others.body.contains(own.description))
        }
        let tasks = try await ines.get("/tasks").body
        for absent in [
          "/tasks/selection", "/tasks/new", "data-map", "/people", "\"/log\"", "\"/map\"",
        ] {
          #expect(!tasks.contains(absent), "\(absent)")
        }
        // The officer sees both.
        let otto = site.browser()
        try await otto.signIn("otto")
        #expect(try await otto.get("/tasks").body.contains("2 tasks"))
      }
    }
  }

  @Test(
    "a task of one's own is there with history and checks, and nothing that decides; no other is there"
  )
  func task() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, hers, his) = try await scene(folder)
      _ = try await scene.office.review.decide(
        .returnToInspector, on: hers.task, by: scene.person("otto"), reason: "the edge is missing",
        seen: try scene.office.review.view(of: hers.task, in: "north").task.history.count)
      try await withSite(scene.office) { site in
        let ines = site.browser()
        try await ines.signIn("ines")
        let page = try await ines.get("/tasks/\(hers.task)?list=sort%3Ddue&decided=\(his.task)")
        #expect(page.status == 200)
        for expected in ["One photo.", "the edge is missing", "photo-\(hers.photo)", "task.pdf"] {
          #expect(page.body.contains(expected), "\(expected)")
        }
        for absent in ["/decide", "bundle.zip", "/compare", "/unassign", "Oats", "type-igor"] {
          #expect(!page.body.contains(absent), "\(absent)")
        }
        for (path, head) in [
          ("/tasks/\(hers.task)/task.pdf", "%PDF"), ("/tasks/\(hers.task)/task.kml", "<?xml"),
          ("/tasks/\(hers.task)/map.json", "{"), ("/photos/\(hers.photo)/photo.jpg", ""),
          ("/photos/\(hers.alone)/photo.pdf", "%PDF"), ("/photos/\(hers.alone)/photo.kml", "<?xml"),
          ("/photos/\(hers.alone)/thumbnail.jpg", ""), ("/tracks/\(hers.track)/track.kml", "<?xml"),
          ("/photos/\(hers.alone)", ""),
        ] {
          let answer = try await ines.get(path)
          #expect(answer.status == 200, "\(path)")
          #expect(answer.bytes.starts(with: Array(head.utf8)), "\(path)")
        }
        #expect(try await ines.get("/photos/\(hers.alone)").body.contains("/hide") == false)
        for path in [
          "/tasks/\(his.task)", "/tasks/\(his.task)/task.pdf", "/tasks/\(his.task)/task.kml",
          "/tasks/\(his.task)/map.json", "/photos/\(his.photo)", "/photos/\(his.alone)",
          "/photos/\(his.alone)/photo.jpg", "/photos/\(his.alone)/preview.jpg",
          "/photos/\(his.photo)/thumbnail.jpg", "/photos/\(his.alone)/photo.kml",
          "/photos/\(his.alone)/photo.pdf", "/photos/\(his.photo)/photo.pdf",
          "/tracks/\(his.track)/track.kml",
        ] {
          let answer = try await ines.get(path)
          #expect(answer.status == 404, "\(path)")
          #expect(!answer.body.contains("Oats"), "\(path)")
        }
      }
    }
  }

  @Test("what officers do is refused, on the pages and at the interfaces for programs")
  func refusals() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, hers, _) = try await scene(folder)
      try await withSite(scene.office) { site in
        let ines = site.browser()
        try await ines.signIn("ines")
        for path in [
          "/map", "/map/view.json?box=0,0,1,1&zoom=3", "/log", "/log/log.csv", "/people", "/policy",
          "/inspectors", "/agencies", "/tasks/new", "/tasks/import", "/parcels/import",
          "/tasks/\(hers.task)/order", "/tasks/\(hers.task)/compare",
          "/tasks/\(hers.task)/bundle.zip",
        ] {
          #expect(try await ines.get(path).status == 403, "\(path)")
        }
        _ = try await ines.get("/account")
        for path in [
          "/tasks/\(hers.task)/decide", "/tasks/selection", "/tasks", "/photos/\(hers.alone)/hide",
          "/photos/\(hers.alone)/assign", "/tracks/\(hers.track)/hide", "/people",
        ] {
          let answer = try await ines.post(
            path, ["action": "accept", "seen": "2", "task": hers.task.description, "do": "kml"])
          #expect(answer.status == 403, "\(path)")
        }
        let bearer = ("Authorization", "Bearer \(try #require(ines.sessionToken))")
        for path in ["/api/v1/console/tasks", "/api/v1/console/me", "/api/v1/tasks"] {
          #expect(try await site.send("GET", path, [bearer]).status == 403, "\(path)")
        }
        #expect(
          try await scene.office.review.view(of: hers.task, in: "north").task.state == .dataProvided
        )
      }
    }
  }

  @Test("the password is changed on one's own account, and the device goes on by its key")
  func account() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, hers, _) = try await scene(folder)
      try await withSite(scene.office) { site in
        let ines = site.browser()
        try await ines.signIn("ines")
        _ = try await ines.get("/account")
        let new = "seven quiet herons"
        let changed = try await ines.post(
          "/account/password", ["password": OfficeScene.password, "new": new, "again": new])
        #expect(changed.location == "/account?done=password")
        #expect(try await ines.get("/tasks/\(hers.task)").status == 200)
        let again = site.browser()
        _ = try await again.get("/sign-in")
        #expect(
          try await again.post("/sign-in", ["login": "ines", "password": OfficeScene.password])
            .status == 401)
        #expect(
          try await again.post("/sign-in", ["login": "ines", "password": new]).location == "/tasks")
        #expect(try await again.get("/account").status == 200)
        #expect(try await again.post("/account/elsewhere").status == 303)
        #expect(try await ines.get("/tasks").status == 303, "her other browser is signed out")
      }
      let unit = try await scene.unit("ines")
      #expect(try await unit.delivery.fetchTasks(over: scene.link).refusal == nil)
    }
  }

  @Test("a transaction of an inspector reads nothing of another's, whatever it is asked")
  func wall() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, hers, his) = try await scene(folder)
      let (office, now) = (scene.office, scene.clock.deviceTime)
      try await office.database.read(in: "north", ofInspector: "ines") { session in
        for column in TaskSorting.Column.allCases {
          for isDescending in [false, true] {
            let order = TaskSorting(column, isDescending: isDescending)
            let tasks = try session.tasks.page(TaskFilter(), order, at: now, limit: 50, offset: 0)
            #expect(tasks.map(\.id) == [hers.task], "\(order)")
            let near = try session.tasks.neighbours(of: hers.task, TaskFilter(), order, at: now)
            #expect(near.previous == nil && near.next == nil, "\(order)")
            let his = try session.tasks.page(
              TaskFilter(inspector: "igor"), order, at: now, limit: 50, offset: 0)
            #expect(his.isEmpty)
          }
        }
        #expect(try session.tasks.count(TaskFilter(), at: now) == 1)
        #expect(try session.tasks.count(TaskFilter(inspector: "igor"), at: now) == 0)
        #expect(try session.tasks.types() == ["type-ines"])
        #expect(try session.photos.counts(of: [hers.task])[hers.task]?.photos == 1)
        #expect(try session.photos.counts(of: [his.task])[his.task]?.photos == 0)
        #expect(try session.photos.list(.all).allSatisfy { $0.photo.inspector == "ines" })
        #expect(try session.photos.list(.task(his.task)).isEmpty)
        #expect(try session.tracks.identifiers(.all) == [hers.track])
        #expect(try session.tasks.earlierOrders(of: hers.task).count == 1)
        #expect(try session.tasks.earlierOrders(of: his.task).isEmpty)
        #expect(try session.tasks.conflicts(of: his.task).isEmpty)
        for inspector in [nil, "igor"] as [String?] {
          let own = inspector == nil ? 1 : 0
          #expect(
            try session.photos.standalone(
              isHidden: false, inspector: inspector, limit: 9, offset: 0
            ).count == own)
          #expect(
            try session.photos.standaloneCount(isHidden: false, inspector: inspector) == own)
          #expect(
            try session.tracks.page(isHidden: false, inspector: inspector, limit: 9, offset: 0)
              .count == own)
          #expect(try session.tracks.count(isHidden: false, inspector: inspector) == own)
        }
        #expect(try session.seals.seal(of: hers.photo, .capture) != nil)
        #expect(try session.seals.seal(of: his.photo, .capture) == nil)
        #expect(throws: StoreError.self) { try session.tasks.task(his.task) }
        #expect(throws: StoreError.self) { try session.photos.photo(his.alone) }
        #expect(throws: StoreError.self) { try session.tracks.track(his.track) }
        #expect(throws: StoreError.self) {
          try session.tasks.neighbours(of: his.task, TaskFilter(), TaskSorting(), at: now)
        }
      }
    }
  }

  @Test("officers see how their inspectors stand, with ways to what each has, and nobody else's")
  func inspectors() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _, his) = try await scene(folder)
      _ = try await scene.order("Rye", for: "ines")
      let late = try await scene.order("Late", for: "igor")
      try await scene.office.orders.changeOrder(of: late.id, in: "north", by: "otto") {
        $0.due = scene.clock.deviceTime.advanced(bySeconds: -3600)
      }
      try await scene.office.review.setHidden(true, photo: his.alone, in: "north", by: "otto")
      let tallies = try await scene.office.database.read(in: "north") {
        try $0.tasks.inspectorTallies(at: scene.clock.deviceTime)
      }
      var ines = InspectorTally()
      (ines.open, ines.waiting, ines.photos, ines.tracks) = (1, 1, 1, 1)
      var igor = InspectorTally()
      (igor.open, igor.waiting, igor.overdue, igor.tracks) = (1, 1, 1, 1)
      #expect(tallies == ["ines": ines, "igor": igor])
      try await withSite(scene.office) { site in
        for login in ["otto", "anna"] {
          let browser = site.browser()
          try await browser.signIn(login)
          let page = try await browser.get("/inspectors")
          #expect(page.status == 200)
          for expected in [
            "/tasks?inspector=igor&amp;due=overdue", "/tasks?inspector=ines&amp;state=dataProvided",
            "/photos?inspector=ines", "/tracks?inspector=igor", "Last delivery", "standpoint test",
            PhotoPages.time(scene.clock.deviceTime).prefix(10).description,
          ] {
            #expect(page.body.contains(expected), "\(expected)")
          }
          #expect(!page.body.contains("/photos?inspector=igor"), "his only photo is hidden")
        }
        let sara = site.browser()
        try await sara.signIn("sara")
        let south = try await sara.get("/inspectors").body
        #expect(south.contains("sven") && !south.contains("inspector=ines"))
      }
    }
  }
}
