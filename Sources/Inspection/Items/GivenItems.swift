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
  /// The photos, sets and tracks that went to no item.
  public private(set) var spare = Spare()

  /// Things that went to no item.
  public struct Spare: Hashable, Sendable {
    /// The photos.
    public var photos: [Identifier] = []
    /// The sets.
    public var sets: [FrameSetHead] = []
    /// The tracks.
    public var tracks: [Identifier] = []
  }

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
  /// none of those that name none, and neither do shots whose place or direction is a condition.
  /// - Parameters:
  ///   - named: the whole photos. A name that no shot of the order has, because the order was changed,
  ///     counts as none.
  ///   - sets: the sets.
  ///   - tracks: the finished tracks.
  ///   - verdicts: the office's words on the items: what it refused counts for none, and what it accepted
  ///     stays with its item.
  public mutating func fill(
    _ order: OrderItems, photos named: [Taken], sets: [FrameSetHead], tracks: [Identifier],
    verdicts: ItemVerdicts = .none
  ) {
    let kept = verdicts.kept
    // Devices and offices list things in different orders; records are named by their time.
    for one in named.sorted(by: { $0.id < $1.id }) where !verdicts.refused.contains(one.id) {
      if let name = kept[one.id] ?? one.item, order[name]?.takesPhotos == true {
        photos[name, default: []].append(one.id)
      } else {
        spare.photos.append(one.id)
      }
    }
    for set in sets.sorted(by: { $0.id < $1.id }) where !verdicts.refused.contains(set.id) {
      if let name = kept[set.id], order[name]?.shot?.set != nil {
        self.sets[name, default: []].append(set)
      } else {
        spare.sets.append(set)
      }
    }
    for track in tracks.sorted() where !verdicts.refused.contains(track) {
      if let name = kept[track], case .track = order[name]?.content {
        self.tracks[name, default: []].append(track)
      } else {
        spare.tracks.append(track)
      }
    }
    fill(order)
  }

  private mutating func fill(_ order: OrderItems) {
    let states = ItemStanding(of: order, self).states
    for (item, entry) in zip(order.items, states)
    where entry.state == .open || entry.state == .done {
      switch item.content {
      case .shot(let shot):
        if let wanted = shot.set {
          guard sets[item.name]?.contains(where: wanted.isMet) != true,
            let place = spare.sets.firstIndex(where: wanted.isMet)
          else { continue }
          sets[item.name, default: []].append(spare.sets.remove(at: place))
        } else if !shot.hasCondition {
          let lacking = max(0, shot.least - (photos[item.name]?.count ?? 0))
          photos[item.name, default: []] += spare.photos.prefix(lacking)
          spare.photos.removeFirst(min(lacking, spare.photos.count))
        }
      case .track where !spare.tracks.isEmpty && tracks[item.name] == nil:
        tracks[item.name] = [spare.tracks.removeFirst()]
      case .track, .question, .note, .words: break
      }
    }
  }
}
