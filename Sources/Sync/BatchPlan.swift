import Evidence
import Inspection

// A batch holds what belongs together: a task with all that was recorded for it, or a photo or a
// track that is standalone. So no delivery waits for another on which it does not depend: a batch
// that the office refuses, or a file that cannot be read, holds no other batch back.

/// The plan for the next batch.
public enum BatchPlan {
  /// The most captures and tracks in one batch. A larger whole travels in several batches, with the
  /// task's own transitions in the last. A set counts for as many captures as have its files.
  public static let largestBatch = 200
  /// The most standalone things in one batch.
  public static let largestGroup = 50

  /// A whole that waits for delivery.
  public struct Waiting: Hashable, Sendable {
    /// The identifier of the task, or of the standalone thing.
    public var id: Identifier
    /// True if the whole goes in a batch of its own: a task, or a thing that was refused together
    /// with others.
    public var isAlone: Bool

    /// Creates a waiting whole.
    public init(id: Identifier, isAlone: Bool) {
      self.id = id
      self.isAlone = isAlone
    }
  }

  /// Returns the next wholes: one by itself, or several that share a batch; empty if none is left.
  /// - Parameters:
  ///   - waiting: The waiting wholes, the oldest first.
  ///   - failed: The wholes that are left out.
  public static func next(
    of waiting: [Waiting], except failed: Set<Identifier>
  ) -> [Identifier] {
    let left = waiting.filter { !failed.contains($0.id) }
    guard let first = left.first else { return [] }
    return first.isAlone
      ? [first.id] : left.filter { !$0.isAlone }.prefix(largestGroup).map(\.id)
  }

  /// Returns the next part of a whole, in the order of the chain, and true if it is the last part.
  /// - Parameters:
  ///   - seals: All seals of the whole that no receipt names.
  ///   - key: The key whose links the batch can hold: a batch has links of one key only.
  public static func part(of seals: [SealFile], key: String) -> (part: [SealFile], isLast: Bool) {
    let ofKey = seals.filter { $0.seal.link.key == key }
    let things = ofKey.filter { isThing($0.seal.link.kind) }
    let fitting = fitting(things)
    guard fitting.count < things.count else { return (ofKey, ofKey.count == seals.count) }
    let records = Set(fitting.map(\.seal.link.record))
    // A deleted photo goes together with the record of its deletion.
    let part = ofKey.filter { file in
      records.contains(file.seal.link.record)
        || file.record["deletion"]?["record"]?.text.map(records.contains) == true
    }
    return (part, false)
  }

  /// Returns true for the kinds of records that bring files.
  public static func isThing(_ kind: RecordKind) -> Bool { kind.fileEnding != nil }

  /// Returns the first things that fit into one batch, and at least one.
  public static func fitting(_ things: [SealFile]) -> ArraySlice<SealFile> {
    var room = largestBatch
    let count = things.firstIndex { thing in
      let size = max(1, thing.parts.count / 2)
      if size > room, room < largestBatch { return true }
      room -= size
      return false
    }
    return things.prefix(count ?? things.count)
  }
}
