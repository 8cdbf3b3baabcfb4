import ContentBoxes
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

/// The C2PA manifest of a capture: the action, a hash over the file's bytes except the manifest's
/// own, and the record word by word, under the device's key. A reader of C2PA that knows nothing of
/// us can check that picture and claims belong together.
enum CaptureManifest {
  /// The label of the assertion that carries the record.
  static let recordLabel = "org.standpoint.record"

  /// Returns the manifest of a record.
  static func draft(record: JSONValue, source: PictureSource) -> ManifestDraft {
    let agent = ManifestDraft.agent(record["device"]?["software"]?.text ?? "standpoint")
    let when = record["time"]?["device"]?.text.map { CBOR.tagged(0, .text($0)) }
    var assertions: [JUMBF] = []
    var action: KeyValuePairs<String, CBOR?> = [
      "action": .text("c2pa.created"), "when": when, "softwareAgent": agent,
      "digitalSourceType": source.digitalSourceType.map { .text($0) },
    ]
    if source == .imported {
      // The history of an imported file is not known here: the manifest only says that there is one.
      let ingredient = JUMBF(
        .cbor, ManifestDraft.ingredientLabel,
        cbor: CBOR.map([
          "relationship": .text("parentOf"), "dc:format": .text("image/jpeg"),
        ]).encoded)
      assertions.append(ingredient)
      action = [
        "action": .text("c2pa.opened"), "when": when, "softwareAgent": agent,
        "parameters": .map(["ingredients": .array([ManifestDraft.uri(ingredient)])]),
      ]
    }
    assertions.append(ManifestDraft.actions([.map(action)]))
    return ManifestDraft(
      id: record["id"]?.text ?? "", agent: agent, assertions: assertions,
      record: JUMBF(json: record.canonicalBytes, recordLabel))
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
