import Crypto
import Evidence
import Foundation

/// A device key that lives in a token and does not leave it. A file on the device names it and holds its
/// public half.
public struct TokenKey: DeviceKey {
  /// The schema's name of the file.
  static let schema = "standpoint.token-key/1"

  /// The token, the module and the key's identifier in it.
  public private(set) var uri: TokenURI
  /// The token as it described itself when the key was made.
  public let token: TokenDescription
  /// The public half of the key.
  public let publicKey: DevicePublicKey
  /// The program that has the command `token-worker`.
  private let program: String

  /// The program that runs now, which has the worker's command.
  public static let thisProgram = "/proc/self/exe"

  /// Makes a key in a token.
  /// - Parameter program: the program that has the command `token-worker`.
  /// - Throws: `TokenError`.
  public static func make(
    in uri: TokenURI, program: String = thisProgram
  ) throws(TokenError) -> TokenKey {
    var uri = uri
    uri.id = (0..<16).map { _ in UInt8.random(in: 0...255) }
    let answer = try TokenWorker.ask(uri, [:], of: program)
    guard let key = answer["key"].flatMap(DevicePublicKey.init(jwk:)),
      let token = TokenDescription(answer["token"])
    else { throw .nonsense("it tells no key") }
    // From now on this token alone counts, even if another one gets the same label.
    (uri.token, uri.serial) = (token.label, token.serial)
    return TokenKey(uri: uri, token: token, publicKey: key, program: program)
  }

  private init(
    uri: TokenURI, token: TokenDescription, publicKey: DevicePublicKey, program: String
  ) {
    (self.uri, self.token, self.publicKey, self.program) = (uri, token, publicKey, program)
  }

  /// Reads the file that names a key; nil if it is none.
  /// - Throws: `TokenError.malformedURI`.
  public init?(fileBytes: [UInt8], program: String = thisProgram) throws(TokenError) {
    guard let file = try? JSONValue(parsing: fileBytes), file["schema"]?.text == Self.schema,
      let text = file["uri"]?.text, let key = file["key"].flatMap(DevicePublicKey.init(jwk:)),
      let token = TokenDescription(file["token"])
    else { return nil }
    self.init(uri: try TokenURI(text), token: token, publicKey: key, program: program)
  }

  /// In the token.
  public var keeping: KeyKeeping {
    .token(maker: token.maker, model: token.model, serial: token.serial)
  }

  /// The file that names the key. It holds no secret: the PIN has a file of its own.
  public var fileBytes: [UInt8] {
    JSONValue.object([
      "schema": .string(Self.schema), "uri": .string(uri.text), "key": publicKey.jwk,
      "token": token.json,
    ]).canonicalBytes
  }

  /// Returns true if the chosen token is the one in which the key was made.
  func isIn(_ chosen: TokenURI) -> Bool {
    chosen.serial == token.serial && chosen.token == token.label
  }

  /// Returns the same key behind the module and with the PIN's file of `chosen`, if that is the same token.
  func reached(by chosen: TokenURI?) -> TokenKey {
    guard let chosen, isIn(chosen) else { return self }
    var key = self
    key.uri.modulePath = chosen.modulePath
    key.uri.pinSource = chosen.pinSource
    return key
  }

  /// Signs `bytes` in the token, and returns r and s, 32 bytes each. The caller waits for the token.
  /// - Throws: `TokenError`; also if the token's signature does not hold under the key.
  public func sign(_ bytes: [UInt8]) throws -> [UInt8] {
    let digest = Array(SHA256.hash(data: bytes))
    let answer = try TokenWorker.ask(
      uri, ["digest": .string(Base64URL.text(digest))], of: program)
    guard let signature = answer["signature"]?.text.flatMap(Base64URL.bytes), signature.count == 64,
      publicKey.verifies(signature, of: bytes)
    else { throw TokenError.nonsense("its signature does not hold under the key") }
    return signature
  }
}
