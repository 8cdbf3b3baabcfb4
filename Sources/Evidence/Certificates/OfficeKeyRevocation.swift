import TimeAndText

/// The office's word that one of its own keys counts no more, except for that which the office's log held by then:
/// whoever stole the key can sign anything with any time, but cannot put it into the log's past.
public struct OfficeKeyRevocation: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.office-key-revocation/1"
  /// The ending of its files.
  package static let ending = ".office-key-revocation"
  /// The longest JWS that is read, in bytes.
  private static let sizeLimit = 65_536

  /// Thumbprint of the key: an authority's, or one that signed statements.
  public let key: String
  /// The time from which the key counts no more, by the office's clock.
  public let time: DeviceTime
  /// The reason for the revocation.
  public let reason: String
  /// The number of entries that the office's log had by then. The key counts for these.
  public let entries: Int
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// Revokes a key.
  /// - Throws: `EvidenceError.malformedRevocation` if the certificate is not that of the signing key; the key's
  ///   error if it does not sign.
  public init(
    key: String, time: DeviceTime, reason: String, entries: Int, signedWith signer: some DeviceKey,
    certificate: EvidenceCertificate
  ) throws {
    (self.key, self.time, self.reason) = (key, time, reason)
    (self.entries, self.certificate) = (entries, certificate)
    let payload = JSONValue.object([
      "schema": .string(Self.schema), "key": .string(key), "time": .string(time.rfc3339),
      "reason": .string(reason), "entries": .integer(entries),
    ])
    jws = try OfficeStatement.sign(
      payload, with: signer, certificate: certificate, else: EvidenceError.malformedRevocation)
  }

  /// Reads a revocation, and checks its signature by the certificate in `x5c`. The caller must check that an
  /// authority issued that certificate.
  /// - Throws: `EvidenceError.malformedRevocation`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedRevocation)
    let payload = statement.payload
    guard let key = payload["key"]?.text,
      let time = payload["time"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let reason = payload["reason"]?.text, let entries = payload["entries"]?.wholeNumber,
      entries >= 0
    else { throw .malformedRevocation("a member is missing or has the wrong type") }
    (self.key, self.time, self.reason) = (key, time, reason)
    (self.entries, self.jws) = (entries, jws)
    certificate = statement.certificate
  }
}
