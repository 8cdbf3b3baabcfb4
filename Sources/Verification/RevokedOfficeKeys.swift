import Evidence
import Positioning
import TimeAndText

/// The keys of offices that count no more, and what their logs held before. Whoever stole such a key can sign with
/// any time; only the place in the office's log says what was there before.
struct RevokedOfficeKeys: Sendable {
  /// The revocations by the thumbprint of the revoked key.
  var revocations: [String: OfficeKeyRevocation] = [:]
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

  /// Returns the revocation of the key that a certificate is for, or of all authorities that issued it; nil if it
  /// counts.
  func revocation(
    of office: EvidenceCertificate, in book: CertificateBook
  ) -> OfficeKeyRevocation? {
    if revocations.isEmpty { return nil }
    if let own = revocations[office.publicKey.thumbprint] { return own }
    let issuers = Set(book.authorities(of: office).map(\.publicKey.thumbprint))
    let found = issuers.compactMap { revocations[$0] }
    return found.count == issuers.count ? found.max { $0.entries < $1.entries } : nil
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
      revocations[one.issuer].map { held(record: record, before: $0) } ?? true
    }
  }

  // MARK: words

  /// The words about a statement, or a certificate, behind which a revoked key is.
  static func words(_ revocation: OfficeKeyRevocation) -> Wording {
    "the office's key behind it was revoked at \(moment: revocation.time), and no log shows that it was there before"
  }

  /// The words about a record whose key only revoked authorities vouch for.
  func words(about vouched: [CertificateBook.Vouched]) -> Wording {
    vouched.compactMap { revocations[$0.issuer] }.max { $0.time < $1.time }.map(Self.words)
      ?? "no authority that counts vouches for its key"
  }
}
