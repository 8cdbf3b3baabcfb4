import Crypto
import Foundation
import SwiftASN1
import TimeAndText
import X509

/// The office's certification authority.
public struct Authority: Sendable {
  private static let day = 86_400.0
  /// The validity of the authority's own certificate and of the certificates that it issues, in
  /// seconds: thirty and ten years, with their leap days.
  private static let ownSeconds = 10_957 * day
  private static let certifiedSeconds = 3652 * day

  /// The authority's own certificate.
  public let certificate: EvidenceCertificate
  /// The authority's private key (PKCS #8). Anyone who reads this can certify.
  public let keyPEM: String
  private let key: P256.Signing.PrivateKey

  /// Creates an authority with a new key. Its certificate is self-signed, is valid for thirty
  /// years, and allows no further authority below it.
  /// - Throws: `EvidenceError.malformedCertificate` if the name is empty or too long.
  public static func make(name: String, at time: DeviceTime) throws(EvidenceError) -> Authority {
    let key = P256.Signing.PrivateKey()
    let name = try CertificateNames.authority(name)
    let publicKey = Certificate.PublicKey(key.publicKey)
    let certificate = try issue(
      for: publicKey, subject: name, issuer: name, from: time, seconds: ownSeconds, with: key
    ) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
      Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      SubjectKeyIdentifier(hash: publicKey)
    }
    return Authority(certificate: certificate, key: key)
  }

  /// Reads an authority that was kept as PEM.
  /// - Throws: `EvidenceError.malformedKey`, also if the key does not belong to the certificate;
  ///   `EvidenceError.malformedCertificate`, also if the certificate is not an authority's.
  public init(certificatePEM: String, keyPEM: String) throws(EvidenceError) {
    let certificate = try EvidenceCertificate(pem: certificatePEM)
    guard certificate.isAuthority else {
      throw .malformedCertificate("it is not an authority's own certificate")
    }
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: keyPEM) else {
      throw .malformedKey("the file contains no P-256 private key in PEM")
    }
    guard DevicePublicKey(key.publicKey) == certificate.publicKey else {
      throw .malformedKey("it is not the key of the authority's certificate")
    }
    self.init(certificate: certificate, key: key)
  }

  private init(certificate: EvidenceCertificate, key: P256.Signing.PrivateKey) {
    self.certificate = certificate
    self.key = key
    keyPEM = key.pemRepresentation + "\n"
  }

  /// Certifies a device's key for ten years, but not beyond the end of the authority's own certificate.
  ///
  /// The name is O=agency, CN=inspector, serialNumber=device; see `CertificateNames`.
  /// - Throws: `EvidenceError.malformedCertificate` if a certificate cannot hold the subject, or if
  ///   the authority's own certificate ends within a day.
  public func certify(
    _ key: DevicePublicKey, subject: DeviceSubject, at time: DeviceTime
  ) throws(EvidenceError) -> EvidenceCertificate {
    try certify(key, name: try subject.distinguishedName(), at: time)
  }

  /// Certifies the key that signs the office's receipts, for the same time.
  /// - Throws: `EvidenceError.malformedCertificate` if the authority's own certificate ends within a day.
  public func certifyOffice(
    _ key: DevicePublicKey, at time: DeviceTime
  ) throws(EvidenceError) -> EvidenceCertificate {
    let name = try CertificateNames.office(of: certificate.certificate.subject)
    return try certify(key, name: name, at: time)
  }

  private func certify(
    _ key: DevicePublicKey, name: DistinguishedName, at time: DeviceTime
  ) throws(EvidenceError) -> EvidenceCertificate {
    guard let signingKey = key.signingKey else {
      throw .malformedKey("it is not a point on the curve P-256")
    }
    let left = certificate.notAfter.gnssTime.seconds(since: time.gnssTime)
    guard left > Self.day else {
      throw .malformedCertificate(
        "the authority that should sign it is valid only until \(moment: certificate.notAfter)")
    }
    let publicKey = Certificate.PublicKey(signingKey)
    let ownIdentifier = SubjectKeyIdentifier(hash: certificate.certificate.publicKey)
    return try Self.issue(
      for: publicKey, subject: name, issuer: certificate.certificate.subject, from: time,
      seconds: min(Self.certifiedSeconds, left), with: self.key
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
    from time: DeviceTime, seconds: Double, with key: P256.Signing.PrivateKey,
    @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
  ) throws(EvidenceError) -> EvidenceCertificate {
    let begin = (Double(time.millisecondsSince1970) / 1000).rounded(.down)
    let certificate: Certificate
    do {
      certificate = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
        notValidBefore: Date(timeIntervalSince1970: begin),
        notValidAfter: Date(timeIntervalSince1970: (begin + seconds).rounded(.down)),
        issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
        extensions: try Certificate.Extensions(builder: extensions),
        issuerPrivateKey: Certificate.PrivateKey(key))
    } catch {
      throw .malformedCertificate("\(error)")
    }
    return try EvidenceCertificate(certificate)
  }
}
