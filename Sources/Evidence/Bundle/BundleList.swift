import Inspection
import TimeAndText

/// The list of all files of a bundle with their digests, in the form of `sha256sum`: `sha256sum -c SHA256SUMS`
/// checks it in the unpacked bundle.
package struct BundleList: Hashable {
  /// The list's name in a bundle.
  package static let path = "SHA256SUMS"
  /// The name of the office's statement over the list.
  package static let statementPath = "SHA256SUMS.jws"
  /// The name of the checkpoint of the office's log at the time of the bundle.
  package static let checkpointPath = "log/checkpoint"
  /// The folder and the ending of the proof that the log has a receipt's delivery.
  private static let (proofFolder, proofEnding) = ("log/", ".tlog-proof")
  private static let (receiptFolder, receiptEnding) = ("receipts/", ".receipt")

  /// Returns the path of the proof for a receipt.
  package static func proofPath(ofReceipt id: Identifier) -> String {
    "\(proofFolder)\(id)\(proofEnding)"
  }

  /// Returns the path of the receipt for a proof; nil if the path is none of a proof.
  package static func receiptPath(ofProof path: String) -> String? {
    guard path.hasPrefix(proofFolder), path.hasSuffix(proofEnding) else { return nil }
    let name = path.dropFirst(proofFolder.count).dropLast(proofEnding.count)
    return "\(receiptFolder)\(name)\(receiptEnding)"
  }

  /// The digests of all files except the list and the statement, by path.
  package var digests: [String: String]

  /// Lists files.
  package init(_ digests: [String: String]) { self.digests = digests }

  /// The list as text: a line for each file, in the order of their paths.
  package var bytes: [UInt8] {
    Array(digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined().utf8)
  }

  /// Reads a list.
  /// - Throws: `EvidenceError.malformedList`, which names the first line that is none.
  package init(_ bytes: [UInt8]) throws(EvidenceError) {
    var digests: [String: String] = [:]
    var number = 0
    var rest = bytes[...]
    while !rest.isEmpty {
      number += 1
      guard let end = rest.firstIndex(of: 0x0A),
        let line = String(validating: rest[..<end], as: UTF8.self), line.utf8.count > 66
      else { throw .malformedList("line \(number) is not a digest and a path") }
      let (digest, path) = (String(line.prefix(64)), String(line.dropFirst(66)))
      guard Digest.isDigest(digest), line.dropFirst(64).hasPrefix("  "),
        BundlePath.complaint(path) == nil, digests.updateValue(digest, forKey: path) == nil
      else { throw .malformedList("line \(number) is not a digest and a path") }
      rest = rest[(end + 1)...]
    }
    self.digests = digests
  }
}
