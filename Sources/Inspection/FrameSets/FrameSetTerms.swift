import TimeAndText

/// The kind of a set: one capture of many frames.
public enum FrameSetKind: String, Hashable, Sendable, CaseIterable {
  /// The inspector walks round a thing that stands still, and faces it.
  case around
  /// The inspector stands still, and turns.
  case turn

  /// True if the frames between the two standpoints are taken walking: they are marked so, and the
  /// receiver judges the way. Otherwise the gate has to hold from the start to the end.
  public var isWalked: Bool { self == .around }

  /// The sectors of a set for which nothing else was asked.
  public var usualSectors: Int {
    switch self {
    case .around: 72
    case .turn: 4
    }
  }

  /// Returns true if a set of this kind may have so many sectors.
  public func allows(sectors: Int) -> Bool {
    switch self {
    case .around: FrameSetTerms.aroundSectors.contains(sectors)
    case .turn: FrameSetTerms.turnSectors.contains(sectors)
    }
  }
}

/// The terms under which a set is taken. They are sealed with it.
public struct FrameSetTerms: Hashable, Sendable {
  /// The numbers of sectors that a walk round a thing may have.
  public static let aroundSectors = 4...120
  /// The numbers of views that a turn on the spot may have.
  public static let turnSectors = [4, 8, 12]
  /// The least share of filled sectors at which a set counts as complete, unless an agency says
  /// otherwise.
  public static let usualCompleteShare = 0.9
  /// The shares that an agency may ask for.
  public static let completeShares = 0.1...1.0

  /// The kind of the set.
  public let kind: FrameSetKind
  /// The number of sectors of the circle.
  public let sectors: Int
  /// The least share of filled sectors at which the set counts as complete, 0.1…1.
  public let completeShare: Double
  /// The weights by which frames are judged.
  public let weights: FrameQuality.Weights

  /// Creates terms.
  /// - Throws: `InspectionError.frameSet` if a number is out of its range.
  public init(
    kind: FrameSetKind, sectors: Int? = nil, completeShare: Double = usualCompleteShare,
    weights: FrameQuality.Weights = .usual
  ) throws(InspectionError) {
    let sectors = sectors ?? kind.usualSectors
    guard kind.allows(sectors: sectors) else {
      throw .frameSet(.sectors(sectors, kind: kind))
    }
    guard Self.completeShares.contains(completeShare) else {
      throw .frameSet(.completeShare(completeShare))
    }
    (self.kind, self.sectors) = (kind, sectors)
    (self.completeShare, self.weights) = (completeShare, weights)
  }

  /// The width of a sector, degrees.
  public var radiusDegrees: Double { 360 / Double(sectors) }

  /// The number of filled sectors from which on the set counts as complete.
  public var sectorsForComplete: Int { Int((completeShare * Double(sectors)).rounded(.up)) }
}

/// The reason why a set or one of its frames is refused.
public enum FrameSetRefusal: Error, Hashable, Sendable, Worded {
  /// A set of this kind cannot have so many sectors.
  case sectors(Int, kind: FrameSetKind)
  /// An agency's share for a complete set is out of its range.
  case completeShare(Double)
  /// A weight for judging frames is out of its range.
  case weight(Double)
  /// A turn that was interrupted: its gate did not hold from the start to the end.
  case turnInterrupted
  /// An angle is no number.
  case angle(String)

  /// The words for people.
  public var wording: Wording {
    switch self {
    case .sectors(let sectors, .around):
      "a walk round a thing has \(FrameSetTerms.aroundSectors.lowerBound) to \(FrameSetTerms.aroundSectors.upperBound) sectors, not \(sectors)"
    case .sectors(let sectors, .turn):
      "a turn on the spot has 4, 8 or 12 views, not \(sectors)"
    case .completeShare(let share):
      "a set is complete at a share of 0.1 to 1 of its sectors, not at \(decimal: share, places: 2)"
    case .weight(let weight):
      "a weight for judging frames is a number from 0 to 16, not \(decimal: weight, places: 2)"
    case .turnInterrupted:
      "a turn that was interrupted cannot be gone on with: you have to stand still from its start to its end. Throw it away, and turn again"
    case .angle(let text): "“\(text)” is no angle: give degrees, such as 355 or 17.5"
    }
  }
}
