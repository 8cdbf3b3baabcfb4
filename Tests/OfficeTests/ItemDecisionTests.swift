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

@Suite("Decisions item by item", .timeLimit(.minutes(3)))
struct ItemDecisionTests {
  private func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  private func items() throws -> OrderItems {
    try OrderItems([
      OrderItem(name: name("ripe"), wording: "Is it ripe?", content: .question(Question(.yesOrNo))),
      OrderItem(name: name("roof"), wording: "The roof <script>", content: .shot(WantedShot())),
      OrderItem(name: name("door"), wording: "The door", content: .shot(WantedShot())),
    ])
  }

  /// Makes a task with items that an inspector has worked through and sent, and signs in the officer.
  private func withSentTask(
    _ body:
      @escaping @Sendable (OfficeScene, InspectorUnit, Identifier, OfficeBrowser) async throws ->
      Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.office.templates.take(
        try items(), title: nil, forType: "crop", in: "north", by: "otto")
      let order = try await scene.order("Upper field", type: "crop")
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      try unit.openTask(order.id)
      try unit.answer(.text("no"), to: "ripe", ofTask: order.id)
      for number in 1...2 { _ = try await scene.capture(unit, order.id, number) }
      try unit.provideTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        try await body(scene, unit, order.id, otto)
      }
    }
  }

  /// Devices are told when the decision can no longer be undone.
  private func wait(_ scene: OfficeScene) {
    scene.clock.advance(
      to: scene.clock.elapsed.advanced(bySeconds: TransitionRule.undoSeconds + 1), limit: nil)
  }

  private func decide(
    _ scene: OfficeScene, _ task: Identifier, _ otto: OfficeBrowser, _ action: String,
    _ fields: [String: String]
  ) async throws -> Answer {
    let view = try await scene.office.review.view(of: task, in: "north")
    return try await otto.post(
      "/tasks/\(task)/decide",
      fields.merging([
        "action": action, "seen": "\(view.task.history.count)", "examined": "\(view.photos.count)",
        "shown": Review.mark(of: view.task, view.photos),
      ]) { $1 })
  }

  @Test(
    "an officer returns one item; it alone comes back with its reason, is done again, and is accepted"
  )
  func oneItem() async throws {
    try await withSentTask { scene, unit, task, otto in
      let page = try await otto.get("/tasks/\(task)").body
      #expect(page.contains("Return single items") && page.contains("name=\"why-roof\""))
      #expect(page.contains("Reason to return: The roof &lt;script&gt;"))
      let done = try await decide(
        scene, task, otto, "returnToInspector",
        ["return": "roof", "why-roof": "blurred <script>"])
      #expect(done.status == 303, "\(done.body)")
      wait(scene)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.task(task).state == .returned)
      #expect(try unit.task(task).returnReason == "The roof <script>: blurred <script>")
      let items = try #require(try unit.taskItems(of: task))
      #expect(items.standing.states.map(\.state) == [.done, .open, .done])
      #expect(items.verdicts.last.count == 3)
      #expect(
        try items.verdicts.last.first { $0.item == (try name("roof")) }?.returned
          == "blurred <script>")
      #expect(throws: InspectionError.item(.accepted(try name("ripe")))) {
        try unit.answer(.text("yes"), to: "ripe", ofTask: task)
      }
      #expect(throws: InspectionError.itemsMissing([try name("roof")])) {
        try unit.provideTask(task)
      }
      _ = try await scene.capture(unit, task, 3)
      #expect(try unit.taskItems(of: task)?.standing.isComplete == true)
      try unit.provideTask(task)
      _ = try await unit.delivery.deliver(over: scene.link)
      let again = try await otto.get("/tasks/\(task)").body
      #expect(again.contains("3 of 3 done") && again.contains("accepted by the office"))
      #expect(again.contains("It was returned: blurred &lt;script&gt;"))
      let accepted = try await decide(scene, task, otto, "accept", [:])
      #expect(accepted.status == 303, "\(accepted.body)")
      let view = try await scene.office.review.view(of: task, in: "north")
      #expect(view.task.state == .accepted)
    }
  }

  @Test("marks that do not go with the decision are refused, and stay on the page")
  func refused() async throws {
    try await withSentTask { scene, unit, task, otto in
      let marked = ["return": "roof", "why-roof": "dark"]
      let accepting = try await decide(scene, task, otto, "accept", marked)
      #expect(accepting.status == 422)
      #expect(accepting.body.contains("you have ticked 1 item to return"))
      #expect(accepting.body.contains("value=\"roof\" checked"))
      #expect(accepting.body.contains("value=\"dark\""))
      let silent = try await decide(
        scene, task, otto, "returnToInspector", ["return": "roof", "why-roof": " "])
      #expect(silent.status == 422 && silent.body.contains("say in words why “roof” is returned"))
      #expect(
        try await scene.office.review.view(of: task, in: "north").task.state == .dataProvided)
      // Without marks the whole task is returned, and everything can be changed.
      let whole = try await decide(scene, task, otto, "returnToInspector", ["reason": "All dark."])
      #expect(whole.status == 303)
      wait(scene)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.taskItems(of: task)?.verdicts == ItemVerdicts.none)
      try unit.answer(.text("yes"), to: "ripe", ofTask: task)
    }
  }

  @Test("an officer marks a photo of a returned item, and the inspector sees it at the item")
  func marked() async throws {
    try await withSentTask { scene, unit, task, otto in
      let photo = try #require(
        try unit.taskItems(of: task)?.given.photos[try name("roof")]?.first)
      let page = try await otto.get("/tasks/\(task)").body
      #expect(page.contains("name=\"mark-roof\" value=\"\(photo) \""))
      #expect(page.contains("value=\"\(photo) \(PhotoMark.ringTexts[4])\">middle"))
      #expect(page.contains("/photos/\(photo)/photo.jpg"))
      // The lines of an item that is not returned are not sent to anyone.
      let fields = [
        "return": "roof", "why-roof": "dark",
        "mark-roof": "\(photo) 10,20 30,40;\(PhotoMark.ringTexts[4])",
        "mark-door": "\(photo) 1,1",
      ]
      let unreadable = try await decide(
        scene, task, otto, "returnToInspector",
        fields.merging(["mark-roof": "\(photo) 10,20 <script>"]) { $1 })
      #expect(unreadable.status == 422)
      #expect(unreadable.body.contains("the lines over a photo cannot be read"))
      #expect(unreadable.body.contains("value=\"dark\""))
      // A decision that is refused for another reason keeps the lines.
      let accepting = try await decide(scene, task, otto, "accept", fields)
      #expect(accepting.status == 422)
      #expect(accepting.body.contains("value=\"\(photo) 10,20 30,40;"))
      let done = try await decide(scene, task, otto, "returnToInspector", fields)
      #expect(done.status == 303, "\(done.body)")
      wait(scene)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      let verdict = try #require(
        try unit.taskItems(of: task)?.verdicts.last.first { $0.item == (try name("roof")) })
      let mark = try #require(verdict.marks.first)
      #expect(verdict.marks.count == 1 && mark.photo == photo && mark.lines.count == 2)
      #expect(mark.linesText.hasPrefix("10,20 30,40;"))
      #expect(mark.linesText.hasSuffix(PhotoMark.ringTexts[4]))
      #expect("\(try #require(try unit.taskItems(of: task)?.verdictsJSON))".contains("10,20"))
    }
  }

  @Test("a return that is undone leaves no word on an item")
  func undone() async throws {
    try await withSentTask { scene, unit, task, otto in
      _ = try await decide(
        scene, task, otto, "returnToInspector", ["return": "door", "why-door": "closed"])
      let seen = try await scene.office.review.view(of: task, in: "north").task.history.count
      try await scene.office.review.undo(task, by: scene.person("otto"), seen: seen)
      let page = try await otto.get("/tasks/\(task)").body
      #expect(!page.contains("accepted by the office") && page.contains("3 of 3 done"))
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.taskItems(of: task)?.verdicts == ItemVerdicts.none)
    }
  }

  @Test("behind an undone return the marks and the officer's own words are still there")
  func marksAfterUndoing() async throws {
    try await withSentTask { scene, unit, task, otto in
      let photo = try #require(
        try unit.taskItems(of: task)?.given.photos[try name("door")]?.first)
      _ = try await decide(
        scene, task, otto, "returnToInspector",
        [
          "return": "door", "why-door": "closed", "reason": "Nearly.",
          "mark-door": "\(photo) \(PhotoMark.ringTexts[0])",
        ])
      let seen = try await scene.office.review.view(of: task, in: "north").task.history.count
      try await scene.office.review.undo(task, by: scene.person("otto"), seen: seen)
      let page = try await otto.get("/tasks/\(task)").body
      #expect(page.contains("value=\"door\" checked") && page.contains("value=\"closed\""))
      #expect(page.contains(">Nearly.</textarea>"))
      #expect(page.contains("name=\"mark-door\" value=\"\(photo) "))
      #expect(page.contains("class=\"mark-photo\" open"))
    }
  }

  @Test("on a device that has not done an accepted item it is open, and can be done")
  func otherDevice() async throws {
    try await withSentTask { scene, _, task, otto in
      _ = try await decide(
        scene, task, otto, "returnToInspector", ["return": "roof", "why-roof": "dark"])
      wait(scene)
      let other = try await scene.unit(on: "handheld")
      _ = try await other.delivery.fetchTasks(over: scene.link)
      #expect(try other.taskItems(of: task)?.standing.missing.count == 3)
      try other.answer(.text("no"), to: "ripe", ofTask: task)
      try other.answer(.notPossible("a dog"), to: "door", ofTask: task)
      #expect(throws: InspectionError.item(.accepted(try name("ripe")))) {
        try other.answer(.text("yes"), to: "ripe", ofTask: task)
      }
    }
  }

  @Test(
    "a device that knows no verdicts sends again: the items stay open, and say what was changed")
  func olderDevice() async throws {
    try await withSentTask { scene, unit, task, otto in
      _ = try await decide(
        scene, task, otto, "returnToInspector", ["return": "roof", "why-roof": "dark"])
      wait(scene)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      try unit.store.write(as: unit.person) { try $0.answers.keep(.none, ofTask: task) }
      try unit.answer(.text("yes"), to: "ripe", ofTask: task)
      try unit.provideTask(task)
      _ = try await unit.delivery.deliver(over: scene.link)
      let page = try await otto.get("/tasks/\(task)").body
      #expect(page.contains("2 of 3 done") && page.contains("changed since it was accepted"))
      let candidates = try await scene.office.review.candidates([task], in: "north", for: .officer)
      #expect(candidates.map(\.obstacle) == [.itemsOpen(1)])
      let view = try await scene.office.review.view(of: task, in: "north")
      let outcome = try await scene.office.review.accept(
        [
          SeenTask(
            id: task, steps: view.task.history.count, examined: view.photos.count,
            shown: Review.mark(of: view.task, view.photos))
        ], by: scene.person("otto"))
      guard case .failure(let refusal) = outcome.first?.outcome else {
        Issue.record("it was accepted")
        return
      }
      #expect("\(refusal)".contains("items that its order requires are open"))
    }
  }

  @Test("a whole return asks for a photo again although the order allows no second one")
  func most() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let only = try OrderItems([
        OrderItem(name: name("roof"), wording: "The roof", content: .shot(WantedShot(most: 1)))
      ])
      _ = try await scene.office.templates.take(
        only, title: nil, forType: "crop", in: "north", by: "otto")
      let order = try await scene.order("Upper field", type: "crop")
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      _ = try await scene.capture(unit, order.id, 1, item: "roof")
      let full = InspectionError.item(.full(try name("roof"), most: 1))
      await #expect(throws: full) {
        _ = try await scene.capture(unit, order.id, 2, item: "roof")
      }
      #expect("\(full)".contains("has its photo"))
      try unit.provideTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      try await scene.office.review.decide(
        .returnToInspector, on: order.id, by: scene.person("otto"), reason: "All dark.",
        seen: view.task.history.count)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      _ = try await scene.capture(unit, order.id, 3, item: "roof")
      #expect(try unit.photos(.task(order.id)).count == 2)
    }
  }

  @Test("a word behind a refused one counts, even if the device's clock was set back between them")
  func clockSetBack() async throws {
    try await withSentTask { scene, _, task, otto in
      _ = try await decide(
        scene, task, otto, "returnToInspector", ["return": "ripe", "why-ripe": "look again"])
      let read = try await scene.office.database.write(in: "north") { session in
        // A word as a device whose clock was set back sends it.
        var early = try #require(try session.answers.list(ofTask: task).last)
        early.answer.id = Identifier(at: early.received)
        early.answer.time = DeviceTime(millisecondsSince1970: 1)
        (early.answer.answer, early.answer.words) = (.value(.yes(true)), "yes")
        try session.answers.insert(early)
        return try TaskItemsRead(
          of: session.tasks.task(task), photos: session.photos.list(.task(task)), session)
      }
      let items = try #require(read)
      #expect(try items.counted[name("ripe")]?.words == "yes")
      #expect(items.standing.isComplete)
    }
  }
}
