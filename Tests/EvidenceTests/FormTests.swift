import Foundation
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
    // The signature is the last 64 bytes' worth of two INTEGERs; s is the last of them.
    let der = certificate.der
    let start = try #require(
      der.indices.reversed().first { index in
        der[index] == 0x30 && index + 2 + Int(der[index + 1]) == der.count
          && index > 2 && der[index - 1] == 0
      })
    var place = start + 2
    func integer() -> [UInt8] {
      let count = Int(der[place + 1])
      defer { place += 2 + count }
      let bytes = der[(place + 2)..<(place + 2 + count)].drop { $0 == 0 }
      return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
    }
    let (r, s) = (integer(), integer())
    let other = try #require(ECDSATwin.other(r + s))
    func written(_ number: ArraySlice<UInt8>) -> [UInt8] {
      var bytes = Array(number.drop { $0 == 0 })
      if bytes.first ?? 0 >= 0x80 { bytes.insert(0, at: 0) }
      return [0x02, UInt8(bytes.count)] + bytes
    }
    let body = written(other[..<32]) + written(other[32...])
    let signature = [0x03, UInt8(body.count + 3), 0x00, 0x30, UInt8(body.count)] + body
    // The bit string begins three bytes before the sequence; the outer length changes with it.
    var bytes = Array(der[4..<(start - 3)]) + signature
    bytes = [0x30, 0x82, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    return try EvidenceCertificate(der: bytes)
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
