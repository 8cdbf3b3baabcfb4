import ContentBoxes
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
      return try problems(of: try active(bytes), metadata, file, record, key)
    } catch {
      return ["the C2PA manifest cannot be read: \(error.words)"]
    }
  }

  /// Returns the manifests of a file, the active one last; nil if it has none, or if the active one
  /// does not hold.
  static func sound(in metadata: JPEGMetadata, file: [UInt8]) -> [JUMBF]? {
    guard let bytes = metadata.manifestStore, let all = try? manifests(bytes),
      let read = try? Contents(all[all.count - 1]),
      let problems = try? problems(of: read, metadata, file), problems.isEmpty
    else { return nil }
    return all
  }

  /// Returns the manifests of a store, the active one last.
  static func manifests(_ bytes: [UInt8]) throws(Problem) -> [JUMBF] {
    let store: JUMBF
    do throws(JUMBF.Problem) {
      store = try JUMBF(reading: bytes)
    } catch {
      throw Problem(words: error.words)
    }
    guard store.kind == JUMBF.Kind.store.rawValue, !store.children.isEmpty else {
      throw Problem(words: "it is not a manifest store")
    }
    return store.children
  }

  private static func active(_ bytes: [UInt8]) throws(Problem) -> JUMBF {
    let all = try manifests(bytes)
    return all[all.count - 1]
  }

  struct Problem: Error {
    var words: Wording
  }

  private static func problems(
    of manifest: JUMBF, _ metadata: JPEGMetadata, _ file: [UInt8], _ record: JSONValue,
    _ key: String
  ) throws(Problem) -> [Wording] {
    let read = try Contents(manifest)
    var problems = try problems(of: read, metadata, file)
    if read.certificate.publicKey.thumbprint != key {
      problems.insert(
        "the C2PA manifest and the record are signed with different keys", at: 0)
    }
    if read.bytes(of: CaptureManifest.recordLabel) != record.canonicalBytes {
      problems.append("the C2PA manifest contains a different record")
    }
    let isImported = record["photo"]?["origin"]?.text == "imported"
    if (try read.action == "c2pa.opened") != isImported {
      problems.append("the record and the C2PA manifest disagree about the picture's origin")
    }
    return problems
  }

  /// Returns the faults of a manifest in itself, and against its file.
  static func problems(
    of read: Contents, _ metadata: JPEGMetadata, _ file: [UInt8]
  ) throws(Problem) -> [Wording] {
    var problems: [Wording] = []
    if !read.isSigned { problems.append("the C2PA claim or its signature was changed") }
    var labels: Set<String> = []
    for reference in read.named.prefix(100) {
      let url = reference["url"]?.text ?? ""
      let label = String(url.split(separator: "/").last ?? "")
      labels.insert(label)
      guard let assertion = read.assertions[label] else {
        problems.append("the C2PA assertion \(label) is missing")
        continue
      }
      if reference["hash"]?.bytes != Array(SHA256.hash(data: assertion.body)) {
        problems.append("the C2PA assertion \(label) was changed")
      }
    }
    for label in read.assertions.keys.sorted() where !labels.contains(label) {
      problems.append("the C2PA assertion \(label) was added")
    }
    if let hash = read.bytes(of: ManifestDraft.hashLabel) {
      if !holds(try cbor(hash), metadata, file) {
        problems.append("the file's bytes do not match its C2PA manifest")
      }
    } else {
      problems.append("the C2PA manifest is not bound to any bytes")
    }
    return problems
  }

  /// The parts of a manifest.
  struct Contents {
    /// The assertions by their labels; the first, where a label stands twice.
    let assertions: [String: JUMBF]
    /// The references of the claim.
    let named: [CBOR]
    /// The certificate of the key that is said to have signed.
    let certificate: EvidenceCertificate
    /// True if that key signed the claim.
    let isSigned: Bool

    init(_ manifest: JUMBF) throws(Problem) {
      guard let claim = manifest.child(ManifestDraft.claimLabel)?.content?.bytes,
        let assertions = manifest.child(ManifestDraft.assertionsLabel)?.children
      else { throw Problem(words: "it has no claim or no assertions") }
      self.assertions = Dictionary(assertions.map { ($0.label, $0) }) { first, _ in first }
      (certificate, isSigned) = try ManifestReading.signature(of: manifest, claim)
      named = try ManifestReading.cbor(claim)["created_assertions"]?.elements ?? []
    }

    /// Returns the bytes of an assertion; nil if there is none.
    func bytes(of label: String) -> [UInt8]? { assertions[label]?.content?.bytes }

    /// The first action; nil if there is none.
    var action: String? {
      get throws(Problem) {
        guard let bytes = bytes(of: ManifestDraft.actionsLabel) else { return nil }
        return try ManifestReading.cbor(bytes)["actions"]?.elements?.first?["action"]?.text
      }
    }
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

  /// Returns the certificate that a manifest's signature carries, and true if its key signed the
  /// claim.
  fileprivate static func signature(
    of manifest: JUMBF, _ claim: [UInt8]
  ) throws(Problem) -> (EvidenceCertificate, isSigned: Bool) {
    guard let bytes = manifest.child(ManifestDraft.signatureLabel)?.content?.bytes,
      case .tagged(18, let sign1) = try cbor(bytes), let parts = sign1.elements, parts.count == 4,
      let protected = parts[0].bytes, let signature = parts[3].bytes
    else { throw Problem(words: "its signature is not COSE_Sign1") }
    let header = try cbor(protected)
    let chain = header[CBOR(whole: COSESignature.chainLabel)]
    guard header[CBOR(whole: 1)]?.whole == COSESignature.algorithmES256,
      let der = chain?.elements?.first?.bytes ?? chain?.bytes,
      let certificate = try? EvidenceCertificate(der: der)
    else { throw Problem(words: "its signature is not ES256 with a certificate") }
    return (
      certificate,
      certificate.publicKey.verifies(signature, of: COSESignature.signed(claim, protected))
    )
  }

  fileprivate static func cbor(_ bytes: [UInt8]) throws(Problem) -> CBOR {
    do throws(CBOR.Problem) {
      return try CBOR(bytes[...])
    } catch {
      throw Problem(words: error.words)
    }
  }
}
