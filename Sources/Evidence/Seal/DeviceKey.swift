import Crypto
import Foundation
import Positioning

/// The public half of a device's key, on the curve P-256.
public struct DevicePublicKey: Hashable, Sendable {
  /// The point's coordinates, 32 bytes each.
  let x: [UInt8]
  let y: [UInt8]

  init(_ key: P256.Signing.PublicKey) {
    let raw = Array(key.rawRepresentation)
    x = Array(raw[0..<32])
    y = Array(raw[32..<64])
  }

  /// Reads a JSON Web Key (RFC 7517); nil when it is no point of the curve.
  public init?(jwk: JSONValue) {
    guard jwk["kty"]?.text == "EC", jwk["crv"]?.text == "P-256",
      let x = jwk["x"]?.text.flatMap(Base64URL.bytes), x.count == 32,
      let y = jwk["y"]?.text.flatMap(Base64URL.bytes), y.count == 32,
      (try? P256.Signing.PublicKey(rawRepresentation: x + y)) != nil
    else { return nil }
    self.x = x
    self.y = y
  }

  /// The key as a JSON Web Key, with just the members that a thumbprint is made of.
  public var jwk: JSONValue {
    .object([
      "kty": .string("EC"), "crv": .string("P-256"), "x": .string(Base64URL.text(x)),
      "y": .string(Base64URL.text(y)),
    ])
  }

  /// The key's thumbprint (RFC 7638): the name that everything calls it by.
  public var thumbprint: String { Base64URL.text(SHA256.hash(data: jwk.canonicalBytes)) }

  /// The key as Crypto holds it; nil never for one that was made or read.
  var signingKey: P256.Signing.PublicKey? { try? P256.Signing.PublicKey(rawRepresentation: x + y) }

  /// Whether this key made `signature` (r and s, 32 bytes each) over `bytes`.
  public func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    guard let key = signingKey,
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
    else { return false }
    return key.isValidSignature(signature, for: bytes)
  }
}

/// The private half: made on the device, and it never leaves it. Secure hardware implements the same
/// two members.
public protocol DeviceKey: Sendable {
  /// The public half.
  var publicKey: DevicePublicKey { get }
  /// ECDSA over SHA-256 of `bytes`: r and s, 32 bytes each.
  func sign(_ bytes: [UInt8]) throws -> [UInt8]
}

extension DeviceKey {
  /// Signs, and takes the lower s, whatever the key gives: everything is signed by this.
  func signLow(_ bytes: [UInt8]) throws -> [UInt8] { ECDSATwin.low(try sign(bytes)) }
}

/// A key that a file keeps.
public struct SoftwareDeviceKey: DeviceKey {
  private let key: P256.Signing.PrivateKey

  /// A new key.
  public init() {
    key = P256.Signing.PrivateKey()
  }

  /// The key that `pem` writes (PKCS #8).
  /// - Throws: `EvidenceError.malformedKey`.
  public init(pem: String) throws(EvidenceError) {
    do {
      key = try P256.Signing.PrivateKey(pemRepresentation: pem)
    } catch {
      throw .malformedKey("the file holds no P-256 private key in PEM")
    }
  }

  /// The key for its file (PKCS #8). Whoever reads this can sign.
  public var pem: String { key.pemRepresentation + "\n" }

  /// The public half.
  public var publicKey: DevicePublicKey { DevicePublicKey(key.publicKey) }

  /// Signs.
  public func sign(_ bytes: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: bytes).rawRepresentation)
  }
}
