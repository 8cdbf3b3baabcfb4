import FieldUnit
import Web

/// The camera page: the picture as large as the screen lets it, the shutter under the thumb.
enum CameraStyle {
  static let asset = Asset(
    file: "/assets/camera.css", [PackageResources.camera_css])
}
