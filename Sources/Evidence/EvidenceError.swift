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
  /// zlib refuses.
  case compression(String)

  /// What happened and where.
  public var description: String {
    switch self {
    case .malformedJSON(let words, let byte): "not valid JSON at byte \(byte): \(words)"
    case .malformedSeal(let words): "not a seal: \(words)"
    case .malformedRawWindow(let words): "not a raw window: \(words)"
    case .malformedKey(let words): "not a device key: \(words)"
    case .compression(let words): "compressed data are damaged: \(words)"
    }
  }
}
