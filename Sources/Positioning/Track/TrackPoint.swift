import Geodesy

/// One recorded point of a track.
public struct TrackPoint: Hashable, Sendable {
  /// How the point came to be.
  public enum Kind: String, Hashable, Sendable {
    /// Recorded by itself, second by second.
    case recorded
    /// Set by hand at a corner.
    case vertex
    /// Set by hand, from samples taken while standing still.
    case centroidVertex = "centroid-vertex"
  }

  /// Why there is nothing between the point before and this one.
  public enum Gap: String, Hashable, Sendable {
    /// The receiver had no position.
    case noFix = "no-fix"
    /// The receiver said nothing.
    case silence
    /// The inspector had paused the recording.
    case paused
    /// The program was not running.
    case interrupted
    /// The inspector has deleted what was recorded there.
    case deleted
  }

  /// How the point came to be.
  public var kind: Kind
  /// The epoch's time.
  public var time: GNSSTime
  /// Position.
  public var coordinate: Coordinate
  /// Height above the ellipsoid, metres.
  public var ellipsoidalHeightMetres: Double?
  /// Height above mean sea level, metres.
  public var meanSeaLevelHeightMetres: Double?
  /// Radius that holds the true position with 95 % probability, metres.
  public var horizontalUncertaintyMetres95: Double?
  /// Why the second before this point is missing; nil when none is.
  public var gapBefore: Gap?
  /// Satellites used in the solution; nil when unknown, and for a point from samples.
  public var satellitesUsed: Int?
  /// Horizontal dilution of precision; nil when unknown, and for a point from samples.
  public var horizontalDilution: Double?

  /// A point from its parts.
  public init(
    kind: Kind, time: GNSSTime, coordinate: Coordinate, ellipsoidalHeightMetres: Double? = nil,
    meanSeaLevelHeightMetres: Double? = nil, horizontalUncertaintyMetres95: Double? = nil,
    gapBefore: Gap? = nil, satellitesUsed: Int? = nil, horizontalDilution: Double? = nil
  ) {
    self.kind = kind
    self.time = time
    self.coordinate = coordinate
    self.ellipsoidalHeightMetres = ellipsoidalHeightMetres
    self.meanSeaLevelHeightMetres = meanSeaLevelHeightMetres
    self.horizontalUncertaintyMetres95 = horizontalUncertaintyMetres95
    self.gapBefore = gapBefore
    self.satellitesUsed = satellitesUsed
    self.horizontalDilution = horizontalDilution
  }
}
