import Evidence
import Geodesy
import Inspection
import Positioning

/// What is exported, handed over one by one: tasks with what belongs to them, and what stands alone. Whoever
/// implements it reads pages from a database; an export holds one photo or one point at a time.
public protocol ExportSource {
  /// The document's name.
  var title: String { get }
  /// Hands over each task.
  func forEachTask(_ body: (InspectionTask) throws -> Void) throws
  /// Hands over each photo of a task, the oldest first; nil for those that are exported without one.
  func forEachPhoto(of task: InspectionTask?, _ body: (ExportedPhoto) throws -> Void) throws
  /// Hands over each track of a task, the oldest first; nil for those that are exported without one.
  func forEachTrack(of task: InspectionTask?, _ body: (ExportedTrack) throws -> Void) throws
}

/// A photo with what else is known of it where it is exported.
public struct ExportedPhoto {
  /// The photo.
  public var photo: Photo
  /// The task that it belongs to; nil where it has none or is exported without it.
  public var task: InspectionTask?
  /// What its record claims beside the photo's own values; nil where the record is not at hand.
  public var claims: PhotoClaims?
  /// What the office's verifier says of its evidence; nil on the field unit, and before it was looked at.
  public var verdict: EvidenceVerdict?
  /// Whether the picture is at hand, so that a file with pictures in it has this one.
  public var hasFile: Bool

  /// A photo from its parts.
  public init(
    photo: Photo, task: InspectionTask? = nil, claims: PhotoClaims? = nil,
    verdict: EvidenceVerdict? = nil, hasFile: Bool = true
  ) {
    self.photo = photo
    self.task = task
    self.claims = claims
    self.verdict = verdict
    self.hasFile = hasFile
  }
}

/// A track whose points are handed over one by one.
public struct ExportedTrack {
  /// The track; its points are not in it.
  public var track: Track
  /// The task that it belongs to; nil where it has none or is exported without it.
  public var task: InspectionTask?
  /// What the points measure, where that was computed from them before; nil where they are to be read for it.
  private let known: TrackMeasures?
  private let points: ((TrackPoint) throws -> Void) throws -> Void

  /// A track from its parts.
  /// - Parameters:
  ///   - measures: what the points measure, where somebody has kept that.
  ///   - points: hands over the points in their order, each time it is called.
  public init(
    head: Track, task: InspectionTask? = nil, measures: TrackMeasures? = nil,
    points: @escaping (_ body: (TrackPoint) throws -> Void) throws -> Void
  ) {
    track = head
    track.points = []
    self.task = task
    known = measures
    self.points = points
  }

  /// A track that is in memory with its points.
  public init(_ track: Track, task: InspectionTask? = nil) {
    self.init(head: track, task: task) { body in
      for point in track.points { try body(point) }
    }
  }

  /// Hands over its points in their order.
  public func forEachPoint(_ body: (TrackPoint) throws -> Void) throws {
    try withoutActuallyEscaping(body) { try points($0) }
  }

  /// Length, area and the rest, computed from the points: all of them are read for it where nobody has kept it.
  public func measures() throws -> TrackMeasures {
    if let known { return known }
    var tape = TrackTape()
    try forEachPoint { tape.add($0) }
    return tape.measures
  }
}

/// What a photo's sealed record claims beside what its row says: the fix at the shutter, apart from the
/// centroid, and the gate.
public struct PhotoClaims: Hashable, Sendable {
  /// Where the single fix at the shutter was; nil where it had no position.
  public var fix: Coordinate?
  /// Radius that holds the true position with 95 % probability, of that fix, metres; nil when unknown.
  public var fixUncertaintyMetres95: Double?
  /// The receiver's word for its solution; nil when unknown.
  public var fixQuality: String?
  /// 2 or 3 dimensions; nil when unknown.
  public var fixMode: FixMode?
  /// Satellites used; nil when unknown.
  public var satellitesUsed: Int?
  /// Horizontal dilution of precision; nil when unknown.
  public var horizontalDilution: Double?
  /// Age of that fix at the shutter, seconds; nil when unknown.
  public var fixAgeSeconds: Double?
  /// What the gate said of standing still; nil when it was not asked.
  public var gate: String?

  /// Claims of which nothing is known.
  public init() {}

  /// What a capture's record says.
  public init(record: JSONValue) {
    let fix = record["position"]?["fix"]
    if let latitude = fix?["latitudeDegrees"]?.measured,
      let longitude = fix?["longitudeDegrees"]?.measured
    {
      self.fix = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }
    fixUncertaintyMetres95 = fix?["horizontalUncertaintyMetres95"]?.measured
    horizontalDilution = fix?["horizontalDilution"]?.measured
    let integrity = record["integrity"]
    fixQuality = integrity?["quality"]?.text
    fixMode = integrity?["mode"]?.wholeNumber.flatMap(FixMode.init(rawValue:))
    satellitesUsed = integrity?["satellitesUsed"]?.wholeNumber
    fixAgeSeconds = record["time"]?["fixAgeSeconds"]?.measured
    gate = record["gate"]?["verdict"]?.text
  }
}
