import Evidence
import TimeAndText

/// Notes about signatures that anybody can have made from our programs' own, without a key: they hold, and change nothing.
struct SecondSignatures {
  let files: any EvidenceFiles
  /// The receipts that could be read, by path.
  let receipts: [String: Receipt]
  private(set) var findings: [Finding] = []

  init(files: any EvidenceFiles, receipts: [String: Receipt]) {
    (self.files, self.receipts) = (files, receipts)
  }

  private static let kinds: [(ending: String, check: Finding.Check)] = [
    (".revocation", .revoked), (OfficeKeyRevocation.ending, .revoked),
    (KeySuccession.ending, .certificate), (ReceiptProof.ending, .log),
    (KeyAttestation.ending, .certificate), (CaptureChallenge.ending, .times),
  ]

  /// Looks at the signatures of an office's statements and of certificates. A file that cannot be read is reported where
  /// it is checked.
  mutating func run() {
    var seen: Set<String> = []
    for (path, receipt) in receipts where SecondSignature.isIn(jws: receipt.jws) {
      add(path, .receipt)
    }
    for path in files.paths.sorted() where !Verifier.isStaged(path) {
      if Verifier.isCertificate(path) {
        let all = text(of: path).flatMap { try? EvidenceCertificate.all(pem: $0) } ?? []
        // An authority lies in each of its devices' files, and is told once.
        if all.contains(where: { $0.hasSecondSignature && seen.insert($0.fingerprint).inserted }) {
          add(path, .certificate)
        }
      } else if let kind = Self.kinds.first(where: { path.hasSuffix($0.ending) }),
        let jws = text(of: path), SecondSignature.isIn(jws: jws)
      {
        add(path, kind.check)
      }
    }
  }

  private func text(of path: String) -> String? {
    (try? files.bytes(of: path)).map { String(decoding: $0, as: UTF8.self) }
  }

  private mutating func add(_ path: String, _ check: Finding.Check) {
    findings.append(
      Finding(
        subject: path, check: check, severity: .note,
        wording:
          "its signature holds, and is not in the form that our programs write: another program or an earlier version signed, or somebody wrote it in the other form, which needs no key and changes nothing"
      ))
  }
}
