import Crypto
import Foundation
import SwiftASN1
import TimeAndText
import X509

/// An X.509 certificate (P-256) as evidence uses it.
public struct EvidenceCertificate: Hashable, Sendable {
  /// The certificate's bytes (DER).
  let der: [UInt8]
  let certificate: Certificate
  /// The key that the certificate is for.
  public let publicKey: DevicePublicKey
  /// The certificates that came with an office's own one, by which earlier authorities vouch for the one that issued it.
  public internal(set) var bridges: [EvidenceCertificate] = []

  /// Reads a PEM text with exactly one certificate.
  /// - Throws: `EvidenceError.malformedCertificate`.
  public init(pem: String) throws(EvidenceError) {
    let all = try Self.all(pem: pem)
    guard let first = all.first, all.count == 1 else {
      throw .malformedCertificate("the text contains \(all.count) certificates instead of one")
    }
    self = first
  }

  /// Reads a PEM text with one certificate or several, and nothing else.
  /// - Throws: `EvidenceError.malformedCertificate`.
  public static func all(pem: String) throws(EvidenceError) -> [EvidenceCertificate] {
    guard pem.utf8.count <= 1 << 20, let documents = try? PEMDocument.parseMultiple(pemString: pem),
      !documents.isEmpty
    else { throw .malformedCertificate("the text is not PEM") }
    var all: [EvidenceCertificate] = []
    for document in documents {
      guard document.discriminator == Certificate.defaultPEMDiscriminator else {
        throw .malformedCertificate("the text also contains a \(document.discriminator)")
      }
      all.append(try EvidenceCertificate(der: document.derBytes))
    }
    return all
  }

  /// Reads a certificate's bytes (DER), as a JWS header's `x5c` carries them.
  /// - Throws: `EvidenceError.malformedCertificate`.
  public init(der: [UInt8]) throws(EvidenceError) {
    guard let certificate = try? Certificate(derEncoded: der), Self.hasWholeSignature(der) else {
      throw .malformedCertificate("the bytes are not an X.509 certificate")
    }
    try self.init(certificate, der: der)
  }

  /// Returns true if all bits of the signature count. The signature is a bit string, which may say
  /// that its last bits do not count; X509 then reads zeros there. No ordinary software writes
  /// that, and it would be a second form of one certificate.
  private static func hasWholeSignature(_ der: [UInt8]) -> Bool {
    guard let root = try? DER.parse(der), case .constructed(let nodes) = root.content,
      let last = Array(nodes).last, let bits = try? ASN1BitString(derEncoded: last)
    else { return false }
    return bits.paddingBits == 0
  }

  /// True if the signature is the one with the higher s, which no program of ours writes (`ECDSATwin`).
  package var hasSecondSignature: Bool {
    guard let root = try? DER.parse(der), case .constructed(let nodes) = root.content,
      let last = Array(nodes).last, let bits = try? ASN1BitString(derEncoded: last),
      let signature = try? P256.Signing.ECDSASignature(derRepresentation: bits.bytes)
    else { return false }
    let raw = Array(signature.rawRepresentation)
    return ECDSATwin.low(raw) != raw
  }

  private init(_ certificate: Certificate, der: [UInt8]) throws(EvidenceError) {
    guard let key = P256.Signing.PublicKey(certificate.publicKey) else {
      throw .malformedCertificate("its key is not on the curve P-256")
    }
    self.der = der
    self.certificate = certificate
    publicKey = DevicePublicKey(key)
  }

  /// Wraps a certificate that was just made.
  init(_ certificate: Certificate) throws(EvidenceError) {
    var serializer = DER.Serializer()
    do {
      try serializer.serialize(certificate)
    } catch {
      throw .malformedCertificate("\(error)")
    }
    try self.init(certificate, der: serializer.serializedBytes)
  }

  /// The certificate as PEM text.
  public var pem: String {
    PEMDocument(type: Certificate.defaultPEMDiscriminator, derBytes: der).pemString + "\n"
  }

  /// SHA-256 of the DER, in lower-case hexadecimal.
  public var fingerprint: String { Digest.hexadecimal(der) }

  /// The subject that the certificate names; nil for the authority's own and for the office's
  /// receipt certificate.
  public var subject: DeviceSubject? { DeviceSubject(certificate.subject) }

  /// The beginning of the certificate's validity.
  public var notBefore: DeviceTime { Self.time(certificate.notValidBefore) }

  /// The end of the certificate's validity.
  public var notAfter: DeviceTime { Self.time(certificate.notValidAfter) }

  /// True if this is an authority's own certificate: self-signed, CA:TRUE, and its key may sign
  /// certificates.
  public var isAuthority: Bool {
    isAuthorityByForm && hasSignature(of: self) && certificate.issuer == certificate.subject
  }

