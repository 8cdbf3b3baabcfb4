import Foundation
import Positioning

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
    jws = try CompactJWS.make(
      header: CompactJWS.header(carrying: key.publicKey), payload: link.json, with: key)
    self.link = link
    publicKey = key.publicKey
  }

  /// Reads a seal and checks its signature.
  /// - Throws: `EvidenceError.malformedSeal` when the form is wrong or the signature does not hold.
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
      throw .malformedSeal("the link belongs to another key than the one that signed it")
    }
    self.jws = jws
    self.link = link
    publicKey = key
  }

  /// SHA-256 of the JWS: what the next link calls `previous`.
  public var digest: String { Digest.hexadecimal(Array(jws.utf8)) }

  /// The digest of the same link with the second signature that everybody can make of the first (`ECDSATwin`): not
  /// another link, and not this device's.
  public var twinDigest: String? {
    (try? CompactJWS(jws))?.twin.map { Digest.hexadecimal(Array($0.utf8)) }
  }
}
