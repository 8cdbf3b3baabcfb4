/// An officer's word on one item of a task that was sent: accepted, or returned for a reason.
public struct ItemVerdict: Hashable, Sendable {
  /// The item.
  public var item: ItemName
  /// The reason for which the item was returned; nil if it was accepted.
  public var returned: String?
  /// The records that were judged: the answer's, those of photos, sets and tracks. Those of a returned
  /// item no longer count for it; those of an accepted one stay with it.
  public var judged: [Identifier]
  /// The marks on photos of a returned item; each photo is among those that were judged.
  public var marks: [PhotoMark]

  /// Creates a verdict.
  public init(item: ItemName, returned: String?, judged: [Identifier], marks: [PhotoMark] = []) {
    (self.item, self.returned, self.judged, self.marks) = (item, returned, judged, marks)
  }

  /// The most characters of a reason.
  public static let reasonCharactersAtMost = 500
}

/// The office's words on the items of a task, from all steps with which it has returned the task.
public struct ItemVerdicts: Hashable, Sendable {
  /// The words of the last return.
  public let last: [ItemVerdict]
  /// The records that any return has refused: they count for no item any more.
  public let refused: Set<Identifier>

  /// No return has said anything about an item.
  public static let none = ItemVerdicts(last: [], refused: [])

  /// Creates the words.
  public init(last: [ItemVerdict], refused: Set<Identifier>) {
    (self.last, self.refused) = (last, refused)
  }

  /// Creates the words from those of each return, the oldest first.
  public init(returns: [[ItemVerdict]]) {
    last = returns.last ?? []
    refused = Set(returns.joined().filter { $0.returned != nil }.flatMap(\.judged))
  }

  /// The items that the last return has returned.
  public var returned: Set<ItemName> { Set(last.filter { $0.returned != nil }.map(\.item)) }

  /// The reasons of the items that the last return has returned.
  public var reasons: [ItemName: String] {
    last.reduce(into: [:]) { $0[$1.item] = $1.returned }
  }

  /// The item with which each accepted record stays.
  var kept: [Identifier: ItemName] {
    Dictionary(
      last.filter { $0.returned == nil }.flatMap { one in one.judged.map { ($0, one.item) } }
    ) { first, _ in first }
  }

  /// Returns the accepted items for which something was given that the office had not judged.
  /// - Parameter answers: the record of each item's answer.
  public func changed(_ given: GivenItems, answers: [ItemName: Identifier]) -> Set<ItemName> {
    Set(
      last.filter { verdict in
        verdict.returned == nil
          && !Set(given.records(of: verdict.item, answers)).isSubset(of: verdict.judged)
      }.map(\.item))
  }
}

extension GivenItems {
  /// Returns the records that were given for an item.
  /// - Parameter answers: the record of each item's answer.
  func records(of item: ItemName, _ answers: [ItemName: Identifier]) -> [Identifier] {
    [answers[item]].compactMap(\.self) + (photos[item] ?? []) + (sets[item] ?? []).map(\.id)
      + (tracks[item] ?? [])
  }

  /// Returns the things of an item's kind that went to no item.
  fileprivate func spare(for item: OrderItem) -> [Identifier] {
    switch item.content {
    case .shot(let shot): shot.set == nil ? spare.photos : spare.sets.map(\.id)
    case .track: spare.tracks
    case .question, .note, .words: []
    }
  }
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
  ///   - returning: the items that are returned, with a reason for each.
  /// - Throws: `InspectionError.item` for an item that the order has not or does not ask for, for a
  ///   reason that is missing or too long, for a mark on a photo of no returned item, or for too many.
  public init(
    of order: OrderItems, _ standing: ItemStanding, _ given: GivenItems,
    answers: [ItemName: Identifier], returning: ItemReturns
  ) throws(InspectionError) {
    var left = returning.reasons
    var marks = returning.marks
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
      var judged = given.records(of: entry.name, answers)
      // A spare photo that was there when the officer asked for another one is not that other one.
      if reason != nil, let item = order[entry.name] { judged += given.spare(for: item) }
      let own = reason == nil ? [] : marks.filter { judged.contains($0.photo) }
      marks.removeAll { own.contains($0) }
      verdicts.append(
        ItemVerdict(item: entry.name, returned: reason, judged: judged, marks: own))
    }
    if let other = left.keys.min(by: { $0.description < $1.description }) {
      throw .item(.unknown(other.description))
    }
    if let other = marks.first { throw .item(.markElsewhere(other.photo)) }
    let places = returning.marks.reduce(0) { $0 + $1.lines.joined().count }
    guard places <= PhotoMark.placesOfDecisionAtMost else { throw .item(.mark) }
    self.verdicts = verdicts
  }

  /// Returns the line of a returned item in the reason of its task.
  /// - Parameter order: the items; nil names an item by its name.
  public static func line(_ verdict: ItemVerdict, of order: OrderItems?) -> String {
    "\(order?[verdict.item]?.wording ?? verdict.item.description): \(verdict.returned ?? "")"
  }

  /// Returns the reason of a returned task in words: the officer's own, then one line for each returned
  /// item, so that devices that know no items show all of it.
  public func reason(_ own: String?, of order: OrderItems) -> String {
    let lines = verdicts.filter { $0.returned != nil }.map { Self.line($0, of: order) }
    let words = ([own].compactMap { InspectionTask.isBlank($0) ? nil : $0 } + lines)
      .joined(separator: "\n")
    // Each device that knows items shows every line at its item.
    return words.count <= Self.reasonCharactersAtMost
      ? words : words.prefix(Self.reasonCharactersAtMost - 1) + "…"
  }
}
