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

@testable import BulkActs
@testable import Office
@testable import OfficePages

@Suite("Acts on many tasks", .timeLimit(.minutes(5)))
struct BulkActTests {
  /// Chooses all tasks of a list for an act, and returns the address of the plan.
  private func plan(
    _ kind: BulkAct.Kind, _ otto: OfficeBrowser, list: String = "sort=name"
  ) async throws -> String {
    _ = try await otto.get("/tasks?\(list)")
    let answer = try await otto.post(
      "/tasks/selection", ["all": "1", "do": kind.rawValue, "list": list])
    #expect(answer.status == 303, "\(answer.body)")
    return try #require(answer.location)
  }

  private func perform(
    _ path: String, _ otto: OfficeBrowser, _ fields: [String: String] = [:]
  ) async throws -> String {
    _ = try await otto.get(path)
    let answer = try await otto.post(path, fields.merging(["do": "now"]) { $1 })
    #expect(answer.status == 303, "\(answer.body)")
    return try await otto.get(path).body
  }

  private func undo(_ path: String, _ otto: OfficeBrowser) async throws -> String {
    _ = try await otto.get(path)
    #expect(try await otto.post(path, ["do": "undo"]).status == 303)
    return try await otto.get(path).body
  }

  private func wait(_ scene: OfficeScene, _ seconds: Double) {
    scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: seconds), limit: nil)
  }

  private func task(_ id: Identifier, _ scene: OfficeScene) async throws -> InspectionTask {
    try await scene.office.review.view(of: id, in: "north").task
  }

  private func withOfficer(
    _ body: @escaping @Sendable (OfficeScene, OfficeBrowser) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        try await body(scene, otto)
      }
    }
  }

  @Test("what will happen is shown first; devices hear of it after a minute, and it can be undone")
  func withdrawing() async throws {
    try await withOfficer { scene, otto in
      let tasks = [
        try await scene.order("Beet <script>"), try await scene.order("Oats", for: "igor"),
      ]
      let (ines, igor) = (try await scene.unit("ines"), try await scene.unit("igor", on: "phone"))
      for unit in [ines, igor] { _ = try await unit.delivery.fetchTasks(over: scene.link) }
      let path = try await plan(.withdraw, otto)
      let question = try await otto.get(path).body
      #expect(question.contains("Withdraw these tasks") && question.contains("Beet &lt;script&gt;"))
      #expect(question.contains("The office keeps what was done for them."))
      #expect(question.contains("<input type=\"hidden\" name=\"boxes\" value=\"1\">"))
      #expect(try await task(tasks[0].id, scene).state == .new)

      let done = try await perform(path, otto, ["value": "the subsidy ended"])
      #expect(done.contains("2 tasks withdrawn.") && done.contains("Undo"))
      let withdrawn = try await task(tasks[0].id, scene)
      #expect(withdrawn.state == .withdrawn)
      #expect(withdrawn.history.last?.reason == "the subsidy ended")
      wait(scene, BulkAct.heldSeconds - 1)
      #expect(try await ines.delivery.fetchTasks(over: scene.link).changedTasks == 0)
      wait(scene, 2)
      #expect(try await ines.delivery.fetchTasks(over: scene.link).changedTasks == 1)
      #expect(try ines.task(tasks[0].id).state == .withdrawn)

      // The device of Igor has heard of nothing, so that his task comes back.
      let undone = try await undo(path, otto)
      #expect(undone.contains("1 task is as it was before."))
      #expect(undone.contains("1 task could not be undone: see why."))
      #expect(undone.contains("a device of ines has fetched it already"))
      #expect(try await task(tasks[0].id, scene).state == .withdrawn)
      #expect(try await task(tasks[1].id, scene).state == .new)
      _ = try await igor.delivery.fetchTasks(over: scene.link)
      #expect(try igor.task(tasks[1].id).state == .new)
      #expect(!(try await undo(path, otto)).contains("data-key=\"z\""), "one undo")
    }
  }

  @Test("what was not ticked, or needs a look of its own, is left out of an acceptance")
  func accepting() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let ready = try await scene.provided()
      let waiting = try await scene.order("Oats")
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let path = try await plan(.accept, otto)
        let question = try await otto.get(path).body
        #expect(question.contains("Accept these tasks") && question.contains("Not included"))
        #expect(question.contains("it is New, and is not waiting for your decision"))
        let nothing = try await perform(path, otto, ["boxes": "1"])
        #expect(nothing.contains("Left out") && !nothing.contains("accepted."))
        #expect(try await task(ready.id, scene).state == .dataProvided)

        let second = try await plan(.accept, otto)
        let done = try await perform(
          second, otto, ["boxes": "1", "task": ready.id.description])
        #expect(done.contains("1 task accepted."))
        #expect(try await task(ready.id, scene).state == .accepted)
        #expect(try await task(waiting.id, scene).state == .new)
        // The same form comes again, and nothing happens twice.
        let steps = try await task(ready.id, scene).history.count
        _ = try await perform(second, otto)
        #expect(try await task(ready.id, scene).history.count == steps)
        #expect(try await undo(second, otto).contains("1 task is as it was before."))
        #expect(try await task(ready.id, scene).state == .dataProvided)
      }
    }
  }

  @Test("a task that somebody decided meanwhile is not decided twice, and the page says who did")
  func meanwhile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let ready = try await scene.provided()
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let path = try await plan(.giveBack, otto)
        let empty = try await otto.post(path, ["do": "now", "value": "  "])
        #expect(empty.status == 422, "a return needs a reason")
        try await scene.office.review.decide(
          .decline, on: ready.id, by: scene.person("olga"), reason: "no",
          seen: ready.history.count)
        let done = try await perform(path, otto, ["value": "blurred"])
        #expect(done.contains("1 task not done: see why.") && done.contains("olga has declined it"))
        #expect(try await task(ready.id, scene).state == .declined)
      }
    }
  }

  @Test("another inspector gets the same order; what the first one did stays, and both see why")
  func reassigning() async throws {
    try await withOfficer { scene, otto in
      _ = try await scene.office.templates.take(
        try OrderItems([
          OrderItem(
            name: try #require(ItemName("ripe")), wording: "Is it ripe?",
            content: .question(Question(.yesOrNo)))
        ]), title: nil, forType: "crop", in: "north", by: "otto")
      let order = try await scene.order("Upper field", type: "crop")
      // Later versions of the template change no order, and no order of another inspector either.
      _ = try await scene.office.templates.take(
        try OrderItems([
          OrderItem(
            name: try #require(ItemName("mown")), wording: "Is it mown?",
            content: .question(Question(.yesOrNo)))
        ]), title: nil, forType: "crop", in: "north", by: "otto")
      let (ines, task) = try await scene.working()
      try ines.answer(.text("no"), to: "ripe", ofTask: order.id)

      let path = try await plan(.reassign, otto)
      #expect(try await otto.post(path, ["do": "now", "value": "anna"]).status == 400)
      let done = try await perform(path, otto, ["value": "igor"])
      #expect(done.contains("1 task given to Igor.") && done.contains("the new order"))
      #expect(try await self.task(order.id, scene).history.last?.reason == "given to Igor")
      let copies = try await scene.office.review.tasks(
        in: "north", TaskFilter(state: .new, inspector: "igor"))
      let copy = try #require(copies.first)
      #expect(copies.count == 1 && copy.name == "Upper field" && copy.parcel == order.parcel)
      let page = try await otto.get("/tasks/\(copy.id)").body
      #expect(page.contains("Before, <a") && page.contains("/tasks/\(order.id)"))
      #expect(try await otto.get("/tasks/\(order.id)").body.contains("Now <a"))

      // Ines knows nothing of it, works on, and sends: the office keeps all of it.
      try ines.provideTask(task.id)
      _ = try await ines.delivery.deliver(over: scene.link)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      #expect(view.task.state == .withdrawn && view.photos.count == 1)
      #expect(view.conflicts.map(\.transition.action) == [.open, .provide])
      wait(scene, BulkAct.heldSeconds + 1)
      _ = try await ines.delivery.fetchTasks(over: scene.link)
      #expect(try ines.task(order.id).history.last?.reason == "given to Igor")

      let igor = try await scene.unit("igor", on: "phone")
      _ = try await igor.delivery.fetchTasks(over: scene.link)
      #expect(
        try igor.taskItems(of: copy.id)?.order.items.items.map(\.wording) == ["Is it ripe?"])
      #expect(try await undo(path, otto).contains("1 task could not be undone"))
    }
  }

  @Test("an order that nobody has fetched is taken back, and no device ever hears of it")
  func takingBack() async throws {
    try await withOfficer { scene, otto in
      let order = try await scene.order("Upper field")
      try await scene.office.database.write(in: "north") {
        try $0.tasks.keep(reference: "GSA-7", ofTask: order.id)
      }
      let path = try await plan(.reassign, otto)
      _ = try await perform(path, otto, ["value": "igor"])
      let reference = { [office = scene.office] in
        try await office.database.read(in: "north") {
          try $0.tasks.task(withReference: "GSA-7")
        }
      }
      let copy = try #require(try await reference())
      #expect(copy != order.id)
      // A later plan that names the new order, and is not done, is no obstacle.
      _ = try await plan(.accept, otto)
      #expect(try await undo(path, otto).contains("1 task is as it was before."))
      #expect(try await reference() == order.id)
      #expect(try await task(order.id, scene).state == .new)
      #expect(try await task(order.id, scene).inspector == "ines")
      #expect(try await task(copy, scene).state == .withdrawn)
      let log = try await otto.get("/log").body
      #expect(log.contains("took") && log.contains("gave"))
      wait(scene, BulkAct.heldSeconds + 1)
      let igor = try await scene.unit("igor", on: "phone")
      #expect(try await igor.delivery.fetchTasks(over: scene.link).newTasks == 0)
    }
  }

  @Test("due dates are moved as orders are changed, and moved back")
  func moving() async throws {
    try await withOfficer { scene, otto in
      let order = try await scene.order()
      let path = try await plan(.moveDue, otto)
      #expect(try await otto.post(path, ["do": "now", "value": "soon"]).status == 400)
      let done = try await perform(path, otto, ["value": "2027-03-31"])
      #expect(done.contains("1 task has a new due date."))
      let moved = try await task(order.id, scene)
      #expect(moved.due?.date.iso8601 == "2027-03-31" && moved.revision == 2)
      let again = try await perform(try await plan(.moveDue, otto), otto, ["value": "2027-03-31"])
      #expect(again.contains("it is already due on that day"))
      #expect(try await undo(path, otto).contains("1 task is as it was before."))
      #expect(try await task(order.id, scene).due == order.due)
    }
  }

  /// Leaves an act as an office that ends after its first steps does: begun, with steps still planned.
  private func begin(_ path: String, _ value: String, _ scene: OfficeScene) async throws {
    let id = try #require(Identifier(String(path.dropFirst("/bulk/".count))))
    try await scene.office.database.write(in: "north") { session in
      var act = try #require(try session.bulk.act(id))
      (act.value, act.done) = (value, scene.clock.deviceTime)
      try session.bulk.save(act, heldUntil: nil)
    }
  }

  @Test("an act that was interrupted goes on as it began, and is held from then on")
  func interrupted() async throws {
    try await withOfficer { scene, otto in
      let order = try await scene.order()
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      let path = try await plan(.reassign, otto)
      try await begin(path, "igor", scene)
      wait(scene, 600)
      #expect(try await otto.get(path).body.contains("The office was interrupted."))
      let done = try await perform(path, otto, ["value": "something else"])
      #expect(done.contains("1 task given to Igor."))
      #expect(try await task(order.id, scene).history.last?.reason == "given to Igor")
      #expect(try await unit.delivery.fetchTasks(over: scene.link).changedTasks == 0)
      wait(scene, BulkAct.heldSeconds + 1)
      #expect(try await unit.delivery.fetchTasks(over: scene.link).changedTasks == 1)
      // The form comes once more: nothing is done, and nothing is held again.
      _ = try await perform(path, otto)
      let later = try await scene.order("Later")
      #expect(try await unit.delivery.fetchTasks(over: scene.link).newTasks == 1)
      #expect(try unit.task(later.id).state == .new)
    }
  }

  @Test("an act that cannot go on is undone as far as it was done")
  func undoneHalfway() async throws {
    try await withOfficer { scene, otto in
      let order = try await scene.order()
      let path = try await plan(.reassign, otto)
      try await begin(path, "nobody", scene)
      #expect(try await otto.get(path).body.contains("Undo what was done"))
      #expect(try await otto.post(path, ["do": "now"]).status == 400)
      let undone = try await undo(path, otto)
      #expect(undone.contains("Left out (1)") && !undone.contains("The office was interrupted."))
      #expect(try await task(order.id, scene).state == .new)
    }
  }

  @Test("tasks that the officer took out stay out when an interrupted act goes on")
  func takenOut() async throws {
    try await withOfficer { scene, otto in
      let orders = [try await scene.order("Beet"), try await scene.order("Oats")]
      let path = try await plan(.withdraw, otto)
      let done = try await perform(
        path, otto, ["boxes": "1", "task": orders[1].id.description, "value": "ended"])
      #expect(done.contains("1 task withdrawn.") && done.contains("Left out (1)"))
      _ = try await perform(path, otto)
      #expect(try await task(orders[0].id, scene).state == .new)
      #expect(try await task(orders[1].id, scene).state == .withdrawn)
    }
  }

  @Test("a list that is too long to be repeated does not become the list of everything")
  func longList() async throws {
    try await withOfficer { scene, otto in
      let order = try await scene.order()
      _ = try await otto.get("/tasks")
      let list = "text=" + String(repeating: "%C5%99", count: 400)
      let answer = try await otto.post(
        "/tasks/selection", ["all": "1", "do": "withdraw", "list": list])
      #expect(answer.status == 400 && answer.body.contains("too long to be repeated"))
      #expect(try await task(order.id, scene).state == .new)
    }
  }

  @Test("nobody else sees an officer's act or does it, and a forged form changes nothing")
  func walls() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      try await withSite(scene.office) { site in
        let (otto, olga, anna, sara) = (
          site.browser(), site.browser(), site.browser(), site.browser()
        )
        for (browser, login) in [(otto, "otto"), (olga, "olga"), (anna, "anna"), (sara, "sara")] {
          try await browser.signIn(login)
        }
        let path = try await plan(.withdraw, otto)
        for other in [olga, sara] {
          #expect(try await other.get(path).status == 404)
          #expect(try await other.post(path, ["do": "now"]).status == 404)
        }
        _ = try await anna.get("/tasks")
        #expect(
          try await anna.post("/tasks/selection", ["all": "1", "do": "withdraw"]).status == 403)
        for fields in [["do": "burn"], [:], ["do": "undo"]] {
          #expect((400..<500).contains(try await otto.post(path, fields).status), "\(fields)")
        }
        for address in ["/bulk/x", "/bulk/\(order.id)"] {
          #expect(try await otto.get(address).status == 404)
        }
        #expect(try await otto.post("/tasks/selection", ["do": "withdraw"]).status == 303)
        #expect(try await task(order.id, scene).state == .new)
        let many = (0...BulkAct.mostTasks).map { _ in order.id }
        let refusal = await #expect(throws: OfficeRefusal.self) {
          try await BulkService(of: scene.office).plan(
            .withdraw, many, list: "", by: scene.person("otto"))
        }
        #expect(refusal?.kind == .inputInvalid)
      }
    }
  }
}
