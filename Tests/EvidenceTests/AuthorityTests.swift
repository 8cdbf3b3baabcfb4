import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

@Suite("Authority and certificates")
struct AuthorityTests {
  private let time: DeviceTime
  private let authority: Authority
  private let key = SoftwareDeviceKey()
  private let subject = DeviceSubject(
    agency: "Agencia Ñandú / 農業局", inspector: "ada+field@example.org",
    device: "018f0000-0000-7000-8000-000000000000")

  init() throws {
    time = try #require(DeviceTime(rfc3339: "2026-05-12T05:59:59.999Z"))
    authority = try Authority.make(name: "Example Agency", at: time)
  }

  private func years(_ certificate: EvidenceCertificate) -> Double {
    certificate.notAfter.gnssTime.seconds(since: certificate.notBefore.gnssTime) / 86_400 / 365.25
  }

  @Test("an authority certifies itself for thirty years, and its key is its own")
  func own() throws {
    let certificate = authority.certificate
    #expect(certificate.isAuthority)
    #expect(certificate.subject == nil)
    #expect(!certificate.isOfOffice)
    #expect(certificate.notBefore.rfc3339 == "2026-05-12T05:59:59.000Z")
    #expect(abs(years(certificate) - 30) < 0.01)
    #expect(try SoftwareDeviceKey(pem: authority.keyPEM).publicKey == certificate.publicKey)
    #expect(try Authority.make(name: "Example Agency", at: time).certificate != certificate)
    // An authority that signs itself has certified nobody, not even itself.
    #expect(!certificate.isIssued(by: certificate))
  }

