import FieldUnit
import Web

/// The style of the camera page: the picture as large as the screen allows, the shutter under the
/// thumb.
enum CameraStyle {
  static let asset = Asset(
    file: "/assets/camera.css", [PackageResources.camera_css])
}
