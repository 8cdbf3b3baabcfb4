import Crypto
import Foundation
import Imagery
import TimeAndText

/// The source of a picture's pixels, as a manifest names it.
public enum PictureSource: Sendable {
  /// A camera took it for this record.
  case camera
  /// The picture is a file that was there already.
  case imported
  /// The program itself drew the picture.
  case drawn

  /// IPTC's term for the source; nil for an imported file, whose source is not known.
  var digitalSourceType: String? {
    let terms = "http://cv.iptc.org/newscodes/digitalsourcetype/"
    return switch self {
    case .camera: terms + "digitalCapture"
    case .drawn: terms + "algorithmicMedia"
    case .imported: nil
    }
  }
}

/// The C2PA manifest store of a capture: one manifest with the action, a hash over the file's bytes
/// except the manifest's own, and the record word by word, under the device's key. A reader of C2PA
/// that knows nothing of us can check that picture and claims belong together.
///
/// Source: C2PA technical specification 2.1 (claim version 2), RFC 9052 (COSE).
enum CaptureManifest {
  /// The label of the assertion that carries the record.
  static let recordLabel = "org.standpoint.record"
  static let hashLabel = "c2pa.hash.data"
  static let actionsLabel = "c2pa.actions.v2"
  static let ingredientLabel = "c2pa.ingredient.v3"
  static let claimLabel = "c2pa.claim.v2"
  static let signatureLabel = "c2pa.signature"
  static let assertionsLabel = "c2pa.assertions"

  /// Returns the segments that belong between the two parts of a file.
  ///
  /// - Parameters:
  ///   - record: the record of the capture.
  ///   - certificate: the certificate of `key`, which signs.
  static func segments(
    between head: [UInt8], and tail: [UInt8], record: JSONValue, source: PictureSource,
    certificate: EvidenceCertificate, key: any DeviceKey
  ) throws -> [UInt8] {
    var hash = SHA256()
    hash.update(data: head)
    hash.update(data: tail)
    let digest = Array(hash.finalize())
    func segments(_ length: Int, _ sign: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] {
      try JPEGMetadata.manifestSegments(
        try store(
          record: record, source: source, digest: digest, start: head.count, length: length,
          certificate: certificate, sign))
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

  private static func store(
    record: JSONValue, source: PictureSource, digest: [UInt8], start: Int, length: Int,
    certificate: EvidenceCertificate, _ sign: ([UInt8]) throws -> [UInt8]
  ) throws -> [UInt8] {
    let id = record["id"]?.text ?? ""
    let software = record["device"]?["software"]?.text ?? "standpoint"
    let words = software.split(separator: " ", maxSplits: 1).map(String.init)
    let agent = CBOR.map([
      "name": .text(words[0]), "version": words.count > 1 ? .text(words[1]) : nil,
    ])
    var assertions: [JUMBF] = []
    var action: KeyValuePairs<String, CBOR?> = [
      "action": .text("c2pa.created"),
      "when": record["time"]?["device"]?.text.map { .tagged(0, .text($0)) },
      "softwareAgent": agent, "digitalSourceType": source.digitalSourceType.map { .text($0) },
    ]
    if source == .imported {
      // The history of an imported file is not known here: the manifest only says that there is one.
      let ingredient = JUMBF(
        .cbor, ingredientLabel,
        cbor: CBOR.map([
          "relationship": .text("parentOf"), "dc:format": .text("image/jpeg"),
        ]).encoded)
      assertions.append(ingredient)
      action = [
        "action": .text("c2pa.opened"),
        "when": record["time"]?["device"]?.text.map { .tagged(0, .text($0)) },
        "softwareAgent": agent, "parameters": .map(["ingredients": .array([uri(ingredient)])]),
      ]
    }
    assertions += [
      JUMBF(
        .cbor, actionsLabel,
        cbor: CBOR.map([
          "actions": .array([.map(action)]), "allActionsIncluded": .bool(true),
        ]).encoded),
      JUMBF(
        .cbor, hashLabel,
        cbor: CBOR.map([
          "exclusions": .array([
            .map(["start": CBOR(whole: start), "length": CBOR(whole: length)])
          ]), "name": .text("jumbf manifest"), "alg": .text("sha256"), "hash": .bytes(digest),
          "pad": .bytes([]),
        ]).encoded), JUMBF(json: record.canonicalBytes, recordLabel),
    ]
    let claim = CBOR.map([
      "instanceID": .text("xmp:iid:\(id)"), "claim_generator_info": agent,
      "signature": .text("self#jumbf=\(signatureLabel)"), "alg": .text("sha256"),
      "created_assertions": .array(assertions.map(uri)),
    ]).encoded
    let signature = try COSESignature.make(claim, certificate: certificate, sign)
    let manifest = JUMBF(
      .manifest, "urn:c2pa:\(label(for: id))",
      [
        JUMBF(.assertions, assertionsLabel, assertions), JUMBF(.claim, claimLabel, cbor: claim),
        JUMBF(.signature, signatureLabel, cbor: signature),
      ])
    return JUMBF(.store, "c2pa", [manifest]).bytes
  }

  /// Returns the manifest's label. C2PA names manifests by random identifiers (UUIDv4): this one
  /// has their form, but is made of the record's own identifier.
  private static func label(for id: String) -> String {
    var bytes = Array(SHA256.hash(data: Array(id.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Digest.hexadecimal(of: bytes)
    var label = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { label += "-" }
      label.append(digit)
    }
    return label
  }

  private static func uri(_ assertion: JUMBF) -> CBOR {
    .map([
      "url": .text("self#jumbf=\(assertionsLabel)/\(assertion.label)"),
      "hash": .bytes(Array(SHA256.hash(data: assertion.body))),
    ])
  }
}

/// A COSE_Sign1 signature with ES256 and a detached payload (RFC 9052, 4.2), with the certificate
/// in its protected header (RFC 9360).
enum COSESignature {
  static let algorithmES256 = -7
  static let chainLabel = 33

  static func make(
    _ payload: [UInt8], certificate: EvidenceCertificate, _ sign: ([UInt8]) throws -> [UInt8]
  ) throws -> [UInt8] {
    let protected = CBOR.map([
      CBOR.Pair(key: CBOR(whole: 1), value: CBOR(whole: algorithmES256)),
      CBOR.Pair(key: CBOR(whole: chainLabel), value: .bytes(certificate.der)),
    ]).encoded
    let signature = try sign(signed(payload, protected))
    return CBOR.tagged(
      18, .array([.bytes(protected), .map([CBOR.Pair]()), .null, .bytes(signature)])
    ).encoded
  }

  /// Returns the bytes that are signed: `Sig_structure`.
  static func signed(_ payload: [UInt8], _ protected: [UInt8]) -> [UInt8] {
    CBOR.array([.text("Signature1"), .bytes(protected), .bytes([]), .bytes(payload)]).encoded
  }
}
