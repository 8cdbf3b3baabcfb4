import Crypto

/// Secrets that a client shows again: sessions, invitations, machine access. The client keeps the
/// token and the server only its digest, so that a stolen database opens nothing.
public struct Token {
  /// 32 random bytes, base64url: 43 characters that may stand anywhere.
  public static func make() -> String {
    SymmetricKey(size: .bits256).withUnsafeBytes { Base64URL.encode($0) }
  }

  /// SHA-256 of the token's text, as 64 hexadecimal digits. No salt and no stretching: there is
  /// nothing to guess in 32 random bytes.
  public static func digest(_ token: String) -> String {
    let digits = Array("0123456789abcdef")
    return String(
      SHA256.hash(data: Array(token.utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private init() {}
}
