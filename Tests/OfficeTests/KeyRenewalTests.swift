import Evidence
import Foundation
import Inspection
import KeyRenewal
import KeyTokens
import LogPublishing
import OfficeExporting
import OfficeKeyring
import OfficeScenes
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification
import Web

@testable import FieldUnit
@testable import Office

@Suite("The office's keys, one after the other", .timeLimit(.minutes(5)))
struct KeyRenewalTests {
  private func keys(_ folder: URL) -> URL {
    folder.appendingPathComponent("office-data/office/keys")
  }

  private func bundle(
    _ scene: OfficeScene, _ task: Identifier
  ) async throws -> UnpackedBundle {
    let path = scene.folder.appendingPathComponent("bundle.zip").path
    try await scene.office.exports.write("bundle.zip", ofTask: task, in: "north", toFile: path)
    return try UnpackedBundle(path)
  }

  private func verify(_ files: UnpackedBundle, _ trust: String?) throws -> VerificationReport {
    Verifier.verify(files, scope: .whole, trust: try trust.map { try Trust($0) })
  }

  /// Delivers a task, and the officer returns it.
  private func deliver(
    _ scene: OfficeScene, _ unit: InspectorUnit, _ task: Identifier
  ) async throws {
    try unit.provideTask(task)
    _ = try await unit.delivery.deliver(over: scene.link)
    let seen = try await scene.office.review.view(of: task, in: "north").task.history.count
    _ = try await scene.office.review.decide(
      .returnToInspector, on: task, by: scene.person("otto"), reason: "again", seen: seen)
  }

  /// Takes another photo for a returned task, and delivers it.
  private func deliverAgain(
    _ scene: OfficeScene, _ unit: InspectorUnit, _ task: Identifier, _ number: Int
  ) async throws {
    _ = try await unit.delivery.fetchTasks(over: scene.link)
    try await scene.capture(unit, task, number)
    try unit.provideTask(task)
    _ = try await unit.delivery.deliver(over: scene.link)
  }

  private func endSessions(_ scene: OfficeScene, of login: String) async throws {
    try await scene.office.database.writeRegistry { try $0.endSessions(of: login) }
  }

