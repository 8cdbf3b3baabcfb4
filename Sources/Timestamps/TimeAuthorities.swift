import Foundation
import SwiftASN1
import TimeAndText
@_spi(FixedExpiryValidationTime) import X509

/// The time authorities that somebody trusts, by their certificates.
public struct TimeAuthorities: Sendable {
  /// The answer to the question who stands behind a timestamp.
  public struct Standing: Hashable, Sendable {
    /// The name of the trusted certificate to which the authority's leads; nil if there is none.
    public var root: String?
    /// The reasons for which the timestamp proves nothing, as far as one can see.
    public var doubts: [Wording] = []
    /// The questions that stay open with what is here.
    public var gaps: [Wording] = []
  }

  private var trusted: [Certificate] = []
  private var helping: [Certificate] = []

  /// Trusts nobody.
  public init() {}

  /// True if nobody is trusted.
  public var isEmpty: Bool { trusted.isEmpty }

  /// Trusts the self-signed certificates of a text (PEM); the other ones in it may lie between, and if none is
  /// self-signed, all of them are trusted.
  /// - Throws: `TimestampProblem` if the text is no certificates.
  public mutating func trust(pem: String) throws(TimestampProblem) {
    guard pem.utf8.count <= 1 << 20, let documents = try? PEMDocument.parseMultiple(pemString: pem),
      !documents.isEmpty
    else { throw TimestampProblem("it is no certificate (PEM)") }
    var all: [Certificate] = []
    for document in documents {
      guard let certificate = try? Certificate(pemDocument: document) else {
        throw TimestampProblem("it contains something else than certificates")
      }
      all.append(certificate)
    }
    let roots = all.filter { $0.issuer == $0.subject }
    trusted += roots.isEmpty ? all : roots
    helping += all
  }

  /// Judges a timestamp: its authority's certificate must have been valid, and not revoked, at the time of the stamp,
  /// whatever it is today.
  /// - Parameter revocations: revocation lists beside those that came with it.
  public func standing(
    of stamp: Timestamp, revocations: [RevocationList] = []
  ) async -> Standing {
    var standing = Standing()
    let signer = stamp.signer
    let date = Date(timeIntervalSince1970: Double(stamp.time.millisecondsSince1970) / 1000)
    if !(signer.notValidBefore...signer.notValidAfter).contains(date) {
      standing.doubts.append("the authority's certificate was not valid at the time of the stamp")
    }
    for issuer in issuers(of: stamp)
    where !(issuer.notValidBefore...issuer.notValidAfter).contains(date) {
      standing.doubts.append(
        "this certificate was not valid at the time of the stamp: \(word: Timestamp.name(of: issuer))"
      )
    }
    if !StampingPolicy.mayStamp(signer) {
      standing.doubts.append("the authority's certificate is not one for timestamps alone")
    }
    let chain = await chain(of: stamp, at: date)
    standing.root = chain.last.map(Timestamp.name)
    if chain.isEmpty, !isEmpty {
      standing.gaps.append("none of the trusted time authorities vouches for it")
    }
    let known = chain.isEmpty ? stamp.certificates + helping : chain
    let lists = stamp.revocations + revocations
    for certificate in chain.isEmpty ? [signer] : chain.dropLast() {
      let issuers = known.filter { $0.subject == certificate.issuer }
      let own = lists.filter { list in issuers.contains(where: list.isSigned) }
      if own.isEmpty {
        standing.gaps.append(
          "nothing here says whether this certificate was revoked: \(word: Timestamp.name(of: certificate))"
        )
      }
      if let time = own.compactMap({ $0.revoked(certificate) }).min(), time <= stamp.time {
        standing.doubts.append(
          "this certificate was revoked at \(moment: time), before the stamp: \(word: Timestamp.name(of: certificate))"
        )
      }
    }
    return standing
  }

  /// The certificates above the authority's, as their names say.
  private func issuers(of stamp: Timestamp) -> [Certificate] {
    var all: [Certificate] = []
    var below = stamp.signer
    while let issuer = (stamp.certificates + helping).first(where: {
      $0.subject == below.issuer && $0 != below && !all.contains($0)
    }) {
      all.append(issuer)
      below = issuer
    }
    return all
  }

  /// Returns the certificates from the authority's to a trusted one; empty if there is no such chain.
  private func chain(of stamp: Timestamp, at date: Date) async -> [Certificate] {
    guard !trusted.isEmpty else { return [] }
    var verifier = Verifier(rootCertificates: CertificateStore(trusted)) {
      RFC5280Policy(fixedExpiryValidationTime: date)
      StampingPolicy()
    }
    let answer = await verifier.validate(
      leaf: stamp.signer, intermediates: CertificateStore(stamp.certificates + helping))
    guard case .validCertificate(let chain) = answer else { return [] }
    return Array(chain)
  }
}

/// RFC 3161, 2.3: the certificate is for timestamps and for nothing else.
private struct StampingPolicy: VerifierPolicy {
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [.X509ExtensionID.extendedKeyUsage]

  static func mayStamp(_ certificate: Certificate) -> Bool {
    guard let usage = try? certificate.extensions.extendedKeyUsage,
      certificate.extensions[oid: .X509ExtensionID.extendedKeyUsage]?.critical == true
    else { return false }
    return Array(usage) == [.timeStamping]
  }

  func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    Self.mayStamp(chain.leaf)
      ? .meetsPolicy : .failsToMeetPolicy(reason: "the certificate is not for timestamps alone")
  }
}
