import ContentBoxes
import Crypto
import Imagery

/// A C2PA manifest before it is bound to a file's bytes and signed.
///
/// Source: C2PA technical specification 2.1 (claim version 2), RFC 9052 (COSE).
struct ManifestDraft {
  static let hashLabel = "c2pa.hash.data"
  static let actionsLabel = "c2pa.actions.v2"
  static let ingredientLabel = "c2pa.ingredient.v3"
  static let claimLabel = "c2pa.claim.v2"
  static let signatureLabel = "c2pa.signature"
  static let assertionsLabel = "c2pa.assertions"

  /// The identifier of the record that the manifest carries.
  var id: String
  /// The program's name and version.
  var agent: CBOR
  /// The assertions before the hash over the file's bytes.
  var assertions: [JUMBF]
  /// The record, behind the hash.
  var record: JUMBF
  /// The manifests of the ingredients, as they stand in their own files.
  var ingredients: [JUMBF] = []

  /// Returns the program's name and version as C2PA writes them.
  static func agent(_ software: String) -> CBOR {
    let words = software.split(separator: " ", maxSplits: 1).map(String.init)
    return CBOR.map([
      "name": .text(words.first ?? "standpoint"),
      "version": words.count > 1 ? .text(words[1]) : nil,
    ])
  }

  /// Returns the actions of a manifest as an assertion. No other action happened.
  static func actions(_ actions: [CBOR]) -> JUMBF {
    JUMBF(
      .cbor, actionsLabel,
      cbor: CBOR.map([
        "actions": .array(actions), "allActionsIncluded": .bool(true),
      ]).encoded)
  }

  /// Returns the segments that belong between the two parts of a file.
  /// - Parameter certificate: the certificate of `key`, which signs.
  func segments(
    between head: [UInt8], and tail: [UInt8], certificate: EvidenceCertificate,
    key: any DeviceKey
  ) throws -> [UInt8] {
    var hash = SHA256()
    hash.update(data: head)
    hash.update(data: tail)
    let digest = Array(hash.finalize())
    func segments(_ length: Int, _ sign: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] {
      try JPEGMetadata.manifestSegments(
        try store(
          digest: digest, start: head.count, length: length, certificate: certificate, sign))
    }
    // The exclusion names the length of the segments themselves, and its digits may make them
    // longer: the length is found by repetition. All signatures have one length, so the key, which
    // may be slow, signs only once.
    var length = 0
    for _ in 0..<4 {
      let found = try segments(length) { _ in Array(repeating: 0, count: 64) }.count
      if found == length { break }
      length = found
    }
    return try segments(length) { try key.signLow($0) }
  }

  private func store(
    digest: [UInt8], start: Int, length: Int, certificate: EvidenceCertificate,
    _ sign: ([UInt8]) throws -> [UInt8]
  ) throws -> [UInt8] {
    let hash = JUMBF(
      .cbor, Self.hashLabel,
      cbor: CBOR.map([
        "exclusions": .array([
          .map(["start": CBOR(whole: start), "length": CBOR(whole: length)])
        ]), "name": .text("jumbf manifest"), "alg": .text("sha256"), "hash": .bytes(digest),
        "pad": .bytes([]),
      ]).encoded)
    let assertions = assertions + [hash, record]
    let claim = CBOR.map([
      "instanceID": .text("xmp:iid:\(id)"), "claim_generator_info": agent,
      "signature": .text("self#jumbf=\(Self.signatureLabel)"), "alg": .text("sha256"),
      "created_assertions": .array(assertions.map(Self.uri)),
    ]).encoded
    let signature = try COSESignature.make(claim, certificate: certificate, sign)
    let manifest = JUMBF(
      .manifest, Self.label(for: id),
      [
        JUMBF(.assertions, Self.assertionsLabel, assertions),
        JUMBF(.claim, Self.claimLabel, cbor: claim),
        JUMBF(.signature, Self.signatureLabel, cbor: signature),
      ])
    // The last manifest is the active one.
    return JUMBF(.store, "c2pa", ingredients + [manifest]).bytes
  }

  /// Returns the manifest's label. C2PA names manifests by random identifiers (UUIDv4): this one
  /// has their form, but is made of the record's own identifier.
  static func label(for id: String) -> String {
    var bytes = Array(SHA256.hash(data: Array(id.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Digest.hexadecimal(of: bytes)
    var label = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { label += "-" }
      label.append(digit)
    }
    return "urn:c2pa:\(label)"
  }

  /// Returns the reference to an assertion of the same manifest, with its hash.
  static func uri(_ assertion: JUMBF) -> CBOR {
    reference("\(assertionsLabel)/\(assertion.label)", assertion)
  }

  /// Returns the reference to a box by its path, with its hash.
  static func reference(_ path: String, _ box: JUMBF) -> CBOR {
    .map([
      "url": .text("self#jumbf=\(path)"), "hash": .bytes(Array(SHA256.hash(data: box.body))),
    ])
  }
}
