import FieldUnit
import Web

/// The script with the mathematics of `DeviceAttitude`, for the values that the page shows while
/// the device is turned. The tests put one table of poses through both.
enum PoseScript {
  static let asset = Asset(
    file: "/assets/camera-pose.js", [PackageResources.pose_js])
}
