import Geodesy
import TimeAndText

/// One thing that an order asks for.
public struct OrderItem: Hashable, Sendable {
  /// The thing that is asked for.
  public enum Content: Hashable, Sendable {
    /// Photos, or a set of frames.
    case shot(WantedShot)
    /// The answer to a question.
    case question(Question)
    /// A track.
    case track(WantedTrack)
    /// The inspector's own words.
    case note
    /// Nothing: words that are only read.
    case words
  }

  /// The most characters of a wording or a hint.
  public static let charactersAtMost = 1000

  /// The name by which it is kept.
  public var name: ItemName
  /// The words that the inspector reads.
  public var wording: String
  /// A hint below them; nil for none.
  public var hint: String?
  /// True if the task is not sent without it, unless it is not possible.
  public var isRequired: Bool
  /// The condition under which it is asked for; nil if it always is.
  public var condition: ItemCondition?
  /// The thing that is asked for.
  public var content: Content

  /// Creates an item.
  public init(
    name: ItemName, wording: String, hint: String? = nil, isRequired: Bool = true,
    condition: ItemCondition? = nil, content: Content
  ) {
    self.name = name
    self.wording = wording
    self.hint = hint
    self.isRequired = isRequired
    self.condition = condition
    self.content = content
  }

  /// The kind of thing that it asks for, for programs: `shot`, `question`, `track`, `note` or `words`.
  public var kind: String {
    switch content {
    case .shot: "shot"
    case .question: "question"
    case .track: "track"
    case .note: "note"
    case .words: "words"
    }
  }

  /// True if it asks for single photos.
  public var takesPhotos: Bool { shot.map { $0.set == nil } ?? false }

  /// The wish for photos or a set, if it is one.
  public var shot: WantedShot? {
    if case .shot(let shot) = content { shot } else { nil }
  }

  /// The question, if it is one.
  public var question: Question? {
    if case .question(let question) = content { question } else { nil }
  }
}

/// The photos that an item asks for.
public struct WantedShot: Hashable, Sendable {
  /// The place where a photo is wanted.
  public enum Station: Hashable, Sendable {
    /// Within so many metres of a point.
    case point(Coordinate, radiusMetres: Double)
    /// In the section of the parcel that has this name.
    case section(String)
    /// In the parcel with this identifier, of several.
    case parcel(String)
  }

  /// The direction in which a photo is wanted.
  public struct Bearing: Hashable, Sendable {
    /// The direction of the lens, degrees from true north, 0 ..< 360.
    public var degreesTrue: Double
    /// The largest difference from it, degrees, above 0 ... 180.
    public var toleranceDegrees: Double

    /// Creates a direction.
    public init(degreesTrue: Double, toleranceDegrees: Double) {
      (self.degreesTrue, self.toleranceDegrees) = (degreesTrue, toleranceDegrees)
    }
  }

  /// The distance from which a photo is wanted.
  public enum Distance: String, Hashable, Sendable, CaseIterable {
    case near, far
  }

  /// The way in which the camera is held.
  public enum Hold: String, Hashable, Sendable, CaseIterable {
    case upright, across
  }

  /// The most photos of one item.
  public static let photosAtMost = 50
  /// The radii around a point that are possible, metres: a smaller one is below what a receiver tells.
  public static let radiiMetres = 2.0...5000

  /// The least number of photos.
  public var least: Int
  /// The largest number of photos; nil for any.
  public var most: Int?
  /// The place; nil for any.
  public var station: Station?
  /// The land of a station that is no point, as a task's order has it; nil where no order is known, or
  /// where it does not name that land.
  public internal(set) var area: PolygonRegion?
  /// The direction; nil for any.
  public var bearing: Bearing?
  /// The distance; nil for any.
  public var distance: Distance?
  /// The hold of the camera; nil for any.
  public var hold: Hold?
  /// True if a scale is wanted in the picture.
  public var needsScale: Bool
  /// The photo point that is to be photographed again; nil for none.
  public var point: Identifier?
  /// The set of frames that is wanted instead of single photos; nil for photos.
  public var set: NeededSet?
  /// The SHA-256 of a picture or a sketch that shows what is wanted, in hexadecimal; nil for none.
  public var example: String?
  /// True if a photo that misses station or bearing is refused; otherwise the inspector is told.
  public var isStrict: Bool

  /// Creates the wish for photos.
  public init(
    least: Int = 1, most: Int? = nil, station: Station? = nil, bearing: Bearing? = nil,
    distance: Distance? = nil, hold: Hold? = nil, needsScale: Bool = false,
    point: Identifier? = nil, set: NeededSet? = nil, example: String? = nil,
    isStrict: Bool = false
  ) {
    self.least = least
    self.most = most
    self.station = station
    self.bearing = bearing
    self.distance = distance
    self.hold = hold
    self.needsScale = needsScale
    self.point = point
    self.set = set
    self.example = example
    self.isStrict = isStrict
  }
}

/// The track that an item asks for.
public enum WantedTrack: String, Hashable, Sendable, CaseIterable {
  /// A way round the parcel.
  case roundParcel
  /// Any way.
  case free
}
