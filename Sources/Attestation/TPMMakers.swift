import Foundation
import SwiftASN1
import TimeAndText
@_spi(FixedExpiryValidationTime) import X509

/// The certificates of TPMs' makers that a person trusts, and those that lead to them.
public struct TPMMakers: Sendable {
  /// The certificates that sign themselves: with these each way begins.
  private var roots: [Certificate] = []
  private var issuers: [Certificate] = []

  /// The most certificates that are kept.
  static let most = 200

  /// Creates an empty collection.
  public init() {}

  /// True if there is no root.
  public var isEmpty: Bool { roots.isEmpty }

  /// Adds certificates. One that signs itself is a root.
  /// - Parameter bytes: PEM, or one certificate in DER.
  /// - Throws: `AttestationProblem` if there is none, or if one is no authority's.
  public mutating func add(_ bytes: [UInt8]) throws(AttestationProblem) {
    let found: [Certificate]
    do {
      found =
        bytes.first == 0x30
        ? [try Certificate(derEncoded: bytes)]
        : try PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self))
          .map { try Certificate(pemDocument: $0) }
    } catch {
      throw AttestationProblem("it holds no certificate that can be read")
    }
    guard !found.isEmpty else { throw AttestationProblem("it holds no certificate") }
    for one in found {
      guard case .isCertificateAuthority? = try? one.extensions.basicConstraints else {
        throw AttestationProblem("a certificate in it is not that of an authority")
      }
      guard roots.count + issuers.count < Self.most else {
        throw AttestationProblem("there are more than \(Self.most) certificates")
      }
      if one.subject == one.issuer { roots.append(one) } else { issuers.append(one) }
    }
  }

  /// Returns the name of the root that vouches for an endorsement key; nil if none does.
  /// - Parameter time: the time at which the certificates must be valid.
  public func root(of key: EndorsementKey, at time: DeviceTime) async -> String? {
    guard !roots.isEmpty else { return nil }
    let date = Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1000)
    var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
      RFC5280Policy(fixedExpiryValidationTime: date)
      EndorsementPolicy()
    }
    let answer = await verifier.validate(
      leaf: key.certificate, intermediates: CertificateStore(issuers))
    guard case .validCertificate(let chain) = answer else { return nil }
    return Array(chain).last?.subject.description
  }
}

/// The certificate is for an endorsement key, and its names are no server's.
private struct EndorsementPolicy: VerifierPolicy {
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
    .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName,
    .X509ExtensionID.keyUsage,
  ]

  /// tcg-kp-EKCertificate.
  private static let usage: ASN1ObjectIdentifier = [2, 23, 133, 8, 1]

  func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    // The profile demands the usage; TPMs of the first years came without any.
    guard let usages = try? chain.leaf.extensions.extendedKeyUsage else { return .meetsPolicy }
    return usages.contains(.init(oid: Self.usage))
      ? .meetsPolicy : .failsToMeetPolicy(reason: "the certificate is not for an endorsement key")
  }
}
