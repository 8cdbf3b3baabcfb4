import Foundation
import TimeAndText

/// The form of every signature here: a compact JWS (RFC 7515) with ES256.
struct CompactJWS {
  /// A fault of the form. The caller adds which thing the text was meant to be.
  struct Problem: Error {
    var words: Wording
  }

  let header: JSONValue
  let payload: [UInt8]
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Signs `payload`, and returns the compact JWS.
  static func make(
    header: JSONValue, payload: JSONValue, with key: some DeviceKey
  ) throws -> String {
    let signed =
      Base64URL.text(header.canonicalBytes) + "." + Base64URL.text(payload.canonicalBytes)
    return signed + "." + Base64URL.text(try key.signLow(Array(signed.utf8)))
  }

  /// Returns the header of a JWS that carries its own key.
  static func header(carrying key: DevicePublicKey) -> JSONValue {
    .object([
      "alg": .string("ES256"), "jwk": key.jwk, "kid": .string(key.thumbprint),
    ])
  }

  /// Parses a JWS. The signature is not checked yet.
  /// - Parameter limit: the longest text that is read, in bytes; a longer one is refused, so that
  ///   the payload cannot fill the memory.
  init(_ text: String, limit: Int = 1 << 16) throws(Problem) {
    guard text.utf8.count <= limit else {
      throw Problem(words: "the signature has more than \(limit) characters")
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let headerBytes = Base64URL.bytes(parts[0]),
      let payload = Base64URL.bytes(parts[1]), let signature = Base64URL.bytes(parts[2])
    else { throw Problem(words: "the signature is not a compact JWS") }
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

  /// The same text with the second signature that anyone can make of this one (`ECDSATwin`); nil if
  /// there is none.
  var twin: String? {
    ECDSATwin.other(signature).map {
      String(decoding: signed, as: UTF8.self) + "." + Base64URL.text($0)
    }
  }

  /// Returns the payload as JSON.
  func json() throws(Problem) -> JSONValue {
    do throws(EvidenceError) {
      return try JSONValue(parsing: payload)
    } catch {
      throw Problem(words: "what was signed is \(error)")
    }
  }

  /// Returns the key that the header carries, once it has verified the signature.
  func verifiedKey() throws(Problem) -> DevicePublicKey {
    guard let key = header["jwk"].flatMap(DevicePublicKey.init(jwk:)),
      header["kid"]?.text == key.thumbprint
    else { throw Problem(words: "the signature names no key, or a different key than it contains") }
    try requireSignature(by: key)
    return key
  }

  /// Checks that `key` signed this.
  /// - Throws: `Problem` if it did not.
  func requireSignature(by key: DevicePublicKey) throws(Problem) {
    guard key.verifies(signature, of: signed) else {
      throw Problem(words: "the signature is not valid")
    }
  }
}

extension CompactJWS {
  /// Reads the proof that a device holds a key. The proof carries the key itself, and its payload
  /// must be of the given schema.
  /// - Throws: `EvidenceError.malformedEnrolment`, also if the signature does not hold.
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
