import Geodesy

/// What kind of solution a fix is.
public enum FixMode: Int, Hashable, Comparable, Sendable {
  /// The receiver has no position.
  case none = 1
  /// Latitude and longitude only.
  case twoDimensional = 2
  /// Latitude, longitude and height.
  case threeDimensional = 3

  /// The word for it.
  public var name: String {
    switch self {
    case .none: "no fix"
    case .twoDimensional: "2-D"
    case .threeDimensional: "3-D"
    }
  }

  /// A fuller solution is greater.
  public static func < (left: FixMode, right: FixMode) -> Bool { left.rawValue < right.rawValue }
}

/// How the receiver came to a position. Source: NMEA 0183 GGA field 6, GNS and RMC mode letters.
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
  /// Made by a simulator, and said so.
  case simulated = 8

  /// The glossary's word for it, as records and JSON carry it.
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

  /// One standard deviation of a pseudorange, in metres, that is assumed for a receiver that states
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

/// Where a fix's uncertainty comes from.
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
  /// Kind of solution; `.none` when there is no position.
  public var mode: FixMode
  /// How the position was reached.
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
  /// Where the antenna points, degrees clockwise from true north, 0..<360; from a compass or two
  /// antennas, never from motion. Source: HDT, THS, HDG with its declination, gpsd's ATT.
  public var headingDegreesTrue: Double?
  /// The same from magnetic north. Source: HDG.
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
  /// The same for height, to one side, metres.
  public var verticalUncertaintyMetres95: Double?
  /// Where the two uncertainties come from; nil when there are none.
  public var uncertaintySource: UncertaintySource?
  /// Age of the differential corrections, seconds.
  public var correctionAgeSeconds: Double?
  /// Reference station of the corrections, as the receiver names it.
  public var correctionStation: String?

  /// A fix that so far has nothing but its time.
  public init(time: GNSSTime) {
    self.time = time
    mode = .none
  }

  /// Whether the receiver itself says that a simulator made this.
  public var isSimulated: Bool { quality == .simulated }
}
