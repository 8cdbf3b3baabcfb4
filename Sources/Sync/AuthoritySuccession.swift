import Evidence
import TimeAndText

// An office's certification authority that has followed another one.

extension OfficeMessage {
  /// Returns true if the office's authority is the one with this fingerprint, or has followed it.
  public func follows(_ fingerprint: String) -> Bool {
    if fingerprint == self.fingerprint { return true }
    guard let pem = authorities, let all = try? EvidenceCertificate.all(pem: pem),
      let earlier = all.first(where: { $0.fingerprint == fingerprint && $0.isAuthority }),
      let present = all.first(where: { $0.fingerprint == self.fingerprint })
    else { return false }
    return present.carrying(newestFirst(all)).follows(earlier)
  }
}

extension SignInAnswer {
  /// The certificates by which earlier authorities vouch for this one, and their own; none if they cannot be read.
  public var earlierCertificates: [EvidenceCertificate] {
    (try? EvidenceCertificate.all(pem: bridges ?? "")) ?? []
  }

  /// Returns true if the answer's authority has followed an earlier one.
  public func follows(_ earlier: EvidenceCertificate) -> Bool {
    guard let present = try? EvidenceCertificate(pem: authority) else { return false }
    return present.carrying(newestFirst(earlierCertificates)).follows(earlier)
  }
}

/// Returns certificates with those first that lead forward: a bridge to an earlier authority begins as early as that one.
private func newestFirst(_ all: [EvidenceCertificate]) -> [EvidenceCertificate] {
  all.sorted { $0.notBefore > $1.notBefore }
}
