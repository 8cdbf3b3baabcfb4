import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

@Suite("Keys that were revoked")
struct RevocationTests {
  private let certified: CertifiedDay
  private static let path = "revocations/key.revocation"

  init() throws { certified = try CertifiedDay.ordinary.get() }

  private func folder(_ jws: String, receipts: [Receipt]? = nil) throws -> MemoryFiles {
    var files = try certified.folder(receipts: receipts)
    files[Self.path] = Array(jws.utf8)
    return files
  }

  @Test("what the office held before it revoked the key stays valid, and the revocation is told")
  func before() throws {
    // The receipt is a minute later than the last record.
    let revocation = try certified.revocation(afterSeconds: 61)
    let report = try folder(revocation.jws).verified(trust: certified.trust)
    expectIntact(report, seals: certified.day.entries.count)
    expect(report, .intact, .revoked, about: Self.path, says: "stolen")
    #expect(report.issuer == .trusted)
  }

  @Test("a record that no office held before its key was revoked: revoked, doubtful")
  func after() throws {
    let late = try certified.revocation(afterSeconds: 59)
    let first = certified.day.entries[0].sealPath
    expect(
      try folder(late.jws).verified(trust: certified.trust), .doubtful, .revoked, about: first,
      says: "no office had it by then")
    // A thief with the key can claim an earlier time, and has no receipt.
    expect(
      try folder(try certified.revocation(afterSeconds: 999).jws, receipts: []).verified(
        trust: certified.trust), .doubtful, .revoked, about: first, says: "revoked at")
  }

  @Test("a revocation changed: revoked, altered")
  func changed() throws {
    let jws = try certified.revocation(afterSeconds: 61).jws
    var parts = jws.split(separator: ".").map(String.init)
    let payload = try #require(Base64URL.bytes(parts[1]))
    let text = String(decoding: payload, as: UTF8.self).replacing("stolen", with: "lent")
    parts[1] = Base64URL.text(Array(text.utf8))
    for jws in [parts.joined(separator: "."), "", certified.receipt.jws] {
      expect(
        try folder(jws).verified(trust: certified.trust), .altered, .revoked, about: Self.path)
    }
  }

  @Test("a revocation that another authority's office, or a device, has signed: revoked, doubtful")
  func stranger() throws {
    let elsewhere = try Authority.make(name: "office", at: certified.day.now)
    let key = SoftwareDeviceKey()
    for certificate in [
      try elsewhere.certifyOffice(key.publicKey, at: certified.day.now),
      try certified.authority.certify(
        key.publicKey,
        subject: DeviceSubject(agency: "example", inspector: "bob", device: "x"),
        at: certified.day.now),
    ] {
      let revocation = try Revocation(
        agency: "example", key: certified.day.key.publicKey.thumbprint, time: certified.day.now,
        reason: "spite", signedWith: key, certificate: certificate)
      let report = try folder(revocation.jws).verified(trust: certified.trust)
      expect(report, .doubtful, .revoked, about: Self.path)
      #expect(!report.findings.contains { $0.check == .revoked && $0.subject != Self.path })
    }
  }
}
