import Positioning

/// Proof that whoever asks for a certificate holds the key: a compact JWS that the key signed.
public struct EnrolmentRequest: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.enrolment/1"

  /// The device's identifier.
  public let device: String
  /// The inspector's login.
  public let login: String
  /// When, by the device's clock.
  public let time: DeviceTime
  /// The key that signed, and is to be certified.
  public let publicKey: DevicePublicKey
  /// `header.payload.signature`.
  public let jws: String

  /// Asks for a certificate for `key`.
  /// - Throws: what the key throws when it does not sign.
  public init(
    device: String, login: String, at time: DeviceTime, with key: some DeviceKey
  ) throws {
    self.device = device
    self.login = login
    self.time = time
    publicKey = key.publicKey
    jws = try CompactJWS.make(
      header: CompactJWS.header(carrying: key.publicKey),
      payload: .object([
        "schema": .string(Self.schema), "device": .string(device), "login": .string(login),
        "time": .string(time.rfc3339),
      ]), with: key)
  }

  /// Reads a request and checks its signature. Whether its time is near enough, and the login that of
  /// whoever sends it, is for the reader to say.
  /// - Throws: `EvidenceError.malformedEnrolment`, also when the signature does not hold.
  public init(jws: String) throws(EvidenceError) {
    let (publicKey, payload) = try CompactJWS.keyProof(jws, schema: Self.schema)
    guard let device = payload["device"]?.text, !device.isEmpty,
      let login = payload["login"]?.text, !login.isEmpty,
      let time = payload["time"]?.text.flatMap(DeviceTime.init(rfc3339:))
    else { throw .malformedEnrolment("it lacks a member, or one is not of its type") }
    self.device = device
    self.login = login
    self.time = time
    self.publicKey = publicKey
    self.jws = jws
  }
}
