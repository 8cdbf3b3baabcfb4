import TimeAndText

/// A device's proof, for the renewal of a session, that it holds its key: a compact JWS over the office's
/// challenge. The challenge, and not a time, makes it fresh: a field unit's clock may be days off.
public struct SessionRenewal: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.renewal/1"

  /// The agency that the session was for.
  public let agency: String
  /// The inspector's login.
  public let login: String
  /// The device's identifier.
  public let device: String
  /// The challenge that the office gave to be signed.
  public let challenge: String
  /// Fingerprint of the authority of the office that the proof is for. Another office that passes
  /// on this office's challenge as its own cannot use the proof that it gets.
  public let authority: String
  /// The key that signed.
  public let publicKey: DevicePublicKey
  /// The compact JWS: `header.payload.signature`.
  public let jws: String

  /// Signs a challenge.
  /// - Throws: the key's error if it does not sign.
  public init(
    agency: String, login: String, device: String, challenge: String, authority: String,
    with key: any DeviceKey
  ) throws {
    self.agency = agency
    self.login = login
    self.device = device
    self.challenge = challenge
    self.authority = authority
    publicKey = key.publicKey
    jws = try CompactJWS.make(
      header: CompactJWS.header(carrying: key.publicKey),
      payload: .object([
        "schema": .string(Self.schema), "agency": .string(agency), "login": .string(login),
        "device": .string(device), "challenge": .string(challenge),
        "authority": .string(authority),
      ]), with: key)
  }

  /// Reads a proof and checks its signature. The caller must check that the challenge is a good
  /// one, and that the key is enrolled.
  /// - Throws: `EvidenceError.malformedEnrolment`, also if the signature does not hold.
  public init(jws: String) throws(EvidenceError) {
    let (publicKey, payload) = try CompactJWS.keyProof(jws, schema: Self.schema)
    guard let agency = payload["agency"]?.text, let login = payload["login"]?.text,
      let device = payload["device"]?.text, let challenge = payload["challenge"]?.text,
      let authority = payload["authority"]?.text
    else { throw .malformedEnrolment("a member is missing or has the wrong type") }
    self.agency = agency
    self.login = login
    self.device = device
    self.challenge = challenge
    self.authority = authority
    self.publicKey = publicKey
    self.jws = jws
  }
}
