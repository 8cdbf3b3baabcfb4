import FieldUnit
import Web

/// The script that follows the motion sensors, for the camera and for the way to a parcel.
enum CompassScript {
  static let asset = Asset(
    file: "/assets/compass.js", [PackageResources.compass_js], linking: [PoseScript.asset])
}
