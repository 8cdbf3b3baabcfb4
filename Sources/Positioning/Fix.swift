import Geodesy
import TimeAndText

/// The kind of solution of a fix.
public enum FixMode: Int, Hashable, Comparable, Sendable {
  /// The receiver has no position.
  case none = 1
  /// Latitude and longitude only.
  case twoDimensional = 2
  /// Latitude, longitude and height.
  case threeDimensional = 3

  /// The word for the mode.
  public var name: String {
    switch self {
    case .none: "no fix"
    case .twoDimensional: "2-D"
    case .threeDimensional: "3-D"
    }
  }

  /// Returns true if the right solution is fuller than the left one.
  public static func < (left: FixMode, right: FixMode) -> Bool { left.rawValue < right.rawValue }
}

/// The way in which the receiver found a position. Source: NMEA 0183 GGA field 6, GNS and RMC mode
/// letters.
public enum FixQuality: Int, Hashable, Sendable {
  /// No position.
  case invalid = 0
  /// Satellites alone.
  case autonomous = 1
  /// With differential corrections, SBAS among them.
  case differential = 2
  /// Precise positioning service.
  case precise = 3
  /// Real-time kinematic with fixed integers.
  case rtkFixed = 4
  /// Real-time kinematic with float ambiguities.
  case rtkFloat = 5
  /// Dead reckoning.
  case estimated = 6
  /// Typed in by a person.
  case manual = 7
  /// Made by a simulator that says so.
  case simulated = 8

  /// The word for the quality, as records and JSON carry it.
  public var name: String {
    switch self {
    case .invalid: "invalid"
    case .autonomous: "autonomous"
    case .differential: "differential"
    case .precise: "precise"
    case .rtkFixed: "rtk fixed"
    case .rtkFloat: "rtk float"
    case .estimated: "estimated"
    case .manual: "manual"
    case .simulated: "simulated"
    }
  }

  /// The standard deviation of a pseudorange, in metres, that is assumed for a receiver that states
  /// no uncertainty. Deliberately not optimistic: consumer receivers reach 3 m in the open.
  public var assumedRangeSigmaMetres: Double {
    switch self {
    case .rtkFixed: 0.03
    case .rtkFloat: 0.4
    case .precise, .differential: 1.5
    default: 3.0
    }
  }
}

/// The source of a fix's uncertainty.
public enum UncertaintySource: String, Hashable, Sendable {
  /// The receiver's own error statistics (GST, GBS, PUBX).
  case receiver
  /// Dilution of precision times an assumed sigma of the ranges.
  case dilution
  /// gpsd's estimate, for receivers whose own sentences are not heard.
  case gpsd
}

/// The receiver's answer to "where and when" for one epoch. A nil means that the receiver did not say.
public struct Fix: Hashable, Sendable {
  /// The epoch's time.
  public var time: GNSSTime
  /// WGS 84 position; nil without one.
  public var coordinate: Coordinate?
  /// Kind of solution; `.none` if there is no position.
  public var mode: FixMode
  /// The way in which the receiver found the position.
  public var quality: FixQuality?
  /// Height above the WGS 84 ellipsoid, metres.
  public var ellipsoidalHeightMetres: Double?
  /// Height above mean sea level, metres. Source: GGA field 9.
  public var meanSeaLevelHeightMetres: Double?
  /// Speed over ground from Doppler, metres a second, never negative.
  public var speedMetresPerSecond: Double?
  /// Course over ground, degrees clockwise from true north, 0..<360.
  public var courseDegreesTrue: Double?
  /// Vertical speed, metres a second, up is positive.
  public var climbMetresPerSecond: Double?
  /// Heading of the antenna, degrees clockwise from true north, 0..<360; from a compass or two
  /// antennas, never from motion. Source: HDT, THS, HDG with its declination, gpsd's ATT.
  public var headingDegreesTrue: Double?
  /// Heading of the antenna, degrees clockwise from magnetic north, 0..<360. Source: HDG.
  public var headingDegreesMagnetic: Double?
  /// Horizontal dilution of precision; never 0.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision; never 0.
  public var verticalDilution: Double?
  /// Position dilution of precision; never 0.
  public var positionDilution: Double?
  /// Satellites used in the solution.
  public var satellitesUsed: Int?
  /// Radius that holds the true position with 95 % probability, metres.
  public var horizontalUncertaintyMetres95: Double?
  /// Half the width of the interval that holds the true height with 95 % probability, metres.
  public var verticalUncertaintyMetres95: Double?
  /// Source of the two uncertainties; nil if there are none.
  public var uncertaintySource: UncertaintySource?
  /// Age of the differential corrections, seconds.
  public var correctionAgeSeconds: Double?
  /// Reference station of the corrections, as the receiver names it.
  public var correctionStation: String?

  /// Creates a fix that has only its time.
  public init(time: GNSSTime) {
    self.time = time
    mode = .none
  }

  /// True if the receiver itself says that a simulator made the fix.
  public var isSimulated: Bool { quality == .simulated }

  /// The slowest speed at which a course says something, metres a second: at rest it is chance.
  public static let slowestCourseMetresPerSecond = 0.5

  /// Course over ground, degrees clockwise from true north, 0..<360; nil without a speed, or if that
  /// is below `slowestCourseMetresPerSecond`.
  public var courseWhileMovingDegreesTrue: Double? {
    guard let speedMetresPerSecond, speedMetresPerSecond >= Self.slowestCourseMetresPerSecond else {
      return nil
    }
    return courseDegreesTrue
  }

  /// Returns the heading of the antenna, degrees clockwise from true north, 0..<360: the receiver's
  /// own, or else its magnetic one, corrected.
  ///
  /// - Parameter declinationDegrees: The magnetic declination at the place, positive eastwards; nil
  ///   if it is not known.
  /// - Returns: Nil without a heading, and for a magnetic one without a declination.
  public func headingFromTrueNorth(declinationDegrees: Double?) -> Double? {
    if let headingDegreesTrue { return headingDegreesTrue }
    guard let headingDegreesMagnetic, let declinationDegrees else { return nil }
    return Geodesic.compassDegrees(headingDegreesMagnetic + declinationDegrees)
  }
}
