/// The things that an inspector has given for the items of an order.
public struct GivenItems: Hashable, Sendable {
  /// The last word on each item.
  public var answers: [ItemName: ItemAnswer] = [:]
  /// The whole photos of each shot.
  public var photos: [ItemName: [Identifier]] = [:]
  /// The sets of each shot.
  public var sets: [ItemName: [FrameSetHead]] = [:]
  /// The finished tracks of each track that is asked for.
  public var tracks: [ItemName: [Identifier]] = [:]

  /// Nothing was given.
  public init() {}

  /// A thing that was taken for a task.
  public struct Taken: Hashable, Sendable {
    /// Its record.
    public var id: Identifier
    /// The item that it names; nil for none.
    public var item: ItemName?

    /// Creates a thing that was taken.
    public init(_ id: Identifier, for item: ItemName?) { (self.id, self.item) = (id, item) }
  }

  /// Gives photos to the shots that they name, and things that name none to the items that ask for
  /// such things, from top to bottom: to each shot as many photos as it still needs at least, to each
  /// track one track, to each set one that meets it. Items that are not asked for or not possible take
  /// none of those that name none.
  /// - Parameters:
  ///   - named: the whole photos. A name that no shot of the order has, because the order was changed,
  ///     counts as none.
  ///   - sets: the sets.
  ///   - tracks: the finished tracks.
  ///   - verdicts: the office's words on the items: what it judged stays with an accepted item, and no
  ///     longer counts for a returned one.
  public mutating func fill(
    _ order: OrderItems, photos named: [Taken], sets: [FrameSetHead], tracks: [Identifier],
    verdicts: [ItemVerdict] = []
  ) {
    let shots = Set(order.items.filter(\.takesPhotos).map(\.name))
    let gone = Set(verdicts.filter { $0.returned != nil }.flatMap(\.judged))
    let kept = Dictionary(
      verdicts.filter { $0.returned == nil }.flatMap { one in one.judged.map { ($0, one.item) } }
    ) { first, _ in first }
    var photos: [Identifier] = []
    // Devices and offices list them in different orders; records are named by their time.
    for one in named.sorted(by: { $0.id < $1.id }) where !gone.contains(one.id) {
      if let name = kept[one.id] ?? one.item, shots.contains(name) {
        self.photos[name, default: []].append(one.id)
      } else {
        photos.append(one.id)
      }
    }
    var free: [FrameSetHead] = []
    for set in sets.sorted(by: { $0.id < $1.id }) where !gone.contains(set.id) {
      if let name = kept[set.id] {
        self.sets[name, default: []].append(set)
      } else {
        free.append(set)
      }
    }
    var ways: [Identifier] = []
    for track in tracks.sorted() where !gone.contains(track) {
      if let name = kept[track] {
        self.tracks[name, default: []].append(track)
      } else {
        ways.append(track)
      }
    }
    fill(order, &photos, &free, &ways)
  }

  private mutating func fill(
    _ order: OrderItems, _ photos: inout [Identifier], _ sets: inout [FrameSetHead],
    _ tracks: inout [Identifier]
  ) {
    let states = ItemStanding(of: order, self).states
    for (item, entry) in zip(order.items, states)
    where entry.state == .open || entry.state == .done {
      switch item.content {
      case .shot(let shot):
        if let wanted = shot.set {
          guard self.sets[item.name]?.contains(where: wanted.isMet) != true,
            let place = sets.firstIndex(where: wanted.isMet)
          else { continue }
          self.sets[item.name, default: []].append(sets.remove(at: place))
        } else {
          let lacking = max(0, shot.least - (self.photos[item.name]?.count ?? 0))
          self.photos[item.name, default: []] += photos.prefix(lacking)
          photos.removeFirst(min(lacking, photos.count))
        }
      case .track where !tracks.isEmpty && self.tracks[item.name] == nil:
        self.tracks[item.name] = [tracks.removeFirst()]
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
  /// - Parameter returned: the items that the office has returned. None of them may be left out, even
  ///   if the order does not require it.
  public init(of order: OrderItems, _ given: GivenItems, returned: Set<ItemName> = []) {
    var values: [ItemName: AnswerValue] = [:]
    var states: [Entry] = []
    var missing: [ItemName] = []
    for item in order.items {
      let isAsked = item.condition?.holds { values[$0] } ?? true
      let state = isAsked ? Self.state(of: item, given) : .notAsked
      if state == .done, item.question != nil, case .value(let value) = given.answers[item.name] {
        values[item.name] = value
      }
      if state == .open, item.isRequired || returned.contains(item.name) {
        missing.append(item.name)
      }
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
      return given.photos[item.name]?.count ?? 0 >= shot.least
    case .track: return given.tracks[item.name]?.isEmpty == false
    case .words: return true
    }
  }
}
