import Foundation
import TimeAndText

/// The compact JWS (RFC 7515, ES256) over a link.
public struct Seal: Hashable, Sendable {
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The link that is sealed.
  public let link: Link
  /// The key that sealed the link.
  public let publicKey: DevicePublicKey

  /// Seals `link` with `key`.
  /// - Throws: the key's error if it does not sign.
  public init(_ link: Link, with key: some DeviceKey) throws {
    jws = try CompactJWS.make(
      header: CompactJWS.header(carrying: key.publicKey), payload: link.json, with: key)
    self.link = link
    publicKey = key.publicKey
  }

  /// Reads a seal and checks its signature.
  /// - Throws: `EvidenceError.malformedSeal` if the form is wrong or the signature does not hold.
  public init(jws: String) throws(EvidenceError) {
    let payload: [UInt8]
    let key: DevicePublicKey
    do throws(CompactJWS.Problem) {
      let compact = try CompactJWS(jws)
      key = try compact.verifiedKey()
      payload = compact.payload
    } catch {
      throw .malformedSeal(error.words)
    }
    let link = try Link(try JSONValue(parsing: payload))
    guard link.key == key.thumbprint else {
      throw .malformedSeal("the link belongs to a different key than the one that signed it")
    }
    self.jws = jws
    self.link = link
    publicKey = key
  }

  /// SHA-256 of the JWS, which the next link carries as `previous`.
  public var digest: String { Digest.hexadecimal(Array(jws.utf8)) }

  /// The digest of the same link with the second signature that anyone can make of the first
  /// (`ECDSATwin`); nil if there is none. That is not another link, and the device did not make it.
  public var twinDigest: String? {
    (try? CompactJWS(jws))?.twin.map { Digest.hexadecimal(Array($0.utf8)) }
  }
}
