import Evidence
import Positioning
import TimeAndText

/// The keys of offices that count no more, and what their logs held before. Whoever stole such a key can sign with
/// any time; only the place in the office's log says what was there before.
struct RevokedOfficeKeys: Sendable {
  /// A revocation that counts, with the keys of the authorities of its signer.
  struct Accepted: Sendable {
    var revocation: OfficeKeyRevocation
    var signers: Set<String>
  }

  /// The revocations by the thumbprint of the revoked key.
  private(set) var revocations: [String: [Accepted]] = [:]
  /// The earliest place in the log that is proved for a receipt, from 0, by its compact JWS.
  var places: [String: Int] = [:]
  /// The receipts that name a record, as compact JWS, by the record's digest.
  var receipts: [String: [String]] = [:]

  /// Notes the place of a receipt in the log.
  mutating func note(_ receipt: Receipt, at place: Int) {
    places[receipt.jws] = min(places[receipt.jws] ?? place, place)
  }

  // MARK: judging

  /// Returns true if the log held one of these receipts when a key was revoked.
  func held(_ receipts: [String], before revocation: OfficeKeyRevocation) -> Bool {
    receipts.contains { places[$0].map { $0 < revocation.entries } ?? false }
  }

  /// Returns true if the log held a record when a key was revoked.
  func held(record: String, before revocation: OfficeKeyRevocation) -> Bool {
    held(receipts[record] ?? [], before: revocation)
  }

  /// True if no revocation counts here.
  var isEmpty: Bool { revocations.isEmpty }

  /// Takes a revocation.
  mutating func add(_ accepted: Accepted) {
    revocations[accepted.revocation.key, default: []].append(accepted)
  }

  /// Returns true if a revocation is about a certificate: nobody revokes a key that came later than their own.
  func isAbout(
    _ office: EvidenceCertificate, of issuers: Set<String>, _ accepted: Accepted,
    in book: CertificateBook
  ) -> Bool {
    let signer = accepted.revocation.certificate
    return signer.publicKey != office.publicKey && signer.notBefore >= office.notBefore
      && book.have(accepted.signers, followed: issuers)
  }

  /// Returns the strictest revocation of an authority; nil if it counts.
  private func revocation(ofAuthority key: String) -> OfficeKeyRevocation? {
    revocations[key]?.map(\.revocation).min { $0.entries < $1.entries }
  }

  /// Returns the strictest revocation of the key that a certificate is for, or of all authorities that issued it; nil
  /// if it counts.
  func revocation(
    of office: EvidenceCertificate, in book: CertificateBook
  ) -> OfficeKeyRevocation? {
    if revocations.isEmpty { return nil }
    let issuers = book.issuers(of: office)
    let own = (revocations[office.publicKey.thumbprint] ?? []).filter {
      isAbout(office, of: issuers, $0, in: book)
    }
    let ofIssuers = issuers.compactMap(revocation(ofAuthority:))
    let all = ofIssuers.count == issuers.count ? ofIssuers.max { $0.entries < $1.entries } : nil
    return (own.map(\.revocation) + [all].compactMap(\.self)).min { $0.entries < $1.entries }
  }

  /// Returns why an office's statement about a key is not to be believed; nil if it is to be believed.
  func problem(
    ofStatementBy office: EvidenceCertificate, about key: String?, at time: DeviceTime,
    in book: CertificateBook
  ) -> CertificateBook.Doubt? {
    if let problem = book.problem(ofStatementBy: office, about: key) { return problem }
    if let revocation = revocation(of: office, in: book) {
      return (.doubtful, Self.words(revocation))
    }
    return CertificateBook.isValid(office, at: time)
      ? nil : (.doubtful, "the office's certificate was not valid when it signed this")
  }

  /// Returns why a receipt is not to be believed; nil if it is to be believed.
  func problem(of receipt: Receipt, in book: CertificateBook) -> CertificateBook.Doubt? {
    if let revocation = revocation(of: receipt.certificate, in: book),
      held([receipt.jws], before: revocation)
    {
      return book.problem(ofStatementBy: receipt.certificate, about: receipt.key)
    }
    return problem(
      ofStatementBy: receipt.certificate, about: receipt.key, at: receipt.received, in: book)
  }

  /// Returns the certificates that count for a record: not those of an authority that was revoked before the office's
  /// log held the record.
  func believable(
    _ vouched: [CertificateBook.Vouched], of record: String
  ) -> [CertificateBook.Vouched] {
    if revocations.isEmpty { return vouched }
    return vouched.filter { one in
      revocation(ofAuthority: one.issuer).map { held(record: record, before: $0) } ?? true
    }
  }

  // MARK: words

  /// The words about a statement, or a certificate, behind which a revoked key is.
  static func words(_ revocation: OfficeKeyRevocation) -> Wording {
    "the office's key behind it was revoked at \(moment: revocation.time), and no log shows that it was there before"
  }

  /// The words about a record whose key only revoked authorities vouch for.
  func words(about vouched: [CertificateBook.Vouched]) -> Wording {
    vouched.compactMap { revocation(ofAuthority: $0.issuer) }.max { $0.time < $1.time }
      .map(Self.words)
      ?? "no authority that counts vouches for its key"
  }
}
