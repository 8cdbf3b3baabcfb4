import FieldUnit
import Web

/// The script of the camera page: live picture, shutter, and sending the frame unchanged.
enum CameraScript {
  static let asset = Asset(
    file: "/assets/camera.js", [PackageResources.camera_js],
    linking: [AimScript.asset, PoseScript.asset, clock, feedback, sender])

  /// Compares the page's clock with the field unit's.
  static let clock = Asset(file: "/assets/camera-clock.js", [PackageResources.clock_js])
  /// Sends a picture over connections that may break.
  static let sender = Asset(
    file: "/assets/camera-sender.js", [PackageResources.sender_js], linking: [clock])
  /// The tones and the vibration.
  static let feedback = Asset(file: "/assets/camera-feedback.js", [PackageResources.feedback_js])
}