  @Test("a new receipts key is named by the earlier one, and both receipts hold")
  func receipts() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try await deliver(scene, unit, task.id)
      let entry = try await scene.office.renewKey(.receipts, by: "test")
      #expect(entry.name == "receipts-2")
      #expect(!FileManager.default.fileExists(atPath: keys(folder).path + "/receipts.key"))
      try await deliverAgain(scene, unit, task.id, 2)
      let files = try await bundle(scene, task.id)
      let report = try verify(files, scene.office.fingerprint)
      #expect(report.verdict == .intact, "\(report.findings)")
      #expect(report.witnesses.seals == report.checked)
      #expect(report.findings.contains { $0.message.contains("by the earlier key's word") })
      let signers = try Set(
        files.contents.filter { $0.key.hasSuffix(".receipt") }.map {
          try Receipt(jws: String(decoding: $0.value, as: UTF8.self)).certificate.publicKey
        })
      #expect(signers.count == 2)
    }
  }

  @Test("a new authority is believed by whoever trusts the earlier one, and the other way round")
  func authority() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try await deliver(scene, unit, task.id)
      let earlier = scene.office.fingerprint
      _ = try await scene.office.renewKey(.authority, by: "test")
      let present = scene.office.fingerprint
      #expect(present != earlier)
      #expect(try await scene.office.devicesOfEarlierAuthorities() == 1)
      // A device that knows the earlier authority believes the receipts of the new one.
      try await deliverAgain(scene, unit, task.id, 2)
      var files = try await bundle(scene, task.id)
      for trust in [earlier, present] {
        let report = try verify(files, trust)
        #expect(report.verdict == .intact, "\(report.findings)")
        #expect(report.issuer == .trusted)
        #expect(report.witnesses.seals == report.checked)
      }
      let report = try verify(files, nil)
      #expect(report.verdict == .intact && report.issuer == .unknown)
      #expect(report.issuerFingerprint == earlier)
      // The device's own folder says the same.
      let own = Verifier.verify(
        try EvidenceFolder(folder: folder.appendingPathComponent("tablet").path), scope: .whole,
        trust: try Trust(earlier))
      #expect(own.verdict == .intact && own.checked > 1, "\(own.findings)")
      #expect(own.witnesses.seals == own.checked)
      // Another authority of the same name is none of these.
      let stranger = try Authority.make(name: "Standpoint office", at: scene.clock.start)
      #expect(try verify(files, stranger.certificate.fingerprint).issuer == .unknown)
      // The session ends, and the device gets a certificate by the new authority without a password.
      try await endSessions(scene, of: "ines")
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try await scene.office.devicesOfEarlierAuthorities() == 0)
      let signIn = try #require(try scene.desk().signedIn())
      #expect(try EvidenceCertificate(pem: signIn.authority).fingerprint == present)
      #expect(try unit.certificate()?.isIssued(by: scene.office.core.authority.certificate) == true)
      files = try await bundle(scene, task.id)
      #expect(try verify(files, earlier).verdict == .intact)
      #expect(try verify(files, present).verdict == .intact)
      // A device that is new to the office believes it, too.
      _ = try await scene.order("Wheat", for: "igor")
      let other = try await scene.working(login: "igor", on: "phone")
      try other.unit.provideTask(other.task.id)
      _ = try await other.unit.delivery.deliver(over: scene.link)
      #expect(try verify(try await bundle(scene, other.task.id), earlier).verdict == .intact)
    }
  }

  @Test("whoever has the earlier fingerprint signs in, unless the earlier authority was revoked")
  func fingerprint() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let earlier = scene.office.fingerprint
      _ = try await scene.office.renewKey(.authority, by: "test")
      func signIn(_ device: String) async throws -> SignIn {
        try await scene.desk(device).signIn(
          login: "ines", password: OfficeScene.password, over: scene.link, pin: earlier)
      }
      let first = try await signIn("first")
      #expect(
        try EvidenceCertificate(pem: first.authority).fingerprint == scene.office.fingerprint)
      _ = try await scene.office.revokeKey("authority-1", reason: "stolen", entries: 0, by: "test")
      await #expect(throws: DeliveryError.self) { try await signIn("second") }
      // Certificates that are cut out of the answer, or a stranger's, lead nowhere.
      let other = try Authority.make(name: "x", at: scene.clock.start).certificate
      for pem in ["", "nonsense", other.pem] {
        let message = OfficeMessage(
          software: "x", fingerprint: scene.office.fingerprint, authorities: pem)
        #expect(throws: DeliveryError.self) {
          _ = try OfficeSuccession.expected(earlier, of: message, at: "x")
        }
      }
    }
  }

  @Test("with a stolen receipts key nobody puts anything into the past")
  func stolenReceiptsKey() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let stolen = try SoftwareDeviceKey(
        pem: String(
          contentsOf: keys(folder).appendingPathComponent("receipts.key"), encoding: .utf8)
      )
      let certificate = scene.office.core.keys.ring.receiptCertificate
      let (unit, task) = try await scene.working()
      try await deliver(scene, unit, task.id)
      let before = try await bundle(scene, task.id)
      _ = try await scene.office.renewKey(.receipts, by: "test")
      let entries = try await PublicLog(core: scene.office.core).entries(before: nil)
      let revocation = try await scene.office.revokeKey(
        "receipts-1", reason: "the server was stolen", entries: entries, by: "test")
      #expect(revocation.entries == entries && entries > 0)
      var files = try await bundle(scene, task.id)
      let report = try verify(files, scene.office.fingerprint)
      #expect(report.verdict == .intact, "\(report.findings)")
      #expect(report.witnesses.seals == report.checked)
      #expect(report.sealedBetween.count == report.checked)
      #expect(report.findings.contains { $0.message.contains("the server was stolen") })
      // The thief's receipt says the same with an earlier time, and the log does not have it.
      let receipt = try #require(
        try files.contents.first { $0.key.hasSuffix(".receipt") }.map {
          try Receipt(jws: String(decoding: $0.value, as: UTF8.self))
        })
      let forged = try Receipt(
        id: Identifier(at: scene.clock.start), batch: receipt.batch, agency: receipt.agency,
        inspector: receipt.inspector, key: receipt.key, head: receipt.head,
        records: receipt.records, files: receipt.files,
        received: receipt.received.advanced(bySeconds: -3600), signedWith: stolen,
        certificate: certificate)
      files.contents["receipts/\(forged.id).receipt"] = Array(forged.jws.utf8)
      let found = try verify(files, scene.office.fingerprint).findings.first {
        $0.subject == "receipts/\(forged.id).receipt" && $0.check == .receipt
      }
      #expect(found?.severity == .doubtful)
      #expect(found?.message.contains("no log shows that it was there before") == true)
      // Without the proofs of the log not even the real one counts.
      for name in files.contents.keys where name.hasSuffix(".tlog-proof") {
        files.contents[name] = nil
      }
      #expect(try verify(files, scene.office.fingerprint).witnesses.seals == 0)
      // The bundle of before knows nothing of the revocation; its list was signed with the stolen key.
      #expect(try verify(before, scene.office.fingerprint).verdict == .intact)
      var told = before
      told.contents["revocations/x.office-key-revocation"] = Array(revocation.jws.utf8)
      #expect(try verify(told, scene.office.fingerprint).verdict != .intact)
    }
  }

  @Test("a revoked authority certifies nobody any more, and its devices sign in again")
  func stolenAuthority() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let stolen = scene.office.core.authority
      let (unit, task) = try await scene.working()
      try await deliver(scene, unit, task.id)
      _ = try await scene.office.renewKey(.authority, by: "test")
      let entries = try await PublicLog(core: scene.office.core).entries(before: nil)
      // The task has come back before that.
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      _ = try await scene.office.revokeKey(
        "authority-1", reason: "stolen", entries: entries, by: "test")
      // Deliveries that the log held stay as they were.
      let files = try await bundle(scene, task.id)
      let report = try verify(files, scene.office.fingerprint)
      #expect(report.verdict == .intact, "\(report.findings)")
      #expect(report.witnesses.seals == report.checked)
      // The device may not go on, and is told why; nothing is lost.
      let device = try #require(
        try await scene.office.database.read(in: "north") {
          try $0.devices.devices(of: "ines").first
        })
      #expect(throws: OfficeRefusal.self) { try scene.office.devices.requireValid(device) }
      try await endSessions(scene, of: "ines")
      await #expect {
        _ = try await unit.delivery.fetchTasks(over: scene.link)
      } throws: {
        "\(($0 as? DeliveryError).map { "\($0.wording)" } ?? "")".contains("fingerprint")
      }
      try await scene.capture(unit, task.id, 2)
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 3600), limit: nil)
      try await scene.desk().signIn(
        login: "ines", password: OfficeScene.password, over: scene.link,
        pin: scene.office.fingerprint)
      let again = try await scene.unit()
      _ = try await again.delivery.fetchTasks(over: scene.link)
      try again.provideTask(task.id)
      _ = try await again.delivery.deliver(over: scene.link)
      let all = try verify(try await bundle(scene, task.id), scene.office.fingerprint)
      #expect(all.witnesses.seals == all.checked && all.checked > report.checked)
      // The photo that was not delivered by then has a certificate that begins too late, and a challenge of which
      // nobody knows when it was given. Both are said.
      let doubts = Set(all.findings.filter { $0.severity == .doubtful }.map(\.message))
      #expect(all.verdict == .doubtful)
      #expect(doubts.contains { $0.contains("its key's certificate is valid from") }, "\(doubts)")
      #expect(doubts.contains { $0.contains("the office's key behind it was revoked") })
      #expect(doubts.count == 2, "\(doubts)")
      // The thief certifies a key of their own.
      let key = SoftwareDeviceKey()
      let certificate = try stolen.certify(
        key.publicKey, subject: DeviceSubject(agency: "north", inspector: "ines", device: "thief"),
        at: scene.clock.start)
      #expect(scene.office.core.keys.ring.issuer(of: certificate) == nil)
    }
  }

  @Test("the policy is signed again, so that devices of the new authority obey it")
  func policy() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        $0.readsSurroundings = true
      }
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.policy()?.policy.revision == 1)
      _ = try await scene.office.renewKey(.authority, by: "test")
      try await endSessions(scene, of: "ines")
      let outcome = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(outcome.policyProblem == nil)
      #expect(try unit.policy()?.policy.revision == 2)
      #expect(try unit.policy()?.policy.readsSurroundings == true)
    }
  }

  @Test("a batch whose receipt was lost before the renewal is delivered after it")
  func lostReceipt() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try unit.provideTask(task.id)
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 60), limit: nil)
      scene.link.forge { _ in "lost" }
      _ = try? await unit.delivery.deliver(over: scene.link)
      scene.link.forge(nil)
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 3600), limit: nil)
      _ = try await scene.office.renewKey(.authority, by: "test")
      try await endSessions(scene, of: "ines")
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.delivered > 0)
    }
  }

  @Test("devices that the office saw no sign-in of get no new certificate without a password")
  func strangersDevice() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let stolen = scene.office.core.authority
      _ = try await scene.office.renewKey(.authority, by: "test")
      let key = SoftwareDeviceKey()
      let certificate = try stolen.certify(
        key.publicKey, subject: DeviceSubject(agency: "north", inspector: "ines", device: "thief"),
        at: scene.clock.start)
      let proof = try SessionRenewal(
        agency: "north", login: "ines", device: "thief",
        challenge: scene.office.devices.challenge().challenge,
        authority: stolen.certificate.fingerprint, with: key)
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.devices.renewSession(
          RenewalMessage(renewal: proof.jws, certificate: certificate.pem, software: "x"))
      }
    }
  }

  @Test("a renewal into a token that fails leaves nothing that the next one stumbles over")
  func failedToken() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let before = scene.office.fingerprint
      let uri = try TokenURI("pkcs11:token=x?module-path=/nowhere.so")
      await #expect(throws: TokenError.self) {
        try await scene.office.renewKey(.authority, in: uri, by: "test")
      }
      #expect(scene.office.fingerprint == before)
      // As if the power had gone behind the token's file and another key's certificate.
      let folder = keys(folder).path
      for name in ["authority-2.token", "receipts-2.succession"] {
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      let other = try await OfficeScene.office(scene.folder, scene.clock)
      let entry = try await other.renewKey(.authority, by: "test")
      #expect(entry.name == "authority-2")
      // The running office and the next one have it.
      #expect(scene.office.fingerprint == entry.certificate.fingerprint)
      #expect(
        try await OfficeScene.office(scene.folder, scene.clock).fingerprint
          == entry.certificate.fingerprint)
      _ = try await other.renewKey(.receipts, by: "test")
      #expect(
        scene.office.core.keys.ring.receiptKey.publicKey
          == other.core.keys.ring.receiptKey.publicKey)
    }
  }

  @Test("with a middle authority revoked the others still vouch for each other")
  func middle() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try await deliver(scene, unit, task.id)
      for _ in 0..<2 { _ = try await scene.office.renewKey(.authority, by: "test") }
      let entries = try await PublicLog(core: scene.office.core).entries(before: nil)
      _ = try await scene.office.revokeKey(
        "authority-2", reason: "stolen", entries: entries, by: "test")
      let report = try verify(try await bundle(scene, task.id), scene.office.fingerprint)
      #expect(report.verdict == .intact && report.issuer == .trusted, "\(report.findings)")
      // A device of the first one is not led over the revoked one: it signs in again.
      try await endSessions(scene, of: "ines")
      await #expect {
        _ = try await unit.delivery.fetchTasks(over: scene.link)
      } throws: {
        "\(($0 as? DeliveryError).map { "\($0.wording)" } ?? "")".contains("fingerprint")
      }
    }
  }

  @Test("revocations outlive the keys that signed them, in either order", arguments: [true, false])
  func bothStolen(authorityFirst: Bool) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try await deliver(scene, unit, task.id)
      let kinds: [KeyRing.Kind] =
        authorityFirst ? [.authority, .receipts] : [.receipts, .authority]
      for kind in kinds {
        _ = try await scene.office.renewKey(kind, by: "test")
        let entries = try await PublicLog(core: scene.office.core).entries(before: nil)
        _ = try await scene.office.revokeKey(
          "\(kind.rawValue)-1", reason: "stolen", entries: entries, by: "test")
      }
      let report = try verify(try await bundle(scene, task.id), scene.office.fingerprint)
      #expect(report.verdict == .intact && report.issuer == .trusted, "\(report.findings)")
      #expect(report.findings.count { $0.message.contains("was revoked at") } == 2)
      // A device that was revoked is still told as such, by the present key.
      try await scene.office.devices.revokeDevice(
        withKey: unit.key.publicKey.thumbprint, in: "north", reason: "lost", by: "anna")
      let revoked = try verify(try await bundle(scene, task.id), scene.office.fingerprint)
      #expect(revoked.verdict == .intact, "\(revoked.findings)")
      #expect(revoked.findings.contains { $0.message.contains("its key was revoked") })
      // The office's own folder holds together, too.
      let own = Verifier.verify(
        try EvidenceFolder(folder: folder.path + "/office-data/office"), scope: .whole,
        trust: try Trust(scene.office.fingerprint))
      #expect(own.verdict == .intact && own.checked > 0, "\(own.findings)")
    }
  }

  @Test("a single photo of an unpacked bundle is judged by the revocations beside it")
  func singlePhoto() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try await deliver(scene, unit, task.id)
      _ = try await scene.office.renewKey(.receipts, by: "test")
      let entries = try await PublicLog(core: scene.office.core).entries(before: nil)
      _ = try await scene.office.revokeKey(
        "receipts-1", reason: "stolen", entries: entries, by: "test")
      let files = try await bundle(scene, task.id)
      let unpacked = folder.appendingPathComponent("unpacked")
      for (name, bytes) in files.contents {
        let url = unpacked.appendingPathComponent(name)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
      }
      let name = files.contents.keys.filter { $0.hasSuffix(".jpg") }.sorted()[0]
      func photo() throws -> VerificationReport {
        Verifier.verify(
          EvidenceFolder(
            photo: unpacked.appendingPathComponent(name).path, readsReceipts: true),
          scope: .single, trust: try Trust(scene.office.fingerprint))
      }
      let report = try photo()
      #expect(report.verdict == .intact && report.witnesses.seals == 1, "\(report.findings)")
      #expect(report.findings.contains { $0.message.contains("stolen") })
      try FileManager.default.removeItem(at: unpacked.appendingPathComponent("log"))
      #expect(try photo().witnesses.seals == 0)
      #expect(try photo().verdict == .doubtful)
    }
  }

  @Test("since when a key does not count is told by the log's own times")
  func since() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let log = PublicLog(core: scene.office.core)
      let all = try await log.entries(before: nil)
      let later = scene.clock.deviceTime.advanced(bySeconds: 100)
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 1000), limit: nil)
      _ = try await scene.order()
      #expect(try await log.entries(before: nil) == all + 1)
      #expect(try await log.entries(before: later) == all)
      #expect(try await log.entries(before: scene.clock.start.advanced(bySeconds: -100)) == 0)
    }
  }

  @Test("a running office uses the key that another program has made")
  func otherProgram() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let other = try await OfficeScene(after: scene)
      let entry = try await other.office.renewKey(.authority, by: "test")
      #expect(scene.office.fingerprint == entry.certificate.fingerprint)
      #expect(
        scene.office.core.keys.ring.receiptCertificate.isIssued(
          by: scene.office.core.authority.certificate))
    }
  }

  @Test("a renewal that was cut off changes nothing, and the next one comes through")
  func cutOff() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let before = scene.office.fingerprint
      _ = try await scene.office.renewKey(.authority, by: "test")
      // As if the power had gone before the last file: the earlier private halves were there still.
      let cut = folder.appendingPathComponent("cut")
      try FileManager.default.copyItem(at: keys(folder), to: cut)
      try FileManager.default.removeItem(at: cut.appendingPathComponent("authority-2.crt"))
      for kind in ["authority", "receipts"] {
        try FileManager.default.copyItem(
          at: cut.appendingPathComponent("\(kind)-2.key"),
          to: cut.appendingPathComponent("\(kind).key"))
      }
      // The private half of the earlier authority is gone here: a new office stands in for it.
      #expect(throws: EvidenceError.self) {
        try KeyRingFolder(path: cut.path, lock: cut.path + "/lock")
      }
      let fresh = folder.appendingPathComponent("fresh")
      try FileManager.default.createDirectory(at: fresh, withIntermediateDirectories: true)
      try KeyRingFolder.begin(path: fresh.path, authorityName: "x", at: scene.clock.start)
      for name in ["receipts-2.crt", "receipts-2.key", "authority-2.key", "authority-2.bridges"] {
        try FileManager.default.copyItem(
          at: cut.appendingPathComponent(name), to: fresh.appendingPathComponent(name))
      }
      let ring = try KeyRingFolder(path: fresh.path, lock: fresh.path + "/lock")
      #expect(ring.ring.entries.map(\.name) == ["authority-1", "receipts-1"])
      let next = try ring.renew(.receipts, at: scene.clock.start)
      #expect(next.name == "receipts-2")
      #expect(ring.ring.receiptKey.publicKey == next.certificate.publicKey)
      let authority = try ring.renew(.authority, at: scene.clock.start)
      #expect(authority.name == "authority-2" && before != authority.certificate.fingerprint)
      #expect(ring.ring.entries.map(\.name).last == "receipts-3")
    }
  }

  @Test("a key that is in use, unknown or revoked already is not revoked")
  func refusals() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      func revoke(_ name: String) async throws {
        _ = try await scene.office.revokeKey(name, reason: "x", entries: 1, by: "test")
      }
      func refusal(_ name: String) async -> String {
        do {
          try await revoke(name)
          return ""
        } catch {
          return "\((error as? OfficeRefusal)?.detail ?? "")"
        }
      }
      #expect(await refusal("receipts-1").contains("is in use: make the next one first"))
      #expect(await refusal("receipts-7").contains("there are authority-1, receipts-1"))
      // With a new authority the signing key stays, under another certificate.
      _ = try await scene.office.renewKey(.authority, by: "test")
      #expect(await refusal("receipts-1").contains("is in use"))
      _ = try await scene.office.renewKey(.receipts, by: "test")
      try await revoke("receipts-1")
      #expect(await refusal("receipts-1").contains("was revoked already"))
      #expect(await refusal("receipts-2").contains("was revoked already"))
    }
  }

  @Test("openssl follows the way from a new authority's certificate to an earlier one")
  func openssl() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let first = scene.office.core.authority.certificate
      _ = try await scene.office.renewKey(.authority, by: "test")
      _ = try await scene.office.renewKey(.authority, by: "test")
      let ring = scene.office.core.keys.ring
      #expect(ring.receiptCertificate.bridges.count == 2)
      #expect(ring.receiptCertificate.isVouched(by: first))
      func write(_ name: String, _ text: String) throws -> String {
        let path = folder.appendingPathComponent(name).path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
      }
      let leaf = try write("leaf.pem", ring.receiptCertificate.pem)
      let between = try write("between.pem", try #require(ring.bridgesPEM))
      let time = String(scene.clock.deviceTime.millisecondsSince1970 / 1000 + 60)
      for root in [first, scene.office.core.authority.certificate] {
        let result = try await Program.run(
          "/usr/bin/openssl",
          [
            "verify", "-attime", time, "-CAfile", try write("root.pem", root.pem), "-untrusted",
            between, leaf,
          ])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
      }
      let other = try Authority.make(name: "Standpoint office", at: scene.clock.start)
      let wrong = try await Program.run(
        "/usr/bin/openssl",
        [
          "verify", "-attime", time, "-CAfile",
          try write("root.pem", other.certificate.pem), "-untrusted", between, leaf,
        ])
      #expect(wrong.status != 0)
    }
  }
}
