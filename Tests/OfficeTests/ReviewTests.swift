import Evidence
import Exports
import FieldUnit
import Foundation
import Imports
import Inspection
import OfficeExporting
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import Office
@testable import OfficePages

@Suite("Review: decisions, and what the office changes meanwhile")
struct ReviewTests {
  /// Delivers a task with a photo.
  private func provided(
    _ scene: OfficeScene
  ) async throws -> (unit: InspectorUnit, task: InspectionTask) {
    _ = try await scene.order()
    let (unit, task) = try await scene.working()
    try unit.provideTask(task.id)
    _ = try await unit.delivery.deliver(over: scene.link)
    return (unit, try await scene.office.review.view(of: task.id, in: "north").task)
  }

  @Test("returned with a reason, captured again, provided again, accepted")
  func story() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (unit, task) = try await provided(scene)
      let otto = scene.person("otto")
      await #expect(throws: InspectionError.self) {
        try await scene.office.review.decide(
          .returnToInspector, on: task.id, by: otto, reason: " ", seen: task.history.count)
      }
      try await scene.office.review.decide(
        .returnToInspector, on: task.id, by: otto, reason: "blurred", seen: task.history.count)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.task(task.id).state == .returned)
      #expect(try unit.task(task.id).returnReason == "blurred")
      try await scene.capture(unit, task.id, 7)
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      #expect(view.photos.count == 2)
      try await scene.office.review.decide(
        .accept, on: task.id, by: otto, reason: nil, seen: view.task.history.count)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.task(task.id).state == .accepted)
      #expect(
        try unit.task(task.id).history.map(\.action)
          == [.open, .provide, .returnToInspector, .provide, .accept])
    }
  }

  @Test("two officers at once: the second is told who was quicker, and nothing of theirs is done")
  func twoOfficers() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, task) = try await provided(scene)
      let seen = task.history.count
      try await scene.office.review.decide(
        .accept, on: task.id, by: scene.person("otto"), reason: nil, seen: seen)
      let error = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.review.decide(
          .decline, on: task.id, by: scene.person("olga"), reason: "no", seen: seen)
      }
      #expect(error?.kind == .taskChanged)
      #expect(error?.detail.contains("otto has accepted it") == true)
      #expect(try await scene.office.review.view(of: task.id, in: "north").task.state == .accepted)
    }
  }

  @Test("an administrator reopens a decision; officers and inspectors cannot")
  func reopen() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, task) = try await provided(scene)
      try await scene.office.review.decide(
        .decline, on: task.id, by: scene.person("otto"), reason: "wrong field",
        seen: task.history.count)
      await #expect(throws: InspectionError.self) {
        try await scene.office.review.decide(
          .reopen, on: task.id, by: scene.person("otto"), reason: "r", seen: task.history.count + 1)
      }
      let again = try await scene.office.review.decide(
        .reopen, on: task.id, by: scene.person("anna", .administrator), reason: "appeal",
        seen: task.history.count + 1)
      #expect(again.state == .dataProvided)
    }
  }

  @Test("withdrawn while the inspector worked: what comes is kept, marked and shown")
  func withdrawnMeanwhile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try unit.provideTask(task.id)
      try await scene.office.review.decide(
        .withdraw, on: task.id, by: scene.person("otto"), reason: nil, seen: 0)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.delivered == 2)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      #expect(view.task.state == .withdrawn)
      #expect(view.photos.count == 1)
      #expect(view.conflicts.map(\.transition.action) == [.open, .provide])
      #expect(try unit.task(task.id).state == .withdrawn)
    }
  }

  @Test("the order changed while the inspector worked: both versions are kept on both sides")
  func orderChangedMeanwhile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try await scene.office.orders.changeOrder(of: task.id, in: "north", by: "otto") {
        $0.instructions = "Two photos."
      }
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      #expect(view.task.revision == 2)
      #expect(view.earlierOrders.map(\.instructions) == ["One photo."])
      #expect(view.photos.first?.revision == 1)
      let checks = try #require(view.photos.first).checks
      #expect(checks.first { $0.name == .order }?.outcome == .contradicts)
      #expect(try unit.task(task.id).instructions == "Two photos.")
      #expect(try unit.earlierOrders(of: task.id).map(\.instructions) == ["One photo."])
    }
  }

  @Test("a task's bundle is intact on its own, packed and unpacked, whatever else was delivered")
  func bundle() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (unit, task) = try await provided(scene)
      // Another task and a photo without one go in one delivery after it.
      let second = try await scene.order("Hedge")
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      try unit.openTask(second.id)
      try await scene.capture(unit, nil, 4)
      try await scene.capture(unit, second.id, 5)
      try unit.provideTask(second.id)
      try unit.sendPhotos(try unit.photos(.standalone).map(\.id))
      _ = try await unit.delivery.deliver(over: scene.link)
      for id in [task.id, second.id] {
        let file = folder.appendingPathComponent("\(id).zip")
        try await scene.office.exports.write(
          "bundle.zip", ofTask: id, in: "north", toFile: file.path)
        let trust = Trust.fingerprint(scene.office.fingerprint)
        let packed = Verifier.verify(
          try EvidenceArchive(path: file.path), scope: .whole, trust: trust)
        #expect(packed.verdict == .intact, "\(packed.findings)")
        #expect(packed.issuer == .trusted)
        let unzip = try #require(Program.tool("python3"))
        let target = folder.appendingPathComponent("unpacked-\(id)").path
        let outcome = try await Program.run(unzip, ["-m", "zipfile", "-e", file.path, target])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let unpacked = Verifier.verify(
          try EvidenceFolder(folder: target), scope: .whole, trust: trust)
        #expect(unpacked.verdict == .intact, "\(unpacked.findings)")
        #expect(unpacked.checked == packed.checked)
      }
    }
  }

  @Test(
    "a stranger checks a bundle by hand with PyJWT and cryptography, as its README says, and finds a change",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func bundleByHand() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, task) = try await provided(scene)
      let bundle = folder.appendingPathComponent("bundle.zip")
      try await scene.office.exports.write(
        "bundle.zip", ofTask: task.id, in: "north", toFile: bundle.path)
      let whole = try await PythonTools.run(
        "Bundles/check.py", [bundle.path, scene.office.fingerprint])
      #expect(whole.status == 0, "\(whole.errors)")
      for kind in [
        "seal photos/", "seal records/", "chain ", "certificate ", "receipt ", "list ",
        "proof log/",
      ] {
        #expect(whole.output.contains(kind), "\(whole.output)")
      }
      let stranger = try await PythonTools.run(
        "Bundles/check.py", [bundle.path, String(repeating: "0", count: 64)])
      #expect(stranger.status == 1)
      // In the same archive one byte of each kind of file is changed.
      let archive = try EvidenceArchive(path: bundle.path)
      for (end, words) in [
        (".jpg", "not those that were sealed"), (".raw", "not those that were sealed"),
        (".jpg.seal", "does not hold"), (".receipt", "does not hold"),
        (".tlog-proof", "not as the list says"), ("README.txt", "not as the list says"),
      ] {
        let entries = try archive.allPaths.map { path in
          var bytes = try archive.bytes(of: path)
          if path.hasSuffix(end) {
            // The changed byte lies within the signature, or within the picture.
            let place =
              end == ".jpg.seal" || end == ".receipt" ? Self.signature(in: bytes) : bytes.count - 9
            bytes[place] = bytes[place] == 0x41 ? 0x42 : 0x41
          }
          return Evidence.Bundle.Entry(path: path, content: .bytes(bytes))
        }
        let changed = folder.appendingPathComponent("changed\(end).zip")
        try Evidence.Bundle.writeFile(
          entries, made: scene.clock.deviceTime, toFile: changed.path, { _, _ in })
        let outcome = try await PythonTools.run(
          "Bundles/check.py", [changed.path, scene.office.fingerprint])
        #expect(outcome.status == 1 && outcome.errors.contains(words), "\(end): \(outcome.errors)")
      }
    }
  }

  /// Returns a place within the signature of the first compact JWS: some characters after its
  /// second dot.
  private static func signature(in bytes: [UInt8]) -> Int {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let jws = text.firstMatch(of: #/eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\./#) else { return 0 }
    return text[..<jws.range.upperBound].utf8.count + 20
  }

  @Test("another agency's task is not there, whatever is asked of it")
  func otherAgency() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, task) = try await provided(scene)
      let photo = try #require(
        try await scene.office.review.view(of: task.id, in: "north").photos.first)
      await #expect(throws: StoreError.self) {
        try await scene.office.review.view(of: task.id, in: "south")
      }
      await #expect(throws: StoreError.self) {
        try await scene.office.review.decide(
          .accept, on: task.id, by: scene.person("sara", .officer, "south"), reason: nil,
          seen: task.history.count)
      }
      await #expect(throws: StoreError.self) {
        try await scene.office.database.read(in: "south") { try $0.photos.photo(photo.photo.id) }
      }
      await #expect(throws: (any Error).self) {
        try await scene.office.exports.write(
          "bundle.zip", ofTask: task.id, in: "south",
          toFile: folder.appendingPathComponent("south.zip").path)
      }
      #expect(try await scene.office.review.tasks(in: "south").isEmpty)
    }
  }

  @Test("a task with no photo, for nobody, or for another agency's inspector is refused whole")
  func orders() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      for inspector in [nil, "sven", "otto", "nobody"] {
        let orders = ["ines", inspector].map { login in
          TaskOrder(name: "x", inspector: login)
        }
        await #expect(throws: OfficeRefusal.self) {
          try await scene.office.orders.addTasks(orders, in: "north", by: "otto")
        }
      }
      #expect(try await scene.office.review.tasks(in: "north").isEmpty)
    }
  }

  @Test("the log tells who did what, and a changed or missing entry is found")
  func log() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, task) = try await provided(scene)
      try await scene.office.review.decide(
        .accept, on: task.id, by: scene.person("otto"), reason: nil, seen: task.history.count)
      let entries = try await scene.office.database.read(in: "north") {
        try $0.log.newest(limit: 50)
      }
      #expect(entries.first?.action == "task-accepted")
      #expect(entries.first?.person == "otto")
      #expect(try await scene.office.database.readRegistry { try $0.brokenLogPlace() } == nil)
      for sql in [
        "UPDATE log SET person = 'olga' WHERE number = 3", "DELETE FROM log WHERE number = 3",
      ] {
        let sqlite = try #require(Program.tool("sqlite3") ?? Program.tool("python3"))
        let path = folder.appendingPathComponent("office-data/office/standpoint.sqlite").path
        let script = """
          import sqlite3, sys
          db = sqlite3.connect(sys.argv[1])
          try:
              db.execute(sys.argv[2]); print("changed")
          except sqlite3.IntegrityError as error:
              print(error)
          for name in ("log_is_never_changed", "log_is_never_deleted"):
              db.execute("DROP TRIGGER IF EXISTS " + name)
          if sys.argv[3] == "force":
              db.execute(sys.argv[2]); db.commit()
          """
        guard sqlite.hasSuffix("python3") || Program.tool("python3") != nil else { return }
        let python = try #require(Program.tool("python3"))
        let refused = try await Program.run(python, ["-c", script, path, sql, "no"])
        #expect(refused.output.contains("the log is never"))
        let forced = try await Program.run(python, ["-c", script, path, sql, "force"])
        #expect(forced.status == 0, "\(forced.errors)")
        #expect(try await scene.office.database.readRegistry { try $0.brokenLogPlace() } == 3)
        break
      }
    }
  }
}
