import Attestation
import Evidence
import TimeAndText

/// Checks of what an office says about keys in TPMs. An office can only say what a TPM has shown to it: nobody else can
/// ask the TPM again. The description of the key and the maker's certificate are in its word, and are judged here.
struct AttestationChecks {
  let files: any EvidenceFiles
  let book: CertificateBook
  let revokedKeys: RevokedOfficeKeys
  /// Thumbprints of the keys that sealed.
  let keys: Set<String>
  private(set) var findings: [Finding] = []

  init(
    files: any EvidenceFiles, book: CertificateBook, revokedKeys: RevokedOfficeKeys,
    keys: Set<String>
  ) {
    (self.files, self.book, self.revokedKeys, self.keys) = (files, book, revokedKeys, keys)
  }

  /// Returns true for the path of an office's word about a key in a TPM.
  static func isAttestation(_ path: String) -> Bool {
    path.hasSuffix(KeyAttestation.ending)
      && path.split(separator: "/").dropLast().last == "attestations"
  }

  private mutating func add(_ path: String, _ severity: Finding.Severity, _ wording: Wording) {
    findings.append(
      Finding(subject: path, check: .certificate, severity: severity, wording: wording))
  }

  /// Reads `attestations/*.attestation`.
  mutating func run() {
    for path in files.paths.sorted()
    where Self.isAttestation(path) && !Verifier.isStaged(path) {
      do {
        let text = String(decoding: try files.bytes(of: path), as: UTF8.self)
        let attestation = try KeyAttestation(
          jws: text.hasSuffix("\n") ? String(text.dropLast()) : text)
        judge(attestation, path)
      } catch {
        add(path, Verifier.severity(of: error), "\(error)")
      }
    }
  }

  private mutating func judge(_ attestation: KeyAttestation, _ path: String) {
    let shown = attestation.shown
    if let problem = revokedKeys.problem(
      ofStatementBy: attestation.certificate, about: shown.key, at: shown.signed, in: book)
    {
      // The word of a key that was revoked later is no fault of the device: it only says nothing.
      let isRevoked = revokedKeys.revocation(of: attestation.certificate, in: book) != nil
      return add(path, isRevoked ? .note : problem.severity, problem.message)
    }
    let agencies = book.vouched(for: shown.key).compactMap(\.certificate.subject?.agency)
    let name = path.split(separator: "/").last?.dropLast(KeyAttestation.ending.count) ?? ""
    // A copy may have a person's name, and not that of another key.
    guard name == shown.key || name.count != shown.key.count,
      agencies.allSatisfy({ $0 == shown.agency })
    else {
      return add(path, .doubtful, "it is about another key or agency than its place says")
    }
    do throws(AttestationProblem) {
      let area = try TPMKeyArea(shown.area)
      guard area.publicKey.thumbprint == shown.key else {
        return add(path, .doubtful, "its TPM describes another key than the one that it names")
      }
      guard area.staysInside else {
        return add(path, .doubtful, "its TPM describes a key that could leave it")
      }
      let maker = try EndorsementKey(der: shown.makersCertificate).maker
      // Of a key that sealed nothing here there is nothing to say.
      guard keys.contains(shown.key) else { return }
      guard let root = shown.root else {
        return add(
          path, .note,
          "the office says that a TPM (\(word: maker)) showed at \(moment: shown.time) that it has the key \(word: shown.key); it did not know the TPM's maker, and a program can pretend to be a TPM"
        )
      }
      add(
        path, .note,
        "the office says that the key \(word: shown.key) is in a TPM (\(word: maker)) and does not leave it: the TPM showed it at \(moment: shown.time), and \(word: root) vouches for the TPM"
      )
    } catch {
      add(path, .doubtful, error.wording)
    }
  }
}
