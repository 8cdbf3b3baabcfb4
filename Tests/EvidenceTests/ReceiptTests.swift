import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// Receipts by themselves, and attacks on receipts beside the records that they sign for.
@Suite("Receipts")
struct ReceiptTests {
  private let certified: CertifiedDay
  private let trust: Trust

  init() throws {
    certified = try CertifiedDay.ordinary.get()
    trust = certified.trust
    let report = try certified.folder().verified(trust: trust)
    expectIntact(report, seals: certified.day.entries.count)
    #expect(!report.findings.contains { $0.check == .receipt })
  }

  private var day: FieldDay { certified.day }
  private var receipt: Receipt { certified.receipt }

  private func payload() throws -> JSONValue {
    try JSONValue(parsing: try CompactJWS(receipt.jws).payload)
  }

  private func verified(_ receipts: Receipt...) throws -> VerificationReport {
    try certified.folder(receipts: receipts).verified(trust: trust)
  }

  /// Returns the receipt with one member changed, signed by the office again.
  private func signed(_ path: [String], _ value: JSONValue?) throws -> Receipt {
    let header = try CompactJWS(receipt.jws).header
    return try Receipt(
      jws: try CompactJWS.make(
        header: header, payload: try payload().setting(path[...], to: value),
        with: certified.officeKey))
  }

  @Test("a receipt is read again as what was signed, with the office's certificate")
  func roundTrip() throws {
    let read = try Receipt(jws: receipt.jws)
    #expect(read == receipt)
    #expect(read.certificate == certified.office)
    #expect(read.records == Set(read.records).sorted())
    #expect(read.records.count == day.entries.count)
    #expect(read.head?.sequence == day.entries.count)
    #expect(read.head?.link == (try day.sealFiles().last?.seal.digest))
    let none = try Receipt(
      id: receipt.id, batch: receipt.batch, agency: "a", inspector: "b", key: receipt.key,
      head: nil, records: [], files: [], received: receipt.received,
      signedWith: certified.officeKey, certificate: certified.office)
    #expect(try Receipt(jws: none.jws).head == nil)
  }

  @Test("a receipt is not signed with a key that its certificate does not name, or over no digests")
  func making() throws {
    func make(_ key: SoftwareDeviceKey, _ record: String) throws -> Receipt {
      try Receipt(
        id: receipt.id, batch: receipt.batch, agency: "a", inspector: "b", key: "k", head: nil,
        records: [record], files: [], received: receipt.received, signedWith: key,
        certificate: certified.office)
    }
    let digest = String(repeating: "ab", count: 32)
    #expect(throws: Never.self) { try make(certified.officeKey, digest) }
    #expect(throws: EvidenceError.self) { try make(SoftwareDeviceKey(), digest) }
    #expect(throws: EvidenceError.self) { try make(certified.officeKey, "ab") }
  }

  @Test("a member that is missing or of another type is refused, although the signature holds")
  func members() throws {
    let digest = String(repeating: "ab", count: 32)
    let lower = String(repeating: "0a", count: 32)
    let cases: [([String], JSONValue?)] = [
      (["schema"], .string("standpoint.receipt/2")), (["schema"], nil), (["id"], .string("1")),
      (["batch"], nil), (["agency"], .integer(1)), (["inspector"], nil), (["key"], nil),
      (["records"], nil), (["records"], .string(digest)), (["records"], .array([.null])),
      (["records"], .array([.string(digest), .string(lower)])),
      (["records"], .array([.string(digest), .string(digest)])),
      (["files"], .array([.string(digest.uppercased())])), (["received"], .string("now")),
      (["head"], .null), (["head", "sequence"], .integer(0)), (["head", "link"], .string("x")),
    ]
    for (path, value) in cases {
      #expect(throws: EvidenceError.self, "\(path)") { try signed(path, value) }
    }
    // An unknown member, of a later version, is ignored.
    #expect(try signed(["later"], .integer(1)).records == receipt.records)
    let long = String(repeating: "A", count: Receipt.sizeLimit)
    for text in ["", "a.b.c", long, receipt.jws + "\n", String(receipt.jws.dropLast(4))] {
      #expect(throws: EvidenceError.self) { try Receipt(jws: text) }
    }
  }

