import Inspection
import TimeAndText

/// The office's word on one item of a task, on its way to a device and in rows.
public struct VerdictMessage: Codable, Hashable, Sendable {
  /// The item's name.
  public var item: String
  /// The reason for which it was returned; absent if it was accepted.
  public var returned: String?
  /// The records that were judged.
  public var judged: [String]

  /// Creates the message for a verdict.
  public init(_ verdict: ItemVerdict) {
    item = verdict.item.description
    returned = verdict.returned
    judged = verdict.judged.map(\.description)
  }

  /// Reads the verdict.
  /// - Throws: `SyncError.malformedMessage` with the faulty member.
  public func verdict() throws(SyncError) -> ItemVerdict {
    guard let name = ItemName(item) else { throw .malformedMessage("verdicts.item is not valid") }
    let records = judged.compactMap(Identifier.init(_:))
    guard records.count == judged.count else {
      throw .malformedMessage("verdicts.judged of \(item) is not valid")
    }
    return ItemVerdict(item: name, returned: returned, judged: records)
  }
}
