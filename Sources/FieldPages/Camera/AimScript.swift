import FieldUnit
import Web

/// The script of everything that lies over the live picture, and of the sensors that move it.
enum AimScript {
  static let asset = Asset(
    file: "/assets/camera-aim.js", [PackageResources.aim_js],
    linking: [CompassScript.asset, PoseScript.asset, RepeatScript.asset, RepeatScript.match])
}
