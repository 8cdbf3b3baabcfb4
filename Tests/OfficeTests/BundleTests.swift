import Evidence
import FieldUnit
import Foundation
import GRDB
import Inspection
import LogPublishing
import OfficeExporting
import OfficeScenes
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Transparency
import Verification
import Web

@testable import Office

@Suite("An office's bundle", .timeLimit(.minutes(5)))
struct OfficeBundleTests {
  private func bundled(_ scene: OfficeScene, _ path: String) async throws -> InspectionTask {
    _ = try await scene.order()
    let (unit, task) = try await scene.working(photos: 2)
    try unit.provideTask(task.id)
    _ = try await unit.delivery.deliver(over: scene.link)
    try await scene.office.exports.write(
      "bundle.zip", ofTask: task.id, in: "north", toFile: path)
    return task
  }

  private func verify(_ files: UnpackedBundle, _ scene: OfficeScene) throws -> VerificationReport {
    Verifier.verify(files, scope: .whole, trust: try Trust(scene.office.fingerprint))
  }

  @Test(
    "says of which task it is all evidence, as of which entry of the log, and proves its receipts")
  func whole() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let path = folder.appendingPathComponent("bundle.zip").path
      let task = try await bundled(scene, path)
      let report = try verify(try UnpackedBundle(path), scene)
      #expect(report.verdict == .intact, "\(report.findings)")
      #expect(report.issuer == .trusted)
      #expect(report.witnesses.seals == report.checked && report.checked > 2)
      // Everything was sealed after the office gave its challenge with the task, and before its receipt.
      #expect(report.sealedBetween.count == report.checked)
      #expect(report.sealedBetween.allSatisfy { ($0.seconds ?? -1) >= 0 })
      let entries = try #require(try PublicLog(core: scene.office.core).sizes().last)
      let list = try #require(report.findings.first { $0.check == .list })
      #expect(list.message.contains("all evidence of task \(task.name)"))
      let last = try await scene.office.database.read(in: "north") {
        try $0.log.page(before: nil, containing: nil, limit: 1).first?.number
      }
      #expect(list.message.contains("as of entry \(try #require(last)) of the office's log"))
      // Another bundle needs no other checkpoint as long as nothing was delivered.
      _ = try await scene.order()
      try await scene.office.exports.write(
        "bundle.zip", ofTask: task.id, in: "north", toFile: path)
      #expect(try PublicLog(core: scene.office.core).sizes().last == entries)
      let log = try #require(report.findings.first { $0.check == .log })
      #expect(log.message.contains("\(entries) entries, among them the delivery of 1 receipt"))
    }
  }

  @Test("a photo's page and its document say between which of the office's times it was sealed")
  func sealedBetween() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await bundled(scene, folder.appendingPathComponent("bundle.zip").path)
      let photo = try #require(
        try await scene.office.database.read(in: "north") {
          try $0.photos.list(.task(task.id)).first
        })
      try await withSite(scene.office) { site in
        let browser = site.browser()
        try await browser.signIn("otto")
        let page = try await browser.get("/tasks/\(task.id)").body
        #expect(page.contains("<dt>Sealed</dt><dd>between 2026-06-01 09:30:00 UTC and 2026-06-01"))
        #expect(page.contains("by the office&#39;s clock, within 1 min"))
      }
      let words = CheckWords(t: .current).sealedBetween(photo.checks)
      #expect(words?.hasSuffix("by the office's clock, within 1 min") == true)
    }
  }

  @Test("shows a proof that was changed or belongs elsewhere")
  func proofs() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let path = folder.appendingPathComponent("bundle.zip").path
      _ = try await bundled(scene, path)
      let whole = try UnpackedBundle(path)
      let proof = try #require(whole.allPaths.first { $0.hasSuffix(".tlog-proof") })
      let text = String(decoding: try whole.bytes(of: proof), as: UTF8.self)
      let index = try #require(text.split(separator: "\n").first { $0.hasPrefix("index ") })
      var files = whole
      files.contents[proof] = Array(text.replacing(index, with: "index 0").utf8)
      var report = try verify(files, scene)
      #expect(report.verdict == .altered)
      #expect(report.findings.contains { $0.subject == proof && $0.check == .log })
      #expect(report.findings.contains { $0.subject == proof && $0.check == .list })
      files = whole
      files.contents[proof] = Array("nonsense".utf8)
      report = try verify(files, scene)
      #expect(report.findings.contains { $0.subject == proof && $0.severity == .altered })
      // A later checkpoint of the same log is not the one that the office's list names.
      _ = try await scene.order()
      let later = try #require(try await PublicLog(core: scene.office.core).makeCheckpoint())
      files = whole
      files.contents["log/checkpoint"] = Array(later.note.utf8)
      report = try verify(files, scene)
      #expect(
        report.findings.contains { $0.subject == "log/checkpoint" && $0.severity == .doubtful })
    }
  }

  @Test("says so if its log was rewritten, and still hands the evidence on")
  func rewritten() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let path = folder.appendingPathComponent("bundle.zip").path
      let task = try await bundled(scene, path)
      let database = try DatabaseQueue(path: folder.path + "/office-data/office/standpoint.sqlite")
      try await database.write { database in
        try database.execute(
          sql: """
            DROP TRIGGER log_is_never_changed;
            UPDATE log SET digest = substr(digest, 2) || 'a' WHERE number = 2;
            """)
      }
      try database.close()
      try FileManager.default.removeItem(atPath: folder.path + "/office-data/office/log/hashes")
      try await scene.office.exports.write(
        "bundle.zip", ofTask: task.id, in: "north", toFile: path)
      let report = try verify(try UnpackedBundle(path), scene)
      #expect(report.verdict == .intact, "\(report.findings)")
      #expect(report.findings.allSatisfy { $0.check != .log })
    }
  }
}