  /// True if the key is the office's own, which signs receipts and all its other statements.
  public var isOfOffice: Bool { CertificateNames.isOffice(certificate.subject) }

  /// Returns true if `authority` issued this certificate. The check covers the signature, the issuer's
  /// name, the basic constraints (CA:TRUE for the authority, CA:FALSE for this one) and the key usage.
  public func isIssued(by authority: EvidenceCertificate) -> Bool {
    namesIssuer(authority) && hasSignature(of: authority) && authority.isAuthorityByForm
      && isLeafByForm
  }

  // MARK: authorities that follow one another

  /// The most bridges that are read with a certificate: no office has had so many authorities.
  static let mostBridges = 8

  /// Returns this certificate with the bridges that lead from its authority to earlier ones.
  public func carrying(_ bridges: [EvidenceCertificate]) -> EvidenceCertificate {
    var copy = self
    copy.bridges = Array(bridges.filter(\.isBridgeByForm).prefix(Self.mostBridges))
    return copy
  }

  /// Returns true if `authority` issued this certificate, or vouches for the authority that did, over the bridges that
  /// came with it.
  public func isVouched(by authority: EvidenceCertificate) -> Bool {
    isIssued(by: authority)
      || !bridges.isEmpty && reached(from: authority).contains(where: isIssued)
  }

  /// Returns true if this authority has followed `earlier`, over the bridges that came with it.
  public func follows(_ earlier: EvidenceCertificate) -> Bool {
    guard isAuthority, earlier.isAuthority else { return false }
    return publicKey == earlier.publicKey
      || reached(from: earlier).contains { $0.publicKey == publicKey }
  }

  /// Returns the certificates of the authorities that have followed `authority`, over the bridges. A later authority
  /// vouches for earlier ones, too: that way nobody is led back to a key that may have been stolen since.
  private func reached(from authority: EvidenceCertificate) -> [EvidenceCertificate] {
    var reached = [authority]
    var rest = bridges
    while let next = rest.firstIndex(where: { bridge in
      reached.contains { bridge.isBridge(from: $0) && bridge.notBefore > $0.notBefore }
    }) {
      reached.append(rest.remove(at: next))
    }
    return reached
  }

  /// Returns true if `authority` vouches by this certificate for the key of another authority of the same name.
  public func isBridge(from authority: EvidenceCertificate) -> Bool {
    isBridgeByForm && namesIssuer(authority) && hasSignature(of: authority)
      && authority.isAuthorityByForm
  }

  /// True if the certificate is an authority's, by another key of an authority with the same name.
  package var isBridgeByForm: Bool {
    guard isAuthorityByForm, namesIssuer(self),
      let issuer = (try? certificate.extensions.authorityKeyIdentifier)?.keyIdentifier,
      let own = (try? certificate.extensions.subjectKeyIdentifier)?.keyIdentifier
    else { return false }
    return !issuer.elementsEqual(own)
  }

  // MARK: single conditions

  package func namesIssuer(_ authority: EvidenceCertificate) -> Bool {
    certificate.issuer == authority.certificate.subject
  }

  /// Returns true if this certificate names `authority` as its issuer, by name and by key identifier.
  package func namesIssuersKey(_ authority: EvidenceCertificate) -> Bool {
    guard namesIssuer(authority),
      let own = (try? certificate.extensions.authorityKeyIdentifier)?.keyIdentifier,
      let other = (try? authority.certificate.extensions.subjectKeyIdentifier)?.keyIdentifier
    else { return false }
    return own.elementsEqual(other)
  }

  package func hasSignature(of authority: EvidenceCertificate) -> Bool {
    authority.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
  }

  /// True if the certificate has the form of a device's or an office's: for signatures, and not an
  /// authority's.
  package var isLeafByForm: Bool {
    guard hasOnlyKnownCriticalExtensions,
      let constraints = try? certificate.extensions.basicConstraints,
      constraints == .notCertificateAuthority,
      let usage = try? certificate.extensions.keyUsage
    else { return false }
    return usage.digitalSignature && !usage.keyCertSign
  }

  package var isAuthorityByForm: Bool {
    guard hasOnlyKnownCriticalExtensions,
      let constraints = try? certificate.extensions.basicConstraints,
      case .isCertificateAuthority = constraints,
      let usage = try? certificate.extensions.keyUsage
    else { return false }
    return usage.keyCertSign
  }

  /// True if all critical extensions are known: one that is not understood must fail (RFC 5280, 4.2).
  private var hasOnlyKnownCriticalExtensions: Bool {
    let known: [ASN1ObjectIdentifier] = [
      .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    ]
    return certificate.extensions.allSatisfy { !$0.critical || known.contains($0.oid) }
  }

  private static func time(_ date: Date) -> DeviceTime {
    DeviceTime(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded()))
  }
}
