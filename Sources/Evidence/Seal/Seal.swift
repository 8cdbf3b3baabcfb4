import Foundation

/// The compact JWS (RFC 7515, ES256) over a link.
public struct Seal: Hashable, Sendable {
  /// `header.payload.signature`.
  public let jws: String
  /// What is sealed.
  public let link: Link
  /// Who sealed it.
  public let publicKey: DevicePublicKey

  /// Seals `link` with `key`.
  public init(_ link: Link, with key: some DeviceKey) throws {
    let header = JSONValue.object([
      "alg": .string("ES256"), "jwk": key.publicKey.jwk, "kid": .string(key.publicKey.thumbprint),
    ])
    let signed =
      Base64URL.text(header.canonicalBytes) + "." + Base64URL.text(link.json.canonicalBytes)
    let signature = try key.sign(Array(signed.utf8))
    jws = signed + "." + Base64URL.text(signature)
    self.link = link
    publicKey = key.publicKey
  }

  /// Reads a seal and checks its signature.
  /// - Throws: `EvidenceError.malformedSeal` when the form is wrong or the signature does not hold.
  public init(jws: String) throws(EvidenceError) {
    let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let headerBytes = Base64URL.bytes(parts[0]),
      let payload = Base64URL.bytes(parts[1]), let signature = Base64URL.bytes(parts[2])
    else { throw .malformedSeal("the signature is no compact JWS") }
    let header = try JSONValue(parsing: headerBytes)
    guard header["alg"]?.text == "ES256" else {
      throw .malformedSeal("the signature's algorithm is not ES256")
    }
    // An extension that is marked critical and not understood must fail (RFC 7515, 4.1.11).
    guard header["crit"] == nil else { throw .malformedSeal("the signature has a critical part") }
    guard let key = header["jwk"].flatMap(DevicePublicKey.init(jwk:)),
      header["kid"]?.text == key.thumbprint
    else { throw .malformedSeal("the signature names no key, or another than it carries") }
    guard key.verifies(signature, of: Array("\(parts[0]).\(parts[1])".utf8)) else {
      throw .malformedSeal("the signature does not hold")
    }
    let link = try Link(try JSONValue(parsing: payload))
    guard link.key == key.thumbprint else {
      throw .malformedSeal("the link belongs to another key than the one that signed it")
    }
    self.jws = jws
    self.link = link
    publicKey = key
  }

  /// SHA-256 of the JWS: what the next link calls `previous`.
  public var digest: String { Digest.hexadecimal(Array(jws.utf8)) }
}
