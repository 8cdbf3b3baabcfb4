import Foundation
import Positioning

/// The form that every signature here has: a compact JWS (RFC 7515) with ES256.
struct CompactJWS {
  /// What is wrong with the form; whoever reads one says what it was meant to be.
  struct Problem: Error {
    var words: Wording
  }

  let header: JSONValue
  let payload: [UInt8]
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Signs `payload`.
  static func make(
    header: JSONValue, payload: JSONValue, with key: some DeviceKey
  ) throws -> String {
    let signed =
      Base64URL.text(header.canonicalBytes) + "." + Base64URL.text(payload.canonicalBytes)
    return signed + "." + Base64URL.text(try key.signLow(Array(signed.utf8)))
  }

  /// The header of a JWS that carries its own key.
  static func header(carrying key: DevicePublicKey) -> JSONValue {
    .object([
      "alg": .string("ES256"), "jwk": key.jwk, "kid": .string(key.thumbprint),
    ])
  }

  /// Takes a JWS apart. The signature is not checked yet.
  /// - Parameter limit: a longer text is refused, so that what it unpacks to cannot fill the memory.
  init(_ text: String, limit: Int = 1 << 16) throws(Problem) {
    guard text.utf8.count <= limit else {
      throw Problem(words: "the signature has more than \(limit) characters")
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let headerBytes = Base64URL.bytes(parts[0]),
      let payload = Base64URL.bytes(parts[1]), let signature = Base64URL.bytes(parts[2])
    else { throw Problem(words: "the signature is no compact JWS") }
    do {
      header = try JSONValue(parsing: headerBytes)
    } catch {
      throw Problem(words: "the signature's header is \(error)")
    }
    guard header["alg"]?.text == "ES256" else {
      throw Problem(words: "the signature's algorithm is not ES256")
    }
    // An extension that is marked critical and not understood must fail (RFC 7515, 4.1.11).
    guard header["crit"] == nil else { throw Problem(words: "the signature has a critical part") }
    self.payload = payload
    self.signature = signature
    signed = Array("\(parts[0]).\(parts[1])".utf8)
  }

  /// The same text with the other signature over it that everybody can make of this one.
  var twin: String? {
    ECDSATwin.other(signature).map {
      String(decoding: signed, as: UTF8.self) + "." + Base64URL.text($0)
    }
  }

  /// The payload as JSON.
  func json() throws(Problem) -> JSONValue {
    do throws(EvidenceError) {
      return try JSONValue(parsing: payload)
    } catch {
      throw Problem(words: "what was signed is \(error)")
    }
  }

  /// The key that the header carries, once it has verified the signature.
  func verifiedKey() throws(Problem) -> DevicePublicKey {
    guard let key = header["jwk"].flatMap(DevicePublicKey.init(jwk:)),
      header["kid"]?.text == key.thumbprint
    else { throw Problem(words: "the signature names no key, or another than it carries") }
    try requireSignature(by: key)
    return key
  }

  /// - Throws: `Problem` when `key` did not sign this.
  func requireSignature(by key: DevicePublicKey) throws(Problem) {
    guard key.verifies(signature, of: signed) else {
      throw Problem(words: "the signature does not hold")
    }
  }
}

extension CompactJWS {
  /// Reads the proof that somebody holds a key, which it carries itself: what was signed, of this schema.
  /// - Throws: `EvidenceError.malformedEnrolment`, also when the signature does not hold.
  static func keyProof(
    _ jws: String, schema: String
  ) throws(EvidenceError) -> (key: DevicePublicKey, payload: JSONValue) {
    let key: DevicePublicKey
    let payload: JSONValue
    do throws(CompactJWS.Problem) {
      let compact = try CompactJWS(jws)
      key = try compact.verifiedKey()
      payload = try compact.json()
    } catch {
      throw .malformedEnrolment(error.words)
    }
    guard payload["schema"]?.text == schema else {
      throw .malformedEnrolment("its schema is not \(schema)")
    }
    return (key, payload)
  }
}
