import Foundation
import Geodesy

// The problem: a set is ordered by the direction from which each frame shows the thing. A browser's
// sensors give a rotation for each moment, and the frames lie between these moments.
//
// The obvious idea: take the compass direction of the lens. It jumps beside a tractor, and it is
// undefined where the lens looks down into a pit.
//
// The solution: one rotation leads from the first frame to this one. Its part about the vertical is
// the angle; the first frame's own tilt does not matter. The rest of the rotation says by how much
// the device is tilted and rolled otherwise than in the first frame. No compass takes part: only
// the change since the first frame counts, and a gyroscope measures that best.

/// The attitude of a frame, compared with the first frame of its set.
public struct FrameAttitude: Hashable, Sendable {
  /// The rotation about the vertical since the first frame, clockwise as seen from above,
  /// 0 ≤ x < 360 degrees.
  public let angleDegrees: Double
  /// The change of the lens' elevation, degrees; above 0 if the lens is lifted.
  public let deviationPitchDegrees: Double
  /// The change of the roll about the lens, degrees; above 0 if the camera is turned anti-clockwise.
  public let deviationRollDegrees: Double

  /// Creates an attitude from numbers that were computed earlier.
  public init(angleDegrees: Double, deviationPitchDegrees: Double, deviationRollDegrees: Double) {
    self.angleDegrees = Geodesic.compassDegrees(angleDegrees)
    self.deviationPitchDegrees = deviationPitchDegrees
    self.deviationRollDegrees = deviationRollDegrees
  }

  /// Returns the same attitude at another angle: the frames after an interruption are compared with
  /// the first of them, whose own angle is known.
  public func turned(byDegrees degrees: Double) -> FrameAttitude {
    FrameAttitude(
      angleDegrees: angleDegrees + degrees, deviationPitchDegrees: deviationPitchDegrees,
      deviationRollDegrees: deviationRollDegrees)
  }

  /// The attitude with the digits that its record keeps: whatever is decided by it can be decided
  /// again from the record.
  public var asRecorded: FrameAttitude {
    func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
    return FrameAttitude(
      angleDegrees: rounded(angleDegrees), deviationPitchDegrees: rounded(deviationPitchDegrees),
      deviationRollDegrees: rounded(deviationRollDegrees))
  }

  /// Compares two pictures; nil if their attitudes are opposite, so that every angle would fit.
  public init?(from first: PictureAttitude, to now: PictureAttitude) {
    let (a, b) = (first.quaternion, now.quaternion)
    guard let change = a.inverse.turned(by: b) else { return nil }
    // The vertical in the first picture's axes is the third row of its matrix.
    let up = (
      x: 2 * (a.x * a.z - a.w * a.y), y: 2 * (a.y * a.z + a.w * a.x),
      z: 1 - 2 * (a.x * a.x + a.y * a.y)
    )
    let along = change.x * up.x + change.y * up.y + change.z * up.z
    guard along * along + change.w * change.w > 1e-12 else { return nil }
    let turn = 2 * atan2(along, change.w)
    guard
      let back = Quaternion(w: cos(turn / 2), x: 0, y: 0, z: -sin(turn / 2)),
      let unturned = back.turned(by: b),
      let rest = a.inverse.turned(by: unturned)
    else { return nil }
    // A rotation about the vertical is anti-clockwise as seen from above if it is positive.
    angleDegrees = Geodesic.compassDegrees(-turn * 180 / .pi)
    let parts = RelativeAttitude(rotation: rest)
    deviationPitchDegrees = parts.pitchDegrees
    deviationRollDegrees = parts.yawDegrees
  }
}

/// A moment of a device's sensors.
public struct AttitudeSample: Hashable, Sendable {
  /// The moment by the page's own clock, milliseconds.
  public var milliseconds: Double
  /// The rotation from device axes to any level axes that stay the same through the set.
  public var rotation: Quaternion
  /// The acceleration without gravity, metres per second squared; nil if the device has no such
  /// sensor.
  public var accelerationMetresPerSecondSquared: Double?

  /// Creates a sample.
  public init(
    milliseconds: Double, rotation: Quaternion, accelerationMetresPerSecondSquared: Double?
  ) {
    self.milliseconds = milliseconds
    self.rotation = rotation
    self.accelerationMetresPerSecondSquared = accelerationMetresPerSecondSquared
  }

  /// The sample with the digits that its record keeps, as `FrameAttitude.asRecorded`.
  public var asRecorded: AttitudeSample {
    var sample = self
    sample.accelerationMetresPerSecondSquared = accelerationMetresPerSecondSquared.map {
      ($0 * 1000).rounded() / 1000
    }
    return sample
  }

  /// The farthest that a sample may be from a frame whose attitude it tells, milliseconds.
  public static let reachMilliseconds = 50.0

  /// Returns the sensors' state at the moment of a frame, from the samples before and after it.
  ///
  /// Between two samples the rotation runs along the shortest way (slerp), and the acceleration
  /// evenly. If the two are more than twice the reach apart, the nearer one counts by itself: what
  /// happened between them is unknown.
  /// - Returns: nil if no sample is within the reach of the frame.
  public static func at(
    milliseconds moment: Double, before: AttitudeSample?, after: AttitudeSample?
  ) -> AttitudeSample? {
    guard moment.isFinite else { return nil }
    let near = [before, after].compactMap(\.self)
      .filter { abs($0.milliseconds - moment) <= reachMilliseconds }
      .min { abs($0.milliseconds - moment) < abs($1.milliseconds - moment) }
    guard let near else { return nil }
    guard let before, let after, before.milliseconds <= moment, moment <= after.milliseconds,
      after.milliseconds - before.milliseconds <= 2 * reachMilliseconds,
      after.milliseconds > before.milliseconds
    else { return near }
    let share = (moment - before.milliseconds) / (after.milliseconds - before.milliseconds)
    guard let rotation = before.rotation.towards(after.rotation, share: share) else { return near }
    var acceleration: Double?
    if let one = before.accelerationMetresPerSecondSquared,
      let other = after.accelerationMetresPerSecondSquared
    {
      acceleration = one + (other - one) * share
    }
    return AttitudeSample(
      milliseconds: moment, rotation: rotation,
      accelerationMetresPerSecondSquared: acceleration)
  }
}

extension Quaternion {
  /// Returns the rotation at a share of the shortest way to another one (slerp); nil if a number is
  /// not finite.
  func towards(_ other: Quaternion, share: Double) -> Quaternion? {
    var dot = w * other.w + x * other.x + y * other.y + z * other.z
    // q and −q are the same rotation: the nearer one is taken.
    let sign = dot < 0 ? -1.0 : 1.0
    dot = min(1, abs(dot))
    let angle = acos(dot)
    var (one, two) = (1 - share, share)
    if angle > 1e-6 {
      one = sin((1 - share) * angle) / sin(angle)
      two = sin(share * angle) / sin(angle)
    }
    two *= sign
    return Quaternion(
      w: one * w + two * other.w, x: one * x + two * other.x, y: one * y + two * other.y,
      z: one * z + two * other.z)
  }
}
