// https://c2sp.org/tlog-proof: a first line, perhaps "extra BASE64", "index N", the hashes, an empty line, and the
// checkpoint.

import Foundation
import TimeAndText

/// The proof that an entry is in a checkpoint's log, as C2SP's `tlog-proof` writes it, of bytes that somebody else
/// has made.
public struct EntryProof: Hashable, Sendable {
  static let firstLine = "c2sp.org/tlog-proof@v1"
  /// The most hashes of a proof: no tree is higher.
  private static let hashesAtMost = 63

  /// The bytes that the proof carries beside; nil for none.
  public let extra: [UInt8]?
  /// The number of the entry, from 0.
  public let index: Int
  /// The hashes that lead to the tree's.
  public let hashes: [TreeHash]
  /// The checkpoint as it was signed.
  public let note: SignedNote

  /// Reads a proof. Neither the proof nor a signature is checked.
  /// - Throws: `NoteProblem`.
  public init(_ text: String) throws(NoteProblem) {
    guard text.utf8.count <= SignedNote.bytesAtMost else {
      throw NoteProblem("the proof is too long")
    }
    let bytes = Array(text.utf8)
    guard
      let gap = (1..<max(1, bytes.count)).first(where: {
        bytes[$0 - 1] == 0x0A && bytes[$0] == 0x0A
      })
    else { throw NoteProblem("the proof has no checkpoint after an empty line") }
    var lines = String(decoding: bytes[..<(gap - 1)], as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)[...]
    guard lines.popFirst() == Self.firstLine[...] else {
      throw NoteProblem("the proof does not begin with \(Self.firstLine)")
    }
    var extra: [UInt8]?
    if let line = lines.first, line.hasPrefix("extra ") {
      guard let data = Data(base64Encoded: String(line.dropFirst(6))) else {
        throw NoteProblem("what the proof carries beside is not Base64")
      }
      extra = Array(data)
      lines.removeFirst()
    }
    guard let line = lines.popFirst(), line.hasPrefix("index "),
      let index = Int(line.dropFirst(6)), index >= 0, String(index) == line.dropFirst(6)
    else { throw NoteProblem("the proof does not say the number of its entry") }
    let hashes = lines.compactMap(TreeHash.init(base64:))
    guard hashes.count == lines.count, hashes.count <= Self.hashesAtMost else {
      throw NoteProblem("the proof has lines that are no hashes, or more than \(Self.hashesAtMost)")
    }
    (self.extra, self.index, self.hashes) = (extra, index, hashes)
    note = try SignedNote(String(decoding: bytes[(gap + 1)...], as: UTF8.self))
  }

  /// Returns true if the proof leads from an entry's hash to a checkpoint.
  public func leads(from leaf: TreeHash, to checkpoint: Checkpoint) -> Bool {
    TreeProof.includes(
      leaf, at: index, in: checkpoint.root, size: checkpoint.size, proof: hashes)
  }
}
