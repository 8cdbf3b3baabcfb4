import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText
import Transparency

@testable import Evidence
@testable import Verification

@Suite("The office's keys that others have followed")
struct OfficeKeyTests {
  private let certified: CertifiedDay
  private let follower: Authority.Follower
  private let key = SoftwareDeviceKey()
  private let office: EvidenceCertificate
  private static let path = "revocations/office.office-key-revocation"

  init() throws {
    certified = try CertifiedDay.ordinary.get()
    follower = try certified.authority.follower(
      at: CertifiedDay.enrolled, with: SoftwareDeviceKey())
    office = try follower.authority.certifyOffice(key.publicKey, at: CertifiedDay.enrolled)
  }

  /// The certificates of a bundle of an office that has had two authorities.
  private var all: [EvidenceCertificate] {
    [
      certified.device, certified.authority.certificate, follower.authority.certificate,
      follower.byEarlier, follower.ofEarlier,
    ]
  }

  private func receipt(
    _ certificate: EvidenceCertificate, _ key: SoftwareDeviceKey
  ) throws -> Receipt {
    try CertifiedDay.receipt(for: certified.day, key: key, certificate: certificate)
  }

  private func revocation(of revoked: DevicePublicKey) throws -> [UInt8] {
    Array(
      try OfficeKeyRevocation(
        key: revoked.thumbprint, time: certified.day.now, reason: "stolen", entries: 1000,
        signedWith: key, certificate: office
      ).jws.utf8)
  }

  @Test("two authorities that vouch for each other are one office, whichever of them is trusted")
  func oneOffice() throws {
    let files = try certified.folder(certificates: all, receipts: [receipt(office, key)])
    for trust in [
      Trust.certificate(certified.authority.certificate),
      .certificate(follower.authority.certificate),
      .fingerprint(certified.authority.certificate.fingerprint),
    ] {
      let report = files.verified(trust: trust)
      expectIntact(report, seals: certified.day.entries.count)
      #expect(report.issuer == .trusted)
    }
    expectIntact(files.verified(trust: nil), seals: certified.day.entries.count)
    // The bridge that a statement brings is enough.
    let carried = office.carrying([follower.byEarlier])
    let short = try certified.folder(receipts: [receipt(carried, key)])
    expectIntact(short.verified(trust: certified.trust), seals: certified.day.entries.count)
  }

  @Test("an authority that says it follows another one, whose word is missing: receipt, doubtful")
  func notFollowed() throws {
    // The new authority vouches for the earlier one, as anybody's authority could.
    let files = try certified.folder(
      certificates: [
        certified.device, certified.authority.certificate, follower.authority.certificate,
        follower.ofEarlier,
      ], receipts: [receipt(office, key)])
    for trust in [certified.trust, nil] {
      expect(
        files.verified(trust: trust), .doubtful, .receipt, about: CertifiedDay.receiptPath,
        says: "different authority")
    }
  }

  @Test("a certificate between two authorities that neither has signed: certificate, altered")
  func forgedBridge() throws {
    let other = try Authority.make(
      name: "Example Agency", at: CertifiedDay.enrolled)
    // It names the earlier authority's key and carries a stranger's signature.
    var bytes = follower.byEarlier.der
    bytes[bytes.count - 1] ^= 1
    let forged = try EvidenceCertificate(der: bytes)
    let files = try certified.folder(
      certificates: [certified.device, certified.authority.certificate, forged])
    expect(
      files.verified(trust: certified.trust), .altered, .certificate,
      about: CertifiedDay.certificatePath)
    // One of a stranger of the same name is only noted.
    let strange = try other.follower(at: CertifiedDay.enrolled, with: SoftwareDeviceKey())
    let noted = try certified.folder(
      certificates: [certified.device, certified.authority.certificate, strange.byEarlier])
    let report = noted.verified(trust: certified.trust)
    expectIntact(report, seals: certified.day.entries.count)
    #expect(report.findings.contains { $0.message.contains("is not here") })
  }

  @Test("a receipt under a revoked key of the office that its log does not show: receipt, doubtful")
  func revokedReceipts() throws {
    var files = try certified.folder(certificates: all)
    files[Self.path] = try revocation(of: certified.officeKey.publicKey)
    let report = files.verified(trust: certified.trust)
    expect(
      report, .doubtful, .receipt, about: CertifiedDay.receiptPath,
      says: "no log shows that it was there before")
    #expect(report.witnesses.seals == 0)
  }

  @Test("a record under a revoked authority that no log shows: certificate, doubtful")
  func revokedAuthority() throws {
    var files = try certified.folder(certificates: all, receipts: [receipt(office, key)])
    files[Self.path] = try revocation(of: certified.authority.certificate.publicKey)
    expect(
      files.verified(trust: .certificate(follower.authority.certificate)), .doubtful, .certificate,
      about: certified.day.entries[0].sealPath, says: "was revoked")
  }

