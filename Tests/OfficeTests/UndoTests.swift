import FieldUnit
import Inspection
import OfficeScenes
import Receivers
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("Undoing a decision", .timeLimit(.minutes(5)))
struct UndoTests {
  /// Returns the fields of a form on a page.
  private func fields(_ page: String, ofFormTo action: String) throws -> [(String, String)] {
    let form = try #require(
      page.split(separator: "<form").first { $0.contains("action=\"\(action)\"") },
      "no form to \(action)")
    return form.split(separator: "<input").dropFirst().compactMap { field in
      func value(_ name: String) -> String? {
        field.firstRange(of: "\(name)=\"").map { range in
          String(field[range.upperBound...].prefix { $0 != "\"" })
        }
      }
      guard let name = value("name") else { return nil }
      return (name, value("value") ?? "")
    }
  }

  private func form(_ fields: [(String, String)]) -> [String: String] {
    Dictionary(fields) { $1 }
  }

  @Test("a device hears of a decision only when it can no longer be undone")
  func told() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let path = "/tasks/\(task.id)"
        func decide(_ action: String, reason: String = "") async throws -> String {
          var fields = form(
            try fields(try await otto.get(path).body, ofFormTo: "\(path)/decide"))
          (fields["action"], fields["reason"]) = (action, reason)
          let answer = try await otto.post("\(path)/decide", fields)
          return try await otto.get(try #require(answer.location)).body
        }
        func wait(_ seconds: Double) {
          scene.clock.advance(
            to: scene.clock.elapsed.advanced(bySeconds: seconds), limit: nil)
        }
        func state() async throws -> TaskState {
          try await scene.office.review.view(of: task.id, in: "north").task.state
        }
        let returned = try await decide("returnToInspector", reason: "the corner is missing")
        #expect(returned.contains("The task went back to its inspector."))
        #expect(returned.contains("data-lasts=\"10.0\""))
        #expect(try await state() == .returned)
        #expect(try await unit.delivery.fetchTasks(over: scene.link).changedTasks == 0)

        let undone = try await otto.post(
          "/tasks/undo", form(try fields(returned, ofFormTo: "/tasks/undo")))
        let after = try await otto.get(try #require(undone.location)).body
        #expect(after.contains("Undone. No device has heard of the decision."))
        #expect(after.contains(">the corner is missing</textarea>"), "the words are not lost")
        #expect(try await state() == .dataProvided)
        wait(11)
        #expect(try await unit.delivery.fetchTasks(over: scene.link).changedTasks == 0)
        #expect(try unit.task(task.id).state == .dataProvided)

        let again = try await decide("returnToInspector", reason: "the corner is missing")
        wait(TransitionRule.undoSeconds)
        #expect(!(try await otto.get("\(path)?undo=\(task.id)").body.contains("data-lasts")))
        let late = try await otto.post(
          "/tasks/undo", form(try fields(again, ofFormTo: "/tasks/undo")))
        #expect(late.status == 409 && late.body.contains("too late to undo"))
        #expect(try await unit.delivery.fetchTasks(over: scene.link).changedTasks == 1)
        let told = try unit.task(task.id)
        #expect(told.state == .returned && told.returnReason == "the corner is missing")
        #expect(!told.history.contains { $0.action == .undo })
        #expect(told.history.count { $0.action == .returnToInspector } == 1)
      }
    }
  }

  @Test("nobody undoes another officer's decision, and none after something came late")
  func refused() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided(1)
      let otto = Person(agency: "north", login: "otto", role: .officer)
      let before = try await scene.office.review.view(of: task.id, in: "north").task
      let steps = before.history.count
      try await scene.office.review.decide(
        .decline, on: task.id, by: otto, reason: "wrong field", seen: steps, isUndoable: true)
      let refusal = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.review.undo(
          task.id, by: Person(agency: "north", login: "olga", role: .officer), seen: steps + 1)
      }
      #expect(refusal?.kind == .ruleForbids)
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.review.undo(task.id, by: otto, seen: steps)
      }
      let note = LateNote(
        id: Identifier(at: scene.clock.deviceTime), inspector: "ines", task: task.id, photo: nil,
        text: "wet", received: scene.clock.deviceTime)
      try await scene.office.database.write(in: "north") { try $0.tasks.insert(note) }
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.review.undo(task.id, by: otto, seen: steps + 1)
      }
      #expect(
        try await scene.office.review.view(of: task.id, in: "north").task.state == .declined)
    }
  }

  @Test("officers choose from the agency's usual reasons, which its administrator writes")
  func reasons() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided(1)
      try await withSite(scene.office) { site in
        let (otto, anna) = (site.browser(), site.browser())
        try await otto.signIn("otto")
        try await anna.signIn("anna")
        let path = "/tasks/\(task.id)"
        #expect(!(try await otto.get(path).body.contains("name=\"listed\"")))
        let token = form(
          try fields(try await anna.get("/policy").body, ofFormTo: "/policy/reasons"))
        func save(_ text: String) async throws -> (status: Int, body: String) {
          var fields = token
          fields["reasons"] = text
          let answer = try await anna.post("/policy/reasons", fields)
          return (answer.status, answer.body)
        }
        let long = String(repeating: "x", count: 201)
        let refused = try await save("blurred\n\(long)")
        #expect(refused.status == 400 && refused.body.contains("reason 2 has 201 characters"))
        #expect(refused.body.contains(long), "nothing written is lost")
        #expect(try await save(" blurred \r\n\r\nthe “north” corner & pond\n").status == 303)
        let page = try await otto.get(path).body
        #expect(
          page.contains("<option>blurred</option><option>the “north” corner &amp; pond</option>"))
        var fields = form(try fields(page, ofFormTo: "\(path)/decide"))
        (fields["action"], fields["listed"], fields["reason"]) =
          ("returnToInspector", "blurred", " ")
        _ = try await otto.post("\(path)/decide", fields)
        let view = try await scene.office.review.view(of: task.id, in: "north")
        #expect(view.task.returnReason == "blurred")
      }
    }
  }
}
