import Foundation

/// A rotation from device axes (x right, y up along the screen's long side, z out of the screen) to
/// east, north and up. Euler angles alone are singular exactly where a tablet is held upright.
public struct Quaternion: Hashable, Sendable {
  /// The real part.
  public var w: Double
  /// Along device x.
  public var x: Double
  /// Along device y.
  public var y: Double
  /// Along device z.
  public var z: Double

  /// A unit quaternion from any that is not zero; nil for zero or what is not finite.
  public init?(w: Double, x: Double, y: Double, z: Double) {
    let length = (w * w + x * x + y * y + z * z).squareRoot()
    guard length.isFinite, length > 1e-9 else { return nil }
    // q and -q are the same rotation; the one with w ≥ 0 is written.
    let scale = w < 0 ? -length : length
    (self.w, self.x, self.y, self.z) = (w / scale, x / scale, y / scale, z / scale)
  }
}

/// Where the camera looked.
public struct Orientation: Hashable, Sendable {
  /// Where an azimuth comes from.
  public enum Source: String, Hashable, Sendable {
    /// Typed in, or given on the command line.
    case stated
    /// The device's own sensors.
    case deviceSensors = "device-sensors"
    /// The receiver's attitude sentences.
    case receiver
  }

  /// The whole rotation; nil unless all three angles are known.
  public var quaternion: Quaternion?
  /// Screen rotation in degrees, 0, 90, 180 or 270.
  public var screenDegrees: Int
  /// Direction of the lens axis, degrees clockwise from true north; nil when unknown.
  public var azimuthDegreesTrue: Double?
  /// Elevation of the lens axis above the horizon, -90…90 degrees; nil when unknown.
  public var elevationDegrees: Double?
  /// Roll about the lens axis, degrees clockwise as the photographer sees it; nil when unknown.
  public var rollDegrees: Double?
  /// Where the angles come from.
  public var source: Source
  /// The magnetic heading that the azimuth was made from; nil when it was true from the start.
  public var headingDegreesMagnetic: Double?
  /// The declination added to it, degrees east; nil when there was none to add.
  public var declinationDegrees: Double?
  /// One standard deviation of the azimuth, degrees; nil when unknown.
  public var azimuthAccuracyDegrees: Double?
  /// One standard deviation of elevation and roll, degrees; nil when unknown.
  public var tiltAccuracyDegrees: Double?

  /// The angle that inspectors know: between the screen's vertical axis and the ground, 90° when the
  /// lens looks at the horizon, 0° when it looks straight down.
  public var angleDegrees: Double? { elevationDegrees.map { $0 + 90 } }

  /// An orientation from the lens axis' angles.
  public init(
    azimuthDegreesTrue: Double?, elevationDegrees: Double?, rollDegrees: Double?, source: Source,
    screenDegrees: Int = 0
  ) {
    self.azimuthDegreesTrue = azimuthDegreesTrue.map(Self.wrapped)
    self.elevationDegrees = elevationDegrees
    self.rollDegrees = rollDegrees
    self.source = source
    self.screenDegrees = screenDegrees
    if let azimuthDegreesTrue, let elevationDegrees, let rollDegrees {
      // The roll is the picture's; the axes are the device's, whose screen may be turned.
      quaternion = Self.quaternion(
        azimuth: azimuthDegreesTrue, elevation: elevationDegrees,
        roll: rollDegrees - Double(screenDegrees))
    }
  }

  private static func wrapped(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    // Next to nothing below 0 would round up to 360 itself.
    return rest < -1e-13 ? rest + 360 : max(0, rest)
  }

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

  /// A rotation matrix as a quaternion (Shepperd's method, 1978: the largest term first).
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

  /// The angles of the lens axis that a rotation means: azimuth, elevation and roll.
  ///
  /// Straight up and straight down azimuth and roll turn about the same axis. There the roll is 0,
  /// and the azimuth is where the upper edge of the picture points, or its opposite when looking up.
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
      return (wrapped(atan2(-x.north, x.east) * 180 / .pi), elevation, 0)
    }
    let xUp = 2 * (q.x * q.z - q.w * q.y)
    let yUp = 2 * (q.y * q.z + q.w * q.x)
    let azimuth = atan2(-z.0, -z.1) * 180 / .pi
    let roll = atan2(-xUp, yUp) * 180 / .pi
    return (wrapped(azimuth), elevation, roll)
  }
}
