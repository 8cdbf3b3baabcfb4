import Evidence
import TimeAndText

/// The keys with which an office certifies devices and signs its statements, and those that they have followed.
public struct KeyRing: Sendable {
  /// The two kinds of keys.
  public enum Kind: String, CaseIterable, Sendable {
    /// The certification authority's.
    case authority
    /// The one that signs receipts and all other statements.
    case receipts
  }

  /// A key of the office, present or earlier.
  public struct Entry: Hashable, Sendable {
    /// The kind of the key.
    public var kind: Kind
    /// Its place among those of its kind, from 1.
    public var number: Int
    /// Its certificate.
    public var certificate: EvidenceCertificate

    /// The name by which people and files call it, such as `authority-2`.
    public var name: String { "\(kind.rawValue)-\(number)" }
    /// Thumbprint of the key.
    public var key: String { certificate.publicKey.thumbprint }
  }

  /// The certification authority of today.
  public let authority: Authority
  /// The key that signs statements today.
  public let receiptKey: any DeviceKey
  /// Its certificate, with the bridges that lead from its authority to earlier ones.
  public let receiptCertificate: EvidenceCertificate
  /// All keys, the earliest of each kind first.
  public let entries: [Entry]
  /// The certificates by which authorities vouch for each other.
  public let bridges: [EvidenceCertificate]
  /// The words of earlier signing keys about those that follow them.
  public let successions: [KeySuccession]
  /// The keys that count no more.
  public let revocations: [OfficeKeyRevocation]

  init(
    authority: Authority, receiptKey: any DeviceKey, receiptCertificate: EvidenceCertificate,
    entries: [Entry], bridges: [EvidenceCertificate], successions: [KeySuccession],
    revocations: [OfficeKeyRevocation]
  ) {
    (self.authority, self.receiptKey, self.entries) = (authority, receiptKey, entries)
    (self.bridges, self.successions, self.revocations) = (bridges, successions, revocations)
    let revoked = Set(revocations.map(\.key))
    self.receiptCertificate = receiptCertificate.carrying(
      Self.path(from: authority.certificate, over: bridges, without: revoked, entries))
  }

  /// Returns the bridges that lead from an authority to all earlier ones, the nearest first. A revoked key vouches for
  /// no other one.
  private static func path(
    from authority: EvidenceCertificate, over bridges: [EvidenceCertificate],
    without revoked: Set<String>, _ entries: [Entry]
  ) -> [EvidenceCertificate] {
    var path: [EvidenceCertificate] = []
    var present = authority.publicKey
    let authorities = entries.filter { $0.kind == .authority }
    for earlier in authorities.reversed() where !revoked.contains(earlier.key) {
      guard
        let bridge = bridges.first(where: {
          $0.publicKey == present && $0.isBridge(from: earlier.certificate)
        })
      else { continue }
      path.append(bridge)
      present = earlier.certificate.publicKey
    }
    return path
  }

  /// Returns the revocation of a key; nil if it counts.
  public func revocation(ofKey thumbprint: String) -> OfficeKeyRevocation? {
    revocations.first { $0.key == thumbprint }
  }

  /// The authorities whose word counts, the present one first.
  public var valid: [EvidenceCertificate] {
    entries.reversed().filter { $0.kind == .authority && revocation(ofKey: $0.key) == nil }
      .map(\.certificate)
  }

  /// Returns true if neither the key of a certificate of this office nor the authority that issued it was revoked.
  public func counts(_ certificate: EvidenceCertificate) -> Bool {
    revocation(ofKey: certificate.publicKey.thumbprint) == nil && issuer(of: certificate) != nil
  }

  /// Returns the authority that issued a certificate, if its word counts.
  public func issuer(of certificate: EvidenceCertificate) -> EvidenceCertificate? {
    valid.first(where: certificate.isIssued)
  }

  /// Returns true if a device that knows an earlier authority can believe the present one: no revoked key lies between.
  public func leads(from earlier: EvidenceCertificate) -> Bool {
    authority.certificate.carrying(receiptCertificate.bridges).follows(earlier)
  }

  /// The authorities whose word counts, and the bridges that they have signed, as PEM.
  public var validPEM: String {
    let valid = valid
    return (valid + bridges.filter { bridge in valid.contains(where: bridge.isBridge) })
      .map(\.pem).joined()
  }

  /// All authorities' certificates and the bridges between them, as PEM: with them strangers see that one office
  /// issued them all.
  public var authoritiesPEM: String {
    let own = entries.filter { $0.kind == .authority }.reversed().map(\.certificate.pem)
    return (own + bridges.map(\.pem)).joined()
  }

  /// The certificates by which a device that knows an earlier authority believes the present one, and the earlier
  /// authorities' own, as PEM; nil if the present one has followed none that counts.
  public var bridgesPEM: String? {
    receiptCertificate.bridges.isEmpty
      ? nil : (receiptCertificate.bridges + valid.dropFirst()).map(\.pem).joined()
  }

  /// The files about the office's own keys that belong into a bundle, by their names: the words of earlier signing keys
  /// about those that follow them, and the keys that count no more.
  package var bundledFiles: [(name: String, bytes: [UInt8])] {
    successions.map { ("certificates/\($0.follower)\(KeySuccession.ending)", Array($0.jws.utf8)) }
      + revocations.map {
        ("revocations/\($0.key)\(OfficeKeyRevocation.ending)", Array($0.jws.utf8))
      }
  }
}
