import TimeAndText

/// The reason why a token does not do what is asked of it.
public enum TokenError: Error, Hashable, Sendable, Worded {
  /// The URI cannot be read.
  case malformedURI(Wording)
  /// The module cannot be loaded.
  case module(path: String, reason: String)
  /// The token is not there: pulled, or never put in.
  case noToken(String)
  /// The TPM does not answer.
  case noTPM(String)
  /// The TPM holds no certificate of its maker.
  case noMakersCertificate
  /// The PIN's file cannot be used.
  case pinFile(path: String, Wording)
  /// The token does not take the PIN. Tokens lock themselves after a few wrong ones, so it is not tried again.
  case wrongPIN
  /// The token is locked, or one more wrong PIN would lock it.
  case lockedPIN
  /// The key is not in the token.
  case noKey
  /// The token's module crashed while it was asked.
  case crashed
  /// The token did not answer in time.
  case slow(seconds: Int)
  /// The token refused, with the code of PKCS #11.
  case refused(step: String, code: UInt)
  /// The token's answer makes no sense.
  case nonsense(String)

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .malformedURI: "key-token-uri"
    case .module: "key-token-module"
    case .noToken: "key-token-missing"
    case .noTPM: "key-tpm-missing"
    case .noMakersCertificate: "key-tpm-certificate"
    case .pinFile: "key-token-pin-file"
    case .wrongPIN: "key-token-pin"
    case .lockedPIN: "key-token-locked"
    case .noKey: "key-token-key-missing"
    case .crashed: "key-token-crashed"
    case .slow: "key-token-slow"
    case .refused: "key-token-refused"
    case .nonsense: "key-token-answer"
    }
  }

  /// The message for people: the fault and what to do.
  public var wording: Wording {
    switch self {
    case .malformedURI(let words): "the token's address cannot be read: \(words)"
    case .module(let path, let reason):
      "the token's module \(path) cannot be loaded: \(reason). Install it, or correct module-path"
    case .noToken(let name): "the token \(name) is not there: plug it in, and try again"
    case .noTPM(let connection):
      "the TPM (\(connection)) does not answer: switch it on in the firmware's settings, and add this user to the group tss"
    case .noMakersCertificate:
      "the TPM holds no certificate of its maker for an RSA key: nobody can tell from it that it is a real one"
    case .pinFile(let path, let words): "the PIN's file \(path) cannot be used: \(words)"
    case .wrongPIN:
      "the token refuses the PIN: correct the PIN's file before you try again, because tokens lock themselves after a few wrong ones"
    case .lockedPIN:
      "the token is locked, or one more wrong PIN would lock it: unlock it with its maker's tools, and correct the PIN's file"
    case .noKey:
      "the key is not in the token: plug in the token with which this device was signed in, or sign in again"
    case .crashed: "the token's module crashed: plug the token in again, and try again"
    case .slow(let seconds):
      "the token did not answer within \(seconds) s: plug it in again, and try again"
    case .refused(let step, let code):
      "the token refuses (\(step), code 0x\(String(code, radix: 16))): see the manual of its module"
    case .nonsense(let words): "the token's answer cannot be used: \(words)"
    }
  }
}
