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

@Suite("Decisions of programs name what was seen", .timeLimit(.minutes(5)))
struct ConsoleAcceptanceTests {
  private static func body(_ tasks: [JSONValue]) -> String {
    String(decoding: JSONValue.object(["tasks": .array(tasks)]).canonicalBytes, as: UTF8.self)
  }

  @Test("a photo that comes or goes makes a task another version, which no decision passes by")
  func shown() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      let alone = try await scene.capture(unit, nil, 5).id
      try unit.sendPhotos([alone])
      _ = try await unit.delivery.deliver(over: scene.link)
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let path = "/tasks/\(task.id)"
        let first = try await otto.console("GET", path)
        let (tag, seen) = (try #require(first.header("ETag")), try first.json())
        let (mark, steps) = (try #require(seen["shown"]?.text), seen["steps"]?.wholeNumber ?? -1)
        #expect(try await otto.get(path + "/photos")["shown"]?.text == mark)
        func decide(_ action: String, _ mark: String?) async throws -> Answer {
          let shown = mark.map { #", "shown": "\#($0)""# } ?? ""
          return try await otto.console(
            "POST", path + "/decisions",
            #"{"action": "\#(action)", "reason": "Seen.", "seen": \#(steps)\#(shown)}"#)
        }
        for action in ["accept", "decline"] {
          let unseen = try await decide(action, nil)
          #expect(unseen.status == 400 && unseen.code == "input-invalid", "\(action)")
        }

        let given = try await otto.console(
          "POST", "/photos/\(alone)/assign", #"{"task": "\#(task.id)"}"#)
        #expect(given.status == 200, "\(given.body)")
        for action in ["accept", "decline"] {
          let late = try await decide(action, mark)
          #expect(late.status == 409 && late.code == "task-changed", "\(action): \(late.body)")
        }
        let second = try await otto.console("GET", path, nil, [("If-None-Match", tag)])
        #expect(second.status == 200, "it is another version")
        let other = try #require(second.header("ETag"))
        #expect(try second.json()["shown"]?.text != mark)
        let change = #"{"instructions": "Two photos."}"#
        let stale = try await otto.console("PATCH", path, change, [("If-Match", tag)])
        #expect(stale.status == 412 && stale.code == "precondition-failed")
        // A program that has seen the task's newest state is told of the rule instead.
        #expect(
          try await otto.console("PATCH", path, change, [("If-Match", other)]).code
            == "rule-forbids")

        #expect(try await otto.console("POST", "/photos/\(alone)/unassign").status == 200)
        #expect(try await otto.console("GET", path).header("ETag") == tag)
        #expect(
          try await scene.office.review.view(of: task.id, in: "north").task.history.count == steps)
        let accepted = try await decide("accept", mark)
        #expect(accepted.status == 200, "\(accepted.body)")
        #expect(try accepted.json()["shown"]?.text == mark)
      }
    }
  }

  @Test(
    "several tasks are accepted as they were seen; what one of them forbids keeps no other back")
  func together() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let ready = try await scene.provided()
      let waiting = try await scene.order("Oats")
      let ids: [JSONValue] = [.string(ready.id.description), .string(waiting.id.description)]
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let sara = try await ConsoleProgram.signedIn("sara", at: site)
        let anna = try await ConsoleProgram.signedIn("anna", at: site)
        func post(
          _ path: String, _ tasks: [JSONValue], _ program: ConsoleProgram
        ) async throws -> Answer {
          try await program.console("POST", "/acceptances" + path, Self.body(tasks))
        }
        let look = try await post("/preview", ids, otto)
        #expect(look.status == 200, "\(look.body)")
        let seen = try #require(try look.json()["ready"]?.elements)
        #expect(seen.map { $0["id"]?.text } == [ready.id.description])
        let others = try #require(try look.json()["refused"]?.elements)
        #expect(others.map { $0["id"]?.text } == [waiting.id.description])
        #expect(others.first?["code"]?.text == "rule-forbids")
        #expect(try await post("/preview", ids, sara).status == 404)
        #expect(try await post("/preview", ids, anna).json()["ready"]?.elements == [])

        func item(_ id: Identifier, _ seen: Int, _ shown: String) -> JSONValue {
          .object([
            "id": .string(id.description), "seen": .integer(seen), "examined": .integer(1),
            "shown": .string(shown),
          ])
        }
        let none = String(repeating: "0", count: 16)
        let other = try await post("", [item(ready.id, ready.history.count, none)], otto).json()
        #expect(other["refused"]?.elements?.first?["code"]?.text == "task-changed")
        let stranger = try await post("", seen, sara).json()
        #expect(stranger["refused"]?.elements?.first?["code"]?.text == "unknown")
        #expect(stranger["accepted"]?.elements == [])
        let reopener = try await post("", seen, anna).json()
        #expect(reopener["refused"]?.elements?.first?["code"]?.text == "rule-forbids")
        #expect(try await scene.office.review.view(of: ready.id, in: "north").task == ready)

        let done = try await post("", [item(waiting.id, 0, none)] + seen, otto).json()
        #expect(done["accepted"]?.elements?.map { $0["id"]?.text } == [ready.id.description])
        #expect(done["refused"]?.elements?.map { $0["id"]?.text } == [waiting.id.description])
        #expect(
          try await scene.office.review.view(of: ready.id, in: "north").task.state == .accepted)
        let again = try await post("", seen, otto).json()
        #expect(
          again["refused"]?.elements?.first?["detail"]?.text?.contains("otto has accepted it")
            == true)

        for (path, tasks) in [
          ("/preview", Array(repeating: ids[0], count: 201)), ("/preview", [.string("x")]),
          ("", Array(repeating: seen[0], count: 201)), ("", ids), ("", [.object([:])]),
        ] {
          let answer = try await post(path, tasks, otto)
          #expect(answer.status == 400 && answer.code == "input-invalid", "\(answer.body)")
        }
        #expect(try await otto.console("POST", "/acceptances", "{}").status == 400)
      }
    }
  }
}
