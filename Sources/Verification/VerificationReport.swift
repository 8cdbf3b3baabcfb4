import Evidence

/// The issuer of the keys that sealed: who vouches for them.
public enum Issuer: String, Hashable, Sendable {
  /// The authority that the caller trusts vouches for every key.
  case trusted
  /// No authority that the caller named vouches for every key: anyone can make an authority.
  case unknown
}

/// The verifier's result.
public struct VerificationReport: Hashable, Sendable {
  /// The worst verdict of all findings.
  public var verdict: EvidenceVerdict
  /// The number of seals that were checked.
  public var checked: Int
  /// The number of offices' logs that were checked.
  public var logs: Int
  /// The number of composites that were checked. They are no evidence.
  public var composites: Int
  /// The receipts over the seals. With a trusted authority, receipts of others do not count.
  public var witnesses: Verifier.Witnesses
  /// The stamps of time authorities over the seals. With trusted ones, those of others do not count.
  public var stamped: Verifier.StampedSeals
  /// The times between which records were sealed, of those that name a challenge that is here.
  public var sealedBetween: [Verifier.SealedBetween]
  /// The names of the kept checkpoints that were compared with a log or with another checkpoint.
  public var comparedCheckpoints: Set<String>
  /// The keys of the trusted witnesses that have signed the checkpoint of each bundle, which has a delivery of it;
  /// nil if there is no bundle with a checkpoint.
  public var cosigned: Set<String>?
  /// Thumbprints of the keys that sealed.
  public var keys: [String]
  /// `trusted` if the authority that the caller trusts vouches for every key that sealed.
  public var issuer: Issuer
  /// SHA-256 of the certificate of the authority that vouches for the keys; nil if none does, or if
  /// several do and the trusted one does not vouch for all keys.
  public var issuerFingerprint: String?
  /// All findings, in the order of their subjects.
  public var findings: [Finding]
}
