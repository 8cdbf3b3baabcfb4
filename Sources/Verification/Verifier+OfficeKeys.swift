import Evidence
import Positioning
import TimeAndText

// Keys of an office that others have followed, and those that count no more. Whoever stole such a key can sign with
// any time; only the place in the office's log says what was there before.

extension Verifier {
  /// The keys of offices that count no more, and what their logs held before.
  struct RevokedOfficeKeys: Sendable {
    /// The revocations by the thumbprint of the revoked key.
    var revocations: [String: OfficeKeyRevocation] = [:]
    /// The earliest place in the log that is proved for a receipt, from 0, by its compact JWS.
    var places: [String: Int] = [:]
    /// The receipts that name a record, as compact JWS, by the record's digest.
    var receipts: [String: [String]] = [:]

    /// Returns true if the log held one of these receipts when a key was revoked.
    func held(_ receipts: [String], before revocation: OfficeKeyRevocation) -> Bool {
      receipts.contains { places[$0].map { $0 < revocation.entries } ?? false }
    }
  }

  /// Reads `*.office-key-revocation` and `*.succession`.
  mutating func readOfficeKeys() {
    for path in files.paths.sorted() where !Self.isStaged(path) {
      if path.hasSuffix(OfficeKeyRevocation.ending) {
        readOfficeRevocation(path)
      } else if path.hasSuffix(KeySuccession.ending) {
        readSuccession(path)
      }
    }
    checkReceiptProofs()
    guard !revokedKeys.revocations.isEmpty else { return }
    for receipt in Set(receipts.values) {
      for record in receipt.records {
        revokedKeys.receipts[record, default: []].append(receipt.jws)
      }
    }
    readPlaces()
  }

  private mutating func readOfficeRevocation(_ path: String) {
    guard let jws = text(of: path, .revoked) else { return }
    do throws(EvidenceError) {
      let revocation = try OfficeKeyRevocation(jws: jws)
      let signer = revocation.certificate
      if let problem = book.problem(ofStatementBy: signer, about: nil) {
        return add(path, .revoked, problem.severity, problem.message)
      }
      let own = [signer.publicKey] + book.authorities(of: signer).map(\.publicKey)
      guard !own.contains(where: { $0.thumbprint == revocation.key }) else {
        return add(path, .revoked, .doubtful, "a key cannot revoke itself")
      }
      let known = revokedKeys.revocations[revocation.key]
      // Of several revocations the strictest counts.
      if known.map({ revocation.entries < $0.entries }) ?? true {
        revokedKeys.revocations[revocation.key] = revocation
      }
      add(
        path, .revoked, .note,
        "the office's key \(word: revocation.key) was revoked at \(moment: revocation.time): \(revocation.reason). It counts for the first \(revocation.entries) entries of the log"
      )
    } catch {
      add(path, .revoked, .altered, "\(error)")
    }
  }

  private mutating func readSuccession(_ path: String) {
    guard let jws = text(of: path, .certificate) else { return }
    do throws(EvidenceError) {
      let succession = try KeySuccession(jws: jws)
      if let problem = book.problem(ofStatementBy: succession.certificate, about: nil) {
        return add(path, .certificate, problem.severity, problem.message)
      }
      add(
        path, .certificate, .note,
        "the office's key \(word: succession.follower) follows \(word: succession.certificate.publicKey.thumbprint) from \(moment: succession.time) on, by the earlier key's word"
      )
    } catch {
      add(path, .certificate, .altered, "\(error)")
    }
  }

  /// Reads the places of the receipts in offices' logs, as far as a bundle proves them by a key that counts.
  private mutating func readPlaces() {
    for path in files.paths.sorted() {
      guard path == BundleList.statementPath || path.hasSuffix("/" + BundleList.statementPath),
        let bytes = try? files.bytes(of: path),
        let statement = try? BundleStatement(
          jws: String(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" })),
        problem(ofStatementBy: statement.certificate, about: nil, at: statement.contents.made)
          == nil,
        let state = statement.contents.log
      else { continue }
      // What is wrong with any of these is reported where the list is checked.
      let root = String(path.dropLast(BundleList.statementPath.count))
      guard
        case .success((let note, let checkpoint, _)) = self.checkpoint(
          at: root + BundleList.checkpointPath, state)
      else { continue }
      for (proof, result) in proofs(below: root, in: note, checkpoint) {
        guard case .success(let good) = result, good.coversReceipt,
          let receipt = BundleList.receiptPath(ofProof: String(proof.dropFirst(root.count))),
          let jws = receipts[root + receipt]?.jws
        else { continue }
        revokedKeys.places[jws] = min(revokedKeys.places[jws] ?? good.index, good.index)
      }
    }
  }

  // MARK: judging

  /// Returns the revocation of the key that a certificate is for, or of all authorities that issued it; nil if it
  /// counts.
  func revocation(of office: EvidenceCertificate) -> OfficeKeyRevocation? {
    let revoked = revokedKeys.revocations
    if revoked.isEmpty { return nil }
    if let own = revoked[office.publicKey.thumbprint] { return own }
    let issuers = Set(book.authorities(of: office).map(\.publicKey.thumbprint))
    let found = issuers.compactMap { revoked[$0] }
    return found.count == issuers.count ? found.max { $0.entries < $1.entries } : nil
  }

  static func words(_ revocation: OfficeKeyRevocation) -> Wording {
    "the office's key behind it was revoked at \(moment: revocation.time), and no log shows that it was there before"
  }

  /// Returns why a receipt is not to be believed; nil if it is to be believed.
  func problem(of receipt: Receipt) -> (severity: Finding.Severity, message: Wording)? {
    if let revocation = revocation(of: receipt.certificate),
      revokedKeys.held([receipt.jws], before: revocation)
    {
      return book.problem(ofStatementBy: receipt.certificate, about: receipt.key)
    }
    return problem(
      ofStatementBy: receipt.certificate, about: receipt.key, at: receipt.received)
  }

  /// Returns the certificates that count for a record: not those of an authority that was revoked before the office's
  /// log held the record.
  func believable(
    _ vouched: [CertificateBook.Vouched], of record: String
  ) -> [CertificateBook.Vouched] {
    guard !revokedKeys.revocations.isEmpty else { return vouched }
    let receipts = revokedKeys.receipts[record] ?? []
    return vouched.filter { one in
      revokedKeys.revocations[one.issuer].map { revokedKeys.held(receipts, before: $0) } ?? true
    }
  }

  /// The words about a record whose key only revoked authorities vouch for.
  func revokedIssuerWords(_ vouched: [CertificateBook.Vouched]) -> Wording {
    vouched.compactMap { revokedKeys.revocations[$0.issuer] }.max { $0.time < $1.time }
      .map(Self.words) ?? "no authority that counts vouches for its key"
  }
}
