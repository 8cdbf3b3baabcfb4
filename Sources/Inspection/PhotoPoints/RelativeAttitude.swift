import Foundation

// The problem: an inspector has to hold the camera as it was held years ago, so a page has to say
// by how much it is turned away, and about which axis.
//
// The obvious idea: subtract azimuth from azimuth, elevation from elevation, roll from roll. Near
// the vertical, a turn of one degree changes azimuth and roll by any amount, and the differences
// say nothing about how the pictures differ.
//
// The solution: one rotation leads from the earlier attitude to the present one. Its angle says how
// far the two are apart, and its three parts are taken in the order in which a photographer
// corrects them: to the side, up or down, about the lens.

/// The rotation from the attitude of an earlier picture to the present one, in the picture's axes:
/// x to the right, y up, z towards the photographer.
public struct RelativeAttitude: Hashable, Sendable {
  /// The rotation. It turns what is seen in the present picture's axes into the earlier one's.
  public let quaternion: Quaternion

  /// Creates a relative attitude from its rotation.
  init(rotation: Quaternion) { quaternion = rotation }

  /// Creates the rotation between two pictures.
  public init?(from reference: PictureAttitude, to now: PictureAttitude) {
    guard let quaternion = reference.quaternion.inverse.turned(by: now.quaternion) else {
      return nil
    }
    self.quaternion = quaternion
  }

  /// The whole angle between the two, 0…180 degrees.
  ///
  /// This is twice the arc cosine of w, computed by the arc tangent: near w = 1 the arc cosine
  /// loses half of the digits.
  public var angleDegrees: Double {
    let q = quaternion
    return degrees(2 * atan2((q.x * q.x + q.y * q.y + q.z * q.z).squareRoot(), q.w))
  }

  /// The part about the upright axis, degrees, −180…180; above 0 if the camera is turned to the
  /// left of the earlier picture.
  public var rollDegrees: Double {
    let q = quaternion
    return degrees(
      atan2(-2 * q.x * q.z + 2 * q.w * q.y, q.z * q.z - q.y * q.y - q.x * q.x + q.w * q.w))
  }

  /// The part about the axis to the right, degrees, −90…90; above 0 if the lens is lifted.
  public var pitchDegrees: Double {
    let q = quaternion
    return degrees(asin(min(1, max(-1, 2 * q.y * q.z + 2 * q.w * q.x))))
  }

  /// The part about the lens, degrees, −180…180; above 0 if the camera is turned anti-clockwise.
  public var yawDegrees: Double {
    let q = quaternion
    return degrees(
      atan2(-2 * q.x * q.y + 2 * q.w * q.z, q.y * q.y - q.z * q.z + q.w * q.w - q.x * q.x))
  }

  /// The direction to the middle of the earlier picture, in the present picture's axes; of length 1.
  var referenceDirection: (x: Double, y: Double, z: Double) {
    let q = quaternion
    return (
      2 * (q.w * q.y - q.x * q.z), -2 * (q.y * q.z + q.w * q.x),
      2 * (q.x * q.x + q.y * q.y) - 1
    )
  }

  private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}

/// The attitude of a picture: device axes turned by the screen's angle, to east, north and up.
public struct PictureAttitude: Hashable, Sendable {
  /// The rotation from the picture's axes to true east, true north and up.
  public let quaternion: Quaternion

  /// Creates the attitude of a picture from that of the device.
  /// - Parameters:
  ///   - device: The rotation from device axes.
  ///   - screenDegrees: The turn of the picture against the device: 0, 90, 180 or 270 degrees.
  public init?(device: Quaternion, screenDegrees: Int) {
    guard let quaternion = device.turned(aboutZDegrees: -Double(screenDegrees)) else { return nil }
    self.quaternion = quaternion
  }

  /// Creates the attitude of a picture whose orientation is wholly known; nil for any other.
  public init?(_ orientation: Orientation) {
    guard let device = orientation.quaternion else { return nil }
    self.init(device: device, screenDegrees: orientation.screenDegrees)
  }
}
