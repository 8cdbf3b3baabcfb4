import Inspection
import TimeAndText

/// The office's signed word that a device's key counts no more, from a time on and for a reason. It
/// is kept with the things that the key has sealed, so that strangers know it, too.
public struct Revocation: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.revocation/1"

  /// The longest JWS that is read, in bytes.
  private static let sizeLimit = 65_536

  /// The agency to which the device belongs.
  public let agency: String
  /// Thumbprint of the key.
  public let key: String
  /// The time from which the key counts no more, by the office's clock.
  public let time: DeviceTime
  /// The reason for the revocation.
  public let reason: String
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// Signs a revocation.
  /// - Throws: `EvidenceError.malformedRevocation` if the certificate is not that of the key; the
  ///   key's error if it does not sign.
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

  /// Reads a revocation, and checks its signature by the certificate in `x5c`. The caller must
  /// check that an authority issued that certificate.
  /// - Throws: `EvidenceError.malformedRevocation`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedRevocation)
    let payload = statement.payload
    guard let agency = payload["agency"]?.text, let key = payload["key"]?.text,
      let time = payload["time"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let reason = payload["reason"]?.text
    else { throw .malformedRevocation("a member is missing or has the wrong type") }
    self.agency = agency
    self.key = key
    self.time = time
    self.reason = reason
    certificate = statement.certificate
    self.jws = jws
  }
}
