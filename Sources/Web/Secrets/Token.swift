import Crypto

/// Secrets that a client shows again: sessions, invitations, machine access. The client keeps the
/// token and the server only its digest, so that a stolen database opens nothing.
public struct Token {
  /// Returns 32 random bytes in base64url: 43 characters that need no escaping anywhere.
  public static func make() -> String {
    SymmetricKey(size: .bits256).withUnsafeBytes { Base64URL.encode($0) }
  }

  /// Returns the SHA-256 of the token's text, as 64 hexadecimal digits. Neither salt nor stretching
  /// is needed: 32 random bytes cannot be guessed.
  public static func digest(_ token: String) -> String {
    hexadecimal(SHA256.hash(data: Array(token.utf8)))
  }

  /// Returns a digest as 64 hexadecimal digits.
  static func hexadecimal(_ digest: SHA256.Digest) -> String {
    let digits = Array("0123456789abcdef")
    return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private init() {}
}
