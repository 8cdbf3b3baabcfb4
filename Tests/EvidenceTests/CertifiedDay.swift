import Foundation
import Inspection
import Positioning
import TimeAndText

@testable import Evidence
@testable import Verification

/// The ordinary day of an inspector whose device the office enrolled, and who delivered everything:
/// certificates and receipts lie beside the sealed records.
struct CertifiedDay {
  let day: FieldDay
  let authority: Authority
  let officeKey = SoftwareDeviceKey()
  let office: EvidenceCertificate
  let device: EvidenceCertificate
  let receipt: Receipt

  static let certificatePath = "certificates/device.pem"
  static let receiptPath = "receipts/018f6f2e-0000-7000-8000-000000000077.receipt"

  /// The time at which the office enrolled the device, before the first record.
  static let enrolled = DeviceTime(millisecondsSince1970: 1_778_500_000_000)

  /// The day that all tests share; each takes a copy.
  static let ordinary = Result { try CertifiedDay() }

  init() throws {
    day = try FieldDay.ordinary.get()
    authority = try Authority.make(name: "Example Agency", at: Self.enrolled)
    office = try authority.certifyOffice(officeKey.publicKey, at: Self.enrolled)
    device = try authority.certify(
      day.key.publicKey, subject: Self.subject(of: day), at: Self.enrolled)
    receipt = try Self.receipt(for: day, key: officeKey, certificate: office)
  }

  static func subject(of day: FieldDay) -> DeviceSubject {
    DeviceSubject(
      agency: day.context.person.agency, inspector: day.context.person.login,
      device: day.context.device)
  }

  /// Returns a revocation of the day's key, some seconds after the day's last record.
  func revocation(afterSeconds seconds: Double) throws -> Revocation {
    try Revocation(
      agency: "example", key: day.key.publicKey.thumbprint,
      time: day.now.advanced(bySeconds: seconds), reason: "stolen", signedWith: officeKey,
      certificate: office)
  }

  /// Returns a policy of the agency, signed by this office.
  func policy(
    revision: Int = 1, agency: String = "example", surroundings: Bool = true
  ) throws -> SignedPolicy {
    var policy = CapturePolicy(
      revision: revision, issued: day.now, readsSurroundings: surroundings,
      removesDeliveredAfterDays: 90)
    for rule in CaptureRule.allCases where rule != .surroundings {
      policy.general[rule] = rule.standard
    }
    policy.set(policy.general, forType: "crop")
    return try SignedPolicy(
      policy, agency: agency, signedWith: officeKey, certificate: office)
  }

  /// Returns a receipt for a day's first `links` records, or for all.
  static func receipt(
    for day: FieldDay, key: SoftwareDeviceKey, certificate: EvidenceCertificate,
    links: Int? = nil
  ) throws -> Receipt {
    let seals = try day.sealFiles().map(\.seal).prefix(links ?? .max)
    let time = day.now.advanced(bySeconds: 60)
    guard let id = Identifier("018f6f2e-0000-7000-8000-000000000077") else {
      throw FieldDay.Failure.noPosition
    }
    return try Receipt(
      id: id, batch: Identifier(at: time), agency: day.context.person.agency,
      inspector: day.context.person.login, key: day.key.publicKey.thumbprint,
      head: seals.last.map { Receipt.Head(sequence: $0.link.sequence, link: $0.digest) },
      records: seals.map(\.link.record),
      files: seals.flatMap { [$0.link.file, $0.link.raw].compactMap(\.self) }, received: time,
      signedWith: key, certificate: certificate)
  }

  /// Returns the day's files with certificates and receipts beside them.
  func folder(
    certificates: [EvidenceCertificate]? = nil, receipts: [Receipt]? = nil
  ) throws -> MemoryFiles {
    var files = try day.folder()
    let certificates = certificates ?? [device, authority.certificate]
    files[Self.certificatePath] = Array(certificates.map(\.pem).joined().utf8)
    for (number, receipt) in (receipts ?? [receipt]).enumerated() {
      let path = number == 0 ? Self.receiptPath : "receipts/\(number).receipt"
      files[path] = Array(receipt.jws.utf8)
    }
    return files
  }

  /// Returns what signs the list of a bundle for an office.
  static func signing(
    unreceipted: [String] = [], revoked: [String] = [], made: DeviceTime,
    key: SoftwareDeviceKey, certificate: EvidenceCertificate, agency: String = "example"
  ) -> (BundleList) throws(EvidenceError) -> BundleStatement {
    let contents = BundleStatement.Contents(
      agency: agency, selection: .init(task: Identifier(at: made), name: "North field"),
      logEntry: nil, log: nil, unreceipted: unreceipted, revoked: revoked, made: made)
    return { (list) throws(EvidenceError) in
      do {
        return try BundleStatement(
          contents, list: list, signedWith: key, certificate: certificate)
      } catch {
        throw .malformedList("\(word: "\(error)")")
      }
    }
  }

  var trust: Trust { .certificate(authority.certificate) }
}

extension MemoryFiles {
  func verified(trust: Trust?, _ scope: Verifier.Scope = .whole) -> VerificationReport {
    Verifier.verify(self, scope: scope, trust: trust)
  }
}

extension EvidenceCertificate {
  /// Returns the certificate with one text changed for another of the same length: its form holds,
  /// and its signature does not.
  func forged(_ text: String, to other: String) throws -> EvidenceCertificate {
    var bytes = der
    let old = Array(text.utf8)
    let new = Array(other.utf8)
    for start in bytes.indices where bytes[start...].starts(with: old) {
      bytes.replaceSubrange(start..<(start + old.count), with: new)
    }
    return try EvidenceCertificate(der: bytes)
  }
}
