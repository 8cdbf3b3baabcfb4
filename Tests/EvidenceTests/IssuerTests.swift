import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// Attacks with certificates on the question of the key's issuer.
@Suite("Certificates and the issuer")
struct IssuerTests {
  private let certified: CertifiedDay
  private let trust: Trust

  init() throws {
    certified = try CertifiedDay.ordinary.get()
    trust = certified.trust
    let report = try certified.folder().verified(trust: trust)
    expectIntact(report, seals: certified.day.entries.count)
    #expect(report.issuer == .trusted)
    #expect(report.issuerFingerprint == certified.authority.certificate.fingerprint)
  }

  private var day: FieldDay { certified.day }
  private var key: String { day.key.publicKey.thumbprint }
  private var first: FieldDay.Sealed { day.entries[0] }

  private func certificate(
    for subject: DeviceSubject? = nil, at time: DeviceTime = CertifiedDay.enrolled
  ) throws -> EvidenceCertificate {
    try certified.authority.certify(
      day.key.publicKey, subject: subject ?? CertifiedDay.subject(of: day), at: time)
  }

  private func folder(_ certificates: EvidenceCertificate...) throws -> MemoryFiles {
    try certified.folder(certificates: certificates + [certified.authority.certificate])
  }

  @Test("without --trust the issuer is unknown, and the authority's fingerprint is told")
  func untrusted() throws {
    let report = try certified.folder().verified()
    expectIntact(report, seals: day.entries.count)
    #expect(report.issuer == .unknown)
    #expect(report.issuerFingerprint == certified.authority.certificate.fingerprint)
    #expect(!report.findings.contains { $0.check == .certificate || $0.check == .receipt })
  }

