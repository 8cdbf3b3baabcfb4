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

@Suite("The office hears what is done with a task before it is sent")
struct StepsToldTests {
  @Test("opening, a note and taking back are told at the next contact; photos stay until Send")
  func told() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (unit, _) = try await scene.working(photos: 1)
      func view() async throws -> TaskView {
        try await scene.office.review.view(of: order.id, in: "north")
      }
      try unit.noteTask(order.id, "the gate is shut")
      #expect(try unit.outbox().isEmpty, "nothing waits for its owner's Send")
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await view().task.state == .open)
      #expect(try await view().task.note == "the gate is shut")
      #expect(try await view().photos.isEmpty)
      #expect(
        try await scene.office.database.read(in: "north") { try $0.photos.list(.all).isEmpty })

      // The task is sent and taken back before any contact: the office reads both steps, and the
      // task stays in hand.
      try unit.provideTask(order.id)
      try unit.takeBackTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await view().task.state == .open)
      #expect(try await view().task.history.map(\.action) == [.open, .provide, .takeBack])
      let seen = try await view()
      #expect(seen.conflicts.isEmpty && seen.photos.isEmpty)

      // The office is told once: nothing travels when nothing is new.
      let calls = scene.link.calls.count { $0 == "batch" }
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(scene.link.calls.count { $0 == "batch" } == calls)

      try unit.provideTask(order.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await view().task.state == .dataProvided)
      #expect(try await view().photos.count == 1)
      #expect(try await view().photos[0].findings.allSatisfy { $0.check != .chain })
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }
}
