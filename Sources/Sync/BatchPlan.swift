import Evidence
import Inspection

// What belongs together goes in one batch: a task with all that was recorded for it, or a photo or a
// track that stands alone. So nothing waits for what it does not depend on: a batch that the office
// refuses, or a file that cannot be read, keeps no other one back.

/// What goes into the next batch.
public enum BatchPlan {
  /// More captures and tracks than this travel in several batches, the task's own steps in the last.
  public static let largestBatch = 200
  /// So many things that stand alone travel in one batch.
  public static let largestGroup = 50

  /// A whole that waits.
  public struct Waiting: Hashable, Sendable {
    /// The task, or the thing that stands alone.
    public var id: Identifier
    /// Whether it goes in a batch of its own: a task does, and what was refused together with others.
    public var isAlone: Bool

    /// A whole from its parts.
    public init(id: Identifier, isAlone: Bool) {
      self.id = id
      self.isAlone = isAlone
    }
  }

  /// What goes next: a whole by itself, or some that share a batch; empty when nothing is left.
  /// - Parameter waiting: the oldest first.
  public static func next(
    of waiting: [Waiting], except failed: Set<Identifier>
  ) -> [Identifier] {
    let left = waiting.filter { !failed.contains($0.id) }
    guard let first = left.first else { return [] }
    return first.isAlone
      ? [first.id] : left.filter { !$0.isAlone }.prefix(largestGroup).map(\.id)
  }

  /// The next part of a whole, in the order of the chain, and whether it is the last one.
  /// - Parameters:
  ///   - seals: all of it that no receipt names.
  ///   - key: whose links a batch can hold: those of one key.
  public static func part(of seals: [SealFile], key: String) -> (part: [SealFile], isLast: Bool) {
    let ofKey = seals.filter { $0.seal.link.key == key }
    let things = ofKey.filter { [.capture, .track].contains($0.seal.link.kind) }
    guard things.count > largestBatch else { return (ofKey, ofKey.count == seals.count) }
    let records = Set(things.prefix(largestBatch).map(\.seal.link.record))
    // A photo that was deleted goes with the record that says so.
    let part = ofKey.filter { file in
      records.contains(file.seal.link.record)
        || file.record["deletion"]?["record"]?.text.map(records.contains) == true
    }
    return (part, false)
  }
}
