// https://c2sp.org/tlog-witness: "old SIZE", the hashes of the consistency proof, an empty line, and the checkpoint.

import TimeAndText

/// A log's question to a witness: to sign a checkpoint that follows one that it has signed.
public struct WitnessRequest: Hashable, Sendable {
  /// The largest question that is read, bytes.
  public static let bytesAtMost = 64 << 10
  private static let hashesAtMost = 63

  /// The number of entries of the checkpoint that the witness has signed last; 0 for none.
  public let old: Int
  /// The hashes that lead from that checkpoint to the new one.
  public let hashes: [TreeHash]
  /// The new checkpoint as its log has signed it.
  public let note: SignedNote

  /// Creates a question.
  public init(old: Int, hashes: [TreeHash], note: SignedNote) {
    (self.old, self.hashes, self.note) = (old, hashes, note)
  }

  /// The question's bytes.
  public var text: String {
    (["old \(old)"] + hashes.map(\.base64)).map { $0 + "\n" }.joined() + "\n" + note.note
  }

  /// Reads a question. Neither the proof nor a signature is checked.
  /// - Throws: `NoteProblem`.
  public init(bytes: [UInt8]) throws(NoteProblem) {
    guard bytes.count <= Self.bytesAtMost,
      let gap = (1..<max(1, bytes.count)).first(where: {
        bytes[$0 - 1] == 0x0A && bytes[$0] == 0x0A
      })
    else { throw NoteProblem("a question to a witness is a proof, an empty line and a checkpoint") }
    var lines = String(decoding: bytes[..<(gap - 1)], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard let line = lines.popFirst(), line.hasPrefix("old "), let old = Int(line.dropFirst(4)),
      old >= 0, String(old) == line.dropFirst(4)
    else { throw NoteProblem("a question to a witness begins with “old” and a number of entries") }
    let hashes = lines.compactMap(TreeHash.init(base64:))
    guard hashes.count == lines.count, hashes.count <= Self.hashesAtMost else {
      throw NoteProblem("the proof has lines that are no hashes, or more than \(Self.hashesAtMost)")
    }
    self.init(old: old, hashes: hashes, note: try SignedNote(bytes: Array(bytes[(gap + 1)...])))
  }
}

extension SignedNote {
  /// The lines that a key has added, as a witness answers them.
  public func text(of key: NoteKey) -> String { lines(of: key).map(\.line).joined() }

  /// The lines of all others than this key.
  public func text(besides key: NoteKey) -> String {
    signatures.filter { !$0.isBy(key) }.map(\.line).joined()
  }

  /// Returns this note with the lines that a witness has answered.
  /// - Throws: `NoteProblem` if they are no lines of a note.
  public func adding(lines text: String) throws(NoteProblem) -> SignedNote {
    try SignedNote(note + text)
  }
}
