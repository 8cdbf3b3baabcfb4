import Attestation
import Exports
import Foundation
import Inspection
import KeyRenewal
import OfficeKeyring
import OfficePages
import OfficeScenes
import Receivers
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import Attesting
@testable import Evidence
@testable import KeyTokens
@testable import Office
@testable import OfficeExporting

/// An office, and a device whose key is in a TPM in software.
private struct AttestedScene {
  let scene: OfficeScene
  let tpm: SoftTPM
  let key: TPMKey
  let visitor: Visitor
  let service: DeviceAttestations

  init(_ folder: URL) async throws {
    scene = try await OfficeScene(folder.appendingPathComponent("scene", isDirectory: true))
    // The TPM's maker certifies it today, whatever day the scene begins on.
    let ahead =
      Date().timeIntervalSince1970 + 60 - Double(
        scene.clock.deviceTime.millisecondsSince1970) / 1000
    scene.clock.advance(
      to: scene.clock.elapsed.advanced(bySeconds: max(0, ahead)), limit: nil)
    tpm = try SoftTPM(in: folder.appendingPathComponent("tpm", isDirectory: true))
    let keys = folder.appendingPathComponent("keys").path
    try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: true)
    let shelf = KeyFolder(path: keys, program: Program.tokenWorker(in: folder))
    _ = try shelf.choose("tpm:?tcti=\(tpm.connection)")
    key = try #require(try shelf.makeKey() as? TPMKey)
    let enrolment = try EnrolmentRequest(
      device: "tablet", login: "ines", at: scene.clock.deviceTime, with: key)
    let answer = try await scene.office.devices.signInDevice(
      SignInRequest(
        login: "ines", password: OfficeScene.password, enrolment: enrolment.jws, software: "test"))
    visitor = try await scene.office.sessions.visitor(withToken: answer.token)
    service = DeviceAttestations(core: scene.office.core)
  }

  func question(
    area: [UInt8]? = nil, _ closed: AttestationAnswer? = nil, secret: [UInt8]? = nil
  ) throws -> AttestationQuestion {
    AttestationQuestion(
      area: Base64URL.text(area ?? key.area.bytes),
      makersCertificate: Base64URL.text(try key.makersCertificate()),
      challenge: closed?.challenge, secret: secret.map(Base64URL.text))
  }

  func open(_ answer: AttestationAnswer) throws -> [UInt8] {
    try key.open(
      ClosedSecret(
        credential: try #require(answer.credential.flatMap(Base64URL.bytes)),
        seed: try #require(answer.seed.flatMap(Base64URL.bytes))))
  }

  func refusal(_ question: AttestationQuestion, from other: Visitor? = nil) async -> OfficeProblem?
  {
    do {
      _ = try await service.answer(question, from: other ?? visitor)
      return nil
    } catch {
      return (error as? OfficeRefusal)?.kind
    }
  }
}

@Suite(
  "TPMs that show the office their keys", .serialized,
  .enabled(if: SoftTPM.isHere, "swtpm is not installed"))
struct DeviceAttestationTests {
  @Test("a TPM that opens the office's secret is believed, and its maker once the office knows it")
  func attested() async throws {
    try await withTemporaryDirectory { folder in
      let stand = try await AttestedScene(folder)
      let photos = stand.scene.office.core.photos
      let thumbprint = stand.key.publicKey.thumbprint
      #expect(try photos.attestation(ofKey: thumbprint) == nil)
      let closed = try await stand.service.answer(try stand.question(), from: stand.visitor)
      let last = try await stand.service.answer(
        try stand.question(closed, secret: try stand.open(closed)), from: stand.visitor)
      let word = try KeyAttestation(jws: try #require(last.attestation))
      #expect(word.shown.key == thumbprint && word.shown.root == nil, "no maker is known yet")
      #expect(try photos.attestation(ofKey: thumbprint)?.jws == word.jws)
      // The maker's certificates arrive, among files that are none; a starting office looks again.
      let makers = stand.scene.office.core.configuration.folder.appendingPathComponent("tpm-makers")
      try FileManager.default.createDirectory(at: makers, withIntermediateDirectories: true)
      try Data("no certificate".utf8).write(to: makers.appendingPathComponent("notes.txt"))
      for (number, path) in stand.tpm.makersCertificates.enumerated() {
        try FileManager.default.copyItem(
          atPath: path, toPath: makers.appendingPathComponent("\(number).pem").path)
      }
      await stand.service.settle()
      let known = try #require(try photos.attestation(ofKey: thumbprint))
      #expect(known.shown.root?.contains("swtpm") == true && known.shown.time == word.shown.time)
      let entries = try await stand.scene.office.core.database.read(in: "north") {
        try $0.log.page(before: nil, containing: nil, limit: 10)
      }
      for action in ["device-attested", "device-checked-again"] {
        #expect(entries.count { $0.entry.action == action } == 1, "\(action)")
      }
      // Another showing brings nothing new: neither an entry nor a signature. The office's next key signs again.
      let again = try await stand.service.answer(try stand.question(), from: stand.visitor)
      let same = try await stand.service.answer(
        try stand.question(again, secret: try stand.open(again)), from: stand.visitor)
      #expect(same.attestation == known.jws)
      // A folder that is gone takes nothing back; one that is empty takes the root away at the next start.
      let away = makers.deletingLastPathComponent().appendingPathComponent("away")
      try FileManager.default.moveItem(at: makers, to: away)
      await stand.service.settle()
      #expect(try photos.attestation(ofKey: thumbprint)?.jws == known.jws)
      try FileManager.default.createDirectory(at: makers, withIntermediateDirectories: true)
      await stand.service.settle()
      #expect(try photos.attestation(ofKey: thumbprint)?.shown.root == nil)
      try FileManager.default.removeItem(at: makers)
      try FileManager.default.moveItem(at: away, to: makers)
      await stand.service.settle()
      #expect(try photos.attestation(ofKey: thumbprint)?.shown.root != nil)
      // The office's next authority signs again: devices know that one.
      _ = try await stand.scene.office.renewKey(.authority, by: "test")
      let fourth = try await stand.service.answer(try stand.question(), from: stand.visitor)
      let renewed = try await stand.service.answer(
        try stand.question(fourth, secret: try stand.open(fourth)), from: stand.visitor)
      let present = stand.scene.office.core.keys.ring.authority.certificate
      let signed = try KeyAttestation(jws: try #require(renewed.attestation))
      #expect(signed.certificate.isIssued(by: present) && signed.shown.root != nil)
      // A starting office signs again what a key signed that is revoked now.
      stand.scene.clock.advance(
        to: stand.scene.clock.elapsed.advanced(bySeconds: 60), limit: nil)
      _ = try await stand.scene.office.renewKey(.receipts, by: "test")
      _ = try await stand.scene.office.revokeKey(
        "receipts-2", reason: "stolen", entries: 1, by: "test")
      #expect(!stand.scene.office.core.keys.ring.counts(signed.certificate))
      await stand.service.settle()
      let judged = try #require(try photos.attestation(ofKey: thumbprint))
      #expect(stand.scene.office.core.keys.ring.counts(judged.certificate))
      #expect(judged.shown.time == signed.shown.time && judged.shown.signed > signed.shown.signed)
      // Another office's word is not made this one's.
      let other = try Authority.make(name: "Other", at: stand.scene.clock.deviceTime)
      let key = SoftwareDeviceKey()
      let foreign = try KeyAttestation(
        judged.shown, signedWith: key,
        certificate: try other.certifyOffice(key.publicKey, at: stand.scene.clock.deviceTime))
      try photos.write(
        Array(foreign.jws.utf8), as: EvidenceName.attestation(ofKey: thumbprint))
      await stand.service.settle()
      #expect(try photos.attestation(ofKey: thumbprint)?.jws == foreign.jws)
      // A damaged word says nothing, and stops nothing.
      try photos.write(Array("damaged".utf8), as: EvidenceName.attestation(ofKey: thumbprint))
      #expect(try photos.attestation(ofKey: thumbprint) == nil)
      await stand.service.settle()
      let check = PhotoCheck(.issuer, .agrees, [.isInToken: 1, .isAttested: 1])
      #expect(CheckWords(t: .english).line(check).value.contains("the TPM has shown it"))
    }
  }

  @Test(
    "a wrong secret, one that comes too late, another device's key and one that could leave are refused"
  )
  func refused() async throws {
    try await withTemporaryDirectory { folder in
      let stand = try await AttestedScene(folder)
      let closed = try await stand.service.answer(try stand.question(), from: stand.visitor)
      let secret = try stand.open(closed)
      var wrong = secret
      wrong[0] ^= 1
      let guesses = [wrong, [], Array(secret.dropLast()), [UInt8](repeating: 0, count: 32)]
      for guess in guesses {
        let question = try stand.question(closed, secret: guess)
        #expect(await stand.refusal(question) == .attestationRefused)
      }
      // The secret of another challenge, and a challenge that the office did not make.
      let second = try await stand.service.answer(try stand.question(), from: stand.visitor)
      let mixed = try stand.question(second, secret: secret)
      #expect(await stand.refusal(mixed) == .attestationRefused)
      let invented = try stand.question(
        AttestationAnswer(challenge: "1.r.m"), secret: secret)
      #expect(await stand.refusal(invented) == .attestationRefused)
      // Properties that the TPM has not given: the office asks no TPM about such a key.
      var loose = stand.key.area.bytes
      loose[7] ^= 0x02
      #expect(await stand.refusal(try stand.question(area: loose)) == .attestationRefused)
      for area in [[], [0], [UInt8](repeating: 0xFF, count: 700)] {
        #expect(await stand.refusal(try stand.question(area: area)) == .attestationRefused)
      }
      // Another device of the same office cannot have this key attested for itself.
      let other = try EnrolmentRequest(
        device: "another", login: "ines", at: stand.scene.clock.deviceTime,
        with: SoftwareDeviceKey())
      let answer = try await stand.scene.office.devices.signInDevice(
        SignInRequest(
          login: "ines", password: OfficeScene.password, enrolment: other.jws, software: "test"))
      let stranger = try await stand.scene.office.sessions.visitor(withToken: answer.token)
      #expect(
        await stand.refusal(try stand.question(), from: stranger) == .attestationRefused)
      stand.scene.clock.advance(
        to: stand.scene.clock.elapsed.advanced(bySeconds: 301), limit: nil)
      #expect(
        await stand.refusal(try stand.question(closed, secret: secret)) == .attestationRefused)
      #expect(
        try stand.scene.office.core.photos.attestation(ofKey: stand.key.publicKey.thumbprint)
          == nil)
    }
  }
}
