/// What can be wrong with evidence, in words for people.
public enum EvidenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Text that is no JSON, or not the JSON that is allowed here.
  case malformedJSON(String, byte: Int)
  /// A seal file, record, link or signature that does not have the form it must have.
  case malformedSeal(String)
  /// A raw window that cannot be read.
  case malformedRawWindow(String)
  /// A key that cannot be read.
  case malformedKey(String)
  /// A certificate, or what is to become one, that cannot be used.
  case malformedCertificate(String)
  /// A proof of a key that does not hold.
  case malformedEnrolment(String)
  /// A receipt that does not hold.
  case malformedReceipt(String)
  /// A log that does not hold together.
  case malformedLog(String)
  /// A revocation that does not hold.
  case malformedRevocation(String)
  /// A policy that does not hold.
  case malformedPolicy(String)
  /// Neither a certificate nor a fingerprint.
  case malformedTrust(String)
  /// A bundle that cannot be read, or is not to be read.
  case malformedBundle(String)
  /// A bundle cannot be written; the path and the reason.
  case unwritable(path: String, reason: String)
  /// zlib refuses.
  case compression(String)

  /// What happened and where.
  public var description: String {
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
