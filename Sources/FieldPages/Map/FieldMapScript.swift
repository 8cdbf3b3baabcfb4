import FieldUnit
import Web

/// The script of the field unit's map: draws what the device has, and shows what changes while somebody walks.
/// The recording itself is the program's; this page may be closed at any moment.
enum FieldMapScript {
  static let asset = Asset(
    file: "/assets/field-map.js", [MapGround.script, PackageResources.field_map_js])
}
