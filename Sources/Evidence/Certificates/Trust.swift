/// The authority that a verifier is told to trust.
public enum Trust: Hashable, Sendable {
  /// The authority's certificate.
  case certificate(EvidenceCertificate)
  /// The SHA-256 of the authority's certificate, in lower-case hexadecimal; the certificate must
  /// then be among the files that are verified.
  case fingerprint(String)

  /// Reads a certificate in PEM, or a fingerprint of 64 hexadecimal digits; colons, blanks and
  /// capitals do not matter.
  /// - Throws: `EvidenceError.malformedTrust`.
  public init(_ text: String) throws(EvidenceError) {
    if text.contains("-----BEGIN") {
      let certificate: EvidenceCertificate
      do {
        certificate = try EvidenceCertificate(pem: text)
      } catch {
        throw .malformedTrust("\(error)")
      }
      guard certificate.isAuthority else {
        throw .malformedTrust("the certificate is not an authority's own")
      }
      self = .certificate(certificate)
      return
    }
    let digits = text.lowercased().filter { !$0.isWhitespace && $0 != ":" }
    guard digits.utf8.count == 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw .malformedTrust("a certificate (PEM) or its SHA-256 (64 hexadecimal digits) is needed")
    }
    self = .fingerprint(digits)
  }

  /// The fingerprint of the authority's certificate, in lower-case hexadecimal.
  public var fingerprint: String {
    switch self {
    case .certificate(let certificate): certificate.fingerprint
    case .fingerprint(let text): text
    }
  }
}
