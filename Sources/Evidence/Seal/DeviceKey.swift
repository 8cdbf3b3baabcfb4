import Crypto
import Foundation
import TimeAndText

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

  /// Reads an uncompressed point (65 bytes, SEC 1); nil if it is none of the curve.
  package init?(point: [UInt8]) {
    guard let key = try? P256.Signing.PublicKey(x963Representation: point) else { return nil }
    self.init(key)
  }

  /// Reads a JSON Web Key (RFC 7517); nil if it is no point of the curve.
  public init?(jwk: JSONValue) {
    guard jwk["kty"]?.text == "EC", jwk["crv"]?.text == "P-256",
      let x = jwk["x"]?.text.flatMap(Base64URL.bytes), x.count == 32,
      let y = jwk["y"]?.text.flatMap(Base64URL.bytes), y.count == 32,
      (try? P256.Signing.PublicKey(rawRepresentation: x + y)) != nil
    else { return nil }
    self.x = x
    self.y = y
  }

  /// The key as a JSON Web Key, with only the members of which a thumbprint is made.
  public var jwk: JSONValue {
    .object([
      "kty": .string("EC"), "crv": .string("P-256"), "x": .string(Base64URL.text(x)),
      "y": .string(Base64URL.text(y)),
    ])
  }

  /// The key's thumbprint (RFC 7638): the name by which everything calls the key.
  public var thumbprint: String { Base64URL.text(SHA256.hash(data: jwk.canonicalBytes)) }

  /// The key as Crypto holds it; never nil for a key that was made or read.
  var signingKey: P256.Signing.PublicKey? { try? P256.Signing.PublicKey(rawRepresentation: x + y) }

  /// Returns true if this key made `signature` (r and s, 32 bytes each) over `bytes`.
  public func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    guard let key = signingKey,
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
    else { return false }
    return key.isValidSignature(signature, for: bytes)
  }
}

/// The private half of a device's key: it is made on the device and never leaves it. A token implements
/// the same members.
public protocol DeviceKey: Sendable {
  /// The public half of the key.
  var publicKey: DevicePublicKey { get }
  /// Where the key is kept.
  var keeping: KeyKeeping { get }
  /// Signs `bytes` with ECDSA over SHA-256, and returns r and s, 32 bytes each.
  func sign(_ bytes: [UInt8]) throws -> [UInt8]
}

extension DeviceKey {
  /// A key is in a file unless it says otherwise.
  public var keeping: KeyKeeping { .file }

  /// Signs with the lower s, whichever s the key gives. Everything is signed through this function.
  func signLow(_ bytes: [UInt8]) throws -> [UInt8] { ECDSATwin.low(try sign(bytes)) }
}

/// A device key that is kept in a file.
public struct SoftwareDeviceKey: DeviceKey {
  private let key: P256.Signing.PrivateKey

  /// Creates a new key.
  public init() {
    key = P256.Signing.PrivateKey()
  }

  /// Reads a private key in PEM (PKCS #8).
  /// - Throws: `EvidenceError.malformedKey`.
  public init(pem: String) throws(EvidenceError) {
    do {
      key = try P256.Signing.PrivateKey(pemRepresentation: pem)
    } catch {
      throw .malformedKey("the file contains no P-256 private key in PEM")
    }
  }

  /// The private key in PEM (PKCS #8), for its file. Anyone who reads this can sign.
  public var pem: String { key.pemRepresentation + "\n" }

  /// The public half of the key.
  public var publicKey: DevicePublicKey { DevicePublicKey(key.publicKey) }

  /// Signs `bytes`, and returns r and s, 32 bytes each.
  public func sign(_ bytes: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: bytes).rawRepresentation)
  }
}