  @Test("a fingerprint is as good as the certificate, where the certificate is there")
  func fingerprint() throws {
    let fingerprint = try Trust(certified.authority.certificate.fingerprint.uppercased())
    #expect(try certified.folder().verified(trust: fingerprint).issuer == .trusted)
    let alone = try certified.folder(certificates: [certified.device])
    #expect(alone.verified(trust: fingerprint).issuer == .unknown)
    #expect(alone.verified(trust: trust).issuer == .trusted)
    // The certificate of a device or an office is no authority, even if it is trusted.
    for other in [certified.device, certified.office] {
      #expect(
        try certified.folder().verified(trust: .fingerprint(other.fingerprint)).issuer == .unknown)
      #expect(try certified.folder().verified(trust: .certificate(other)).issuer == .unknown)
    }
  }

  @Test("nothing sealed is never trusted")
  func nothing() throws {
    var files = MemoryFiles()
    files[CertifiedDay.certificatePath] = try certified.folder()[CertifiedDay.certificatePath]
    let report = files.verified(trust: trust)
    #expect(report.checked == 0)
    #expect(report.issuer == .unknown)
  }

  @Test("certificates and receipts in several places say nothing new")
  func copies() throws {
    var folder = try certified.folder()
    for prefix in ["field/", "office/", "office/more/"] {
      for path in [CertifiedDay.certificatePath, CertifiedDay.receiptPath] {
        folder[prefix + path] = folder[path]
      }
    }
    folder["certificates/authority.pem"] = Array(certified.authority.certificate.pem.utf8)
    let report = folder.verified(trust: trust)
    expectIntact(report, seals: day.entries.count)
    #expect(report.issuer == .trusted)
    #expect(try report.findings == certified.folder().verified(trust: trust).findings)
  }

  @Test("no certificate for a key: issuer unknown, and nothing else")
  func none() throws {
    let without = try certified.folder(certificates: [], receipts: [])
    var bare = without
    bare[CertifiedDay.certificatePath] = nil
    for files in [bare, try certified.folder(certificates: [certified.authority.certificate])] {
      let report = files.verified(trust: trust)
      expectIntact(report, seals: day.entries.count)
      #expect(report.issuer == .unknown)
      #expect(report.issuerFingerprint == nil)
      expect(report, .intact, .certificate, about: key, says: "vouches for this key")
    }
  }

  @Test("a certificate changed: certificate, altered")
  func changed() throws {
    for (text, other) in [("ada", "bob"), ("example", "another"), (day.context.device, "x")] {
      let length = text.utf8.count
      let padded = other + String(repeating: "x", count: length - other.utf8.count)
      let report = try folder(try certified.device.forged(text, to: padded))
        .verified(trust: trust)
      expect(report, .altered, .certificate, about: CertifiedDay.certificatePath)
      #expect(report.issuer == .unknown)
      // The certificate names its authority, which may lie elsewhere or be the trusted one.
      var apart = try certified.folder(certificates: [
        try certified.device.forged(text, to: padded)
      ])
      expect(
        apart.verified(trust: trust), .altered, .certificate,
        about: CertifiedDay.certificatePath)
      apart["office/certificates/ca.pem"] = Array(certified.authority.certificate.pem.utf8)
      expect(apart.verified(), .altered, .certificate, about: CertifiedDay.certificatePath)
    }
  }

  @Test("each byte of a certificate changed: never trusted, and never a trap")
  func everyByte() throws {
    let der = certified.device.der
    for index in der.indices {
      var bytes = der
      bytes[index] ^= 0x04
      guard let changed = try? EvidenceCertificate(der: bytes) else { continue }
      #expect(!changed.isIssued(by: certified.authority.certificate), "byte \(index)")
      if index % 8 == 0 {
        let report = try folder(changed).verified(trust: trust)
        #expect(report.issuer == .unknown, "byte \(index)")
      }
    }
  }

  @Test("a certificate that another authority made: issuer unknown")
  func otherAuthority() throws {
    // One authority has its own name, the other the name of the true one.
    for name in ["Mallory's", "Example Agency"] {
      let other = try Authority.make(name: name, at: CertifiedDay.enrolled)
      let forged = try other.certify(
        day.key.publicKey, subject: CertifiedDay.subject(of: day), at: CertifiedDay.enrolled)
      let files = try certified.folder(certificates: [forged, other.certificate], receipts: [])
      let report = files.verified(trust: trust)
      #expect(report.issuer == .unknown)
      #expect(report.issuerFingerprint == other.certificate.fingerprint)
      expectIntact(report, seals: day.entries.count)
      expect(report, .intact, .certificate, about: key, says: "does not vouch")
      // Without the authority's certificate its maker is unknown.
      let alone = try certified.folder(certificates: [forged], receipts: []).verified(trust: trust)
      expectIntact(alone, seals: day.entries.count)
      #expect(alone.issuer == .unknown)
      #expect(alone.issuerFingerprint == nil)
      // Beside the true authority's certificate it counts as altered only if it names that
      // authority.
      let beside = try folder(forged).verified(trust: trust)
      #expect(beside.verdict == (name == "Mallory's" ? .intact : .altered))
      #expect(beside.issuer == .unknown)
    }
  }

  @Test("a whole bundle made again under another authority: issuer unknown")
  func madeAgain() throws {
    var other = day
    other.key = SoftwareDeviceKey()
    for entry in day.entries where entry.kind != .deletion {
      other.change(entry.id, ["device", "key"], to: .string(other.key.publicKey.thumbprint))
    }
    let deleted = try #require(other.entries.first { $0.isDeleted })
    let deletion = try #require(other.entries.first { $0.kind == .deletion })
    other.change(
      deletion.id, ["device", "key"], to: .string(other.key.publicKey.thumbprint))
    other.change(
      deletion.id, ["deletion", "record"],
      to: .string(Digest.hexadecimal(deleted.record.canonicalBytes)))
    // The forger's authority even takes the name of the true one.
    let forger = try Authority.make(name: "Example Agency", at: CertifiedDay.enrolled)
    let office = SoftwareDeviceKey()
    var files = try other.folder()
    let device = try forger.certify(
      other.key.publicKey, subject: CertifiedDay.subject(of: day), at: CertifiedDay.enrolled)
    files[CertifiedDay.certificatePath] = Array(
      (device.pem + forger.certificate.pem).utf8)
    let receipt = try CertifiedDay.receipt(
      for: other, key: office,
      certificate: try forger.certifyOffice(office.publicKey, at: CertifiedDay.enrolled))
    files[CertifiedDay.receiptPath] = Array(receipt.jws.utf8)
    let untrusted = files.verified()
    expectIntact(untrusted, seals: day.entries.count)
    #expect(untrusted.issuerFingerprint == forger.certificate.fingerprint)
    let report = files.verified(trust: trust)
    #expect(report.issuer == .unknown)
    // The forger's receipt is another authority's as well.
    expect(report, .doubtful, .receipt, about: CertifiedDay.receiptPath)
  }

  @Test("the true certificate beside a forger's: the trusted authority's word counts")
  func bothAuthorities() throws {
    let other = try Authority.make(name: "Mallory's", at: CertifiedDay.enrolled)
    var subject = CertifiedDay.subject(of: day)
    subject.inspector = "bob"
    let forged = try other.certify(
      day.key.publicKey, subject: subject, at: CertifiedDay.enrolled)
    let files = try certified.folder(certificates: [
      forged, other.certificate, certified.device, certified.authority.certificate,
    ])
    let trusted = files.verified(trust: trust)
    expectIntact(trusted, seals: day.entries.count)
    #expect(trusted.issuer == .trusted)
    #expect(trusted.issuerFingerprint == certified.authority.certificate.fingerprint)
    // Without trust two authorities vouch, so that there is no single fingerprint to compare.
    let untrusted = files.verified()
    #expect(untrusted.issuer == .unknown)
    #expect(untrusted.issuerFingerprint == nil)
    // A verifier who trusts the forger learns that the record is not bob's.
    expect(
      files.verified(trust: .certificate(other.certificate)), .doubtful, .certificate,
      about: first.sealPath, says: "bob")
  }

  @Test("a crowd of authorities does not push the trusted one out, and is told")
  func crowd() throws {
    var files = try certified.folder(receipts: [])
    // The paths sort before and after the true one.
    for number in 0..<CertificateBook.mostAuthorities {
      let other = try Authority.make(name: "Crowd \(number)", at: CertifiedDay.enrolled)
      let path = "certificates/\(number % 2 == 0 ? "a" : "z")\(number).pem"
      files[path] = Array(other.certificate.pem.utf8)
    }
    for trust in [trust, .fingerprint(trust.fingerprint)] {
      let report = files.verified(trust: trust)
      #expect(report.issuer == .trusted)
      #expect(report.verdict == .doubtful)
      #expect(report.findings.count { $0.check == .certificate } == 1)
    }
    files["certificates/a0.pem"] = nil
    expectIntact(files.verified(trust: trust), seals: day.entries.count)
  }

  @Test("one key of two is not certified: issuer unknown")
  func oneOfTwo() throws {
    var files = try certified.folder()
    var other = try FieldDay(seed: 5)
    other.note("from another device")
    files[other.entries[0].sealPath] = try other.folder()[other.entries[0].sealPath]
    let report = files.verified(trust: trust)
    #expect(report.issuer == .unknown)
    #expect(report.issuerFingerprint == certified.authority.certificate.fingerprint)
    expect(report, .intact, .certificate, about: other.key.publicKey.thumbprint)
  }

  @Test("a certificate of another person, agency or device: certificate, doubtful")
  func otherPerson() throws {
    for change: (inout DeviceSubject) -> Void in [
      { $0.inspector = "bob" }, { $0.agency = "elsewhere" }, { $0.device = "another-device" },
    ] {
      var subject = CertifiedDay.subject(of: day)
      change(&subject)
      let report = try folder(try certificate(for: subject)).verified(trust: trust)
      for entry in day.entries {
        expect(report, .doubtful, .certificate, about: entry.sealPath)
      }
      // The authority has certified the key nevertheless.
      #expect(report.issuer == .trusted)
    }
  }

  @Test("sealed with the key of the office's receipts: certificate, doubtful")
  func officeKey() throws {
    let office = try certified.authority.certifyOffice(
      day.key.publicKey, at: CertifiedDay.enrolled)
    expect(
      try folder(office).verified(trust: trust), .doubtful, .certificate, about: first.sealPath,
      says: "not certified for any inspector")
  }

  @Test("a record made after the certificate ended, or before it began: certificate, doubtful")
  func expired() throws {
    let time = try #require(
      first.record["time"]?["device"]?.text.flatMap(DeviceTime.init(rfc3339:)))
    let later = try certificate(at: time.advanced(bySeconds: 86_400))
    expect(
      try folder(later).verified(trust: trust), .doubtful, .certificate, about: first.sealPath,
      says: "valid from")
    let ended = try certificate(at: time.advanced(bySeconds: -3654 * 86_400))
    #expect(ended.notAfter < time)
    expect(
      try folder(ended).verified(trust: trust), .doubtful, .certificate, about: first.sealPath,
      says: "valid from")
    // A renewed certificate for the same key: each record lies within one of the two.
    expectIntact(
      try folder(ended, certified.device).verified(trust: trust), seals: day.entries.count)
  }

  @Test("clocks of office and device may differ by 300 s, and not by 301")
  func validityLimits() throws {
    var day = try FieldDay(seed: 6)
    day.note("one record")
    func report(_ begin: DeviceTime) throws -> VerificationReport {
      let certificate = try certified.authority.certify(
        day.key.publicKey, subject: CertifiedDay.subject(of: day), at: begin)
      var files = try day.folder()
      files[CertifiedDay.certificatePath] = Array(certificate.pem.utf8)
      return files.verified(trust: trust)
    }
    let years = 3652 * 86_400.0
    for (offset, verdict) in [
      (300.0, EvidenceVerdict.intact), (301, .doubtful), (-years - 300, .intact),
      (-years - 301, .doubtful), (0, .intact),
    ] {
      #expect(
        try report(day.now.advanced(bySeconds: offset)).verdict == verdict, "\(offset) s")
    }
  }

  @Test("a simulated record is judged like any other")
  func simulated() throws {
    var day = try FieldDay(seed: 7)
    day.note("demonstration")
    day.change(day.entries[0].id, ["simulated"], to: .bool(true))
    let certificate = try certified.authority.certify(
      day.key.publicKey, subject: CertifiedDay.subject(of: day),
      at: day.now.advanced(bySeconds: 86_400))
    var files = try day.folder()
    files[CertifiedDay.certificatePath] = Array(certificate.pem.utf8)
    expect(
      files.verified(trust: trust), .doubtful, .certificate, about: day.entries[0].sealPath)
  }

  @Test("a record that does not say when: certificate, doubtful")
  func noTime() throws {
    var changed = day
    changed.change(first.id, ["time"], to: nil)
    var files = try changed.folder()
    files[CertifiedDay.certificatePath] = try certified.folder()[CertifiedDay.certificatePath]
    expect(
      files.verified(trust: trust), .doubtful, .certificate, about: first.sealPath,
      says: "does not say when")
  }

  @Test("an authority's own certificate changed: certificate, altered")
  func authorityChanged() throws {
    let forged = try certified.authority.certificate.forged("Example", to: "Exomple")
    let report = try certified.folder(certificates: [certified.device, forged]).verified()
    expect(report, .altered, .certificate, about: CertifiedDay.certificatePath)
    #expect(report.issuerFingerprint == nil)
  }

  @Test("files that are no certificates, or hold more than certificates: certificate, altered")
  func nonsense() throws {
    let pem = certified.device.pem
    for text in [
      "", "certificate", String(pem.dropLast(30)), pem.replacing("M", with: "N"),
      pem + certified.authority.keyPEM, "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
    ] {
      var files = try certified.folder()
      files["certificates/other.pem"] = Array(text.utf8)
      expect(
        files.verified(trust: trust), .altered, .certificate, about: "certificates/other.pem")
    }
    var files = try certified.folder()
    files["certificates/other.pem"] = [0xFF, 0xFE, 0]
    expect(files.verified(), .altered, .certificate, about: "certificates/other.pem")
    files.unreadable = ["certificates/other.pem"]
    expect(files.verified(), .incomplete, .certificate, about: "certificates/other.pem")
    // The verifier ignores certificates in other folders.
    files = try certified.folder()
    files["tls/server.pem"] = [1]
    expectIntact(files.verified(), seals: day.entries.count)
  }

  @Test("a single photo is trusted with the certificates that lie beside it")
  func single() throws {
    let photo = day.captures[0]
    let all = try certified.folder()
    var files = MemoryFiles()
    for path in [photo.path, photo.rawPath, photo.sealPath, CertifiedDay.certificatePath] {
      files[path] = all[path]
    }
    let report = files.verified(trust: trust, .single)
    expectIntact(report, seals: 1)
    #expect(report.issuer == .trusted)
  }

  @Test("what names the authority to trust: PEM, or 64 digits with colons, blanks and capitals")
  func trustTexts() throws {
    let certificate = certified.authority.certificate
    let digits = certificate.fingerprint
    let colons = stride(from: 0, to: 64, by: 2).map {
      String(Array(digits)[$0..<($0 + 2)]).uppercased()
    }.joined(separator: ":")
    #expect(try Trust(certificate.pem) == .certificate(certificate))
    #expect(try Trust(digits) == .fingerprint(digits))
    #expect(try Trust(" \(colons)\n") == .fingerprint(digits))
    #expect(try Trust(certificate.pem).fingerprint == digits)
    for text in [
      "", "0a", digits + "0", String(digits.dropLast()), String(digits.dropLast()) + "g",
      certificate.pem + certificate.pem, certified.device.pem, certified.authority.keyPEM,
      "-----BEGIN CERTIFICATE-----", String(digits.dropLast()) + "٣",
    ] {
      #expect(throws: EvidenceError.self, "\(text.prefix(30))") { try Trust(text) }
    }
  }
}
