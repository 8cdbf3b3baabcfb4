import TimeAndText

/// An error in evidence, with words for people.
public enum EvidenceError: Error, Hashable, Sendable, Worded {
  /// The text is no JSON, or not of the form that is allowed here; `byte` says at which byte.
  case malformedJSON(Wording, byte: Int)
  /// A seal file, record, link or signature does not have the form that it must have.
  case malformedSeal(Wording)
  /// The raw window cannot be read.
  case malformedRawWindow(Wording)
  /// The key cannot be read.
  case malformedKey(Wording)
  /// A certificate, or the text that is to go into one, cannot be used.
  case malformedCertificate(Wording)
  /// The proof that a device holds a key does not hold.
  case malformedEnrolment(Wording)
  /// The receipt does not hold.
  case malformedReceipt(Wording)
  /// The log does not hold together.
  case malformedLog(Wording)
  /// The revocation does not hold.
  case malformedRevocation(Wording)
  /// Not an office's attestation of a key in a TPM.
  case malformedAttestation(Wording)
  /// The succession of an office's key does not hold.
  case malformedSuccession(Wording)
  /// The challenge does not hold.
  case malformedChallenge(Wording)
  /// The policy does not hold.
  case malformedPolicy(Wording)
  /// The text is neither an authority's certificate nor a fingerprint.
  case malformedTrust(String)
  /// The bundle cannot be read, or breaks a rule for bundles.
  case malformedBundle(String)
  /// The list of a bundle's files, or the office's statement over it, does not hold.
  case malformedList(Wording)
  /// The bundle cannot be written; the path and the reason.
  case unwritable(path: String, reason: String)
  /// zlib fails, or refuses the data.
  case compression(Wording)

  /// The message for people: what happened, and where.
  public var wording: Wording {
    switch self {
    case .malformedJSON(let words, let byte): "not valid JSON at byte \(byte): \(words)"
    case .malformedSeal(let words): "not a seal: \(words)"
    case .malformedRawWindow(let words): "not a raw window: \(words)"
    case .malformedKey(let words): "not a device key: \(words)"
    case .malformedCertificate(let words): "not a certificate for evidence: \(words)"
    case .malformedEnrolment(let words): "not an enrolment: \(words)"
    case .malformedReceipt(let words): "not a receipt: \(words)"
    case .malformedLog(let words): "not an office's log: \(words)"
    case .malformedRevocation(let words): "not a revocation: \(words)"
    case .malformedAttestation(let words): "not an attestation of a key: \(words)"
    case .malformedSuccession(let words): "not a succession of keys: \(words)"
    case .malformedChallenge(let words): "not an office's challenge: \(words)"
    case .malformedPolicy(let words): "not an agency's policy: \(words)"
    case .malformedTrust(let words): "not an authority to trust: \(words)"
    case .malformedBundle(let words): "not a bundle: \(words)"
    case .malformedList(let words): "not an office's list of files: \(words)"
    case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)"
    case .compression(let words): "compressed data are damaged: \(words)"
    }
  }
}
