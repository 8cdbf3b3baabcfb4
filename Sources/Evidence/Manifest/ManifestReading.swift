import Crypto
import Foundation
import Imagery
import Positioning
import TimeAndText

/// The check of a capture's manifest against its file and its record.
enum ManifestReading {
  /// Returns the faults of a file's manifest, in words; empty if there are none, nil if the file
  /// has no manifest.
  ///
  /// - Parameters:
  ///   - key: thumbprint of the key that sealed the record.
  static func problems(
    in metadata: JPEGMetadata, file: [UInt8], record: JSONValue, key: String
  ) -> [Wording]? {
    guard let bytes = metadata.manifestStore else { return nil }
    do throws(Problem) {
      let store: JUMBF
      do throws(JUMBF.Problem) {
        store = try JUMBF(reading: bytes)
      } catch {
        throw Problem(words: error.words)
      }
      // The last manifest is the active one.
      guard store.kind == JUMBF.Kind.store.rawValue, let manifest = store.children.last else {
        throw Problem(words: "it is not a manifest store")
      }
      return try problems(of: manifest, metadata, file, record, key)
    } catch {
      return ["the C2PA manifest cannot be read: \(error.words)"]
    }
  }

  struct Problem: Error {
    var words: Wording
  }

  private static func problems(
    of manifest: JUMBF, _ metadata: JPEGMetadata, _ file: [UInt8], _ record: JSONValue,
    _ key: String
  ) throws(Problem) -> [Wording] {
    guard let claimBytes = manifest.child(CaptureManifest.claimLabel)?.content?.bytes,
      let assertions = manifest.child(CaptureManifest.assertionsLabel)?.children
    else { throw Problem(words: "it has no claim or no assertions") }
    var problems: [Wording] = []
    if let words = try signatureProblem(manifest, claimBytes, key) { problems.append(words) }
    let claim = try cbor(claimBytes)
    let named = claim["created_assertions"]?.elements ?? []
    var labels: Set<String> = []
    let byLabel = Dictionary(assertions.map { ($0.label, $0) }) { first, _ in first }
    for reference in named.prefix(100) {
      let url = reference["url"]?.text ?? ""
      let label = String(url.split(separator: "/").last ?? "")
      labels.insert(label)
      guard let assertion = byLabel[label] else {
        problems.append("the C2PA assertion \(label) is missing")
        continue
      }
      if reference["hash"]?.bytes != Array(SHA256.hash(data: assertion.body)) {
        problems.append("the C2PA assertion \(label) was changed")
      }
    }
    for assertion in assertions where !labels.contains(assertion.label) {
      problems.append("the C2PA assertion \(assertion.label) was added")
    }
    func content(_ label: String) -> [UInt8]? {
      byLabel[label]?.content?.bytes
    }
    if content(CaptureManifest.recordLabel) != record.canonicalBytes {
      problems.append("the C2PA manifest contains a different record")
    }
    if let hash = content(CaptureManifest.hashLabel) {
      if !holds(try cbor(hash), metadata, file) {
        problems.append("the file's bytes do not match its C2PA manifest")
      }
    } else {
      problems.append("the C2PA manifest is not bound to any bytes")
    }
    let action = try content(CaptureManifest.actionsLabel).map(cbor)?["actions"]?.elements?.first
    let isImported = record["photo"]?["origin"]?.text == "imported"
    if (action?["action"]?.text == "c2pa.opened") != isImported {
      problems.append("the record and the C2PA manifest disagree about the picture's origin")
    }
    return problems
  }

  /// Returns true if the hash is over all bytes of the file except the manifest's own segments, and
  /// over no fewer.
  private static func holds(_ hash: CBOR, _ metadata: JPEGMetadata, _ file: [UInt8]) -> Bool {
    guard let range = metadata.manifestRange, let exclusions = hash["exclusions"]?.elements,
      exclusions.count == 1, exclusions[0]["start"]?.whole == range.lowerBound,
      exclusions[0]["length"]?.whole == range.count, hash["alg"]?.text == "sha256"
    else { return false }
    var digest = SHA256()
    file.withUnsafeBytes { bytes in
      digest.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[..<range.lowerBound]))
      digest.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[range.upperBound...]))
    }
    return hash["hash"]?.bytes == Array(digest.finalize())
  }

  private static func signatureProblem(
    _ manifest: JUMBF, _ claim: [UInt8], _ key: String
  ) throws(Problem) -> Wording? {
    guard let bytes = manifest.child(CaptureManifest.signatureLabel)?.content?.bytes,
      case .tagged(18, let sign1) = try cbor(bytes), let parts = sign1.elements, parts.count == 4,
      let protected = parts[0].bytes, let signature = parts[3].bytes
    else { throw Problem(words: "its signature is not COSE_Sign1") }
    let header = try cbor(protected)
    let chain = header[CBOR(whole: COSESignature.chainLabel)]
    guard header[CBOR(whole: 1)]?.whole == COSESignature.algorithmES256,
      let der = chain?.elements?.first?.bytes ?? chain?.bytes,
      let certificate = try? EvidenceCertificate(der: der)
    else { throw Problem(words: "its signature is not ES256 with a certificate") }
    guard certificate.publicKey.thumbprint == key else {
      return "the C2PA manifest and the record are signed with different keys"
    }
    guard
      certificate.publicKey.verifies(signature, of: COSESignature.signed(claim, protected))
    else { return "the C2PA claim or its signature was changed" }
    return nil
  }

  private static func cbor(_ bytes: [UInt8]) throws(Problem) -> CBOR {
    do throws(CBOR.Problem) {
      return try CBOR(bytes[...])
    } catch {
      throw Problem(words: error.words)
    }
  }
}
