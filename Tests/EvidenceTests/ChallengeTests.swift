import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

@Suite("Challenges that an office gives, and records that name them")
struct ChallengeTests {
  private let certified: CertifiedDay

  init() throws { certified = try CertifiedDay.ordinary.get() }

  /// A day of one photo that names a challenge, with receipt and certificates.
  private struct Scene {
    var day: FieldDay
    var challenge: CaptureChallenge
    var files: MemoryFiles
    var photo: String
  }

  private func scene(
    givenBefore seconds: Double = 600, to key: String? = nil,
    by office: (key: SoftwareDeviceKey, certificate: EvidenceCertificate)? = nil,
    deliveredAfter: Double = 60
  ) throws -> Scene {
    var day = try FieldDay(seed: 77)
    day.ownCertificate = nil
    let device = try certified.authority.certify(
      day.key.publicKey, subject: CertifiedDay.subject(of: day), at: CertifiedDay.enrolled)
    let challenge = try CaptureChallenge(
      key: key ?? day.key.publicKey.thumbprint, issued: day.now.advanced(bySeconds: -seconds),
      signedWith: office?.key ?? certified.officeKey,
      certificate: office?.certificate ?? certified.office)
    day.challenge = challenge.digest
    try day.capture(
      at: try FieldDay.place(5, 5), sampler: nil, picture: FieldDay.pictures[0])
    day.now = day.now.advanced(bySeconds: deliveredAfter - 60)
    let receipt = try CertifiedDay.receipt(
      for: day, key: certified.officeKey, certificate: certified.office)
    var files = try day.folder()
    files[CertifiedDay.certificatePath] = Array(
      (device.pem + certified.authority.certificate.pem).utf8)
    files[CertifiedDay.receiptPath] = Array(receipt.jws.utf8)
    files["challenges/\(challenge.digest).challenge"] = Array(challenge.jws.utf8)
    return Scene(day: day, challenge: challenge, files: files, photo: day.entries[0].sealPath)
  }

  private func words(_ report: VerificationReport, _ check: Finding.Check = .times) -> [String] {
    report.findings.filter { $0.check == check && $0.severity != .note }.map(\.message)
  }

  @Test(
    "a record is sealed between its challenge and its receipt, and the verifier says how far apart they are"
  )
  func between() throws {
    let scene = try scene(givenBefore: 900, deliveredAfter: 7200)
    let report = scene.files.verified(trust: certified.trust)
    #expect(report.verdict == .intact, "\(report.findings)")
    let between = try #require(report.sealedBetween.first)
    #expect(between.subject == scene.photo && report.sealedBetween.count == 1)
    #expect(between.after == scene.challenge.issued)
    let seconds = try #require(between.seconds)
    #expect((900 + 7200 - 60...900 + 7200 + 900).contains(seconds), "\(seconds)")
  }

  @Test("two challenges differ, and each says what it was given for")
  func unpredictable() throws {
    let key = certified.day.key.publicKey.thumbprint
    let all = try (0..<50).map { _ in
      try CaptureChallenge(
        key: key, issued: certified.day.now, signedWith: certified.officeKey,
        certificate: certified.office)
    }
    #expect(Set(all.map(\.digest)).count == 50)
    for challenge in all {
      let read = try CaptureChallenge(jws: challenge.jws)
      #expect(read == challenge && read.isSigned(under: certified.authority.certificate))
    }
    for text in ["", "a.b.c", certified.receipt.jws] {
      #expect(throws: EvidenceError.self) { try CaptureChallenge(jws: text) }
    }
  }

  @Test("a record that claims an earlier time than its challenge is doubtful")
  func earlier() throws {
    let scene = try scene(givenBefore: -3600)
    let report = scene.files.verified(trust: certified.trust)
    #expect(report.verdict == .doubtful)
    #expect(words(report).contains { $0.contains("contains a challenge that the office gave at") })
    #expect(words(report).contains { $0.contains("but an office had it at") })
  }

  @Test(
    "a challenge of another key is doubtful, one of another office counts for nothing, a changed one is altered"
  )
  func foreign() throws {
    let given = try scene(to: certified.day.key.publicKey.thumbprint)
    let other = given.files.verified(trust: certified.trust)
    #expect(words(other).contains { $0.contains("to another key") }, "\(other.findings)")
    let stranger = try Authority.make(name: "Other", at: CertifiedDay.enrolled)
    let key = SoftwareDeviceKey()
    let office = try stranger.certifyOffice(key.publicKey, at: CertifiedDay.enrolled)
    let foreign = try scene(by: (key, office))
    let report = foreign.files.verified(trust: certified.trust)
    #expect(report.sealedBetween.isEmpty)
    #expect(report.verdict != .intact, "\(report.findings)")
    var changed = try scene()
    let path = "challenges/\(changed.challenge.digest).challenge"
    changed.files[path] = Array((changed.challenge.jws + "x").utf8)
    let altered = changed.files.verified(trust: certified.trust)
    #expect(altered.verdict == .altered && altered.sealedBetween.isEmpty)
  }

  @Test("a challenge that was taken away is a note, and an old one makes the times far apart")
  func missing() throws {
    var scene = try scene(givenBefore: 3 * 365 * 86_400)
    let old = scene.files.verified(trust: certified.trust)
    // The office's certificate of these tests is younger than that challenge.
    #expect(old.sealedBetween.isEmpty && old.verdict == .doubtful)
    scene = try self.scene(givenBefore: 17 * 3600)
    let days = scene.files.verified(trust: certified.trust)
    #expect((days.sealedBetween.first?.seconds ?? 0) > 17 * 3600 && days.verdict == .intact)
    scene.files["challenges/\(scene.challenge.digest).challenge"] = nil
    let without = scene.files.verified(trust: certified.trust)
    #expect(without.verdict == .intact && without.sealedBetween.isEmpty)
    #expect(without.findings.contains { $0.check == .times && $0.message.contains("is not here") })
  }
}