  @Test("a revocation that an office's key or its authority makes of itself: revoked, doubtful")
  func itself() throws {
    for revoked in [key.publicKey, follower.authority.certificate.publicKey] {
      var files = try certified.folder(certificates: all)
      files[Self.path] = try revocation(of: revoked)
      expect(
        files.verified(trust: certified.trust), .doubtful, .revoked, about: Self.path,
        says: "it does not count")
    }
  }

  @Test("an authority that a thief lets follow a revoked one: issuer unknown")
  func thiefsFollower() throws {
    // The present authority vouches for the stolen one, and the stolen one for the thief's.
    let thief = try certified.authority.follower(
      at: certified.day.now, with: SoftwareDeviceKey())
    let thiefsKey = SoftwareDeviceKey()
    let thiefsOffice = try thief.authority.certifyOffice(
      thiefsKey.publicKey, at: CertifiedDay.enrolled)
    let device = try thief.authority.certify(
      certified.day.key.publicKey, subject: CertifiedDay.subject(of: certified.day),
      at: CertifiedDay.enrolled)
    var files = try certified.folder(
      certificates: [
        device, thief.authority.certificate, thief.byEarlier, thief.ofEarlier,
        certified.authority.certificate, follower.authority.certificate, follower.byEarlier,
        follower.ofEarlier,
      ], receipts: [receipt(thiefsOffice, thiefsKey)])
    let trust = Trust.certificate(follower.authority.certificate)
    // Nobody has told yet: to who knows the stolen key alone it is as good as the office's. The present authority
    // vouches for the stolen one, and not for whom that one lets in.
    #expect(files.verified(trust: certified.trust).issuer == .trusted)
    #expect(files.verified(trust: trust).issuer == .unknown)
    files[Self.path] = try revocation(of: certified.authority.certificate.publicKey)
    let report = files.verified(trust: trust)
    #expect(report.issuer == .unknown && report.verdict == .doubtful, "\(report.findings)")
    #expect(report.witnesses.seals == 0)
    // A reader who still trusts the stolen one is told so.
    let told = files.verified(trust: certified.trust)
    expect(told, .doubtful, .revoked, about: Self.path, says: "the authority that you trust")
  }

  @Test("what another office's log shows says nothing of a receipt under a revoked key")
  func otherLog() throws {
    let stranger = try Authority.make(name: "Example Agency", at: CertifiedDay.enrolled)
    let strangersKey = SoftwareDeviceKey()
    let strangers = try stranger.certifyOffice(strangersKey.publicKey, at: CertifiedDay.enrolled)
    var files = try certified.folder(certificates: all)
    files["certificates/stranger.pem"] = Array(stranger.certificate.pem.utf8)
    files[Self.path] = try revocation(of: certified.officeKey.publicKey)
    func proof(_ key: SoftwareDeviceKey, _ certificate: EvidenceCertificate) throws -> [UInt8] {
      let receipt = certified.receipt
      let line = JSONValue.object([
        "action": .string("delivery-received"), "subject": .string("\(receipt.batch)"),
        "detail": .string("1 records, " + BundleList.receiptWords(receipt)),
      ]).canonicalBytes
      let signer = try NoteSigner(name: "log/1", kind: .log)
      let leaf = try #require(TreeHash.leaf(ofHexadecimal: Digest.hexadecimal(line)))
      let checkpoint = Checkpoint(origin: "log/1", size: 1, root: leaf)
      let note = try SignedNote(text: checkpoint.text, signedBy: signer, at: certified.day.now)
      return Array(
        try ReceiptProof(
          of: receipt, entry: 1, log: signer.key.text,
          proof: TreeProof.text(ofEntry: 0, extra: line, [], in: note), given: certified.day.now,
          signedWith: key, certificate: certificate
        ).jws.utf8)
    }
    for (signer, certificate, holds) in [
      (strangersKey, strangers, false), (key, office, true),
    ] {
      files["receipts/x.receipt-proof"] = try proof(signer, certificate)
      let report = files.verified(trust: nil)
      #expect((report.witnesses.seals == report.checked) == holds, "\(report.findings)")
      #expect((report.verdict == .intact) == holds)
    }
  }

  @Test("an authority that only a statement brings gains nothing by a revoked one")
  func bridgeInStatement() throws {
    let thief = try certified.authority.follower(at: certified.day.now, with: SoftwareDeviceKey())
    let thiefsKey = SoftwareDeviceKey()
    let thiefsOffice = try thief.authority.certifyOffice(
      thiefsKey.publicKey, at: CertifiedDay.enrolled
    ).carrying([thief.byEarlier])
    var files = try certified.folder(
      certificates: all, receipts: [receipt(thiefsOffice, thiefsKey)])
    files[Self.path] = try revocation(of: certified.authority.certificate.publicKey)
    let succession = try KeySuccession(
      follower: "x", time: certified.day.now, signedWith: thiefsKey, certificate: thiefsOffice)
    files["certificates/x.succession"] = Array(succession.jws.utf8)
    let report = files.verified(trust: .certificate(follower.authority.certificate))
    #expect(report.witnesses.seals == 0 && report.verdict == .doubtful, "\(report.findings)")
    expect(
      report, .doubtful, .certificate, about: "certificates/x.succession",
      says: "different authority")
  }

