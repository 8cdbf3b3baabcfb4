import Evidence
import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The source of an export: tasks with all that belongs to them, and photos and tracks without a
/// task. An implementation may read pages from a database, since an export holds only one photo or
/// one point at a time.
public protocol ExportSource {
  /// The document's name.
  var title: String { get }
  /// Calls `body` with each task.
  func forEachTask(_ body: (InspectionTask) throws -> Void) throws
  /// Calls `body` with each photo of a task, the oldest first; if `task` is nil, with each photo
  /// that is exported without a task.
  func forEachPhoto(of task: InspectionTask?, _ body: (ExportedPhoto) throws -> Void) throws
  /// Calls `body` with each track of a task, the oldest first; if `task` is nil, with each track
  /// that is exported without a task.
  func forEachTrack(of task: InspectionTask?, _ body: (ExportedTrack) throws -> Void) throws
  /// Calls `body` with each photo point. A format may ask for them more than once.
  func forEachPhotoPoint(_ body: (ExportedPhotoPoint) throws -> Void) throws
  /// Calls `body` with each set of pictures of a task, the oldest first; if `task` is nil, with each
  /// set that is exported without a task. A format may ask for them more than once.
  func forEachSet(of task: InspectionTask?, _ body: (ExportedSet) throws -> Void) throws
  /// Returns the items that the orders of the exported tasks have, once for each template and version,
  /// by type and version. A format may ask for them more than once.
  func orders() throws -> [OrderedItems]
  /// Returns the items of a task with all that was given for them; nil if its order asks for none.
  func items(of task: InspectionTask) throws -> ExportedItems?
}

extension ExportSource {
  /// Calls nothing: most sources have no photo points.
  public func forEachPhotoPoint(_ body: (ExportedPhotoPoint) throws -> Void) throws {}

  /// Calls nothing: many sources have no sets.
  public func forEachSet(of task: InspectionTask?, _ body: (ExportedSet) throws -> Void) throws {}

  /// Returns nothing: many sources have no items.
  public func orders() throws -> [OrderedItems] { [] }

  /// Returns nil: many sources have no items.
  public func items(of task: InspectionTask) throws -> ExportedItems? { nil }
}

/// A photo with everything else that is known of it in an export.
public struct ExportedPhoto {
  /// The photo.
  public var photo: Photo
  /// The task that it belongs to; nil if it has none or is exported without it.
  public var task: InspectionTask?
  /// The claims of its record that the photo's own values do not have; nil if the record is not at
  /// hand.
  public var claims: PhotoClaims?
  /// The verdict of the office's verifier on its evidence; nil on the field unit, and until the
  /// verifier has looked at it.
  public var verdict: EvidenceVerdict?
  /// True if the picture is at hand, so that an export with pictures contains it.
  public var hasFile: Bool
  /// The identifiers of the composites in which the photo is. They have no place of their own.
  public var composites: [String] = []

  /// Creates an exported photo.
  public init(
    photo: Photo, task: InspectionTask? = nil, claims: PhotoClaims? = nil,
    verdict: EvidenceVerdict? = nil, hasFile: Bool = true
  ) {
    (self.photo, self.task, self.claims) = (photo, task, claims)
    (self.verdict, self.hasFile) = (verdict, hasFile)
  }
}

/// A track whose points are read one by one.
public struct ExportedTrack {
  /// The track, with an empty list of points.
  public var track: Track
  /// The task that it belongs to; nil if it has none or is exported without it.
  public var task: InspectionTask?
  /// The measures of the points, if they were computed before; nil if the points have to be read to
  /// compute them.
  private let known: TrackMeasures?
  private let points: ((TrackPoint) throws -> Void) throws -> Void

  /// Creates an exported track.
  /// - Parameters:
  ///   - measures: the measures of the points, if they were kept; nil if they are to be computed.
  ///   - points: calls its `body` with the points in their order, each time it is called itself.
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

  /// Creates an exported track of a track that is in memory with its points.
  public init(_ track: Track, task: InspectionTask? = nil) {
    self.init(head: track, task: task) { body in
      for point in track.points { try body(point) }
    }
  }

  /// Calls `body` with the track's points in their order.
  public func forEachPoint(_ body: (TrackPoint) throws -> Void) throws {
    try withoutActuallyEscaping(body) { try points($0) }
  }

  /// Returns the track's length, area and other measures. If they were not kept, all points are
  /// read to compute them.
  public func measures() throws -> TrackMeasures {
    if let known { return known }
    var tape = TrackTape()
    try forEachPoint { tape.add($0) }
    return tape.measures
  }
}

/// The claims of a photo's sealed record that the photo's row does not have: the gate's verdict,
/// and the fix at the shutter, which is apart from the centroid.
public struct PhotoClaims: Hashable, Sendable {
  /// The coordinate of the single fix at the shutter; nil if the fix had no position.
  public var fix: Coordinate?
  /// The radius, in metres, that holds the true position of that fix with 95 % probability; nil if
  /// unknown.
  public var fixUncertaintyMetres95: Double?
  /// The receiver's word for its solution; nil if unknown.
  public var fixQuality: String?
  /// The dimensions of that fix, 2 or 3; nil if unknown.
  public var fixMode: FixMode?
  /// The number of satellites used; nil if unknown.
  public var satellitesUsed: Int?
  /// The horizontal dilution of precision; nil if unknown.
  public var horizontalDilution: Double?
  /// The age of that fix at the shutter, in seconds; nil if unknown.
  public var fixAgeSeconds: Double?
  /// The gate's verdict at the shutter; nil if the gate was not asked.
  public var gate: String?

  /// Creates claims that are all unknown.
  public init() {}

  /// Reads the claims from a capture's record.
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
