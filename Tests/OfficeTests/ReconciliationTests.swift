import Evidence
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
import Verification

@testable import FieldUnit
@testable import Office
@testable import OfficePages

@Suite("What both sides hold, compared")
struct ReconciliationTests {
  private func later(_ scene: OfficeScene, hours: Double) {
    scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: hours * 3600), limit: nil)
  }

  /// Copies a folder, as a backup that was made in a quiet moment does.
  private func copy(_ scene: OfficeScene, _ name: String, to other: String) throws {
    let from = scene.folder.appendingPathComponent(name)
    let target = scene.folder.appendingPathComponent(other)
    try? FileManager.default.removeItem(at: target)
    try FileManager.default.copyItem(at: from, to: target)
  }

  private func verdict(_ scene: OfficeScene, _ side: String) throws -> EvidenceVerdict {
    Verifier.verify(
      try EvidenceFolder(folder: scene.folder.appendingPathComponent(side).path), scope: .whole,
      trust: .fingerprint(scene.office.fingerprint)
    ).verdict
  }

  /// Makes a field unit that has delivered so many photos without a task.
  private func delivered(
    _ count: Int, in scene: OfficeScene
  ) async throws -> (unit: InspectorUnit, photos: [Photo]) {
    let unit = try await scene.unit()
    var photos: [Photo] = []
    for number in 1...count { photos.append(try await scene.capture(unit, nil, number)) }
    try unit.sendPhotos(photos.map(\.id))
    #expect(try await unit.delivery.deliver(over: scene.link).delivered == count)
    return (unit, photos)
  }

  @Test("did you get it: for a photo, a batch and a digest, and nobody is told of another's")
  func held() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let photo = try await scene.capture(unit, nil, 1)
      let visitor = try await scene.office.sessions.visitor(
        withToken: try scene.desk().signedIn()?.token)
      func answer(
        _ id: String, record: String? = nil, from visitor: Visitor, deep: Bool = false
      ) async throws -> HeldAnswer.State? {
        try await scene.office.deliveries.held(
          HeldQuestion(things: [.init(id: id, record: record)], isDeep: deep), from: visitor
        ).things.first?.state
      }
      #expect(try await answer(photo.id.description, from: visitor) == .unknown)
      #expect(try await answer("no identifier", from: visitor) == .unknown)
      try unit.sendPhotos([photo.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await answer(photo.id.description, from: visitor) == .held)
      #expect(try await answer(photo.id.description, from: visitor, deep: true) == .held)
      #expect(try await answer(photo.id.description, record: "other", from: visitor) == .different)
      let receipt = try #require(try unit.delivery.receipts().first)
      let batch = try await scene.office.deliveries.held(
        HeldQuestion(things: [.init(id: receipt.batch.description)]), from: visitor)
      #expect(batch.things.first?.receipt == receipt.jws)
      #expect(batch.head?.sequence == 1)
      let digests = [photo.fileDigest, String(repeating: "0", count: 64), "../etc/passwd"]
      await #expect(
        Set(try scene.office.deliveries.held(HeldQuestion(digests: digests), from: visitor).missing)
          == Set(digests.dropFirst()))
      // Another inspector with a device of his own learns nothing of the photo.
      _ = try await scene.unit("igor", on: "other")
      let igor = try await scene.office.sessions.visitor(
        withToken: try scene.desk("other").signedIn()?.token)
      #expect(try await answer(photo.id.description, from: igor) == .unknown)
      #expect(try await answer(receipt.batch.description, from: igor) == .unknown)
      #expect(
        try await scene.office.deliveries.held(
          HeldQuestion(digests: [photo.fileDigest]), from: igor
        ).missing
          == [photo.fileDigest])
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.deliveries.held(
          HeldQuestion(things: Array(repeating: .init(id: "x"), count: 2_001)), from: visitor)
      }
    }
  }

  @Test("a file that the office's disk has lost is sent again, and nothing else is")
  func lostFile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (unit, photos) = try await delivered(3, in: scene)
      let receipts = try unit.delivery.receipts().map(\.id)
      let path = try #require(
        scene.office.photos.path(of: EvidenceName.file(.capture, photos[1].id)))
      try FileManager.default.removeItem(atPath: path)
      // The field unit does not ask again on the same day; the next morning it does by itself.
      let calm = try await unit.delivery.deliver(over: scene.link)
      #expect(calm.reconciliation == nil)
      later(scene, hours: 21)
      let before = scene.link.calls.count { $0 == "file" }
      let outcome = try await unit.delivery.deliver(over: scene.link)
      let result = try #require(outcome.reconciliation)
      #expect(result.checked == 3 && result.held == 2 && result.sentAgain == 3)
      #expect(result.lost.isEmpty && result.different.isEmpty && !result.isDeviceOlder)
      #expect(scene.link.calls.count { $0 == "file" } == before + 1)
      #expect(outcome.delivered == 3 && outcome.waiting == 0)
      #expect(try unit.photo(photos[1].id).delivered != nil)
      #expect(
        Set(try unit.delivery.receipts().map(\.id)) == Set(receipts),
        "the same receipt, not another")
      #expect(try await scene.office.operation.differences().isEmpty)
      #expect(try verdict(scene, "office-data") == .intact)
      #expect(try await unit.delivery.reconcile(over: scene.link).held == 3)
    }
  }

  @Test("damaged bytes are found where they are read, and give way to the right ones")
  func damagedFile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (unit, photos) = try await delivered(1, in: scene)
      let photo = photos[0]
      let path = try #require(
        scene.office.photos.path(of: EvidenceName.file(.capture, photo.id)))
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      let visitor = try await scene.office.sessions.visitor(
        withToken: try scene.desk().signedIn()?.token)
      let question = HeldQuestion(things: [.init(id: photo.id.description)], isDeep: true)
      #expect(
        try await scene.office.deliveries.held(question, from: visitor).things.first?.state
          == .incomplete)
      // The field unit repeats the batch, as after a lost answer, and is told what is missing.
      let stored = try unit.store.read(as: unit.person) { session in
        try session.delivered.things(at: scene.link.address, after: nil, limit: 1).first.map {
          try session.batches.batch($0.batch)
        }
      }
      let batch = try BatchMessage(try #require(stored).message)
      let asked = try await scene.office.deliveries.receive(
        batch: batch.bytes, id: batch.id, from: visitor)
      #expect(asked.missing == [photo.fileDigest] && asked.receipt == nil)
      let key = try #require(visitor.key)
      try scene.office.photos.receive(
        Array(try Data(contentsOf: URL(fileURLWithPath: unit.path(ofPhoto: photo.id)))),
        as: ReceivedFile(key: key, digest: photo.fileDigest))
      let healed = try await scene.office.deliveries.receive(
        batch: batch.bytes, id: batch.id, from: visitor)
      #expect(healed.receipt == (try unit.delivery.receipts().first?.jws))
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }

  @Test("an office that was restored from an older backup gets everything again, by itself")
  func restoredOffice() async throws {
    try await withTemporaryDirectory { folder in
      var scene = try await OfficeScene(folder)
      let order = try await scene.order()
      try copy(scene, "office-data", to: "backup")
      // After the backup a device is enrolled, a task is provided, and three photos are sent.
      let (unit, task) = try await scene.working(photos: 2)
      try unit.noteTask(task.id, "wet")
      try unit.provideTask(task.id)
      let alone = try await scene.capture(unit, nil, 7)
      try unit.sendPhotos([alone.id])
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
      try copy(scene, "backup", to: "office-data")
      scene = try await OfficeScene(after: scene)
      #expect(
        try await scene.office.database.read(in: "north") { try $0.devices.devices(of: nil) }
          .isEmpty)

      let outcome = try await unit.delivery.deliver(over: scene.link)
      // The device's key renewed the session although the office had never heard of it.
      #expect(scene.link.calls.contains("renew"))
      let result = try #require(outcome.reconciliation)
      #expect(result.checked == result.sentAgain && result.held == 0 && result.lost.isEmpty)
      #expect(outcome.waiting == 0)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      #expect(view.task.state == .dataProvided && view.task.note == "wet")
      #expect(view.photos.count == 2 && view.conflicts.isEmpty)
      #expect(view.photos.allSatisfy { $0.verdict == .intact })
      #expect(
        try await scene.office.database.read(in: "north") { try $0.photos.list(.all) }.count == 3)
      #expect(try await scene.office.operation.differences().isEmpty)
      #expect(try verdict(scene, "office-data") == .intact)
      #expect(try unit.photo(alone.id).delivered != nil)
      // The field unit does not ask again and again.
      #expect(try await unit.delivery.deliver(over: scene.link).reconciliation == nil)
    }
  }

  @Test("bytes that are neither there nor here any more are said, and their records still arrive")
  func lostOnBothSides() async throws {
    try await withTemporaryDirectory { folder in
      var scene = try await OfficeScene(folder)
      try copy(scene, "office-data", to: "backup")
      let (unit, photos) = try await delivered(2, in: scene)
      let (kept, gone) = (photos[0], photos[1])
      later(scene, hours: 21)
      #expect(try await unit.delivery.deliver(over: scene.link).reconciliation?.held == 2)
      try unit.store.write(as: unit.person) {
        _ = try $0.photos.markRemoved([gone.id], at: scene.clock.deviceTime)
      }
      try FileManager.default.removeItem(atPath: unit.path(ofPhoto: gone.id))
      try copy(scene, "backup", to: "office-data")
      scene = try await OfficeScene(after: scene)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.reconciliation?.lost == [gone.id])
      #expect(outcome.reconciliation?.summary.contains("1 are missing there and here") == true)
      #expect(outcome.waiting == 0)
      let there = try await scene.office.database.read(in: "north") { try $0.photos.list(.all) }
      #expect(there.first { $0.photo.id == kept.id }?.verdict == .intact)
      #expect(there.first { $0.photo.id == gone.id }?.verdict == .incomplete)
      // The lost photo counts as delivered no more, is reported each day, and is not sent again and
      // again.
      #expect(try unit.photo(gone.id).delivered == nil)
      later(scene, hours: 21)
      let next = try await unit.delivery.deliver(over: scene.link)
      #expect(next.reconciliation?.lost == [gone.id] && next.reconciliation?.sentAgain == 0)
    }
  }

  @Test("a field unit that was restored from an older backup is told so")
  func restoredDevice() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (unit, _) = try await delivered(1, in: scene)
      try copy(scene, "tablet", to: "old-tablet")
      let second = try await scene.capture(unit, nil, 2)
      try unit.sendPhotos([second.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      let old = try await scene.unit("ines", on: "old-tablet")
      let result = try await old.delivery.reconcile(over: scene.link)
      #expect(result.isDeviceOlder && result.held == 1)
      #expect(result.summary.contains("restored from an older backup"))
      // The device's chain forks at the office's highest place: the photo is taken, marked and
      // signed for.
      let other = try await scene.capture(old, nil, 3)
      try old.sendPhotos([other.id])
      let outcome = try await old.delivery.deliver(over: scene.link)
      #expect(outcome.delivered == 1 && outcome.refusal == nil)
      let photo = try await scene.office.database.read(in: "north") {
        try $0.photos.photo(other.id)
      }
      #expect(photo.verdict == .doubtful && photo.findings.contains { $0.check == .chain })
    }
  }

  @Test("a file that cannot be read, or a batch that is refused, keeps no other thing back")
  func independence() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      var photos: [Photo] = []
      for number in 1...4 { photos.append(try await scene.capture(unit, nil, number)) }
      try unit.sendPhotos(photos.map(\.id))
      let path = unit.path(ofPhoto: photos[1].id)
      try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
      // The receipt for the third photo is not a real one.
      let refused = photos[2].fileDigest
      scene.link.forge { jws in
        try Receipt(jws: jws).files.contains(refused) ? "a.b.c" : jws
      }
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.delivered == 2 && outcome.failed == 2 && outcome.waiting == 0)
      #expect(outcome.refusal?.code == "file-gone")
      let waiting = try unit.outbox()
      #expect(Set(waiting.map(\.id)) == [photos[1].id, photos[2].id])
      #expect(
        waiting.first { $0.id == photos[1].id }?.lastAnswer?.contains("cannot be read") == true)
      #expect(
        waiting.first { $0.id == photos[2].id }?.lastAnswer?.contains("does not match") == true)
      scene.link.forge(nil)
      try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
      let healed = try await unit.delivery.deliver(over: scene.link)
      #expect(healed.delivered == 2 && healed.waiting == 0 && healed.refusal == nil)
      #expect(try verdict(scene, "office-data") == .intact)
    }
  }

  @Test(
    "a task that is returned and sent again while its first batch is repeated is delivered twice")
  func sentAgainMeanwhile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      // The batch is committed and its answer lost; then the officer returns the task, and the
      // device fetches only its tasks.
      scene.link.plan([nil, nil, nil, .lostAnswer])
      await #expect(throws: DeliveryError.self) {
        try await unit.delivery.deliver(over: scene.link)
      }
      let seen = try await scene.office.review.view(of: order.id, in: "north").task.history.count
      try await scene.office.review.decide(
        .returnToInspector, on: order.id, by: scene.person("otto"), reason: "once more", seen: seen)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.task(task.id).state == .returned)
      try unit.provideTask(task.id)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.waiting == 0)
      let view = try await scene.office.review.view(of: order.id, in: "north")
      #expect(view.task.state == .dataProvided)
      #expect(
        view.task.history.map(\.action) == [.open, .provide, .returnToInspector, .provide])
      #expect(try unit.delivery.receipts().count == 2)
    }
  }

  @Test("another program of this device that delivers just now is waited for, and said")
  func underWay() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let lock = try #require(
        try FileLock(folder.appendingPathComponent("tablet/field/delivery.lock").path))
      await #expect(throws: DeliveryError.underWay) {
        try await unit.delivery.deliver(over: scene.link)
      }
      await #expect(throws: DeliveryError.underWay) {
        try await unit.delivery.reconcile(over: scene.link)
      }
      lock.release()
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
    }
  }

  @Test("receipts of one office are not held against another")
  func twoOffices() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (unit, _) = try await delivered(1, in: scene)
      let (here, there) = try unit.store.read(as: unit.person) { session in
        (
          try session.delivered.things(at: scene.link.address, after: nil, limit: 9).count,
          try session.delivered.things(at: "https://elsewhere.example", after: nil, limit: 9).count
        )
      }
      #expect(here == 1 && there == 0)
    }
  }
}
