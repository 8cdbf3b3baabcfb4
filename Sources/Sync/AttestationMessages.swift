/// A field unit's word that its key is in a TPM. The office answers the first with a secret that only this TPM opens; the
/// second brings the secret.
public struct AttestationQuestion: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.attestation-question/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The TPM's description of the key (TPMT_PUBLIC), base64url.
  public var area: String
  /// The maker's certificate for the TPM's endorsement key, DER in base64url.
  public var makersCertificate: String
  /// The challenge of the office's answer; nil in the first question.
  public var challenge: String?
  /// The secret that the TPM opened, base64url; nil in the first question.
  public var secret: String?

  /// Creates a question.
  public init(
    area: String, makersCertificate: String, challenge: String? = nil, secret: String? = nil
  ) {
    (self.area, self.makersCertificate) = (area, makersCertificate)
    (self.challenge, self.secret) = (challenge, secret)
  }
}

/// The office's answer about a key in a TPM: a closed secret, or its word that the TPM has the key.
public struct AttestationAnswer: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.attestation-answer/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The challenge to send back, valid for some minutes; nil in the last answer.
  public var challenge: String?
  /// The closed secret (TPM2B_ID_OBJECT without its length), base64url; nil in the last answer.
  public var credential: String?
  /// The seed of its keys, closed for the endorsement key (TPM2B_ENCRYPTED_SECRET without its length), base64url; nil
  /// in the last answer.
  public var seed: String?
  /// The office's word (compact JWS, `standpoint.key-attestation/1`); nil in the first answer.
  public var attestation: String?

  /// Creates an answer.
  public init(
    challenge: String? = nil, credential: String? = nil, seed: String? = nil,
    attestation: String? = nil
  ) {
    (self.challenge, self.credential) = (challenge, credential)
    (self.seed, self.attestation) = (seed, attestation)
  }
}
