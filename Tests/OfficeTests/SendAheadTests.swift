import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("Files that travel while the office commits the batch before")
struct SendAheadTests {
  /// Makes two tasks that were sent, each with a photo: two batches, of two files each.
  private func withTwoTasks(
    _ body: (OfficeScene, InspectorUnit, [InspectionTask]) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      for name in ["Beet", "Oats"] { _ = try await scene.order(name) }
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      let tasks = try unit.tasks().sorted { $0.id < $1.id }
      for (number, task) in tasks.enumerated() {
        try unit.openTask(task.id)
        try await scene.capture(unit, task.id, number)
        try unit.provideTask(task.id)
      }
      try await body(scene, unit, tasks)
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }

  private static func until(_ isSo: () throws -> Bool) async rethrows {
    for _ in 0..<100_000 {
      if try isSo() { return }
      await Task.yield()
    }
    Issue.record("it did not come")
  }

  @Test("the next batch's files come before the answer to this one, once, and count as begun")
  func ahead() async throws {
    try await withTwoTasks { scene, unit, _ in
      let link = scene.link
      link.beforeCommit {
        await Self.until { link.calls.count { $0 == "file" } >= 4 }
        let mayBeTakenBack = try unit.outbox().filter { !$0.hasBegun }
        #expect(mayBeTakenBack.isEmpty, "what travels cannot be taken back")
      }
      let outcome = try await unit.delivery.deliver(over: link)
      #expect(outcome.waiting == 0)
      let calls = link.calls
      let first = try #require(calls.firstIndex(of: "batch"))
      #expect(calls[..<first].count { $0 == "file" } == 2, "\(calls)")
      #expect(calls[first...].count { $0 == "file" } == 2, "nothing is sent twice: \(calls)")
      for task in try await scene.office.review.tasks(in: "north") {
        #expect(task.state == .dataProvided)
      }
    }
  }

  @Test("a network that goes meanwhile takes nothing with it")
  func cut() async throws {
    try await withTwoTasks { scene, unit, _ in
      let link = scene.link
      link.beforeCommit {
        await Self.until { link.calls.count { $0 == "file" } >= 3 }
        throw DeliveryError.unreachable(address: "here", reason: "the connection was cut")
      }
      await #expect(throws: DeliveryError.self) { try await unit.delivery.deliver(over: link) }
      #expect(try unit.outbox().count == 4)
      link.beforeCommit(nil)
      let outcome = try await unit.delivery.deliver(over: link)
      #expect(outcome.delivered == 4)
      #expect(outcome.waiting == 0)
    }
  }

  @Test("a receipt is kept before anything of the next batch is waited for")
  func receiptFirst() async throws {
    try await withTwoTasks { scene, unit, _ in
      let link = scene.link
      link.beforeFile {
        guard link.calls.count(where: { $0 == "file" }) > 2 else { return }
        try await Self.until { try unit.delivery.receipts().count == 1 }
        let receipts = try unit.delivery.receipts()
        #expect(receipts.count == 1)
      }
      let outcome = try await unit.delivery.deliver(over: link)
      #expect(outcome.delivered == 4)
    }
  }

  @Test("of a task that lacks a file nothing begins: it can be taken back")
  func unreadable() async throws {
    try await withTwoTasks { scene, unit, tasks in
      let last = try #require(tasks.last)
      let photo = try #require(try unit.photos().first { $0.task == last.id })
      let file = scene.folder.appendingPathComponent("tablet/field/photos").path
      let name = try #require(
        FileManager.default.enumerator(atPath: file)?.compactMap { $0 as? String }
          .first { $0.hasSuffix("\(photo.id).jpg") })
      let away = scene.folder.appendingPathComponent("away.jpg").path
      try FileManager.default.moveItem(atPath: file + "/" + name, toPath: away)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.delivered == 2)
      #expect(outcome.failed == 2)
      #expect(try unit.outbox().filter(\.hasBegun).isEmpty)
      try FileManager.default.moveItem(atPath: away, toPath: file + "/" + name)
      try unit.takeBackTask(last.id)
      #expect(try unit.outbox().isEmpty)
    }
  }

  @Test("while the office cannot be reached nothing begins")
  func offline() async throws {
    try await withTwoTasks { scene, unit, tasks in
      // The first batch was sent, and its answer lost: from now on the field unit asks for its
      // receipt first.
      scene.link.plan([nil, nil, nil, .lostAnswer] + Array(repeating: .lostRequest, count: 50))
      await #expect(throws: DeliveryError.self) {
        try await unit.delivery.deliver(over: scene.link)
      }
      await #expect(throws: DeliveryError.self) {
        try await unit.delivery.deliver(over: scene.link)
      }
      let last = try #require(tasks.last)
      let entries = try unit.outbox().filter { $0.whole == last.id }
      #expect(entries.count == 2)
      #expect(entries.filter(\.hasBegun).isEmpty, "no byte of it has travelled")
      scene.link.plan([])
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.waiting == 0)
    }
  }

  @Test("an office that asks to be left alone is, once what it has signed is kept")
  func asked() async throws {
    try await withTwoTasks { scene, unit, _ in
      let link = scene.link
      link.beforeFile {
        if link.calls.count(where: { $0 == "file" }) > 2 {
          throw DeliveryError.askedToWait(address: "here", seconds: 30, reason: "busy")
        }
      }
      // The commit waits until the files ahead were asked for.
      link.beforeCommit { await Self.until { link.calls.count { $0 == "file" } >= 3 } }
      await #expect(throws: DeliveryError.self) { try await unit.delivery.deliver(over: link) }
      let receipts = try unit.delivery.receipts()
      #expect(receipts.count == 1)
      #expect(link.calls.count { $0 == "batch" } == 1)
      link.beforeFile(nil)
      let outcome = try await unit.delivery.deliver(over: link)
      #expect(outcome.waiting == 0)
    }
  }

  @Test("one batch that comes twice at once is committed once, and answered twice alike")
  func twiceAtOnce() async throws {
    try await withTwoTasks { scene, unit, _ in
      let office = scene.office
      let answers = Answers()
      scene.link.beforeBatch { message, id, visitor in
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<4 {
            group.addTask {
              await answers.add(
                try? office.deliveries.receive(batch: message, id: id, from: visitor).receipt)
            }
          }
        }
      }
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.waiting == 0)
      let receipts = await answers.all
      #expect(receipts.count == 8)
      #expect(Set(receipts).count == 2, "one receipt for each batch")
    }
  }

  private actor Answers {
    var all: [String?] = []
    func add(_ answer: String?) { all.append(answer) }
  }
}
