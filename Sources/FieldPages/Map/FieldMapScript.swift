import FieldUnit
import Web

/// The script of the field unit's map: draws the things on the device, and shows the changes while
/// the inspector walks. The program itself records the track, so the page may be closed at any
/// moment.
enum FieldMapScript {
  static let asset = Asset(
    file: "/assets/field-map.js", [MapGround.script, PackageResources.field_map_js],
    linking: [GuideScript.asset])
}