  @Test("an authority comes back from its files, and another's key is refused")
  func files() throws {
    let again = try Authority(
      certificate: EvidenceCertificate(pem: authority.certificate.pem),
      signer: SoftwareDeviceKey(pem: authority.keyPEM))
    #expect(again.certificate == authority.certificate)
    #expect(again.keyPEM == authority.keyPEM)
    let certificate = try again.certify(key.publicKey, subject: subject, at: time)
    #expect(certificate.isIssued(by: authority.certificate))
    #expect(throws: EvidenceError.malformedKey("it is not the key of the authority's certificate"))
    {
      try Authority(certificate: authority.certificate, signer: key)
    }
    #expect(throws: EvidenceError.self) {
      try Authority(certificate: certificate, signer: key)
    }
  }

  @Test("a device's certificate names whom it was made for, and its key, in any script")
  func device() throws {
    for subject in [
      subject, DeviceSubject(agency: "a", inspector: "b", device: "c"),
      DeviceSubject(agency: "O=x,CN=y", inspector: "\"; \\+", device: "Gerät 7"),
      DeviceSubject(
        agency: String(repeating: "ß", count: 128), inspector: "i", device: "d"),
    ] {
      let made = try authority.certify(key.publicKey, subject: subject, at: time)
      let read = try EvidenceCertificate(pem: made.pem)
      #expect(read == made)
      #expect(read.subject == subject)
      #expect(read.publicKey == key.publicKey)
      #expect(read.fingerprint == made.fingerprint)
      #expect(read.isIssued(by: authority.certificate))
      #expect(!read.isAuthority)
      #expect(!read.isOfOffice)
      #expect(read.notBefore.rfc3339 == "2026-05-12T05:59:59.000Z")
      #expect(abs(years(read) - 10) < 0.01)
    }
  }

  @Test("the certificate of the key that signs receipts names no inspector")
  func office() throws {
    let certificate = try authority.certifyOffice(key.publicKey, at: time)
    #expect(certificate.subject == nil)
    #expect(certificate.isOfOffice)
    #expect(certificate.isIssued(by: authority.certificate))
    #expect(!certificate.isAuthority)
    // No name of an inspector or device makes a certificate pass for the office's.
    let sly = try authority.certify(
      key.publicKey,
      subject: DeviceSubject(
        agency: "Example Agency", inspector: "OU=receipts", device: "receipts"), at: time)
    #expect(!sly.isOfOffice)
  }

  @Test("names that have no place in a certificate are refused")
  func subjects() {
    for text in ["", "a\nb", "\u{7F}", String(repeating: "x", count: 257), "\0"] {
      for subject in [
        DeviceSubject(agency: text, inspector: "i", device: "d"),
        DeviceSubject(agency: "a", inspector: text, device: "d"),
        DeviceSubject(agency: "a", inspector: "i", device: text),
      ] {
        #expect(throws: EvidenceError.self) {
          try authority.certify(key.publicKey, subject: subject, at: time)
        }
      }
      #expect(throws: EvidenceError.self) { try Authority.make(name: text, at: time) }
    }
  }

  @Test("nothing is certified beyond the authority's own end")
  func end() throws {
    let late = authority.certificate.notAfter.advanced(bySeconds: -366 * 86_400)
    let certificate = try authority.certify(key.publicKey, subject: subject, at: late)
    #expect(certificate.notAfter == authority.certificate.notAfter)
    #expect(throws: EvidenceError.self) {
      try authority.certify(
        key.publicKey, subject: subject, at: authority.certificate.notAfter)
    }
  }

  @Test("text that is no certificate, or one of another kind of key, is refused and does not trap")
  func nonsense() throws {
    let pem = authority.certificate.pem
    for text in ["", "x", pem + pem, authority.keyPEM, String(pem.prefix(200))] {
      #expect(throws: EvidenceError.self) { try EvidenceCertificate(pem: text) }
    }
    #expect(try EvidenceCertificate.all(pem: pem + pem).count == 2)
    let der = authority.certificate.der
    for count in 0..<der.count {
      #expect(throws: EvidenceError.self) { try EvidenceCertificate(der: Array(der[..<count])) }
    }
    #expect(throws: EvidenceError.self) { try EvidenceCertificate(der: der + [0]) }
    // The authority ends after 2049, so that DER writes the year with four digits.
    let end = Array(
      authority.certificate.notAfter.rfc3339.utf8.filter {
        (0x30...0x39).contains($0)
      }.prefix(14))
    for text in ["00000101000000", "99991231235959", "19700101000000"] {
      var bytes = der
      let start = try #require(der.indices.first { der[$0...].starts(with: end) })
      bytes.replaceSubrange(start..<(start + 14), with: text.utf8)
      let changed = try EvidenceCertificate(der: bytes)
      #expect(changed.notAfter.rfc3339.hasPrefix(text.prefix(4)))
      #expect(!changed.isAuthority)
    }
    forEachSeed(0..<200) { _, random in
      var bytes = der
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let changed = try? EvidenceCertificate(der: bytes), bytes != der else { return }
      _ = (changed.subject, changed.notBefore, changed.notAfter, changed.pem)
      #expect(!changed.isIssued(by: authority.certificate))
    }
  }

  // MARK: an independent reader

  private static let openssl = Program.tool("openssl")

  @Test(
    "openssl reads and verifies the certificates",
    .enabled(if: openssl != nil, "there is no openssl"))
  func independently() async throws {
    let openssl = try #require(Self.openssl)
    let device = try authority.certify(key.publicKey, subject: subject, at: time)
    let office = try authority.certifyOffice(key.publicKey, at: time)
    let other = try Authority.make(name: "Example Agency", at: time)
    try await withTemporaryDirectory { folder in
      let path = { (name: String) in folder.appendingPathComponent(name).path }
      for (name, certificate) in [
        ("device", device), ("office", office), ("authority", authority.certificate),
        ("other", other.certificate),
      ] {
        try Data(certificate.pem.utf8).write(to: folder.appendingPathComponent(name))
      }
      // A fixed time within the validity, so that the test passes in any year.
      let arguments = ["verify", "-x509_strict", "-check_ss_sig", "-attime", "1800000000"]
      for name in ["device", "office"] {
        let good = try await Program.run(
          openssl, arguments + ["-CAfile", path("authority"), path(name)])
        #expect(good.status == 0, "\(good.errors)")
        let bad = try await Program.run(
          openssl, arguments + ["-CAfile", path("other"), path(name)])
        #expect(bad.status != 0)
      }
      let text = try await Program.run(
        openssl,
        [
          "x509", "-in", path("device"), "-noout", "-subject", "-nameopt", "utf8,sep_multiline",
          "-startdate", "-fingerprint", "-sha256", "-ext", "basicConstraints,keyUsage",
        ])
      for words in [
        "O=\(subject.agency)", "CN=\(subject.inspector)", "serialNumber=\(subject.device)",
        "notBefore=May 12 05:59:59 2026 GMT", "CA:FALSE", "Digital Signature",
      ] {
        #expect(text.output.contains(words), "\(words) is not in \(text.output)")
      }
      let shown = text.output.lowercased().replacing(":", with: "")
      #expect(shown.contains(device.fingerprint))
      let own = try await Program.run(
        openssl, ["x509", "-in", path("authority"), "-noout", "-text"])
      #expect(own.output.contains("CA:TRUE, pathlen:0"))
      #expect(own.output.contains("Certificate Sign, CRL Sign"))
    }
  }

  @Test(
    "certificates that openssl made badly are not counted as issued",
    .enabled(if: openssl != nil, "there is no openssl"))
  func badForms() async throws {
    let openssl = try #require(Self.openssl)
    try await withTemporaryDirectory { folder in
      let path = { (name: String) in folder.appendingPathComponent(name).path }
      try Data(authority.certificate.pem.utf8).write(to: URL(fileURLWithPath: path("ca")))
      try Data(authority.keyPEM.utf8).write(to: URL(fileURLWithPath: path("ca.key")))
      try Data(key.pem.utf8).write(to: URL(fileURLWithPath: path("key")))
      var made = try await Program.run(
        openssl,
        [
          "req", "-new", "-key", path("key"), "-subj",
          "/O=example/CN=ada/serialNumber=1", "-out", path("csr"),
        ])
      #expect(made.status == 0, "\(made.errors)")
      for (extensions, isGood) in [
        ("basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature", true),
        ("basicConstraints=CA:FALSE\nkeyUsage=digitalSignature,keyAgreement", true),
        ("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature", false),
        ("keyUsage=critical,digitalSignature", false),
        ("basicConstraints=critical,CA:FALSE", false),
        ("basicConstraints=critical,CA:FALSE\nkeyUsage=critical,keyAgreement", false),
        ("basicConstraints=critical,CA:FALSE\nkeyUsage=digitalSignature,keyCertSign", false),
        (
          "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n"
            + "1.2.3.4=critical,ASN1:NULL", false
        ),
      ] {
        try Data(extensions.utf8).write(to: URL(fileURLWithPath: path("ext")))
        made = try await Program.run(
          openssl,
          [
            "x509", "-req", "-in", path("csr"), "-CA", path("ca"), "-CAkey", path("ca.key"),
            "-CAcreateserial", "-days", "10", "-sha256", "-extfile", path("ext"), "-out",
            path("out"),
          ])
        #expect(made.status == 0, "\(made.errors)")
        let certificate = try EvidenceCertificate(
          pem: String(contentsOfFile: path("out"), encoding: .utf8))
        #expect(certificate.hasSignature(of: authority.certificate))
        #expect(certificate.isIssued(by: authority.certificate) == isGood, "\(extensions)")
        #expect(
          certificate.subject == DeviceSubject(agency: "example", inspector: "ada", device: "1"))
        var day = try FieldDay(seed: 4)
        day.key = key
        day.note("sealed with a key that is certified like this")
        var files = try day.folder()
        files["certificates/x.pem"] = Array(
          (certificate.pem + authority.certificate.pem).utf8)
        let report = files.verified(trust: .certificate(authority.certificate))
        #expect((report.issuer == .trusted) == isGood, "\(extensions)")
        // A note on the form of openssl's signature is no refusal.
        let isRefused = report.findings.contains {
          $0.subject == "certificates/x.pem" && !$0.message.hasPrefix("its signature holds")
        }
        #expect(isRefused == !isGood, "\(report.findings)")
      }
      // An RSA key is refused.
      made = try await Program.run(
        openssl,
        [
          "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", path("rsa.key"), "-subj",
          "/CN=x", "-out", path("rsa"),
        ])
      #expect(made.status == 0, "\(made.errors)")
      let text = try String(contentsOfFile: path("rsa"), encoding: .utf8)
      #expect(throws: EvidenceError.self) { try EvidenceCertificate(pem: text) }
    }
  }
}
