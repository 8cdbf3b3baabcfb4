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
  /// The marks on its photos; absent for none.
  public var marks: [MarkMessage]?

  /// A mark on a photo: lines over a copy of it.
  public struct MarkMessage: Codable, Hashable, Sendable {
    /// The photo.
    public var photo: String
    /// The lines: `ACROSS,DOWN ACROSS,DOWN;ACROSS,DOWN` in thousandths of the upright picture's sides.
    public var lines: String
  }

  /// Creates the message for a verdict.
  public init(_ verdict: ItemVerdict) {
    item = verdict.item.description
    returned = verdict.returned
    judged = verdict.judged.map(\.description)
    let drawn = verdict.marks.map {
      MarkMessage(photo: $0.photo.description, lines: $0.linesText)
    }
    marks = drawn.isEmpty ? nil : drawn
  }

  /// Creates the message from the columns of a row.
  public init(item: String, returned: String?, judged: [String], marks: [MarkMessage]?) {
    (self.item, self.returned, self.judged, self.marks) = (item, returned, judged, marks)
  }

  /// Reads the verdict.
  /// - Throws: `SyncError.malformedMessage` with the faulty member.
  public func verdict() throws(SyncError) -> ItemVerdict {
    guard let name = ItemName(item) else { throw .malformedMessage("verdicts.item is not valid") }
    let records = judged.compactMap(Identifier.init(_:))
    guard records.count == judged.count else {
      throw .malformedMessage("verdicts.judged of \(item) is not valid")
    }
    var drawn: [PhotoMark] = []
    for mark in marks ?? [] {
      do throws(ItemRefusal) {
        guard let photo = Identifier(mark.photo) else { throw .mark }
        drawn.append(try PhotoMark(photo: photo, linesText: mark.lines))
      } catch {
        throw .malformedMessage("verdicts.marks of \(item) is not valid")
      }
    }
    return ItemVerdict(item: name, returned: returned, judged: records, marks: drawn)
  }
}
