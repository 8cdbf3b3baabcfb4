// https://c2sp.org/tlog-checkpoint: three lines or more: the log's name, the number of its entries, and the
// hash of the tree in Base64.

import Foundation
import TimeAndText

/// A log's word of what it holds: its name, the number of its entries, and the hash of their tree.
public struct Checkpoint: Hashable, Sendable {
  /// The log's name, which is also that of its key.
  public let origin: String
  /// The number of entries.
  public let size: Int
  /// The hash of the tree.
  public let root: TreeHash

  /// Creates a checkpoint.
  public init(origin: String, size: Int, root: TreeHash) {
    (self.origin, self.size, self.root) = (origin, size, root)
  }

  /// The text of its note.
  public var text: String { "\(origin)\n\(size)\n\(root.base64)\n" }

  /// Reads the text of a note. Further lines are allowed, and say nothing to us.
  /// - Throws: `NoteProblem`.
  public init(text: String) throws(NoteProblem) {
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard lines.count >= 4, lines.last == "", lines.dropLast().allSatisfy({ !$0.isEmpty }) else {
      throw NoteProblem("a checkpoint is three lines: the log's name, its size, and its hash")
    }
    guard let size = Int(lines[1]), size >= 0, String(size) == lines[1] else {
      throw NoteProblem("the second line of a checkpoint is the number of entries")
    }
    guard let root = TreeHash(base64: lines[2]) else {
      throw NoteProblem("the third line of a checkpoint is a SHA-256 in Base64")
    }
    self.init(origin: lines[0], size: size, root: root)
  }
}
