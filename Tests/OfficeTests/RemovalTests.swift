import Evidence
import FieldUnit
import Foundation
import Inspection
import Measures
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

@Suite("Photos that leave the device, and photos that go ahead")
struct RemovalTests {
  private func later(_ scene: OfficeScene, days: Double) {
    scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: days * 86_400), limit: nil)
  }

  private func isHere(_ photo: Photo, _ unit: InspectorUnit) -> Bool {
    FileManager.default.fileExists(atPath: unit.path(ofPhoto: photo.id))
  }

  @Test("nothing leaves without a rule; with one only what is decided and read again by the office")
  func rule() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      let alone = try await scene.capture(unit, nil, 5)
      let damaged = try await scene.capture(unit, nil, 6)
      let unsent = try await scene.capture(unit, nil, 7)
      try unit.provideTask(task.id)
      try unit.sendPhotos([alone.id, damaged.id])
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
      let ofTask = try #require(try unit.photos(.task(task.id)).first)
      later(scene, days: 400)
      #expect(try await unit.delivery.deliver(over: scene.link).removed == 0)
      #expect([alone, damaged, unsent, ofTask].allSatisfy { isHere($0, unit) })

      #expect(throws: FieldUnitError.self) { try unit.set(.removeDeliveredAfterDays, to: "4000") }
      try unit.set(.removeDeliveredAfterDays, to: "30")
      // One file on the office's disk is damaged, which a look at its name alone does not notice.
      let path = try #require(
        scene.office.photos.path(of: EvidenceName.file(.capture, damaged.id)))
      let right = try Data(contentsOf: URL(fileURLWithPath: path))
      try Data(right.reversed()).write(to: URL(fileURLWithPath: path))
      later(scene, days: 1)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.removed == 1)
      #expect(!isHere(alone, unit), "it stands alone, and the office has it")
      #expect(isHere(damaged, unit), "the office has other bytes")
      #expect(isHere(ofTask, unit), "its task is not decided")
      #expect(isHere(unsent, unit), "it was never sent")
      #expect(try unit.delivery.removedPhotos().keys.contains(alone.id))
      #expect(try unit.photos().count == 4, "its row stays")

      try right.write(to: URL(fileURLWithPath: path))
      let view = try await scene.office.review.view(of: order.id, in: "north")
      try await scene.office.review.decide(
        .accept, on: order.id, by: scene.person("otto"), reason: nil,
        seen: view.task.history.count)
      later(scene, days: 1)
      #expect(try await unit.delivery.deliver(over: scene.link).removed == 2)
      #expect(!isHere(damaged, unit) && !isHere(ofTask, unit) && isHere(unsent, unit))
      #expect(try await scene.office.operation.differences().isEmpty)
      // Files that have left the device are still compared, and are no longer asked for.
      later(scene, days: 1)
      let calm = try await unit.delivery.deliver(over: scene.link)
      #expect(calm.removed == 0 && calm.reconciliation?.held == calm.reconciliation?.checked)
    }
  }

  @Test("the agency's rule holds beside the inspector's: the sooner of the two")
  func agency() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        $0.removesDeliveredAfterDays = 2
      }
      let unit = try await scene.unit()
      try unit.set(.removeDeliveredAfterDays, to: "30")
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try unit.delivery.removalRule() == RemovalRule(ownDays: 30, agencyDays: 2))
      later(scene, days: 1)
      #expect(try await unit.delivery.deliver(over: scene.link).removed == 0)
      later(scene, days: 1.5)
      #expect(try await unit.delivery.deliver(over: scene.link).removed == 1)
    }
  }

  @Test("where the agency wants it photos go ahead of their task, and are not taken back with it")
  func ahead() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await scene.office.policies.setPolicy(of: "north", by: "anna") { $0.deliversAhead = true }
      let order = try await scene.order()
      let (unit, task) = try await scene.working(photos: 2)
      #expect(try unit.outbox().map(\.kind) == [.photo, .photo])
      let first = try #require(try unit.photos(.task(task.id)).first)
      #expect(throws: InspectionError.alreadySent(what: "photo")) {
        try unit.deletePhoto(first.id, reason: "blurred")
      }
      #expect(try await unit.delivery.deliver(over: scene.link).delivered == 2)
      let early = try await scene.office.review.view(of: order.id, in: "north")
      #expect(early.photos.count == 2 && early.task.state == .open)
      // The inspector sends the task with a third photo, and takes it back before the third has
      // gone.
      try await scene.capture(unit, task.id, 3)
      try unit.noteTask(task.id, "dry")
      try unit.provideTask(task.id)
      try unit.takeBackTask(task.id)
      #expect(try unit.outbox().map(\.kind) == [.photo])
      #expect(try unit.photos(.task(task.id)).allSatisfy { $0.sent != nil })
      try unit.provideTask(task.id)
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      #expect(view.photos.count == 3 && view.task.state == .dataProvided)
      #expect(view.task.note == "dry" && view.conflicts.isEmpty)
    }
  }

  @Test("a delivery tells how far it has come, file by file and as a whole")
  func progress() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      for number in 1...3 { try await scene.capture(unit, nil, number) }
      try unit.sendPhotos(try unit.photos().map(\.id))
      let told = Told()
      _ = try await unit.delivery.deliver(over: scene.link) { told.add($0) }
      let shares = told.all.map(\.share)
      #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(told.all.allSatisfy { $0.files == 3 && $0.filesDone <= 3 })
      #expect(told.all.last?.filesDone == 3 && shares.last == 1)
      #expect(told.all.contains { "\($0)" == "1 of 3 files, 33 %" })
    }
  }

  @Test("a task of more photos than one batch holds arrives in several, its sending last")
  func parts() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (unit, task) = try await scene.working(photos: 0)
      let frames = try (0..<203).map { try OfficeScene.picture($0) }
      let photos = try SealingMeasure.seal(frames, task: task.id, in: unit)
      try unit.deletePhoto(photos[3].id, reason: "blurred")
      try unit.provideTask(task.id)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.waiting == 0 && outcome.delivered == 203)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      #expect(view.photos.count == 203 && view.task.state == .dataProvided)
      #expect(view.photos.first { $0.photo.id == photos[3].id }?.deletedReason == "blurred")
      #expect(view.conflicts.isEmpty)
      #expect(try unit.delivery.receipts().count == 2)
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }
}

/// The progress that was reported, in its order.
private final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var told: [DeliveryProgress] = []
  var all: [DeliveryProgress] { lock.withLock { told } }
  func add(_ progress: DeliveryProgress) { lock.withLock { told.append(progress) } }
}
