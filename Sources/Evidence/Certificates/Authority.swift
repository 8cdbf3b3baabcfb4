import Crypto
import Foundation
import SwiftASN1
import TimeAndText
import X509

/// The office's certification authority. It can be followed by another one of the same name with a key of its own:
/// then each vouches for the other's key, as RFC 4210 (4.4) has it.
public struct Authority: Sendable {
  private static let day = 86_400.0
  /// The validity of the authority's own certificate and of the certificates that it issues, in
  /// seconds: thirty and ten years, with their leap days.
  private static let ownSeconds = 10_957 * day
  private static let certifiedSeconds = 3652 * day

  /// The authority's own certificate.
  public let certificate: EvidenceCertificate
  /// The authority's private key. Anyone who can sign with it can certify.
  public let signer: any DeviceKey

  /// Creates an authority with a new key. Its certificate is self-signed, is valid for thirty
  /// years, and allows no further authority below it.
  /// - Throws: `EvidenceError.malformedCertificate` if the name is empty or too long; the error of a key that does
  ///   not sign.
  public static func make(
    name: String, at time: DeviceTime, with signer: any DeviceKey = SoftwareDeviceKey()
  ) throws -> Authority {
    try make(name: try CertificateNames.authority(name), at: time, with: signer)
  }

  private static func make(
    name: DistinguishedName, at time: DeviceTime, with signer: any DeviceKey
  ) throws -> Authority {
    let publicKey = try certificateKey(signer.publicKey)
    let certificate = try issue(
      for: publicKey, subject: name, issuer: name, from: time, seconds: ownSeconds, with: signer
    ) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
      Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      SubjectKeyIdentifier(hash: publicKey)
    }
    return Authority(certificate: certificate, signedWith: signer)
  }

  /// Takes an authority that was kept.
  /// - Throws: `EvidenceError.malformedKey` if the key does not belong to the certificate;
  ///   `EvidenceError.malformedCertificate` if the certificate is not an authority's.
  public init(
    certificate: EvidenceCertificate, signer: any DeviceKey
  ) throws(EvidenceError) {
    guard certificate.isAuthority else {
      throw .malformedCertificate("it is not an authority's own certificate")
    }
    guard signer.publicKey == certificate.publicKey else {
      throw .malformedKey("it is not the key of the authority's certificate")
    }
    self.init(certificate: certificate, signedWith: signer)
  }

  private init(certificate: EvidenceCertificate, signedWith signer: any DeviceKey) {
    (self.certificate, self.signer) = (certificate, signer)
  }

  // MARK: followers

  /// An authority that follows this one, and the certificates by which each vouches for the other.
  public struct Follower: Sendable {
    /// The new authority.
    public let authority: Authority
    /// The new authority's key, certified by the earlier authority: who trusts the earlier one believes the new one.
    public let byEarlier: EvidenceCertificate
    /// The earlier authority's key, certified by the new authority: who trusts the new one believes the earlier one.
    public let ofEarlier: EvidenceCertificate
  }

  /// Creates the authority that follows this one. It has the same name, and begins later.
  /// - Throws: the error of a key that does not sign; `EvidenceError`.
  public func follower(at time: DeviceTime, with signer: any DeviceKey) throws -> Follower {
    let name = certificate.certificate.subject
    let time = max(time, certificate.notBefore.advanced(bySeconds: 1))
    let next = try Self.make(name: name, at: time, with: signer)
    return Follower(
      authority: next, byEarlier: try bridge(to: next.certificate, from: time),
      ofEarlier: try next.bridge(toEarlier: certificate))
  }

  /// Vouches for the key of an earlier authority of the same name.
  /// - Throws: the error of a key that does not sign; `EvidenceError`.
  public func bridge(toEarlier other: EvidenceCertificate) throws -> EvidenceCertificate {
    try bridge(to: other, from: other.notBefore)
  }

  /// Certifies the key of another authority of the same name, until the first of both ends.
  private func bridge(
    to other: EvidenceCertificate, from time: DeviceTime
  ) throws -> EvidenceCertificate {
    let end = min(certificate.notAfter, other.notAfter)
    let publicKey = try Self.certificateKey(other.publicKey)
    let ownIdentifier = SubjectKeyIdentifier(hash: certificate.certificate.publicKey)
    return try Self.issue(
      for: publicKey, subject: other.certificate.subject, issuer: certificate.certificate.subject,
      from: time, seconds: end.gnssTime.seconds(since: time.gnssTime), with: signer
    ) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
      Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      SubjectKeyIdentifier(hash: publicKey)
      AuthorityKeyIdentifier(keyIdentifier: ownIdentifier.keyIdentifier)
    }
  }

  // MARK: certificates

  /// Certifies a device's key for ten years, but not beyond the end of the authority's own certificate.
  ///
  /// The name is O=agency, CN=inspector, serialNumber=device; see `CertificateNames`.
  /// - Throws: `EvidenceError.malformedCertificate` if a certificate cannot hold the subject, or if
  ///   the authority's own certificate ends within a day; the error of a key that does not sign.
  public func certify(
    _ key: DevicePublicKey, subject: DeviceSubject, at time: DeviceTime
  ) throws -> EvidenceCertificate {
    try certify(key, name: try subject.distinguishedName(), at: time)
  }

  /// Certifies the key that signs the office's receipts, for the same time.
  /// - Throws: `EvidenceError.malformedCertificate` if the authority's own certificate ends within a day; the
  ///   error of a key that does not sign.
  public func certifyOffice(
    _ key: DevicePublicKey, at time: DeviceTime
  ) throws -> EvidenceCertificate {
    let name = try CertificateNames.office(of: certificate.certificate.subject)
    return try certify(key, name: name, at: time)
  }

  private func certify(
    _ key: DevicePublicKey, name: DistinguishedName, at time: DeviceTime
  ) throws -> EvidenceCertificate {
    let publicKey = try Self.certificateKey(key)
    let left = certificate.notAfter.gnssTime.seconds(since: time.gnssTime)
    guard left > Self.day else {
      throw EvidenceError.malformedCertificate(
        "the authority that should sign it is valid only until \(moment: certificate.notAfter)")
    }
    let ownIdentifier = SubjectKeyIdentifier(hash: certificate.certificate.publicKey)
    return try Self.issue(
      for: publicKey, subject: name, issuer: certificate.certificate.subject, from: time,
      seconds: min(Self.certifiedSeconds, left), with: signer
    ) {
      Critical(BasicConstraints.notCertificateAuthority)
      Critical(KeyUsage(digitalSignature: true))
      // Readers of C2PA believe only certificates for signing documents (RFC 9336) or mail, and
      // some of them, unless configured otherwise, only the latter.
      try ExtendedKeyUsage([
        .emailProtection, .init(oid: [1, 3, 6, 1, 5, 5, 7, 3, 36]),
      ])
      SubjectKeyIdentifier(hash: publicKey)
      AuthorityKeyIdentifier(keyIdentifier: ownIdentifier.keyIdentifier)
    }
  }

  /// Issues a certificate. Certificates know only whole seconds: the beginning is rounded down, so
  /// that a seal of the same second lies inside.
  private static func issue(
    for publicKey: Certificate.PublicKey, subject: DistinguishedName, issuer: DistinguishedName,
    from time: DeviceTime, seconds: Double, with signer: any DeviceKey,
    @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
  ) throws -> EvidenceCertificate {
    let begin = (Double(time.millisecondsSince1970) / 1000).rounded(.down)
    let key = CertifyingKey(signer, publicKey: try certificateKey(signer.publicKey))
    let certificate: Certificate
    do {
      certificate = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
        notValidBefore: Date(timeIntervalSince1970: begin),
        notValidAfter: Date(timeIntervalSince1970: (begin + seconds).rounded(.down)),
        issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
        extensions: try Certificate.Extensions(builder: extensions),
        issuerPrivateKey: Certificate.PrivateKey(key))
    } catch let problem as CertifyingKey.Problem {
      throw problem.cause
    } catch {
      throw EvidenceError.malformedCertificate("\(error)")
    }
    return try EvidenceCertificate(certificate)
  }

  private static func certificateKey(
    _ key: DevicePublicKey
  ) throws(EvidenceError) -> Certificate.PublicKey {
    guard let signingKey = key.signingKey else {
      throw .malformedKey("it is not a point on the curve P-256")
    }
    return Certificate.PublicKey(signingKey)
  }
}
