import Foundation
import Geodesy

/// A rotation from device axes (x right, y up along the screen's long side, z out of the screen) to
/// east, north and up. Euler angles alone are singular exactly where a tablet is held upright.
public struct Quaternion: Hashable, Sendable {
  /// The real part.
  public var w: Double
  /// The part along device x.
  public var x: Double
  /// The part along device y.
  public var y: Double
  /// The part along device z.
  public var z: Double

  /// Scales four numbers to a unit quaternion; nil if all are zero or one is not finite.
  public init?(w: Double, x: Double, y: Double, z: Double) {
    let length = (w * w + x * x + y * y + z * z).squareRoot()
    guard length.isFinite, length > 1e-9 else { return nil }
    // q and -q are the same rotation, so only the one with w ≥ 0 is kept.
    let scale = w < 0 ? -length : length
    (self.w, self.x, self.y, self.z) = (w / scale, x / scale, y / scale, z / scale)
  }

  /// Creates a quaternion from numbers that are of unit length already, with w ≥ 0.
  init(unitW w: Double, x: Double, y: Double, z: Double) {
    (self.w, self.x, self.y, self.z) = (w, x, y, z)
  }
}

/// The orientation of the camera when it took the photo.
public struct Orientation: Hashable, Sendable {
  /// The source of the angles.
  public enum Source: String, Hashable, Sendable {
    /// The inspector typed them in, or gave them on the command line.
    case stated
    /// The device's own sensors measured them.
    case deviceSensors = "device-sensors"
    /// The receiver sent them in attitude sentences.
    case receiver
  }

  /// The whole rotation; nil unless azimuth, elevation and roll are all known.
  public var quaternion: Quaternion?
  /// The rotation of the screen, 0, 90, 180 or 270 degrees.
  public var screenDegrees: Int
  /// The direction of the lens axis, degrees clockwise from true north, 0 ≤ x < 360; nil if unknown.
  public var azimuthDegreesTrue: Double?
  /// The elevation of the lens axis above the horizon, -90…90 degrees; nil if unknown.
  public var elevationDegrees: Double?
  /// The roll about the lens axis, degrees clockwise as the photographer sees it; nil if unknown.
  public var rollDegrees: Double?
  /// The source of the angles.
  public var source: Source
  /// The magnetic heading from which the azimuth was computed, degrees; nil if the azimuth was true
  /// from the start.
  public var headingDegreesMagnetic: Double?
  /// The declination that was added to the magnetic heading, degrees east; nil if none was added.
  public var declinationDegrees: Double?
  /// One standard deviation of the azimuth, degrees; nil if unknown.
  public var azimuthAccuracyDegrees: Double?
  /// One standard deviation of elevation and roll, degrees; nil if unknown.
  public var tiltAccuracyDegrees: Double?

  /// The angle that inspectors know, in degrees, between the screen's vertical axis and the ground:
  /// 90° if the lens looks at the horizon, 0° if it looks straight down. Nil if the elevation is
  /// unknown.
  public var angleDegrees: Double? { elevationDegrees.map { $0 + 90 } }

  /// Creates an orientation from the angles of the lens axis, in degrees.
  public init(
    azimuthDegreesTrue: Double?, elevationDegrees: Double?, rollDegrees: Double?, source: Source,
    screenDegrees: Int = 0
  ) {
    self.azimuthDegreesTrue = azimuthDegreesTrue.map(Geodesic.compassDegrees)
    self.elevationDegrees = elevationDegrees
    self.rollDegrees = rollDegrees
    self.source = source
    self.screenDegrees = screenDegrees
    if let azimuthDegreesTrue, let elevationDegrees, let rollDegrees {
      // The roll belongs to the picture, but the axes belong to the device, whose screen may be turned.
      quaternion = Self.quaternion(
        azimuth: azimuthDegreesTrue, elevation: elevationDegrees,
        roll: rollDegrees - Double(screenDegrees))
    }
  }

  /// Computes the rotation from three angles in degrees.
  ///
  /// The lens looks along minus z. With azimuth α and elevation ε its direction in east, north, up
  /// is f = (sin α cos ε, cos α cos ε, sin ε); x is (cos α, −sin α, 0) before the roll about f.
  static func quaternion(azimuth: Double, elevation: Double, roll: Double) -> Quaternion? {
    let a = azimuth * .pi / 180
    let e = elevation * .pi / 180
    let r = roll * .pi / 180
    let right = (cos(a), -sin(a), 0.0)
    let up = (-sin(a) * sin(e), -cos(a) * sin(e), cos(e))
    let back = (-sin(a) * cos(e), -cos(a) * cos(e), -sin(e))
    let x = (
      right.0 * cos(r) - up.0 * sin(r), right.1 * cos(r) - up.1 * sin(r),
      right.2 * cos(r) - up.2 * sin(r)
    )
    let y = (
      right.0 * sin(r) + up.0 * cos(r), right.1 * sin(r) + up.1 * cos(r),
      right.2 * sin(r) + up.2 * cos(r)
    )
    return fromColumns(x, y, back)
  }

  private typealias Vector = (Double, Double, Double)

  /// Converts a rotation matrix to a quaternion (Shepperd's method, 1978: the largest term first).
  private static func fromColumns(_ x: Vector, _ y: Vector, _ z: Vector) -> Quaternion? {
    let trace = x.0 + y.1 + z.2
    if trace >= max(x.0, y.1, z.2) {
      return Quaternion(w: 1 + trace, x: y.2 - z.1, y: z.0 - x.2, z: x.1 - y.0)
    }
    if x.0 >= y.1, x.0 >= z.2 {
      return Quaternion(w: y.2 - z.1, x: 1 + x.0 - y.1 - z.2, y: y.0 + x.1, z: z.0 + x.2)
    }
    if y.1 >= z.2 {
      return Quaternion(w: z.0 - x.2, x: y.0 + x.1, y: 1 + y.1 - x.0 - z.2, z: z.1 + y.2)
    }
    return Quaternion(w: x.1 - y.0, x: z.0 + x.2, y: z.1 + y.2, z: 1 + z.2 - x.0 - y.1)
  }

  /// Returns the angles of the lens axis for a rotation: azimuth, elevation and roll.
  ///
  /// If the lens looks straight up or straight down, azimuth and roll turn about the same axis. The
  /// roll is then 0, and the azimuth is the direction of the picture's upper edge, or the opposite
  /// direction when looking up.
  public static func lensAngles(
    of q: Quaternion
  ) -> (azimuthDegrees: Double, elevationDegrees: Double, rollDegrees: Double) {
    // The columns of the rotation matrix are the device axes in east, north, up.
    let z = (
      2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)
    )
    let level = hypot(z.0, z.1)
    let elevation = atan2(-z.2, level) * 180 / .pi
    guard level > 1e-7 else {
      let x = (east: 1 - 2 * (q.y * q.y + q.z * q.z), north: 2 * (q.x * q.y + q.w * q.z))
      return (Geodesic.compassDegrees(atan2(-x.north, x.east) * 180 / .pi), elevation, 0)
    }
    let xUp = 2 * (q.x * q.z - q.w * q.y)
    let yUp = 2 * (q.y * q.z + q.w * q.x)
    let azimuth = atan2(-z.0, -z.1) * 180 / .pi
    let roll = atan2(-xUp, yUp) * 180 / .pi
    return (Geodesic.compassDegrees(azimuth), elevation, roll)
  }
}
