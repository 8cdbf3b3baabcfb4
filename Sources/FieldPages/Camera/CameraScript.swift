import FieldUnit
import Web

/// The script of the camera page: live picture, shutter, and sending the frame unchanged.
enum CameraScript {
  static let asset = Asset(
    file: "/assets/camera.js", [PackageResources.camera_js],
    linking: [AimScript.asset, PoseScript.asset])
}
