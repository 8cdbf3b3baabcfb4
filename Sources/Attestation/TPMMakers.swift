import Foundation
import SwiftASN1
import TimeAndText
@_spi(FixedExpiryValidationTime) import X509

/// The certificates of TPMs' makers that a person trusts, and those that lead to them.
public struct TPMMakers: Sendable {
  /// The certificates that sign themselves: with these each way begins.
  private var roots: [Certificate] = []
  private var issuers: [Certificate] = []
  private var known: Set<[UInt8]> = []

  /// The most certificates that are kept: all makers together have some hundreds.
  static let most = 2_000
  /// The longest file of certificates that is read, bytes.
  public static let longestFile = 1 << 20

  /// Creates an empty collection.
  public init() {}

  /// True if there is no root.
  public var isEmpty: Bool { roots.isEmpty }

  /// Adds certificates, each by itself. One that signs itself is a root.
  /// - Parameter bytes: PEM, or one certificate in DER.
  /// - Throws: `AttestationProblem` if there is none, or if one cannot be used; the others are added.
  public mutating func add(_ bytes: [UInt8]) throws(AttestationProblem) {
    guard bytes.count <= Self.longestFile else {
      throw AttestationProblem("it is larger than 1 MiB")
    }
    let documents: [[UInt8]]
    if bytes.first == 0x30 {
      documents = [bytes]
    } else {
      let text = String(decoding: bytes, as: UTF8.self)
      documents = ((try? PEMDocument.parseMultiple(pemString: text)) ?? []).map(\.derBytes)
    }
    guard !documents.isEmpty else { throw AttestationProblem("it holds no certificate") }
    var unfit = 0
    for der in documents {
      guard let one = try? Certificate(derEncoded: der),
        case .isCertificateAuthority? = try? one.extensions.basicConstraints
      else {
        unfit += 1
        continue
      }
      guard known.insert(der).inserted else { continue }
      guard roots.count + issuers.count < Self.most else {
        throw AttestationProblem("there are more than \(Self.most) certificates")
      }
      if one.subject == one.issuer { roots.append(one) } else { issuers.append(one) }
    }
    guard unfit == 0 else {
      throw AttestationProblem(
        "\(unfit) of its \(documents.count) certificates cannot be used: they are not those of authorities"
      )
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
    let no = PolicyEvaluationResult.failsToMeetPolicy(
      reason: "the certificate is not for an endorsement key")
    do {
      let extensions = chain.leaf.extensions
      if case .isCertificateAuthority? = try extensions.basicConstraints { return no }
      if let usages = try extensions.extendedKeyUsage {
        return usages.contains(.init(oid: Self.usage)) ? .meetsPolicy : no
      }
      // The profile demands the usage; TPMs of the first years came without any, but named themselves.
      guard try extensions.keyUsage?.keyEncipherment == true,
        EndorsementKey.names(in: chain.leaf)[1] != nil
      else { return no }
      return .meetsPolicy
    } catch {
      return no
    }
  }
}
