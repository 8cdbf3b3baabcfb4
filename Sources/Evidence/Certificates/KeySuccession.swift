import TimeAndText

/// The word of a key with which an office signs its statements, about the key that follows it.
public struct KeySuccession: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.key-succession/1"
  /// The ending of its files.
  package static let ending = ".succession"
  /// The longest JWS that is read, in bytes.
  private static let sizeLimit = 65_536

  /// Thumbprint of the key that follows.
  public let follower: String
  /// The time from which it signs, by the office's clock.
  public let time: DeviceTime
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The certificate of the earlier key, which signed.
  public let certificate: EvidenceCertificate

  /// Says which key follows.
  /// - Throws: `EvidenceError.malformedSuccession` if the certificate is not that of the key; the key's error if it
  ///   does not sign.
  public init(
    follower: String, time: DeviceTime, signedWith signer: some DeviceKey,
    certificate: EvidenceCertificate
  ) throws {
    (self.follower, self.time, self.certificate) = (follower, time, certificate)
    let payload = JSONValue.object([
      "schema": .string(Self.schema), "follower": .string(follower), "time": .string(time.rfc3339),
    ])
    jws = try OfficeStatement.sign(
      payload, with: signer, certificate: certificate, else: EvidenceError.malformedSuccession)
  }

  /// Reads a succession, and checks its signature by the certificate in `x5c`. The caller must check that an
  /// authority issued that certificate.
  /// - Throws: `EvidenceError.malformedSuccession`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedSuccession)
    guard let follower = statement.payload["follower"]?.text,
      let time = statement.payload["time"]?.text.flatMap(DeviceTime.init(rfc3339:))
    else { throw .malformedSuccession("a member is missing or has the wrong type") }
    (self.follower, self.time, self.jws) = (follower, time, jws)
    certificate = statement.certificate
  }
}
