import TimeAndText

/// A device's request for a certificate. The proof that the device holds the key is a compact JWS
/// that the key signed.
public struct EnrolmentRequest: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.enrolment/1"

  /// The device's identifier.
  public let device: String
  /// The inspector's login.
  public let login: String
  /// The time of the request, by the device's clock.
  public let time: DeviceTime
  /// The key that signed the request, and is to be certified.
  public let publicKey: DevicePublicKey
  /// Where the key is kept, by the device's own word.
  public let keeping: KeyKeeping
  /// The compact JWS: `header.payload.signature`.
  public let jws: String

  /// Creates a request for a certificate for `key`.
  /// - Throws: the key's error if it does not sign.
  public init(
    device: String, login: String, at time: DeviceTime, with key: some DeviceKey
  ) throws {
    self.device = device
    self.login = login
    self.time = time
    publicKey = key.publicKey
    keeping = key.keeping
    jws = try CompactJWS.make(
      header: CompactJWS.header(carrying: key.publicKey),
      payload: .object(known: [
        ("schema", .string(Self.schema)), ("device", .string(device)), ("login", .string(login)),
        ("time", .string(time.rfc3339)), ("keeping", key.keeping.json),
      ]), with: key)
  }

  /// Reads a request and checks its signature. The caller must check that the time is near enough,
  /// and that the login is the sender's.
  /// - Throws: `EvidenceError.malformedEnrolment`, also if the signature does not hold.
  public init(jws: String) throws(EvidenceError) {
    let (publicKey, payload) = try CompactJWS.keyProof(jws, schema: Self.schema)
    guard let device = payload["device"]?.text, !device.isEmpty,
      let login = payload["login"]?.text, !login.isEmpty,
      let time = payload["time"]?.text.flatMap(DeviceTime.init(rfc3339:))
    else { throw .malformedEnrolment("a member is missing or has the wrong type") }
    self.device = device
    self.login = login
    self.time = time
    self.publicKey = publicKey
    keeping = KeyKeeping(json: payload["keeping"])
    self.jws = jws
  }
}