  @Test("a revocation by a key that came before, or is another office's: revoked, doubtful")
  func earlierKeys() throws {
    var files = try certified.folder(certificates: all, receipts: [receipt(office, key)])
    let stranger = try Authority.make(name: "Example Agency", at: certified.day.now)
    let strangersKey = SoftwareDeviceKey()
    let strangers = try stranger.certifyOffice(strangersKey.publicKey, at: certified.day.now)
    files["certificates/stranger.pem"] = Array(stranger.certificate.pem.utf8)
    for (signer, certificate) in [
      (certified.officeKey, certified.office), (strangersKey, strangers),
    ] {
      for revoked in [key.publicKey, follower.authority.certificate.publicKey] {
        let forged = try OfficeKeyRevocation(
          key: revoked.thumbprint, time: certified.day.now, reason: "spite", entries: 0,
          signedWith: signer, certificate: certificate)
        files[Self.path] = Array(forged.jws.utf8)
        let report = files.verified(trust: nil)
        expect(report, .doubtful, .revoked, about: Self.path, says: "does not")
        // Nothing else is touched by it.
        #expect(report.witnesses.seals == report.checked)
      }
    }
  }

  @Test("a succession or a revocation of an office's key changed: revoked, altered")
  func changed() throws {
    var files = try certified.folder(certificates: all)
    let succession = try KeySuccession(
      follower: key.publicKey.thumbprint, time: certified.day.now,
      signedWith: certified.officeKey, certificate: certified.office)
    files["certificates/x.succession"] = Array(succession.jws.utf8)
    expectIntact(files.verified(trust: certified.trust), seals: certified.day.entries.count)
    files["certificates/x.succession"] = Array(succession.jws.dropLast(4).utf8)
    expect(
      files.verified(trust: certified.trust), .altered, .certificate,
      about: "certificates/x.succession")
    files["certificates/x.succession"] = nil
    for bytes in [Array("x".utf8), Array(succession.jws.utf8)] {
      files[Self.path] = bytes
      expect(files.verified(trust: certified.trust), .altered, .revoked, about: Self.path)
    }
  }

  @Test("a certificate that a thief dates wrongly does not turn the way between authorities")
  func wrongDates() throws {
    // With the earliest authority's key anybody can certify the middle one's key with any time.
    let third = try follower.authority.follower(at: certified.day.now, with: SoftwareDeviceKey())
    let direct = try third.authority.bridge(toEarlier: certified.authority.certificate)
    let thirdKey = SoftwareDeviceKey()
    let thirdOffice = try third.authority.certifyOffice(
      thirdKey.publicKey, at: CertifiedDay.enrolled)
    let revocation = try OfficeKeyRevocation(
      key: follower.authority.certificate.publicKey.thumbprint, time: certified.day.now,
      reason: "stolen", entries: 9, signedWith: thirdKey, certificate: thirdOffice)
    for seconds in [-1.5e9, 1.5e9] {
      let other = try Authority.make(
        name: "Example Agency", at: CertifiedDay.enrolled.advanced(bySeconds: seconds),
        with: follower.authority.signer)
      let dated = try certified.authority.bridge(toEarlier: other.certificate)
      var files = try certified.folder(
        certificates: all + [
          third.authority.certificate, third.byEarlier, third.ofEarlier, direct, dated,
        ], receipts: [receipt(thirdOffice, thirdKey)])
      files[Self.path] = Array(revocation.jws.utf8)
      let report = files.verified(trust: .certificate(third.authority.certificate))
      expectIntact(report, seals: certified.day.entries.count)
      expect(report, .intact, .revoked, about: Self.path, says: "stolen")
    }
  }

  @Test("ways of bridges between authorities end, whatever stands in them")
  func circles() throws {
    // Forty authorities that all vouch for each other's key would be a way without end.
    var chain = [certified.authority]
    var bridges: [EvidenceCertificate] = []
    for _ in 0..<40 {
      let next = try chain[chain.count - 1].follower(
        at: CertifiedDay.enrolled, with: SoftwareDeviceKey())
      chain.append(next.authority)
      bridges += [next.byEarlier, next.ofEarlier]
    }
    let files = try certified.folder(
      certificates: [certified.device] + chain.map(\.certificate) + bridges)
    let report = files.verified(trust: certified.trust)
    #expect(report.issuer == .trusted)
    #expect(office.carrying(bridges).bridges.count == EvidenceCertificate.mostBridges)
    #expect(!office.carrying(bridges).isVouched(by: certified.authority.certificate))
  }
}
