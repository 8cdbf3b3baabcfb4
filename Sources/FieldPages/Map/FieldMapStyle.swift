import FieldUnit
import Web

/// The style of the field unit's map, in addition to Leaflet's own sheet: the controls that a thumb
/// needs are at the bottom.
enum FieldMapStyle {
  static let asset = Asset(
    file: "/assets/field-map.css", [MapGround.style, PackageResources.field_map_css])
}
