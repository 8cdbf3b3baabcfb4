import Evidence
import FieldUnit
import Foundation
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
@testable import Upkeep

/// A field unit that comes from a backup, seen from its office.
@Suite("Restored field units and settings, with an office", .timeLimit(.minutes(5)))
struct FieldRestoreTests {
  private func backup(_ scene: OfficeScene, _ name: String) throws -> String {
    let file = scene.folder.appendingPathComponent("\(name).tar").path
    let outcome = try FieldBackup.write(
      scene.folder.appendingPathComponent("tablet"), to: file, software: "standpoint test",
      clock: scene.clock)
    #expect(outcome.differences.isEmpty)
    return file
  }

  @Test("what waited when the device was backed up is delivered from the restored one, as it was")
  func waiting() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let first = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([first.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      let second = try await scene.capture(unit, nil, 2)
      try unit.sendPhotos([second.id])
      let file = try backup(scene, "whole")
      _ = try await FieldRestore.run(file, into: folder.appendingPathComponent("other"))
      let other = try await scene.unit("ines", on: "other")
      #expect(try other.outbox().map(\.id) == [second.id])
      let outcome = try await other.delivery.deliver(over: scene.link)
      #expect(outcome.waiting == 0 && outcome.delivered == 1)
      // The next delivery compares both sides, and neither is older.
      let result = try #require(outcome.reconciliation)
      #expect(result.held == result.checked && !result.isDeviceOlder)
      let third = try await scene.capture(other, nil, 3)
      try other.sendPhotos([third.id])
      _ = try await other.delivery.deliver(over: scene.link)
      for photo in [first, second, third] {
        let there = try await scene.office.database.read(in: "north") {
          try $0.photos.photo(photo.id)
        }
        #expect(there.verdict == .intact, "\(there.findings)")
      }
    }
  }

  @Test("an older backup is noticed with the first delivery, without waiting for the day to pass")
  func older() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let first = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([first.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      let file = try backup(scene, "older")
      let second = try await scene.capture(unit, nil, 2)
      try unit.sendPhotos([second.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      _ = try await FieldRestore.run(file, into: folder.appendingPathComponent("other"))
      let other = try await scene.unit("ines", on: "other")
      let outcome = try await other.delivery.deliver(over: scene.link)
      #expect(outcome.reconciliation?.isDeviceOlder == true)
      #expect(outcome.reconciliation?.summary.contains("restored from an older backup") == true)
      // The warning comes once, and then each day as long as the device is older.
      #expect(try await other.delivery.deliver(over: scene.link).reconciliation == nil)
      #expect(try await other.delivery.reconcile(over: scene.link).isDeviceOlder)

      // The chain counts as forked until its inspector signs in anew: then the device has another
      // key.
      #expect(try other.delivery.isChainForked())
      let third = try await scene.capture(other, nil, 3)
      #expect(try other.delivery.isChainForked())
      try other.sendPhotos([third.id])
      _ = try await other.delivery.deliver(over: scene.link)
      try await scene.desk("other").signOut(over: scene.link)
      let again = try await scene.unit("ines", on: "other")
      #expect(try !again.delivery.isChainForked())
      let fourth = try await scene.capture(again, nil, 4)
      try again.sendPhotos([fourth.id])
      _ = try await again.delivery.deliver(over: scene.link)
      let (fork, own) = try await scene.office.database.read(in: "north") { session in
        (try session.photos.photo(third.id), try session.photos.photo(fourth.id))
      }
      #expect(fork.verdict == .doubtful, "\(fork.findings)")
      #expect(own.verdict == .intact, "\(own.findings)")
    }
  }

  @Test("a backup from before the first delivery is noticed, too")
  func beforeTheFirst() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let file = try backup(scene, "empty")
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      _ = try await FieldRestore.run(file, into: folder.appendingPathComponent("other"))
      let other = try await scene.unit("ines", on: "other")
      let outcome = try await other.delivery.deliver(over: scene.link)
      #expect(outcome.reconciliation?.isDeviceOlder == true)
    }
  }

  @Test(
    "settings are refused below the agency's rules, and a photo follows the stricter of the two")
  func agency() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      try unit.set([(.samples, "6"), (.maximumDilution, "8"), (.removeDeliveredAfterDays, "90")])
      try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        $0.general[.samples] = .number(10)
        $0.general[.countdownSeconds] = .number(3)
        $0.general[.centroid] = .flag(true)
        $0.removesDeliveredAfterDays = 30
      }
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      let settings = try unit.settings()
      #expect(settings.isOverridden(.samples) && settings.inForce(.samples) == .number(10))
      #expect(settings.inForce(.maximumDilution) == .number(8))
      #expect(settings.inForce(.removeDeliveredAfterDays) == .number(30))
      for (setting, text) in [
        (FieldSetting.samples, "9"), (.countdownSeconds, "2"), (.usesCentroid, "off"),
      ] {
        let error = #expect(throws: FieldUnitError.self) { try unit.set(setting, to: text) }
        #expect(error?.code == "setting-looser", "\(setting)")
      }
      // If the agency allows photos without a centroid, a track's corners follow the inspector's
      // settings.
      try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        $0.general[.centroid] = nil
        $0.general[.method] = .method(.median)
      }
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      try unit.set(.usesCentroid, to: "off")
      let corner = try unit.cornerSampler(for: nil)
      #expect(corner.samples == 10 && corner.method == .median)
      try unit.set(.samples, to: "14")
      #expect(try unit.cornerSampler(for: nil).samples == 14, "their own, where it is stricter")
      #expect(
        try unit.terms(for: CaptureRequest(task: nil, camera: .drawn { [] }, waitSeconds: 1))
          .sampler == nil)
      try unit.set([(.usesCentroid, "on"), (.samples, "10")])
      try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        $0.general[.centroid] = .flag(true)
        $0.general[.method] = nil
      }
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      try unit.set(.countdownSeconds, to: "7")
      let terms = try unit.terms(
        for: CaptureRequest(task: nil, camera: .drawn { [] }, waitSeconds: 1))
      #expect(terms.sampler?.samples == 10 && terms.countdownSeconds == 7)
      #expect(terms.gate.maximumDilution == 8 && terms.gate.setBy == "inspector")
      #expect(terms.rules.broken(by: terms.gate, terms.sampler).isEmpty)
    }
  }
}
