import Crypto
import TimeAndText

/// A random number that an office gave to one device's key, with the office's time and signature. A record that
/// names its digest was sealed later.
public struct CaptureChallenge: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.capture-challenge/1"
  /// The time after which a device replaces its challenge, seconds.
  public static let renewalSeconds = 600.0
  /// The folder of challenges in bundles and data directories, and the ending of their files.
  package static let (folder, ending) = ("challenges", ".challenge")

  private static let nonceBytes = 16
  /// The longest JWS that is read, in bytes.
  private static let sizeLimit = 65_536

  /// Thumbprint of the key that it was given to.
  public let key: String
  /// The time at which it was given, by the office's clock.
  public let issued: DeviceTime
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// SHA-256 of the JWS: records name the challenge by it.
  public var digest: String { Digest.hexadecimal(Array(jws.utf8)) }

  /// Gives a challenge.
  /// - Throws: `EvidenceError.malformedChallenge` if the certificate is not that of the key; the key's error if it
  ///   does not sign.
  public init(
    key: String, issued: DeviceTime, signedWith signer: some DeviceKey,
    certificate: EvidenceCertificate
  ) throws {
    self.key = key
    self.issued = issued
    self.certificate = certificate
    var random = SystemRandomNumberGenerator()
    let nonce = (0..<Self.nonceBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
    let payload = JSONValue.object([
      "schema": .string(Self.schema), "key": .string(key), "issued": .string(issued.rfc3339),
      "nonce": .string(Digest.hexadecimal(of: nonce)),
    ])
    jws = try OfficeStatement.sign(
      payload, with: signer, certificate: certificate, else: EvidenceError.malformedChallenge)
  }

  /// Reads a challenge, and checks its signature by the certificate in `x5c`. The caller must check that an
  /// authority issued that certificate.
  /// - Throws: `EvidenceError.malformedChallenge`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedChallenge)
    let payload = statement.payload
    guard let key = payload["key"]?.text,
      let issued = payload["issued"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let nonce = payload["nonce"]?.text, nonce.utf8.count == 2 * Self.nonceBytes
    else { throw .malformedChallenge("a member is missing or has the wrong type") }
    self.key = key
    self.issued = issued
    certificate = statement.certificate
    self.jws = jws
  }

  /// Returns true if an office under this authority has signed it.
  public func isSigned(under authority: EvidenceCertificate) -> Bool {
    certificate.isVouched(by: authority) && certificate.isOfOffice
  }

  /// The name of its file.
  package var fileName: String { digest + Self.ending }

  /// Returns the digest of the challenge that a record names; nil if it names none.
  public static func digest(in record: JSONValue) -> String? {
    record["challenge"]?.text.flatMap { Digest.isDigest($0) ? $0 : nil }
  }
}
