import Positioning

/// What can be wrong with evidence, in words for people.
public enum EvidenceError: Error, Hashable, Sendable, Worded {
  /// Text that is no JSON, or not the JSON that is allowed here.
  case malformedJSON(Wording, byte: Int)
  /// A seal file, record, link or signature that does not have the form it must have.
  case malformedSeal(Wording)
  /// A raw window that cannot be read.
  case malformedRawWindow(Wording)
  /// A key that cannot be read.
  case malformedKey(Wording)
  /// A certificate, or what is to become one, that cannot be used.
  case malformedCertificate(Wording)
  /// A proof of a key that does not hold.
  case malformedEnrolment(Wording)
  /// A receipt that does not hold.
  case malformedReceipt(Wording)
  /// A log that does not hold together.
  case malformedLog(Wording)
  /// A revocation that does not hold.
  case malformedRevocation(Wording)
  /// A policy that does not hold.
  case malformedPolicy(Wording)
  /// Neither a certificate nor a fingerprint.
  case malformedTrust(String)
  /// A bundle that cannot be read, or is not to be read.
  case malformedBundle(String)
  /// A bundle cannot be written; the path and the reason.
  case unwritable(path: String, reason: String)
  /// zlib refuses.
  case compression(Wording)

  /// What happened and where.
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
    case .malformedPolicy(let words): "not an agency's policy: \(words)"
    case .malformedTrust(let words): "not an authority to trust: \(words)"
    case .malformedBundle(let words): "not a bundle: \(words)"
    case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)"
    case .compression(let words): "compressed data are damaged: \(words)"
    }
  }
}
