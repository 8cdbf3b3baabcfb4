import FieldUnit
import Web

/// The mathematics of `DeviceAttitude` once more, for what the page shows while the device is turned. A table
/// of poses goes through both in the tests.
enum PoseScript {
  static let asset = Asset(
    file: "/assets/camera-pose.js", [PackageResources.pose_js])
}
