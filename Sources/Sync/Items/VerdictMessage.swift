import Inspection
import TimeAndText

/// The office's words on the items of a task, in rows of a device.
public struct VerdictsMessage: Codable, Hashable, Sendable {
  /// The words of the last return.
  public var verdicts: [VerdictMessage]
  /// The records that any return has refused.
  public var refused: [String]

  /// Creates the message.
  public init(_ verdicts: ItemVerdicts) {
    self.verdicts = verdicts.last.map(VerdictMessage.init)
    refused = verdicts.refused.sorted().map(\.description)
  }

  /// Creates the message from the members of a task's message.
  init(verdicts: [VerdictMessage]?, refused: [String]?) {
    (self.verdicts, self.refused) = (verdicts ?? [], refused ?? [])
  }

  /// Reads the words.
  /// - Throws: `SyncError.malformedMessage` with the faulty member.
  public func itemVerdicts() throws(SyncError) -> ItemVerdicts {
    guard verdicts.count <= OrderItems.itemsAtMost else {
      throw .malformedMessage("verdicts has more than \(OrderItems.itemsAtMost) items")
    }
    var last: [ItemVerdict] = []
    for verdict in verdicts { last.append(try verdict.verdict()) }
    let records = refused.compactMap(Identifier.init(_:))
    guard records.count == refused.count else {
      throw .malformedMessage("refused has an identifier that is not valid")
    }
    return ItemVerdicts(last: last, refused: Set(records))
  }
}

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
