import Crypto
import Foundation

/// Texts that say when they were made, signed with a secret of the server's own. A valid text was
/// made by this server, and not long ago. The server stores nothing about a text, so that another
/// process of the server can check it, too.
public struct SignedMoment: Sendable {
  private let key: SymmetricKey

  /// Creates a value that makes and checks texts under a secret.
  public init(secret: [UInt8]) { key = SymmetricKey(data: secret) }

  /// Makes a text: `seconds.random.MAC`.
  /// - Parameters:
  ///   - seconds: the server's time, whole seconds since 1970.
  ///   - purpose: the purpose of the text, which is valid for no other purpose.
  public func make(at seconds: Int64, for purpose: String) -> String {
    let claim = "\(seconds).\(Token.make())"
    return claim + "." + code(claim, purpose)
  }

  /// Returns true if a text was made here for this purpose within the last `lifetimeSeconds`.
  public func isValid(
    _ text: String, at seconds: Int64, lifetimeSeconds: Int64, for purpose: String
  ) -> Bool {
    let parts = text.split(separator: ".")
    guard parts.count == 3, text.utf8.count < 512, let made = Int64(parts[0]),
      let code = Base64URL.decode(String(parts[2])), code.count == SHA256.byteCount,
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: Self.bytes("\(parts[0]).\(parts[1])", purpose), using: key)
    else { return false }
    let age = seconds.subtractingReportingOverflow(made)
    return !age.overflow && (0...lifetimeSeconds).contains(age.partialValue)
  }

  private func code(_ claim: String, _ purpose: String) -> String {
    Base64URL.encode(
      HMAC<SHA256>.authenticationCode(for: Self.bytes(claim, purpose), using: key))
  }

  private static func bytes(_ claim: String, _ purpose: String) -> [UInt8] {
    Array("\(purpose)\n\(claim)".utf8)
  }
}
