import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import Testing
import TimeAndText
import X509

@testable import Evidence
@testable import Verification

@Suite("A key in a TPM, by the office's word")
struct AttestationTests {
  private let certified: CertifiedDay
  private let maker: [UInt8]
  private let path: String

  init() throws {
    certified = try CertifiedDay.ordinary.get()
    path = "attestations/\(certified.device.publicKey.thumbprint).attestation"
    maker = try Self.made.get()
  }

  /// A certificate of an endorsement key, as a maker of TPMs would issue it.
  private static let made = Result<[UInt8], any Error> {
    let key = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
    let name = try DistinguishedName { CommonName("A maker of TPMs") }
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key.publicKey,
      notValidBefore: Date(timeIntervalSince1970: 0),
      notValidAfter: Date(timeIntervalSince1970: 4_000_000_000), issuer: name, subject: name,
      signatureAlgorithm: .sha256WithRSAEncryption, extensions: .init(), issuerPrivateKey: key)
    return Array(try certificate.serializeAsPEM().derBytes)
  }

  /// The description that a TPM gives of a key, with its properties in the seventh byte and about it.
  private func area(of key: DevicePublicKey, properties: [UInt8] = [0, 4, 4, 0x72]) -> [UInt8] {
    return [0, 0x23, 0, 0x0B] + properties + [0, 0, 0, 0x10, 0, 0x10, 0, 3, 0, 0x10]
      + [0, 32] + key.x + [0, 32] + key.y
  }

  private func verified(
    area: [UInt8]? = nil, maker: [UInt8]? = nil, root: String? = "CN=A root",
    key named: String? = nil, agency: String? = nil, signed: DeviceTime? = nil,
    by signer: (key: SoftwareDeviceKey, certificate: EvidenceCertificate)? = nil,
    changed: (String) -> String = { $0 }
  ) throws -> VerificationReport {
    let key = certified.device.publicKey
    let signer = signer ?? (certified.officeKey, certified.office)
    let attestation = try KeyAttestation(
      .init(
        agency: agency ?? certified.device.subject?.agency ?? "", key: named ?? key.thumbprint,
        time: certified.day.now, signed: signed, area: area ?? self.area(of: key),
        makersCertificate: maker ?? self.maker, root: root),
      signedWith: signer.key, certificate: signer.certificate)
    var files = try certified.folder()
    files[path] = Array(changed(attestation.jws).utf8)
    return files.verified(trust: certified.trust)
  }

  @Test(
    "what the office says of a key in a TPM is told, with the maker that it knows or does not know")
  func told() throws {
    let known = try verified()
    expectIntact(known, seals: certified.day.entries.count)
    #expect(
      known.findings.contains {
        $0.subject == path && $0.message.contains("CN=A root vouches")
      })
    let unknown = try verified(root: nil)
    expectIntact(unknown, seals: certified.day.entries.count)
    #expect(unknown.findings.contains { $0.message.contains("a program can pretend to be a TPM") })
  }

  @Test("a TPM's description of another key in the office's word: certificate, doubtful")
  func anotherKey() throws {
    expect(
      try verified(area: area(of: SoftwareDeviceKey().publicKey)), .doubtful, .certificate,
      about: path, says: "another key")
  }

  @Test("a key that could leave its TPM, or came from outside: certificate, doubtful")
  func leaves() throws {
    let key = certified.device.publicKey
    // Without fixedTPM, fixedParent or sensitiveDataOrigin, and one that is bound by a policy.
    for properties: [UInt8] in [
      [0, 4, 4, 0x70], [0, 4, 4, 0x62], [0, 4, 4, 0x52], [0, 4, 4, 0xF2],
    ] {
      expect(
        try verified(area: area(of: key, properties: properties)), .doubtful, .certificate,
        about: path, says: "could leave it")
    }
    expect(
      try verified(area: [1, 2, 3]), .doubtful, .certificate, about: path,
      says: "not that of a P-256 key")
    expect(
      try verified(maker: [0x30, 0x82, 0, 1, 0]), .doubtful, .certificate, about: path,
      says: "no certificate of its maker")
  }

  @Test("an attestation of a key by another office: certificate, doubtful")
  func anotherOffice() throws {
    let key = SoftwareDeviceKey()
    let other = try Authority.make(name: "Other office", at: CertifiedDay.enrolled)
    let certificate = try other.certifyOffice(key.publicKey, at: CertifiedDay.enrolled)
    expect(
      try verified(by: (key, certificate)), .doubtful, .certificate, about: path)
  }

  @Test("an attestation of a key with one letter changed: certificate, altered")
  func changed() throws {
    let report = try verified { jws in
      var parts = jws.split(separator: ".").map(String.init)
      parts[1] =
        String(parts[1].prefix(40)) + (parts[1].dropFirst(40).first == "A" ? "B" : "A")
        + parts[1].dropFirst(41)
      return parts.joined(separator: ".")
    }
    expect(report, .altered, .certificate, about: path)
  }

  @Test(
    "an attestation that is about another key or agency than its place says: certificate, doubtful")
  func misplaced() throws {
    let other = SoftwareDeviceKey().publicKey
    expect(
      try verified(area: area(of: other), key: other.thumbprint), .doubtful, .certificate,
      about: path)
    expect(
      try verified(agency: "elsewhere"), .doubtful, .certificate, about: path, says: "agency")
  }

  @Test("an attestation that the office has signed again, with a later key, holds as on its day")
  func signedAgain() throws {
    let (key, later) = (SoftwareDeviceKey(), certified.day.now.advanced(bySeconds: 3_600))
    let certificate = try certified.authority.certifyOffice(key.publicKey, at: later)
    let report = try verified(signed: later, by: (key, certificate))
    expectIntact(report, seals: certified.day.entries.count)
    expect(
      try verified(by: (key, certificate)), .doubtful, .certificate, about: path,
      says: "was not valid when it signed")
  }

  @Test("a file of that ending elsewhere is no attestation")
  func elsewhere() throws {
    var files = try certified.folder()
    files["notes.attestation"] = Array("my notes".utf8)
    let report = files.verified(trust: certified.trust)
    #expect(!report.findings.contains { $0.check == .certificate && $0.severity == .altered })
  }
}
