import Crypto
import Foundation
import SwiftASN1
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// Changes that change nothing: they are told all the same.
@Suite("Files that hold and have another form")
struct FormTests {
  private let certified: CertifiedDay

  init() throws { certified = try CertifiedDay.ordinary.get() }

  private func twin(_ jws: String) throws -> String {
    try #require(CompactJWS(jws).twin)
  }

  private func told(_ files: MemoryFiles, about path: String, says words: String) -> Bool {
    let report = files.verified(trust: certified.trust)
    expectIntact(report, seals: certified.day.entries.count)
    return report.findings.contains { $0.subject == path && $0.message.contains(words) }
  }

  @Test(
    "the second signature that anybody can make of a receipt's, a revocation's or a certificate's: receipt, intact"
  )
  func secondSignatures() throws {
    let words = "not in the form that our programs write"
    let honest = try certified.folder()
    let before = honest.verified(trust: certified.trust)
    #expect(!before.findings.contains { $0.message.contains(words) })
    var files = honest
    files[CertifiedDay.receiptPath] = Array(try twin(certified.receipt.jws).utf8)
    #expect(told(files, about: CertifiedDay.receiptPath, says: words))

    files = honest
    let revocation = try Revocation(
      agency: "north", key: SoftwareDeviceKey().publicKey.thumbprint, time: certified.day.now,
      reason: "lost", signedWith: certified.officeKey, certificate: certified.office)
    files["revocations/other.revocation"] = Array(try twin(revocation.jws).utf8)
    #expect(told(files, about: "revocations/other.revocation", says: words))

    files = honest
    let device = try secondForm(of: certified.device)
    #expect(device.hasSecondSignature && !certified.device.hasSecondSignature)
    #expect(device.isIssued(by: certified.authority.certificate))
    files[CertifiedDay.certificatePath] = Array(
      (device.pem + certified.authority.certificate.pem).utf8)
    #expect(told(files, about: CertifiedDay.certificatePath, says: words))
  }

  /// The same certificate with the second signature: its DER has the higher s.
  private func secondForm(of certificate: EvidenceCertificate) throws -> EvidenceCertificate {
    guard case .constructed(let nodes) = try DER.parse(certificate.der).content else {
      throw CocoaError(.coderReadCorrupt)
    }
    let parts = Array(nodes)
    let signature = try P256.Signing.ECDSASignature(
      derRepresentation: try ASN1BitString(derEncoded: parts[2]).bytes)
    let other = try #require(ECDSATwin.other(Array(signature.rawRepresentation)))
    let written = try P256.Signing.ECDSASignature(rawRepresentation: other).derRepresentation
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { serializer in
      for part in parts.prefix(2) { serializer.serializeRawBytes(part.encodedBytes) }
      try serializer.serialize(ASN1BitString(bytes: Array(written)[...]))
    }
    return try EvidenceCertificate(der: serializer.serializedBytes)
  }

  @Test("the certificates of two devices exchanged: certificate, intact")
  func exchanged() throws {
    let key = SoftwareDeviceKey()
    let other = try certified.authority.certify(
      key.publicKey,
      subject: DeviceSubject(agency: "north", inspector: "tom", device: "other"),
      at: CertifiedDay.enrolled)
    var files = try certified.folder()
    let authority = certified.authority.certificate.pem
    let own = certified.device.publicKey.thumbprint
    files["certificates/\(own).pem"] = Array((certified.device.pem + authority).utf8)
    files["certificates/\(key.publicKey.thumbprint).pem"] = Array((other.pem + authority).utf8)
    let quiet = files.verified(trust: certified.trust)
    #expect(!quiet.findings.contains { $0.message.contains("its name is that of another key") })
    let path = "certificates/\(own).pem"
    files[path] = files["certificates/\(key.publicKey.thumbprint).pem"]
    #expect(told(files, about: path, says: "its name is that of another key"))
  }

  @Test("words beside a certificate are no certificate; other ends of lines are")
  func words() throws {
    var files = try certified.folder()
    let text = certified.device.pem + certified.authority.certificate.pem
    files[CertifiedDay.certificatePath] = Array(text.replacing("\n", with: "\r\n").utf8)
    expectIntact(files.verified(trust: certified.trust), seals: certified.day.entries.count)
    files[CertifiedDay.certificatePath] = Array(("my words\n" + text).utf8)
    #expect(told(files, about: CertifiedDay.certificatePath, says: "more than certificates"))
  }

  @Test("a photo whose seal has another ending gets a note")
  func endings() throws {
    var files = try certified.folder()
    let photo = certified.day.captures[0]
    let renamed = photo.path.dropLast(4) + ".jpeg"
    files[String(renamed)] = files[photo.path]
    files["\(renamed).seal"] = files[photo.sealPath]
    files[photo.path] = nil
    files[photo.sealPath] = nil
    #expect(told(files, about: "\(renamed).seal", says: "not that with which our programs write"))
  }
}
