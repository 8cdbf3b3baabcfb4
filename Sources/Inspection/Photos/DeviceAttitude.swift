import Foundation

// The problem: a browser describes how a device is held by three angles (W3C, Device Orientation).
// They are turns about z by alpha, then about the new x by beta, then about the newer y by gamma,
// all counter-clockwise. Together they bring the device from lying flat with its top to the north
// to how it is held now. A photo needs the direction of the lens and the roll of the picture.
//
// The obvious idea: alpha is the heading and beta the tilt. That is true for a device that lies
// flat. An inspector who takes a photo holds the device upright. Then alpha and gamma turn about
// the same axis, and both jump by 180°.
//
// The solution: the three turns become one quaternion, and all other angles are computed from it.
// The screen's angle is the turn of the picture on the screen against the device: another edge of
// the device is then the upper edge of the picture. The screen's angle changes the roll, and never
// the direction of the lens.

/// The way a device is held, as its browser reports it.
public struct DeviceAttitude: Hashable, Sendable {
  /// The turn about the axis out of the screen, degrees from magnetic north; nil if the sensors
  /// know no north.
  public var alphaDegrees: Double?
  /// The turn about the device's x axis, degrees.
  public var betaDegrees: Double
  /// The turn about the device's y axis, degrees.
  public var gammaDegrees: Double
  /// The turn of the picture on the screen against the device: 0, 90, 180 or 270 degrees.
  public var screenDegrees: Int
  /// The accuracy that the compass reports for itself, 0…180 degrees; nil if it reports none.
  public var compassAccuracyDegrees: Double?

  /// Creates an attitude from a browser's numbers; nil if a turn is beyond ±360 degrees or the
  /// screen's angle is none of the four. A compass accuracy outside 0…180 degrees is dropped.
  public init?(
    alphaDegrees: Double?, betaDegrees: Double, gammaDegrees: Double, screenDegrees: Int,
    compassAccuracyDegrees: Double? = nil
  ) {
    guard [alphaDegrees ?? 0, betaDegrees, gammaDegrees].allSatisfy({ abs($0) <= 360 }),
      [0, 90, 180, 270].contains(screenDegrees)
    else { return nil }
    self.alphaDegrees = alphaDegrees
    self.betaDegrees = betaDegrees
    self.gammaDegrees = gammaDegrees
    self.screenDegrees = screenDegrees
    self.compassAccuracyDegrees = compassAccuracyDegrees.flatMap {
      (0...180).contains($0) ? $0 : nil
    }
  }

  /// The rotation from device axes to magnetic east, magnetic north and up. If no north is known,
  /// the rotation is right except for an unknown turn about the vertical.
  public var quaternion: Quaternion? {
    let (a, b, c) = (
      (alphaDegrees ?? 0) * .pi / 360, betaDegrees * .pi / 360, gammaDegrees * .pi / 360
    )
    return Quaternion(w: cos(a), x: 0, y: 0, z: sin(a))?
      .turned(by: Quaternion(w: cos(b), x: sin(b), y: 0, z: 0))?
      .turned(by: Quaternion(w: cos(c), x: 0, y: sin(c), z: 0))
  }

  /// Returns the direction in which the lens in the device's back looked.
  ///
  /// - Parameter declinationDegrees: The declination at the place and date, degrees, east positive;
  ///   nil if the model has none. The azimuth is then unknown, and the magnetic heading is kept.
  public func orientation(declinationDegrees: Double?) -> Orientation? {
    guard let held = quaternion, let picture = held.turned(aboutZDegrees: -Double(screenDegrees))
    else { return nil }
    let angles = Orientation.lensAngles(of: picture)
    let declination = alphaDegrees == nil ? nil : declinationDegrees
    let azimuth = declination.map { angles.azimuthDegrees + $0 }
    var orientation = Orientation(
      azimuthDegreesTrue: azimuth, elevationDegrees: angles.elevationDegrees,
      rollDegrees: angles.rollDegrees, source: .deviceSensors, screenDegrees: screenDegrees)
    orientation.headingDegreesMagnetic = alphaDegrees == nil ? nil : angles.azimuthDegrees
    orientation.declinationDegrees = declination
    orientation.azimuthAccuracyDegrees = alphaDegrees == nil ? nil : compassAccuracyDegrees
    // This is a clockwise turn about the vertical: the declination is the direction of magnetic north.
    orientation.quaternion = declination.flatMap { degrees in
      Quaternion(w: cos(degrees * .pi / 360), x: 0, y: 0, z: -sin(degrees * .pi / 360))?
        .turned(by: held)
    }
    return orientation
  }
}

extension Quaternion {
  /// The rotation back.
  var inverse: Quaternion { Quaternion(unitW: w, x: -x, y: -y, z: -z) }

  /// Returns the rotation that makes `first` first, about the device's axes, and then this one.
  func turned(by first: Quaternion?) -> Quaternion? {
    guard let q = first else { return nil }
    return Quaternion(
      w: w * q.w - x * q.x - y * q.y - z * q.z, x: w * q.x + x * q.w + y * q.z - z * q.y,
      y: w * q.y - x * q.z + y * q.w + z * q.x, z: w * q.z + x * q.y - y * q.x + z * q.w)
  }

  /// Returns this rotation, made after a counter-clockwise turn about the device's own z axis.
  func turned(aboutZDegrees degrees: Double) -> Quaternion? {
    turned(
      by: Quaternion(w: cos(degrees * .pi / 360), x: 0, y: 0, z: sin(degrees * .pi / 360)))
  }
}
