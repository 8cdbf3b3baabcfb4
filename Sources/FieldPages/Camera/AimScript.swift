import FieldUnit
import Web

/// What lies over the live picture, and the sensors that it follows.
enum AimScript {
  static let asset = Asset(
    file: "/assets/camera-aim.js", [PackageResources.aim_js], linking: [PoseScript.asset])
}
