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
    if !StampingPolicy.mayStamp(signer) {
      standing.doubts.append("the authority's certificate is not one for timestamps alone")
    }
    let others = issuers(of: stamp)
    let chain = await chain(from: signer, others, at: date)
    standing.root = chain.last.map(Timestamp.name)
    if chain.isEmpty, !isEmpty {
      standing.gaps.append("none of the trusted time authorities vouches for it")
      for issuer in others where !(issuer.notValidBefore...issuer.notValidAfter).contains(date) {
        standing.gaps.append(
          "this certificate was not valid at the time of the stamp: \(word: Timestamp.name(of: issuer))"
        )
      }
    }
    let lists = stamp.revocations + revocations
    for certificate in chain.count < 2 ? [signer] : chain.dropLast() {
      let own = lists.filter { list in others.contains(where: list.isSigned) }
      if !own.contains(where: { $0.issuer == certificate.issuer && $0.says(howItWasAt: stamp.time) }
      ) {
        standing.gaps.append(
          "nothing here says whether this certificate was revoked: \(word: Timestamp.name(of: certificate))"
        )
      }
      let times = own.filter { $0.issuer == certificate.issuer }
        .compactMap { $0.revoked(certificate, signing: stamp.time) }
      if let time = times.min() {
        standing.doubts.append(
          "this certificate was revoked at \(moment: time), and the stamp proves nothing any more: \(word: Timestamp.name(of: certificate))"
        )
      }
    }
    return standing
  }

  /// The most certificates between the authority's and a root, and beside them.
  private static let issuersAtMost = 5

  /// The certificates above the authority's, as their names say: each name, key and issuer once, and few. The token of a
  /// stranger could hold many that all vouch for each other.
  private func issuers(of stamp: Timestamp) -> [Certificate] {
    var all: [Certificate] = []
    var names = [stamp.signer.issuer]
    let known = (helping + stamp.certificates).filter { certificate in
      guard case .isCertificateAuthority? = try? certificate.extensions.basicConstraints else {
        return false
      }
      return true
    }
    while let name = names.popLast() {
      for issuer in known where issuer.subject == name && all.count < Self.issuersAtMost {
        guard
          !all.contains(where: {
            $0.subject == issuer.subject && $0.publicKey == issuer.publicKey
              && $0.issuer == issuer.issuer
          })
        else { continue }
        all.append(issuer)
        names.append(issuer.issuer)
      }
    }
    return all
  }

  /// Returns the certificates from the authority's to a trusted one; empty if there is no such chain.
  private func chain(
    from signer: Certificate, _ issuers: [Certificate], at date: Date
  ) async -> [Certificate] {
    guard !trusted.isEmpty else { return [] }
    if trusted.contains(signer) { return [signer] }
    var verifier = Verifier(rootCertificates: CertificateStore(trusted)) {
      RFC5280Policy(fixedExpiryValidationTime: date)
      StampingPolicy()
    }
    let answer = await verifier.validate(
      leaf: signer, intermediates: CertificateStore(issuers))
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
