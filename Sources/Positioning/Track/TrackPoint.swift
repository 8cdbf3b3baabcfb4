import Geodesy
import TimeAndText

/// A point of a track.
public struct TrackPoint: Hashable, Sendable {
  /// The way in which a point was made.
  public enum Kind: String, Hashable, Sendable {
    /// The point was recorded automatically, second by second.
    case recorded
    /// The point was set by hand at a corner.
    case vertex
    /// The point was set by hand, from samples taken while standing still.
    case centroidVertex = "centroid-vertex"
  }

  /// The reason why there are no points between the previous point and this one.
  public enum Gap: String, Hashable, Sendable {
    /// The receiver had no position.
    case noFix = "no-fix"
    /// The receiver sent nothing.
    case silence
    /// The inspector had paused the recording.
    case paused
    /// The program was not running.
    case interrupted
    /// The inspector has deleted the points recorded there.
    case deleted
  }

  /// The way in which the point was made.
  public var kind: Kind
  /// The epoch's time.
  public var time: GNSSTime
  /// The point's position.
  public var coordinate: Coordinate
  /// Height above the ellipsoid, metres; nil if unknown.
  public var ellipsoidalHeightMetres: Double?
  /// Height above mean sea level, metres; nil if unknown.
  public var meanSeaLevelHeightMetres: Double?
  /// Radius that holds the true position with 95 % probability, metres; nil if unknown.
  public var horizontalUncertaintyMetres95: Double?
  /// The reason why points before this one are missing; nil if none are missing.
  public var gapBefore: Gap?
  /// Number of satellites used in the solution; nil if unknown, and for a point from samples.
  public var satellitesUsed: Int?
  /// Horizontal dilution of precision; nil if unknown, and for a point from samples.
  public var horizontalDilution: Double?

  /// Creates a point.
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
