import Evidence
import FieldUnit
import Foundation
import GRDB
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

@Suite("What the office looks at behind the receipt")
struct ExaminationTests {
  /// Delivers so many photos of a task, which are not examined.
  private func arrived(
    _ count: Int, in scene: OfficeScene
  ) async throws -> (unit: InspectorUnit, task: InspectionTask) {
    scene.link.examine(false)
    _ = try await scene.order()
    let (unit, task) = try await scene.working(photos: count)
    try unit.provideTask(task.id)
    #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
    return (unit, try await scene.office.review.view(of: task.id, in: "north").task)
  }

  private func photos(_ scene: OfficeScene) async throws -> [ReceivedPhoto] {
    try await scene.office.database.read(in: "north") { try $0.photos.list(.all) }
  }

  private func execute(_ sql: String, _ path: String) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  @Test(
    "a receipt does not wait for it; nobody accepts or declines before it, and everybody may return"
  )
  func decisions() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (unit, task) = try await arrived(2, in: scene)
      #expect(try unit.delivery.receipts().count == 1)
      let waiting = try await photos(scene)
      #expect(waiting.allSatisfy { $0.verdict == nil && $0.checks.isEmpty })
      let seen = task.history.count
      for action in [TaskAction.accept, .decline] {
        await #expect(throws: InspectionError.photosUnchecked(count: 2, of: 2)) {
          try await scene.office.review.decide(
            action, on: task.id, by: scene.person("otto"), reason: "no", seen: seen)
        }
      }
      #expect(try await scene.office.examiner.examineArrivals() == 2)
      #expect(try await photos(scene).allSatisfy { $0.verdict == .intact && !$0.checks.isEmpty })
      // A second examination changes nothing.
      let done = try await photos(scene)
      #expect(try await scene.office.examiner.examineArrivals() == 0)
      #expect(try await photos(scene) == done)
      try await scene.office.review.decide(
        .accept, on: task.id, by: scene.person("otto"), reason: nil, seen: seen)
    }
  }

  @Test("returning does not wait: the inspector may still be there")
  func returning() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, task) = try await arrived(1, in: scene)
      let after = try await scene.office.review.decide(
        .returnToInspector, on: task.id, by: scene.person("otto"), reason: "blurred",
        seen: task.history.count)
      #expect(after.state == .returned)
    }
  }

  @Test("the office goes on with what an earlier run has left, and looks at what comes then")
  func running() async throws {
    try await withTemporaryDirectory { folder in
      let first = try await OfficeScene(folder)
      let (unit, _) = try await arrived(11, in: first)
      let scene = try await OfficeScene(after: first)
      scene.link.examine(false)
      let running = Task { try await scene.office.examiner.keepExamining() }
      while try await photos(scene).contains(where: { $0.verdict == nil }) { await Task.yield() }
      // The same picture comes once more: only the later photo is called a copy.
      let again = try await scene.capture(unit, nil, 0)
      try unit.sendPhotos([again.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      while try await photos(scene).contains(where: { $0.verdict == nil }) { await Task.yield() }
      running.cancel()
      await #expect(throws: CancellationError.self) { try await running.value }
      let all = try await photos(scene)
      #expect(all.count == 12)
      for photo in all {
        let reused = try #require(photo.checks.first { $0.name == .reused })
        #expect(reused.photos.isEmpty == (photo.photo.id != again.id))
      }
    }
  }

  @Test("a photo whose file is gone keeps no other waiting, and is looked at again when it is back")
  func lostFile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (unit, _) = try await arrived(3, in: scene)
      let lost = try #require(try await photos(scene).first?.photo.id)
      let path = try #require(scene.office.photos.path(of: EvidenceName.file(.capture, lost)))
      try FileManager.default.removeItem(atPath: path)
      #expect(try await scene.office.examiner.examineArrivals() == 3)
      func verdict(_ id: Identifier) async throws -> EvidenceVerdict? {
        try await photos(scene).first { $0.photo.id == id }?.verdict
      }
      #expect(try await verdict(lost) == .incomplete)
      #expect(try await photos(scene).count { $0.verdict == .intact } == 2)
      #expect(try await unit.delivery.reconcile(over: scene.link).sentAgain > 0)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await verdict(lost) == nil)
      #expect(try await scene.office.examiner.examineArrivals() == 1)
      #expect(try await verdict(lost) == .intact)
      #expect(
        try await photos(scene).first { $0.photo.id == lost }?.findings.filter {
          $0.severity != .note
        }
          == [])
    }
  }

  @Test("a receiver's bytes that were lost and came back make it whole, and no picture like itself")
  func lostRawWindow() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (unit, _) = try await arrived(2, in: scene)
      let lost = try #require(try await photos(scene).first?.photo.id)
      let path = try #require(scene.office.photos.path(of: EvidenceName.raw(lost)))
      try FileManager.default.removeItem(atPath: path)
      #expect(try await scene.office.examiner.examineArrivals() == 2)
      func photo() async throws -> ReceivedPhoto {
        try #require(try await photos(scene).first { $0.photo.id == lost })
      }
      #expect(try await photo().verdict == .incomplete)
      // A copy that comes meanwhile is the later photo, and only it is called a copy.
      let copy = try await scene.capture(unit, nil, 0)
      try unit.sendPhotos([copy.id])
      #expect(try await unit.delivery.reconcile(over: scene.link).sentAgain > 0)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await scene.office.examiner.examineArrivals() == 2)
      let mended = try await photo()
      #expect(mended.verdict == .intact)
      for name in [PhotoCheck.Name.reused, .similar] {
        let check = try #require(mended.checks.first { $0.name == name })
        #expect(!check.photos.contains(lost))
        #expect(name != .reused || check.photos.isEmpty)
      }
      let reused = try await photos(scene).first { $0.photo.id == copy.id }?.checks
        .first { $0.name == .reused }
      #expect(reused?.photos == [lost])
    }
  }

  @Test("a repeated delivery asks for no second look at what is incomplete for another reason")
  func repetition() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await arrived(1, in: scene)
      try await scene.office.examiner.examineArrivals()
      var received = try #require(try await photos(scene).first)
      received.verdict = .incomplete
      received.findings = [
        Finding(subject: "key", check: .chain, severity: .incomplete, wording: "a gap")
      ]
      try await scene.office.database.write(in: "north") { try $0.photos.keepChecks(of: received) }
      let batch = try await scene.office.database.read(in: "north") { session in
        BatchMessage(
          id: Identifier(at: scene.clock.deviceTime), key: "", made: scene.clock.deviceTime,
          links: [], seals: [try #require(try session.seals.seal(of: received.photo.id, .capture))],
          files: [])
      }
      try await scene.office.examiner.lookAgain(at: batch, in: "north")
      #expect(try await photos(scene).first?.verdict == .incomplete)
    }
  }

  @Test("one that cannot have a verdict ends nothing, and keeps no other waiting")
  func poison() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await arrived(3, in: scene)
      let path = folder.appendingPathComponent("office-data/office/standpoint.sqlite").path
      try execute(Self.poison, path)
      let office = scene.office
      let running = Task { try await office.examiner.keepExamining() }
      while try await unexamined(scene) > 1 { await Task.yield() }
      #expect(try await unexamined(scene) == 1)
      try execute("DROP TRIGGER poison", path)
      office.core.arrivals.announce()
      while try await unexamined(scene) > 0 { await Task.yield() }
      running.cancel()
      await #expect(throws: CancellationError.self) { try await running.value }
    }
  }

  /// A trigger by which the second photo takes no verdict.
  private static let poison = """
    CREATE TRIGGER poison BEFORE UPDATE ON photo
    WHEN OLD.rowid = (SELECT rowid FROM photo ORDER BY rowid LIMIT 1 OFFSET 1)
    BEGIN SELECT RAISE(ABORT, 'no'); END
    """

  private func unexamined(_ scene: OfficeScene) async throws -> Int {
    try await photos(scene).count { $0.verdict == nil }
  }

  @Test("checks that came after the page was opened are to be read before anybody accepts")
  func unseen() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, task) = try await arrived(2, in: scene)
      let (seen, otto) = (task.history.count, scene.person("otto"))
      try await scene.office.examiner.examineArrivals()
      await #expect(throws: InspectionError.photosUnchecked(count: 2, of: 2)) {
        try await scene.office.review.decide(
          .accept, on: task.id, by: otto, reason: nil, seen: seen, examined: 0)
      }
      try await scene.office.review.decide(
        .accept, on: task.id, by: otto, reason: nil, seen: seen, examined: 2)
    }
  }

  @Test("what was received by an earlier run is read again before a receipt is signed for it")
  func powerCut() throws {
    try withTemporaryDirectory { folder in
      let bytes = Array("a photo's bytes".utf8)
      let file = ReceivedFile(key: "a-key", digest: Digest.hexadecimal(bytes))
      let path = folder.appendingPathComponent("photos").path
      let store = try FolderPhotoStore(folder: path)
      try store.receive(bytes, as: file)
      #expect(try store.isWhole(file))
      let received = "\(path)/incoming/\(file.digest)-\(file.key)"
      try Data(repeating: 0, count: bytes.count).write(to: URL(fileURLWithPath: received))
      let later = try FolderPhotoStore(folder: path)
      #expect(try later.holdsReceived(file) && !later.isWhole(file))
      try Data(bytes).write(to: URL(fileURLWithPath: received))
      #expect(try later.isWhole(file))
    }
  }
}
