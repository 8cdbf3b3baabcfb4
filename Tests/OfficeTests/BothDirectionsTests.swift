import Evidence
import FieldUnit
import Foundation
import Imports
import Inspection
import OfficeScenes
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("A task that several people change without hearing of each other")
struct BothDirectionsTests {
  @Test("tasks come by cursor: once each, again when they change, all of them after a restore")
  func cursor() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let first = try await scene.order("First")
      try await _ = scene.order("Other's", for: "igor")
      let unit = try await scene.unit()
      #expect(try await unit.delivery.fetchTasks(over: scene.link).newTasks == 1)
      let visitor = try await scene.office.sessions.visitor(
        withToken: try scene.desk().signedIn()?.token)
      let page = try await scene.office.review.tasks(for: visitor)
      let cursor = try #require(page.cursor)
      let nothing = try await scene.office.review.tasks(for: visitor, since: cursor)
      #expect(nothing.tasks.isEmpty && nothing.cursor == cursor && nothing.hasMore == nil)
      try await _ = scene.order("Second")
      try await scene.office.orders.changeOrder(of: first.id, in: "north", by: "otto") {
        $0.name = "First again"
      }
      let news = try await scene.office.review.tasks(for: visitor, since: cursor)
      #expect(news.tasks.map(\.name) == ["Second", "First again"])
      let outcome = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(outcome.newTasks == 1 && outcome.changedTasks == 1)
      #expect(try await unit.delivery.fetchTasks(over: scene.link).changedTasks == 0)
      // A cursor of another database or of another inspector, or a text that is no cursor, begins
      // anew.
      _ = try await scene.unit("igor", on: "other")
      let igor = try await scene.office.sessions.visitor(
        withToken: try scene.desk("other").signedIn()?.token)
      let his = try #require(try await scene.office.review.tasks(for: igor).cursor)
      for strange in ["99-00", "x", his, "1-" + String(repeating: "a", count: 16)] {
        #expect(try await scene.office.review.tasks(for: visitor, since: strange).tasks.count == 2)
      }
    }
  }

  @Test("more tasks than one answer holds come page by page, none twice")
  func pages() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      var order = TaskOrder(name: "Beet")
      order.inspector = "ines"
      try await scene.office.orders.addTasks(
        Array(repeating: order, count: 1_203), in: "north", by: "otto")
      let unit = try await scene.unit()
      #expect(try await unit.delivery.fetchTasks(over: scene.link).newTasks == 1_203)
      #expect(scene.link.calls.count { $0 == "tasks" } == 3)
    }
  }

  /// The things that happen to a task while its inspector is offline, in any order.
  private enum Step: CaseIterable {
    case wordsAnew, secondOfficer, inspectorSends, inspectorHears
  }

  private static var orders: [[Step]] {
    func all(_ rest: [Step]) -> [[Step]] {
      rest.isEmpty
        ? [[]]
        : rest.flatMap { first in all(rest.filter { $0 != first }).map { [first] + $0 } }
    }
    return all(Step.allCases)
  }

  @Test(
    "two officers and an inspector, in every order: nothing is lost, nothing merged silently",
    arguments: [TaskAction.withdraw, .returnToInspector, .accept])
  func everyOrder(action: TaskAction) async throws {
    for steps in Self.orders {
      try await withTemporaryDirectory { folder in
        let scene = try await OfficeScene(folder)
        let order = try await scene.order("Beet")
        let (unit, task) = try await scene.working(photos: 1)
        var decided = false
        var reworded = false
        for step in steps {
          switch step {
          case .wordsAnew:
            let changed = try? await scene.office.orders.changeOrder(
              of: task.id, in: "north", by: "otto"
            ) {
              $0.instructions = "Two photos."
            }
            reworded = changed != nil
          case .secondOfficer:
            let seen = try await scene.office.review.view(of: task.id, in: "north").task.history
              .count
            let done = try? await scene.office.review.decide(
              action, on: task.id, by: scene.person("olga"), reason: "look again", seen: seen)
            decided = done != nil
          case .inspectorSends:
            if try unit.task(task.id).state.isEditable { try unit.provideTask(task.id) }
            _ = try await unit.delivery.deliver(over: scene.link)
          case .inspectorHears: _ = try await unit.delivery.fetchTasks(over: scene.link)
          }
        }
        _ = try await unit.delivery.deliver(over: scene.link)
        let view = try await scene.office.review.view(of: order.id, in: "north")
        let mine = try unit.task(task.id)
        let words = "\(steps) \(action)"
        // Every photo that was sent is at the office, and the device still has its own.
        let sent = try unit.photos(.task(task.id)).filter { $0.sent != nil }
        #expect(view.photos.count == sent.count, "\(words)")
        #expect(try unit.photos(.task(task.id)).count == 1, "\(words)")
        #expect(try unit.outbox().isEmpty, "\(words)")
        // Each of the inspector's steps is either in the history or kept beside it with the reason.
        if !sent.isEmpty {
          let kept = Set(view.task.history.map(\.id) + view.conflicts.map(\.transition.id))
          let own = mine.history.filter { $0.person.role == .inspector }
          #expect(own.allSatisfy { kept.contains($0.id) }, "\(words)")
        }
        // The officers' steps are on both sides, and so is the earlier order.
        #expect(view.task.history.contains { $0.action == action } == decided, "\(words)")
        #expect(mine.history.contains { $0.action == action } == decided, "\(words)")
        #expect(view.earlierOrders.count == (reworded ? 1 : 0), "\(words)")
        #expect(try unit.earlierOrders(of: task.id).count == (reworded ? 1 : 0), "\(words)")
        #expect(mine.instructions == view.task.instructions, "\(words)")
        if decided { #expect(mine.state == view.task.state, "\(words)") }
      }
    }
  }

  @Test("one inspector on two devices: both sets of photos arrive, and both hear of the other")
  func twoDevices() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (tablet, _) = try await scene.working(photos: 1, on: "tablet")
      let (handheld, _) = try await scene.working(photos: 2, on: "handheld")
      try tablet.provideTask(order.id)
      #expect(try await tablet.delivery.deliver(over: scene.link).waiting == 0)
      // The handheld hears that the task was sent elsewhere; its own photos can still be sent.
      _ = try await handheld.delivery.fetchTasks(over: scene.link)
      #expect(try handheld.task(order.id).state == .open)
      #expect(
        try handheld.transitionsElsewhere(of: order.id).map(\.action) == [.open, .provide])
      #expect(
        try await handheld.delivery.fetchTasks(over: scene.link).changedTasks == 0, "told once")
      try handheld.provideTask(order.id)
      #expect(try await handheld.delivery.deliver(over: scene.link).waiting == 0)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      #expect(view.photos.count == 3)
      #expect(view.photos.allSatisfy { $0.verdict == .intact })
      #expect(view.task.state == .dataProvided)
      // The officer sees what did not count: the second opening, and the second sending.
      #expect(view.conflicts.map(\.transition.action) == [.open, .provide])
      _ = try await tablet.delivery.fetchTasks(over: scene.link)
      #expect(try tablet.photos().count == 1, "nothing of the other device is shown here")
      // A decision reaches both devices.
      try await scene.office.review.decide(
        .accept, on: order.id, by: scene.person("otto"), reason: nil,
        seen: view.task.history.count)
      for unit in [tablet, handheld] {
        _ = try await unit.delivery.fetchTasks(over: scene.link)
        #expect(try unit.task(order.id).state == .accepted)
      }
    }
  }

  @Test("two inspectors on one device: each delivers their own, and sees nothing of the other")
  func twoInspectors() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let hers = try await scene.order("Hers", for: "ines")
      let his = try await scene.order("His", for: "igor")
      let (ines, _) = try await scene.working(login: "ines")
      try ines.provideTask(hers.id)
      let (igor, _) = try await scene.working(login: "igor")
      #expect(try igor.tasks().map(\.id) == [his.id])
      try igor.provideTask(his.id)
      #expect(try await igor.delivery.deliver(over: scene.link).delivered == 2)
      #expect(try igor.outbox().isEmpty && igor.photos().count == 1)
      #expect(try await scene.office.review.view(of: hers.id, in: "north").photos.isEmpty)
      let back = try await scene.unit("ines")
      #expect(try await back.delivery.deliver(over: scene.link).delivered == 2)
      #expect(try await scene.office.review.view(of: hers.id, in: "north").photos.count == 1)
      #expect(try back.tasks().map(\.id) == [hers.id])
    }
  }
}
