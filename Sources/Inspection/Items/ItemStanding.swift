/// The things that an inspector has given for the items of an order.
public struct GivenItems: Hashable, Sendable {
  /// The last word on each item.
  public var answers: [ItemName: ItemAnswer] = [:]
  /// The number of whole photos of each shot.
  public var photos: [ItemName: Int] = [:]
  /// The sets of each shot.
  public var sets: [ItemName: [FrameSetHead]] = [:]
  /// The number of finished tracks of each track that is asked for.
  public var tracks: [ItemName: Int] = [:]

  /// Nothing was given.
  public init() {}

  /// Gives photos to the shots that they name, and things that name none to the items that ask for
  /// such things, from top to bottom: to each shot as many photos as it still needs at least, to each
  /// track one track, to each set one that meets it. Items that are not asked for or not possible take
  /// none of those that name none.
  /// - Parameters:
  ///   - photos: for each whole photo the shot that it names, nil for none. A name that no shot of the
  ///     order has, because the order was changed, counts as none.
  ///   - tracks: the number of finished tracks.
  public mutating func fill(
    _ order: OrderItems, photos named: [ItemName?], sets: [FrameSetHead], tracks: Int
  ) {
    let shots = Set(order.items.filter(\.takesPhotos).map(\.name))
    var (photos, sets, tracks) = (0, sets, tracks)
    for name in named {
      if let name, shots.contains(name) { self.photos[name, default: 0] += 1 } else { photos += 1 }
    }
    let states = ItemStanding(of: order, self).states
    for (item, entry) in zip(order.items, states)
    where entry.state == .open || entry.state == .done {
      switch item.content {
      case .shot(let shot):
        if let wanted = shot.set {
          guard let place = sets.firstIndex(where: wanted.isMet) else { continue }
          self.sets[item.name, default: []].append(sets.remove(at: place))
        } else {
          let taken = min(photos, max(0, shot.least - (self.photos[item.name] ?? 0)))
          self.photos[item.name, default: 0] += taken
          photos -= taken
        }
      case .track where tracks > 0:
        self.tracks[item.name, default: 0] += 1
        tracks -= 1
      case .track, .question, .note, .words: break
      }
    }
  }
}

/// The standing of an order's items: which are asked for, which are done, and what is missing.
public struct ItemStanding: Hashable, Sendable {
  /// The standing of one item.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Its condition does not hold: nothing is asked for.
    case notAsked
    /// It is asked for, and not done.
    case open
    /// It is done.
    case done
    /// The inspector has said why it is not possible.
    case notPossible
  }

  /// One item with its state.
  public struct Entry: Hashable, Sendable {
    /// The item's name.
    public let name: ItemName
    /// The item's state.
    public let state: State
  }

  /// The state of each item, in their order.
  public let states: [Entry]
  /// The items without which the task cannot be sent, in their order.
  public let missing: [ItemName]

  /// Judges the items. A condition refers to items above only, so that one pass suffices. The answer
  /// to a question that is not asked for any more does not count, and is kept: the inspector may
  /// change their mind once more.
  public init(of order: OrderItems, _ given: GivenItems) {
    var values: [ItemName: AnswerValue] = [:]
    var states: [Entry] = []
    var missing: [ItemName] = []
    for item in order.items {
      let isAsked = item.condition?.holds { values[$0] } ?? true
      let state = isAsked ? Self.state(of: item, given) : .notAsked
      if state == .done, item.question != nil, case .value(let value) = given.answers[item.name] {
        values[item.name] = value
      }
      if state == .open, item.isRequired { missing.append(item.name) }
      states.append(Entry(name: item.name, state: state))
    }
    (self.states, self.missing) = (states, missing)
  }

  /// True if nothing that is required is missing.
  public var isComplete: Bool { missing.isEmpty }

  /// The number of items that are asked for; words that are only read are not counted.
  public func asked(of order: OrderItems) -> Int {
    zip(order.items, states).count { $0.content != .words && $1.state != .notAsked }
  }

  /// The number of items that are done, or not possible.
  public func answered(of order: OrderItems) -> Int {
    zip(order.items, states).count {
      $0.content != .words && ($1.state == .done || $1.state == .notPossible)
    }
  }

  private static func state(of item: OrderItem, _ given: GivenItems) -> State {
    if case .notPossible(let reason) = given.answers[item.name], !InspectionTask.isBlank(reason) {
      return .notPossible
    }
    return isDone(item, given) ? .done : .open
  }

  private static func isDone(_ item: OrderItem, _ given: GivenItems) -> Bool {
    switch item.content {
    case .question(let question):
      guard case .value(let value) = given.answers[item.name] else { return false }
      return question.allows(value)
    case .note:
      guard case .value(.text(let text)) = given.answers[item.name] else { return false }
      return Question(.text).allows(.text(text))
    case .shot(let shot):
      if let set = shot.set { return given.sets[item.name]?.contains(where: set.isMet) ?? false }
      return given.photos[item.name] ?? 0 >= shot.least
    case .track: return given.tracks[item.name] ?? 0 > 0
    case .words: return true
    }
  }
}
