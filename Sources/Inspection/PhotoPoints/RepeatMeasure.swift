import Geodesy

/// The measures of how well a later photo repeats an earlier one: place and attitude.
public struct RepeatMeasure: Hashable, Sendable {
  /// The place and the attitude of one of the two photos.
  public struct Stand: Hashable, Sendable {
    /// The place from which the photo was taken.
    public var coordinate: Coordinate
    /// The radius that holds the true place with 95 % probability, metres; nil if unknown.
    public var uncertaintyMetres95: Double?
    /// The orientation of the camera; nil if unknown.
    public var orientation: Orientation?

    /// Creates a stand.
    public init(
      coordinate: Coordinate, uncertaintyMetres95: Double?, orientation: Orientation?
    ) {
      self.coordinate = coordinate
      self.uncertaintyMetres95 = uncertaintyMetres95
      self.orientation = orientation
    }

    /// Creates the stand of a photo; nil if the photo claims no place.
    public init?(of photo: Photo) {
      guard !photo.claimsNoPlace else { return nil }
      self.init(
        coordinate: photo.position.coordinate,
        uncertaintyMetres95: photo.position.uncertaintyMetres95, orientation: photo.orientation)
    }
  }

  /// The distance between the two places, metres.
  public let distanceMetres: Double
  /// The 95 % radius of the distance: both radii as independent errors, metres; nil if one of them
  /// is unknown.
  public let distanceUncertaintyMetres95: Double?
  /// The rotation from the earlier attitude to the later one; nil if one of them is unknown. If
  /// `isAzimuthTrusted` is false, only its pitch and its yaw mean something.
  public let attitude: RelativeAttitude?
  /// True if both azimuths are known and trusted.
  public let isAzimuthTrusted: Bool

  /// Measures a later photo against an earlier one.
  public init(from earlier: Stand, to later: Stand) {
    distanceMetres = Geodesic.distanceMetres(from: earlier.coordinate, to: later.coordinate)
    if let one = earlier.uncertaintyMetres95, let other = later.uncertaintyMetres95 {
      distanceUncertaintyMetres95 = (one * one + other * other).squareRoot()
    } else {
      distanceUncertaintyMetres95 = nil
    }
    isAzimuthTrusted =
      earlier.orientation?.trustedAzimuthDegrees != nil
      && later.orientation?.trustedAzimuthDegrees != nil
    let isTrusted = isAzimuthTrusted
    func picture(_ stand: Stand) -> PictureAttitude? {
      stand.orientation.flatMap { isTrusted ? PictureAttitude($0) : PictureAttitude(tiltOf: $0) }
    }
    if let one = picture(earlier), let other = picture(later) {
      attitude = RelativeAttitude(from: one, to: other)
    } else {
      attitude = nil
    }
  }

  /// The whole angle between the two attitudes, degrees; nil if unknown.
  public var angleDegrees: Double? { isAzimuthTrusted ? attitude?.angleDegrees : nil }
  /// The part about the upright axis, degrees; nil if unknown.
  public var rollDegrees: Double? { isAzimuthTrusted ? attitude?.rollDegrees : nil }
  /// The part about the axis to the right, degrees; nil if unknown.
  public var pitchDegrees: Double? { attitude?.pitchDegrees }
  /// The part about the lens, degrees; nil if unknown.
  public var yawDegrees: Double? { attitude?.yawDegrees }
}

/// How well a photo has to repeat an earlier one.
public struct RepeatTolerance: Hashable, Sendable {
  /// The distance that is met in any case, metres.
  public static let usualMetres = 2.0
  /// The whole angle that is met, degrees.
  public static let usualDegrees = 3.0
  /// The displacements beyond which a list can pick repeats out for a reviewer, per cent of the
  /// frame. Where photos are to be laid over each other, 2 is much; elsewhere 20 is little.
  public enum DisplacementLimit: Double, CaseIterable, Sendable {
    case two = 2
    case five = 5
    case ten = 10
    case twenty = 20
  }

  /// The distance that is met, metres.
  public let metres: Double
  /// The whole angle that is met, degrees.
  public let degrees: Double

  /// Creates the tolerance for a photo: 2 m, or the 95 % radius of the distance if that is more,
  /// since nobody can stand better than the receiver measures; and 3°.
  public init(of measure: RepeatMeasure) {
    self.init(distanceUncertaintyMetres95: measure.distanceUncertaintyMetres95)
  }

  /// Creates the tolerance for a distance whose 95 % radius is known, metres; or nil.
  init(distanceUncertaintyMetres95: Double?) {
    metres = max(Self.usualMetres, distanceUncertaintyMetres95 ?? 0)
    degrees = Self.usualDegrees
  }

  /// Returns true if the place is met.
  public func isPlaceMet(_ measure: RepeatMeasure) -> Bool { measure.distanceMetres <= metres }

  /// Returns true if the attitude is met; nil if the whole angle is unknown.
  public func isAttitudeMet(_ measure: RepeatMeasure) -> Bool? {
    measure.angleDegrees.map { $0 <= degrees }
  }
}

extension Orientation {
  /// The accuracy of an azimuth beyond which it guides nobody, degrees.
  public static let trustedAzimuthAccuracyDegrees = 15.0

  /// The azimuth from true north, degrees; nil if it is unknown, or if its accuracy is known to be
  /// worse than 15°.
  public var trustedAzimuthDegrees: Double? {
    (azimuthAccuracyDegrees ?? 0) <= Self.trustedAzimuthAccuracyDegrees ? azimuthDegreesTrue : nil
  }
}

extension PictureAttitude {
  /// Creates the attitude of a picture of which only tilt and roll count: it looks to the north.
  /// Nil if they are unknown.
  public init?(tiltOf orientation: Orientation) {
    guard let elevation = orientation.elevationDegrees, let roll = orientation.rollDegrees,
      let device = Orientation.quaternion(
        azimuth: 0, elevation: elevation, roll: roll - Double(orientation.screenDegrees))
    else { return nil }
    self.init(device: device, screenDegrees: orientation.screenDegrees)
  }
}
