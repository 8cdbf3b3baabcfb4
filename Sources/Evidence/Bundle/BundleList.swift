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

  /// The folder of the checkpoints that time authorities have stamped.
  private static let stampedFolder = "log/stamped/"
  private static let stampEnding = ".tsr"

  /// Returns the folder of a stamped checkpoint, its stamps and its proofs, with a slash at its end.
  package static func stampedFolder(size: Int) -> String { "\(stampedFolder)\(size)/" }

  /// The parts of a path in the folder of a stamped checkpoint.
  package struct StampedPath: Hashable, Sendable {
    /// The folder, with a slash at its end.
    package var folder: String
    /// The file's name.
    package var name: String

    /// Reads a path in a bundle, or below the folder of one; nil if it is another one.
    package init?(_ path: String) {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      let above = stampedFolder.split(separator: "/")
      guard parts.count >= above.count + 2, let name = parts.last,
        Array(parts.dropLast(2).suffix(above.count)) == above
      else { return nil }
      (folder, self.name) = (String(path.dropLast(name.count)), String(name))
    }

    /// The path of the checkpoint.
    package var checkpoint: String { folder + "checkpoint" }
    /// True for a time authority's answer.
    package var isStamp: Bool { name.hasSuffix(stampEnding) }
    /// The path of the receipt whose delivery the file proves; nil for a file that is no proof.
    package var receipt: String? {
      guard name.hasSuffix(proofEnding) else { return nil }
      let above = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
      return (above + ["receipts", name.dropLast(proofEnding.count) + receiptEnding])
        .joined(separator: "/")
    }
    /// True for an authority's revocation list that was fetched for this stamp.
    package func isRevocationList(of stamp: StampedPath) -> Bool {
      folder == stamp.folder && name.hasSuffix(".crl")
        && name.hasPrefix(stamp.name.dropLast(stampEnding.count) + "-")
    }
  }

  /// Returns the path of the proof that a stamped checkpoint has a receipt's delivery.
  package static func stampedProofPath(ofReceipt id: Identifier, size: Int) -> String {
    "\(stampedFolder(size: size))\(id)\(proofEnding)"
  }

  /// Returns the path of the proof for a receipt.
  package static func proofPath(ofReceipt id: Identifier) -> String {
    "\(proofFolder)\(id)\(proofEnding)"
  }

  /// Returns the path of the receipt for a proof; nil if the path is none of a proof.
  package static func receiptPath(ofProof path: String) -> String? {
    guard path.hasPrefix(proofFolder), path.hasSuffix(proofEnding) else { return nil }
    let name = path.dropFirst(proofFolder.count).dropLast(proofEnding.count)
    guard !name.contains("/") else { return nil }
    return "\(receiptFolder)\(name)\(receiptEnding)"
  }

  /// The end of the log's line about a delivery: the digest of its receipt, and the receipt's identifier.
  package static func receiptWords(_ receipt: Receipt) -> String {
    "SHA-256 \(Digest.hexadecimal(Array(receipt.jws.utf8))) of receipt \(receipt.id)"
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
