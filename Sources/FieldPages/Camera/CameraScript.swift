import FieldUnit
import Web

/// The camera page: live picture, shutter, and the frame that is handed over unchanged.
enum CameraScript {
  static let asset = Asset(
    file: "/assets/camera.js", [PackageResources.camera_js],
    linking: [AimScript.asset, PoseScript.asset])
}
