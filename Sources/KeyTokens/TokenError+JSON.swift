import Evidence
import TimeAndText

// The worker tells its error to our program in these words.
extension TokenError {
  var json: JSONValue {
    var members: [String: JSONValue] = ["error": .string(code)]
    switch self {
    case .malformedURI(let words): members["words"] = .string("\(words)")
    case .module(let path, let reason):
      members["path"] = .string(path)
      members["words"] = .string(reason)
    case .noToken(let name), .noTPM(let name): members["words"] = .string(name)
    case .pinFile(let path, let words):
      members["path"] = .string(path)
      members["words"] = .string("\(words)")
    case .refused(let step, let code):
      members["words"] = .string(step)
      members["code"] = .integer(Int(code & 0xFFFF_FFFF))
    case .nonsense(let words): members["words"] = .string(words)
    case .slow(let seconds): members["code"] = .integer(seconds)
    case .wrongPIN, .lockedPIN, .noKey, .crashed, .noMakersCertificate: break
    }
    return .object(members)
  }

  /// Reads an error; nil if the value is none.
  init?(json: JSONValue) {
    guard let name = json["error"]?.text else { return nil }
    let words = json["words"]?.text ?? ""
    let path = json["path"]?.text ?? ""
    let number = json["code"]?.wholeNumber ?? 0
    self =
      switch name {
      case "key-token-uri": .malformedURI(Wording(template: words, values: []))
      case "key-token-module": .module(path: path, reason: words)
      case "key-token-missing": .noToken(words)
      case "key-tpm-missing": .noTPM(words)
      case "key-tpm-certificate": .noMakersCertificate
      case "key-token-pin-file": .pinFile(path: path, Wording(template: words, values: []))
      case "key-token-pin": .wrongPIN
      case "key-token-locked": .lockedPIN
      case "key-token-key-missing": .noKey
      case "key-token-crashed": .crashed
      case "key-token-slow": .slow(seconds: number)
      case "key-token-refused": .refused(step: words, code: UInt(max(0, number)))
      default: .nonsense(words)
      }
  }
}
