import Inspection
import Positioning

/// The office's word that a device's key counts no more: from a time on, for a reason. It lies beside
/// what the key has sealed, so that strangers know it, too.
public struct Revocation: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.revocation/1"

  /// A longer JWS is refused.
  private static let sizeLimit = 65_536

  /// The agency whose device it is.
  public let agency: String
  /// Thumbprint of the key.
  public let key: String
  /// From when on, by the office's clock.
  public let time: DeviceTime
  /// Why.
  public let reason: String
  /// `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// Signs a revocation.
  /// - Throws: `EvidenceError.malformedRevocation` when the certificate is not that of the key; what the
  ///   key throws when it does not sign.
  public init(
    agency: String, key: String, time: DeviceTime, reason: String,
    signedWith signer: some DeviceKey, certificate: EvidenceCertificate
  ) throws {
    self.agency = agency
    self.key = key
    self.time = time
    self.reason = reason
    self.certificate = certificate
    let payload = JSONValue.object([
      "schema": .string(Self.schema), "agency": .string(agency), "key": .string(key),
      "time": .string(time.rfc3339), "reason": .string(reason),
    ])
    jws = try OfficeStatement.sign(
      payload, with: signer, certificate: certificate, else: EvidenceError.malformedRevocation)
  }

  /// Reads a revocation whose signature holds. Whether an authority issued the certificate is another
  /// question.
  /// - Throws: `EvidenceError.malformedRevocation`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedRevocation)
    let payload = statement.payload
    guard let agency = payload["agency"]?.text, let key = payload["key"]?.text,
      let time = payload["time"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let reason = payload["reason"]?.text
    else { throw .malformedRevocation("it lacks a member, or one is not of its type") }
    self.agency = agency
    self.key = key
    self.time = time
    self.reason = reason
    certificate = statement.certificate
    self.jws = jws
  }
}
