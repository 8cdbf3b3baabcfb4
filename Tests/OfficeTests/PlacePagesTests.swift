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

@Suite("Sections and further parcels of an order, at the office", .timeLimit(.minutes(3)))
struct PlacePagesTests {
  private func items() throws -> OrderItems {
    func shot(_ name: String, _ station: WantedShot.Station) throws -> OrderItem {
      OrderItem(
        name: try #require(ItemName(name)), wording: "The hedge \(name)",
        content: .shot(WantedShot(station: station, isStrict: true)))
    }
    return try OrderItems([
      shot("near", .section("Half 1")), shot("far", .section("Half 2")),
    ])
  }

  private func withTask(
    _ body:
      @escaping @Sendable (OfficeScene, Identifier, OfficeBrowser) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.office.templates.take(
        try items(), title: nil, forType: "hedge", in: "north", by: "otto")
      let order = try await scene.order("Upper field", type: "hedge")
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        try await body(scene, order.id, otto)
      }
    }
  }

  private func task(_ scene: OfficeScene, _ id: Identifier) async throws -> InspectionTask {
    try await scene.office.review.view(of: id, in: "north").task
  }

  private func post(
    _ scene: OfficeScene, _ id: Identifier, _ otto: OfficeBrowser, _ fields: [String: String]
  ) async throws -> Answer {
    let revision = try await task(scene, id).revision
    return try await otto.post(
      "/tasks/\(id)/places", fields.merging(["revision": "\(revision)"]) { given, _ in given })
  }

  @Test(
    "an officer divides the parcel by a line; the inspector's photos are wanted in one half and the other"
  )
  func divided() async throws {
    try await withTask { scene, id, otto in
      let before = try await otto.get("/tasks/\(id)").body
      #expect(before.contains("The items ask for photos in: section Half 1, section Half 2."))
      let done = try await post(
        scene, id, otto,
        ["do": "divide", "name": " Half ", "outline": "[[16.61, 49.079], [16.65, 49.079]]"])
      #expect(done.status == 303, "\(done.body)")
      let page = try await otto.get("/tasks/\(id)/places").body
      #expect(page.contains("section Half 1, ") && page.contains("Remove Half 2"))
      #expect(try await !otto.get("/tasks/\(id)").body.contains("The items ask for photos in"))
      #expect(try await otto.get("/tasks/\(id)/map.json").body.contains("\"name\":\"Half 2\""))
      #expect(try await task(scene, id).revision == 2)

      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.task(id).places.list.map(\.name) == ["Half 1", "Half 2"])
      try unit.openTask(id)
      _ = try await scene.capture(unit, id, 1, item: "near")
      await #expect(throws: FieldUnitError.self) {
        _ = try await scene.capture(unit, id, 2, item: "far")
      }
      let states = try #require(try unit.taskItems(of: id)).standing.states.map(\.state)
      #expect(states == [.done, .open])
    }
  }

  @Test("a section is drawn and removed; each change is a new revision of the order, in the log")
  func drawn() async throws {
    try await withTask { scene, id, otto in
      let outline = "[[16.625, 49.075], [16.63, 49.075], [16.63, 49.08]]"
      let fields = ["do": "section", "name": "<script>Wet</script>", "outline": outline]
      #expect(try await post(scene, id, otto, fields).status == 303)
      let page = try await otto.get("/tasks/\(id)/places").body
      #expect(
        page.contains("section &lt;script&gt;Wet&lt;/script&gt;, ") && !page.contains("<script>Wet")
      )
      #expect(
        try await task(scene, id).places.list.map(\.rings.count) == [1])
      let removal = ["do": "remove", "kind": "section", "name": "<script>Wet</script>"]
      #expect(try await post(scene, id, otto, removal).status == 303)
      let task = try await task(scene, id)
      #expect(task.places == .none && task.revision == 3)
      #expect(try await otto.get("/log").body.contains("revision 3"))
    }
  }

  @Test("what cannot be is refused with its reason, and what was written stays in the form")
  func refused() async throws {
    try await withTask { scene, id, otto in
      for (fields, words) in [
        (["do": "section", "name": "A", "outline": "[[1, 1], [2, 1], [2, 2]]"], "does not lie on"),
        (
          [
            "do": "section", "name": " ",
            "outline": "[[16.625,49.075],[16.63,49.075],[16.63,49.08]]",
          ],
          "give a section a name"
        ),
        (["do": "section", "name": "A", "outline": "nonsense"], "write the parcel outline as"),
        (["do": "divide", "name": "A", "outline": "nonsense"], "write the line as"),
        (["do": "divide", "name": "A", "outline": "[[16.61, 49.079]]"], "draw a line over"),
        (
          ["do": "divide", "name": "A", "outline": "[[16.61, 49.079], [16.63, 49.079]]"],
          "the line meets the boundary of the parcel in 1 places"
        ),
        (
          ["do": "divide", "name": "A", "outline": "[[16.61, 490.0], [16.63, 49.079]]"],
          "write the line as"
        ),
        (["do": "parcel", "identifier": "X-9"], "has no parcel X-9"),
        (["do": "nothing"], "the form is not complete"),
        (["do": "remove", "revision": "9", "kind": "section", "name": "A"], "changed or got new"),
      ] as [([String: String], String)] {
        let answer = try await post(scene, id, otto, fields)
        #expect(answer.status >= 400 && answer.body.contains(words), "\(words): \(answer.body)")
        if let name = fields["outline"] {
          #expect(answer.body.contains(">\(name)</textarea>"), "\(words)")
        }
      }
      #expect(try await task(scene, id).revision == 1)
      let unknown = try await otto.get("/tasks/\(Identifier(at: scene.clock.deviceTime))/places")
      #expect(unknown.status == 404)
    }
  }

  @Test("a task that was decided shows its land and takes no more of it")
  func decided() async throws {
    try await withTask { scene, id, otto in
      let seen = try await task(scene, id).history.count
      try await scene.office.review.decide(
        .withdraw, on: id, by: scene.person("otto"), reason: "x", seen: seen)
      let page = try await otto.get("/tasks/\(id)/places").body
      #expect(page.contains("can no longer be changed") && !page.contains("name=\"outline\""))
      let answer = try await post(
        scene, id, otto,
        ["do": "divide", "name": "Half", "outline": "[[16.61, 49.079], [16.65, 49.079]]"])
      #expect(answer.status == 422)
    }
  }
}