  @Test("a header without the certificate of the key that signed is refused")
  func headers() throws {
    let header = try CompactJWS(receipt.jws).header
    for value: JSONValue? in [
      nil, .string(""), .array([]), .array([.string("AAAA")]),
      .array([.string(Data(certified.device.der).base64EncodedString())]),
    ] {
      let jws = try CompactJWS.make(
        header: header.setting(["x5c"], to: value), payload: try payload(),
        with: certified.officeKey)
      #expect(throws: EvidenceError.self) { try Receipt(jws: jws) }
    }
  }

  @Test("a receipt changed: receipt, altered")
  func changed() throws {
    let characters = Array(receipt.jws.utf8)
    for index in stride(from: 0, to: characters.count, by: 37) {
      var changed = characters
      changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      var files = try certified.folder()
      files[CertifiedDay.receiptPath] = changed
      expect(files.verified(), .altered, .receipt, about: CertifiedDay.receiptPath)
    }
    var files = try certified.folder()
    files[CertifiedDay.receiptPath] = Array("received with thanks".utf8)
    expect(files.verified(), .altered, .receipt, about: CertifiedDay.receiptPath)
    files[CertifiedDay.receiptPath] = Array((receipt.jws + "\n").utf8)
    expectIntact(files.verified(trust: trust), seals: day.entries.count)
  }

  @Test("a receipt of an office that another authority certified: receipt, doubtful")
  func otherOffice() throws {
    let other = try Authority.make(name: "Example Agency", at: CertifiedDay.enrolled)
    let key = SoftwareDeviceKey()
    let foreign = try CertifiedDay.receipt(
      for: day, key: key, certificate: try other.certifyOffice(key.publicKey, at: day.now))
    for authorities in [[certified.authority], [certified.authority, other]] {
      let files = try certified.folder(
        certificates: [certified.device] + authorities.map(\.certificate), receipts: [foreign])
      for trust in [nil, trust, try Trust(certified.authority.certificate.fingerprint)] {
        expect(
          files.verified(trust: trust), .doubtful, .receipt, about: CertifiedDay.receiptPath)
      }
    }
  }

  @Test("a receipt where no authority is: a note, unless one is trusted")
  func noAuthority() throws {
    let files = try certified.folder(certificates: [certified.device])
    expect(files.verified(), .intact, .receipt, about: CertifiedDay.receiptPath)
    let report = files.verified(trust: trust)
    expectIntact(report, seals: day.entries.count)
    #expect(!report.findings.contains { $0.check == .receipt })
  }

  @Test("a receipt that an inspector signed with a device's key: receipt, doubtful")
  func byDevice() throws {
    let forged = try CertifiedDay.receipt(for: day, key: day.key, certificate: certified.device)
    let report = try verified(forged)
    expect(
      report, .doubtful, .receipt, about: CertifiedDay.receiptPath,
      says: "not an office's")
    // A second copy adds no finding.
    var files = try certified.folder(receipts: [forged])
    files["office/" + CertifiedDay.receiptPath] = files[CertifiedDay.receiptPath]
    files[CertifiedDay.receiptPath] = nil
    files["zz/" + CertifiedDay.receiptPath] = files["office/" + CertifiedDay.receiptPath]
    #expect(files.verified(trust: trust).findings.count == report.findings.count)
  }

  @Test("a receipt signed when the office's certificate had ended: receipt, doubtful")
  func expired() throws {
    let ended = try certified.authority.certifyOffice(
      certified.officeKey.publicKey, at: day.now.advanced(bySeconds: -3654 * 86_400))
    let late = try CertifiedDay.receipt(for: day, key: certified.officeKey, certificate: ended)
    expect(
      try verified(late), .doubtful, .receipt, about: CertifiedDay.receiptPath, says: "not valid")
  }

