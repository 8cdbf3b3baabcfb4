import Evidence
import FieldUnit
import Foundation
import Inspection
import LogPublishing
import OfficeKeyring
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Transparency
import Verification

@testable import Office

@Suite("The proof that the log has a delivery", .timeLimit(.minutes(5)))
struct ReceiptProofTests {
  private struct Given: EvidenceFiles {
    var contents: [String: [UInt8]]
    var allPaths: [String] { contents.keys.sorted() }
    var paths: [String] { allPaths }
    let isSelection = false

    func bytes(of path: String) throws -> [UInt8] { try #require(contents[path]) }
  }

  private func delivered(_ scene: OfficeScene) async throws -> InspectorUnit {
    _ = try await scene.order()
    let (unit, task) = try await scene.working()
    try unit.provideTask(task.id)
    _ = try await unit.delivery.deliver(over: scene.link)
    return unit
  }

  private func proofs(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tablet/field/receipts")
      .filter { $0.hasSuffix(ReceiptProof.ending) }.sorted()
  }

  private func verify(_ folder: URL, _ scene: OfficeScene) throws -> VerificationReport {
    Verifier.verify(
      try EvidenceFolder(folder: folder.path + "/tablet"), scope: .whole,
      trust: try Trust(scene.office.fingerprint))
  }

  @Test("comes to the device with its tasks after the next checkpoint, and once")
  func comes() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await delivered(scene)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try proofs(folder).isEmpty)
      try await PublicLog(core: scene.office.core).makeCheckpoint()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      let first = try proofs(folder)
      #expect(first.count == 1)
      let report = try verify(folder, scene)
      #expect(report.verdict == .intact, "\(report.findings)")
      #expect(report.findings.contains { $0.message.contains("has the delivery of 1 receipt") })
      // A proof that is here is not given again.
      let key = unit.key.publicKey.thumbprint
      let source = ReceiptProofs(core: scene.office.core)
      let file = folder.appendingPathComponent("tablet/field/receipts/" + first[0])
      let proof = try ReceiptProof(jws: try String(contentsOf: file, encoding: .utf8))
      // A device of another log, as after a restored backup, gets all again.
      #expect(
        try await source.proofs(forKey: key, in: "north", after: "9999-0011223344556677")?.count
          == 1)
      #expect(try await source.proofs(forKey: key, in: "north", after: proof.mark) == nil)
      #expect(try await source.proofs(forKey: key, in: "north", after: nil)?.count == 1)
      #expect(try await source.proofs(forKey: key, in: "south", after: nil) == nil)
      #expect(try await source.proofs(forKey: "another", in: "north", after: nil) == nil)
    }
  }

  @Test("of another office is not taken, and a log that is damaged keeps no task away")
  func strangers() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await delivered(scene)
      try await PublicLog(core: scene.office.core).makeCheckpoint()
      let key = unit.key.publicKey.thumbprint
      let own = try #require(
        try await ReceiptProofs(core: scene.office.core).proofs(
          forKey: key, in: "north", after: nil)?.first)
      let other = try Authority.make(name: "x", at: scene.office.clock.deviceTime)
      let message = TaskListMessage(tasks: [])
      var changed = message
      changed.proofs = [own, "nonsense", String(own.dropLast(4))]
      #expect(changed.proofs(under: scene.office.core.authority.certificate).count == 1)
      #expect(changed.proofs(under: other.certificate).isEmpty)
      // The key of the log is damaged: the device gets its tasks, and no proof.
      try Data("x".utf8).write(
        to: folder.appendingPathComponent("office-data/office/keys/log.key"))
      #expect(
        try await ReceiptProofs(core: scene.office.core).proofs(
          forKey: key, in: "north", after: nil) == nil)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
    }
  }

  @Test("shows that the office signed two logs, and proofs that hold for nothing")
  func twoLogs() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await delivered(scene)
      let ring = scene.office.core.keys.ring
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/tablet/field")
        .filter {
          ["seal", "receipt", "pem", "jpg", "raw"].contains(($0 as NSString).pathExtension)
        }
        .filter { !$0.hasPrefix("keys/") }
      var contents: [String: [UInt8]] = [:]
      for path in paths {
        contents[path] = Array(
          try Data(contentsOf: folder.appendingPathComponent("tablet/field/" + path)))
      }
      let receiptPath = paths.first(where: { $0.hasSuffix(".receipt") })
      let name = try #require(receiptPath)
      let jws = String(decoding: try #require(contents[name]), as: UTF8.self)
      let receipt = try Receipt(jws: jws.trimmingCharacters(in: .newlines))
      let signer = try NoteSigner(name: "standpoint.office/test/1", kind: .log)
      func proof(
        _ words: String, signer: NoteSigner = signer, root other: String? = nil
      ) throws -> [UInt8] {
        let line = Array(
          JSONValue.object([
            "action": .string("delivery-received"), "subject": .string("\(receipt.batch)"),
            "detail": .string(words),
          ]).canonicalBytes)
        func leaf(_ line: [UInt8]) throws -> TreeHash {
          try #require(TreeHash.leaf(ofHexadecimal: Digest.hexadecimal(line)))
        }
        let checkpoint = Checkpoint(
          origin: signer.key.name, size: 1, root: try leaf(other.map { Array($0.utf8) } ?? line))
        let note = try SignedNote(
          text: checkpoint.text, signedBy: signer, at: scene.office.clock.deviceTime)
        let text = TreeProof.text(ofEntry: 0, extra: line, [], in: note)
        return Array(
          try ReceiptProof(
            of: receipt, entry: 1, log: signer.key.text, proof: text,
            given: scene.office.clock.deviceTime, signedWith: ring.receiptKey,
            certificate: ring.receiptCertificate
          ).jws.utf8)
      }
      func messages(_ proofs: [[UInt8]]) -> [String] {
        var all = contents
        for (index, proof) in proofs.enumerated() { all["receipts/\(index).receipt-proof"] = proof }
        return Verifier.verify(Given(contents: all), scope: .whole).findings
          .filter { $0.subject.hasSuffix(ReceiptProof.ending) }
          .map { "\($0.severity) \($0.message)" }
      }
      let good = "1 records, " + BundleList.receiptWords(receipt)
      #expect(
        messages([try proof(good)])
          == ["note the office has proved that its log has the delivery of 1 receipt"])
      let two = messages([
        try proof(good), try proof("2 records, " + BundleList.receiptWords(receipt)),
      ])
      #expect(
        two.contains(
          "altered it says something else than receipts/0.receipt-proof: the office signed two logs"
        ))
      #expect(
        messages([try proof(good, root: "elsewhere")])
          == ["altered the proof does not lead to the checkpoint"])
      #expect(
        messages([
          try proof(
            "1 records, SHA-256 \(String(repeating: "0", count: 64)) of receipt \(receipt.id)")
        ])
          == ["altered the log's entry is of another receipt with this identifier"])
      #expect(messages([Array("x".utf8)]).first?.hasPrefix("altered not a receipt") == true)
      contents[name] = nil
      #expect(messages([try proof(good)]) == ["note its receipt is not here"])
    }
  }
}
