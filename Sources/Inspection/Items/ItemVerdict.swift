/// An officer's word on one item of a task that was sent: accepted, or returned for a reason.
public struct ItemVerdict: Hashable, Sendable {
  /// The item.
  public var item: ItemName
  /// The reason for which the item was returned; nil if it was accepted.
  public var returned: String?
  /// The records that were judged: the answer's, those of photos, sets and tracks. Those of a returned
  /// item no longer count for it; those of an accepted one stay with it.
  public var judged: [Identifier]

  /// Creates a verdict.
  public init(item: ItemName, returned: String?, judged: [Identifier]) {
    (self.item, self.returned, self.judged) = (item, returned, judged)
  }

  /// The most characters of a reason.
  public static let reasonCharactersAtMost = 500
}

/// The decision about a task, item by item: one rule makes a task's decision from those on its items.
public struct ItemReview: Hashable, Sendable {
  /// The most characters of a task's reason, which names the returned items.
  private static let reasonCharactersAtMost = 2000

  /// The verdict on each item that was asked for and given, in the order of the items.
  public let verdicts: [ItemVerdict]

  /// The decision about the task: it is returned if one of its items is, and accepted otherwise.
  public var action: TaskAction {
    verdicts.contains { $0.returned != nil } ? .returnToInspector : .accept
  }

  /// Creates the decision. Items that are neither done nor said to be not possible get a verdict only if
  /// they are returned.
  /// - Parameters:
  ///   - given: the things that were given, as they were counted for `standing`.
  ///   - answers: the record of each item's answer.
  ///   - returning: the reason for each returned item.
  /// - Throws: `InspectionError.item` for an item that the order has not or does not ask for, or for a
  ///   reason that is missing or too long.
  public init(
    of order: OrderItems, _ standing: ItemStanding, _ given: GivenItems,
    answers: [ItemName: Identifier], returning: [ItemName: String]
  ) throws(InspectionError) {
    var left = returning
    var verdicts: [ItemVerdict] = []
    for entry in standing.states {
      let reason = left.removeValue(forKey: entry.name)
      if entry.state == .notAsked {
        if reason != nil { throw .item(.notAsked(entry.name)) }
        continue
      }
      if let reason {
        guard !InspectionTask.isBlank(reason),
          reason.unicodeScalars.count <= ItemVerdict.reasonCharactersAtMost
        else { throw .item(.returnReason(entry.name)) }
      } else if entry.state == .open || order[entry.name]?.content == .words {
        continue
      }
      verdicts.append(
        ItemVerdict(
          item: entry.name, returned: reason,
          judged: [answers[entry.name]].compactMap(\.self) + (given.photos[entry.name] ?? [])
            + (given.sets[entry.name] ?? []).map(\.id) + (given.tracks[entry.name] ?? [])))
    }
    if let other = left.keys.min(by: { $0.description < $1.description }) {
      throw .item(.unknown(other.description))
    }
    self.verdicts = verdicts
  }

  /// Returns the reason of a returned task in words: the officer's own, then one line for each returned
  /// item, so that devices that know no items show all of it.
  public func reason(_ own: String?, of order: OrderItems) -> String {
    let lines = verdicts.compactMap { verdict in
      verdict.returned.map { "\(order[verdict.item]?.wording ?? verdict.item.description): \($0)" }
    }
    let words = ([own].compactMap { InspectionTask.isBlank($0) ? nil : $0 } + lines)
      .joined(separator: "\n")
    // Each device that knows items shows every line at its item.
    return words.count <= Self.reasonCharactersAtMost
      ? words : words.prefix(Self.reasonCharactersAtMost - 1) + "…"
  }
}