  @Test("a receipt that names a record under another key, or another person: receipt, doubtful")
  func otherKey() throws {
    for (path, words) in [
      ("key", "a different key"), ("agency", "does not belong"), ("inspector", "does not belong"),
    ] {
      expect(
        try verified(try signed([path], .string("another"))), .doubtful, .receipt,
        about: CertifiedDay.receiptPath, says: words)
    }
  }

  @Test("a receipt that names another link in a place of the chain: receipt, doubtful")
  func otherLink() throws {
    expect(
      try verified(try signed(["head", "link"], .string(String(repeating: "0a", count: 32)))),
      .doubtful, .receipt, about: CertifiedDay.receiptPath, says: "a different link")
  }

  @Test("what was delivered and is deleted at the chain's end: receipt, incomplete")
  func cutAtTheEnd() throws {
    var files = try certified.folder()
    for entry in day.entries.suffix(2) {
      for path in [entry.path, entry.rawPath, entry.sealPath] { files[path] = nil }
    }
    let last = day.entries.count
    expect(
      files.verified(), .incomplete, .receipt, about: CertifiedDay.receiptPath,
      says: "up to place \(last); here it ends at \(last - 2)")
    // A check of single photos does not judge places.
    expectIntact(files.verified(.single), seals: last - 2)
    // Without the receipt the cut cannot be seen.
    files[CertifiedDay.receiptPath] = nil
    expectIntact(files.verified(), seals: last - 2)
  }

  @Test("earlier receipts, and those of other keys, are no fault")
  func earlier() throws {
    let early = try CertifiedDay.receipt(
      for: day, key: certified.officeKey, certificate: certified.office, links: 3)
    var other = try FieldDay(seed: 8)
    other.note("on another device")
    let elsewhere = try CertifiedDay.receipt(
      for: other, key: certified.officeKey, certificate: certified.office)
    expectIntact(try verified(early, elsewhere, receipt), seals: day.entries.count)
  }

  @Test(
    "another library verifies a receipt with the certificate that it carries",
    .enabled("no python3 here has the package cryptography") {
      await IndependentPython.path() != nil
    })
  func independently() async throws {
    let script = """
      import base64, json, sys
      from cryptography import x509
      from cryptography.hazmat.primitives import hashes
      from cryptography.hazmat.primitives.asymmetric import ec
      from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
      def raw(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
      jws, authority = json.load(sys.stdin)
      header, payload, signature = jws.split(".")
      office = x509.load_der_x509_certificate(
          base64.b64decode(json.loads(raw(header))["x5c"][0]))
      issuer = x509.load_pem_x509_certificate(authority.encode())
      assert office.issuer == issuer.subject
      issuer.public_key().verify(office.signature, office.tbs_certificate_bytes,
                                 ec.ECDSA(hashes.SHA256()))
      pair = [int.from_bytes(half, "big") for half in (raw(signature)[:32], raw(signature)[32:])]
      office.public_key().verify(encode_dss_signature(*pair), f"{header}.{payload}".encode(),
                                 ec.ECDSA(hashes.SHA256()))
      print(json.loads(raw(payload))["head"]["sequence"])
      """
    let python = try #require(await IndependentPython.path())
    func run(_ jws: String) async throws -> Program.Outcome {
      let input = JSONValue.array([.string(jws), .string(certified.authority.certificate.pem)])
      return try await Program.run(python, ["-c", script], input: Data(input.canonicalBytes))
    }
    let good = try await run(receipt.jws)
    #expect(good.status == 0, "\(good.errors)")
    #expect(good.output == "\(day.entries.count)\n")
    let parts = receipt.jws.split(separator: ".").map(String.init)
    let changed = try payload().setting(["agency"], to: .string("other"))
    let bad = try await run(
      [parts[0], Base64URL.text(changed.canonicalBytes), parts[2]].joined(separator: "."))
    #expect(bad.status != 0)
  }
}

/// The Python that has the package cryptography.
enum IndependentPython {
  /// Returns the path; nil if no Python has the package.
  static func path() async -> String? {
    for path in ["/usr/bin/python3", Repository.root.path + "/.venv/bin/python3"] {
      let outcome = try? await Program.run(path, ["-c", "import cryptography"])
      if outcome?.status == 0 { return path }
    }
    return nil
  }
}
