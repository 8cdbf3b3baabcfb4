import Foundation

// The problem: a browser says how a device is held by three angles (W3C, Device Orientation): turns about z
// by alpha, then about the new x by beta, then about the newer y by gamma, all counter-clockwise, which bring
// the device from lying flat with its top to the north to how it is held now. What a photo needs is where
// the lens looks, and how the picture is rolled.
//
// The obvious idea: alpha is the heading and beta the tilt. That holds for a device that lies flat. Held
// upright, which is how one takes a photo, alpha and gamma turn about the same axis, and both jump by 180°.
//
// What is done: the three turns become one quaternion, and all that is asked is read from that. The screen's
// angle says by how much the picture on it is turned against the device: the upper edge of the picture is
// then another edge of the device. It changes the roll, and never where the lens looks.

/// How a device is held, as its browser says it.
public struct DeviceAttitude: Hashable, Sendable {
  /// Turn about the axis out of the screen, degrees; from magnetic north. Nil where the sensors know no north.
  public var alphaDegrees: Double?
  /// Turn about the device's x axis, degrees.
  public var betaDegrees: Double
  /// Turn about the device's y axis, degrees.
  public var gammaDegrees: Double
  /// By how much the picture on the screen is turned against the device: 0, 90, 180 or 270.
  public var screenDegrees: Int
  /// What the compass says of its own accuracy, degrees; nil where it says nothing.
  public var compassAccuracyDegrees: Double?

  /// An attitude from what a browser says; nil for numbers that are no angles.
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

  /// The rotation from device axes to magnetic east, magnetic north and up. Where no north is known it is
  /// right but for a turn about the vertical.
  public var quaternion: Quaternion? {
    let (a, b, c) = (
      (alphaDegrees ?? 0) * .pi / 360, betaDegrees * .pi / 360, gammaDegrees * .pi / 360
    )
    return Quaternion(w: cos(a), x: 0, y: 0, z: sin(a))?
      .turned(by: Quaternion(w: cos(b), x: sin(b), y: 0, z: 0))?
      .turned(by: Quaternion(w: cos(c), x: 0, y: sin(c), z: 0))
  }

  /// Where the lens looked: the one in the device's back.
  ///
  /// - Parameter declinationDegrees: of the place and date, east positive; nil where the model has none: the
  ///   azimuth is unknown then, and the magnetic heading is kept.
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
    // A turn about the vertical, clockwise: magnetic north is where the declination points.
    orientation.quaternion = declination.flatMap { degrees in
      Quaternion(w: cos(degrees * .pi / 360), x: 0, y: 0, z: -sin(degrees * .pi / 360))?
        .turned(by: held)
    }
    return orientation
  }
}

extension Quaternion {
  /// This rotation after another one, which is made first: in the device's axes.
  func turned(by first: Quaternion?) -> Quaternion? {
    guard let q = first else { return nil }
    return Quaternion(
      w: w * q.w - x * q.x - y * q.y - z * q.z, x: w * q.x + x * q.w + y * q.z - z * q.y,
      y: w * q.y - x * q.z + y * q.w + z * q.x, z: w * q.z + x * q.y - y * q.x + z * q.w)
  }

  /// The same after a turn about the device's own z axis, counter-clockwise.
  func turned(aboutZDegrees degrees: Double) -> Quaternion? {
    turned(
      by: Quaternion(w: cos(degrees * .pi / 360), x: 0, y: 0, z: sin(degrees * .pi / 360)))
  }
}
