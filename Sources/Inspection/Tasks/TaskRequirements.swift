/// The contents that a task must have before it can be sent.
public struct TaskRequirements: Hashable, Sendable {
  /// The smallest number of photos.
  public var photos = 1
  /// True if no agency has set that number. It then does not hold for an order with items, which says
  /// itself what is to be photographed.
  public var arePhotosByDefault = true
  /// True if the task needs a note.
  public var note = false
  /// True if the task needs a finished track.
  public var track = false
  /// The sets of frames that the task needs.
  public var sets: [NeededSet] = []
  /// True if a sent task may be taken back before its delivery has begun.
  public var allowsTakeBack = true

  /// Creates the default rule for an agency that has set none: one photo.
  public init() {}

  /// Creates a type's own rule.
  public init(photos: Int, note: Bool, track: Bool = false) {
    self.photos = photos
    arePhotosByDefault = false
    self.note = note
    self.track = track
  }

  /// Returns the smallest number of photos for a task.
  /// - Parameter hasItems: true if its order has items.
  public func photos(hasItems: Bool) -> Int { hasItems && arePhotosByDefault ? 0 : photos }

  /// Returns these requirements with the sets of an order; of two of one kind the larger counts.
  public func asking(for ordered: OrderedSets) -> TaskRequirements {
    var all = self
    all.sets = FrameSetKind.allCases.compactMap { kind in
      let numbers = (sets + ordered.list).filter { $0.kind == kind }.map(\.sectors)
      return numbers.max().map { NeededSet(kind: kind, sectors: $0) }
    }
    return all
  }

  /// No requirements at all: a task sent under the rules of its time stays sent.
  public static let none = TaskRequirements(photos: 0, note: false)

  /// A thing without which a task is not sent.
  public enum Missing: Hashable, Sendable {
    /// The task has fewer photos than its type needs.
    case photos(have: Int, need: Int)
    /// The task's type needs a note, and the task has none.
    case note
    /// The task's type needs a track, and the task has no finished one.
    case track
    /// A track of the task has no end yet: an unfinished track is not sealed, so it cannot be sent.
    case endOfTrack
    /// The task's type or its order needs a set, and the task has no complete one.
    case set(NeededSet)
    /// Some of the task's photo points have neither a repeat nor a reason.
    case repeats(lacking: Int)
    /// Items of the order are neither done nor said to be not possible.
    case items([ItemName])

    /// The refusal to send a task without it.
    public var refusal: InspectionError {
      switch self {
      case .photos(let have, let need): .photosMissing(have: have, need: need)
      case .note: .noteMissing
      case .track: .trackMissing
      case .endOfTrack: .trackUnfinished
      case .set(let set): .setMissing(set)
      case .repeats(let lacking): .repeatsMissing(lacking: lacking)
      case .items(let names): .itemsMissing(names)
      }
    }
  }

  /// Returns the things that a task lacks; none if it can be sent.
  ///
  /// - Parameters:
  ///   - contents: The things that the task holds.
  ///   - note: The inspector's note; a blank one counts as none.
  public func missing(in contents: TaskContents, note: String?) -> [Missing] {
    var missing: [Missing] = []
    let need = photos(hasItems: contents.items != nil)
    if contents.photos < need { missing.append(.photos(have: contents.photos, need: need)) }
    if self.note, InspectionTask.isBlank(note) { missing.append(.note) }
    if track, contents.tracks == 0 { missing.append(.track) }
    if contents.unfinishedTracks > 0 { missing.append(.endOfTrack) }
    missing += lacking(among: contents.sets).map { .set($0) }
    // An order names its photo points and its items itself: no type's requirements are needed.
    if contents.lackingRepeats > 0 {
      missing.append(.repeats(lacking: contents.lackingRepeats))
    }
    if let items = contents.items, !items.isComplete { missing.append(.items(items.missing)) }
    return missing
  }

  /// Returns true if one of the needed sets is not among these.
  public func lacksSet(among sets: [FrameSetHead]) -> Bool { !lacking(among: sets).isEmpty }

  private func lacking(among sets: [FrameSetHead]) -> [NeededSet] {
    self.sets.filter { !sets.contains(where: $0.isMet) }
  }
}
