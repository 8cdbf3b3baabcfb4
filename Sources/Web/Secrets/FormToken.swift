import Crypto

/// The proof that a form was on a page of this server, in the browser that sends it.
///
/// The browser holds a random cookie that no other site can read; the form carries the cookie's MAC
/// under the server's key. Another site can send a form, and can even plant a cookie from a sibling
/// host, but it cannot compute the MAC that belongs to the cookie.
struct FormToken: Sendable {
  private let key: SymmetricKey

  init(secret: [UInt8]) {
    key = SymmetricKey(data: secret)
  }

  /// Returns the value of the form's field that belongs to a cookie.
  func value(forCookie cookie: String) -> String {
    Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Array(cookie.utf8), using: key))
  }

  /// Returns true if the value belongs to the cookie; compared in constant time.
  func isValid(_ value: String, forCookie cookie: String) -> Bool {
    guard let code = Base64URL.decode(value), code.count == SHA256.byteCount else { return false }
    return HMAC<SHA256>.isValidAuthenticationCode(
      code, authenticating: Array(cookie.utf8), using: key)
  }

  /// Returns true if a text can be a cookie of this server: 32 bytes, base64url.
  static func isCookie(_ text: String) -> Bool {
    Base64URL.decode(text)?.count == 32
  }
}
