import Foundation

/// Proofs: their checking, as RFC 9162 prescribes it, for which nobody needs a tree, and their forms.
public enum TreeProof {
  /// Returns the proof that an entry is in a checkpoint's log, in the form of C2SP's `tlog-proof`.
  /// - Parameters:
  ///   - index: the number of the entry, from 0.
  ///   - extra: bytes that the proof carries beside, such as the entry itself; nil for none.
  public static func text(
    ofEntry index: Int, extra: [UInt8]? = nil, _ proof: [TreeHash], in note: SignedNote
  ) -> String {
    let head = [
      EntryProof.firstLine, extra.map { "extra \(Data($0).base64EncodedString())" },
      "index \(index)",
    ]
    return text(head.compactMap(\.self), proof, note)
  }

  /// Returns the proof that a checkpoint's log begins with an earlier one, in the form of C2SP's `tlog-witness`.
  public static func text(from earlier: Int, _ proof: [TreeHash], to note: SignedNote) -> String {
    text(["old \(earlier)"], proof, note)
  }

  private static func text(_ head: [String], _ proof: [TreeHash], _ note: SignedNote) -> String {
    (head + proof.map(\.base64)).map { $0 + "\n" }.joined() + "\n" + note.note
  }

  /// Returns true if the proof leads from an entry to a tree's root (section 2.1.3.2).
  /// - Parameters:
  ///   - leaf: the hash of the entry.
  ///   - index: its number in the tree, from 0.
  ///   - size: the number of the tree's entries.
  public static func includes(
    _ leaf: TreeHash, at index: Int, in root: TreeHash, size: Int, proof: [TreeHash]
  ) -> Bool {
    guard index >= 0, index < size else { return false }
    var (place, last) = (index, size - 1)
    var hash = leaf
    for beside in proof {
      guard last > 0 else { return false }
      if place & 1 == 1 || place == last {
        hash = .node(beside, hash)
        while place & 1 == 0, place != 0 { (place, last) = (place >> 1, last >> 1) }
      } else {
        hash = .node(hash, beside)
      }
      (place, last) = (place >> 1, last >> 1)
    }
    return last == 0 && hash == root
  }

  /// Returns true if the proof shows that a tree begins with an earlier one (section 2.1.4.2).
  public static func extends(
    _ earlier: TreeHash, size earlierSize: Int, to later: TreeHash, size laterSize: Int,
    proof: [TreeHash]
  ) -> Bool {
    guard earlierSize > 0, earlierSize <= laterSize else { return false }
    if earlierSize == laterSize { return proof.isEmpty && earlier == later }
    var (place, last) = (earlierSize - 1, laterSize - 1)
    while place & 1 == 1 { (place, last) = (place >> 1, last >> 1) }
    // A complete earlier tree is its own beginning, and the proof does not say it again.
    var rest = proof[...]
    guard let begin = earlierSize & (earlierSize - 1) == 0 ? earlier : rest.popFirst() else {
      return false
    }
    var (old, new) = (begin, begin)
    for beside in rest {
      guard last > 0 else { return false }
      if place & 1 == 1 || place == last {
        (old, new) = (.node(beside, old), .node(beside, new))
        while place & 1 == 0, place != 0 { (place, last) = (place >> 1, last >> 1) }
      } else {
        new = .node(new, beside)
      }
      (place, last) = (place >> 1, last >> 1)
    }
    return last == 0 && old == earlier && new == later
  }
}
