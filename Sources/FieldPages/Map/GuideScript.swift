import FieldUnit
import Web

/// The script that guides an inspector to a parcel: distance, and an arrow that turns with them.
enum GuideScript {
  static let asset = Asset(
    file: "/assets/guide.js", [PackageResources.guide_js],
    linking: [CompassScript.asset, PoseScript.asset])
}
