import FieldUnit
import Web

/// How the field unit's map looks, beside Leaflet's own sheet: what a thumb needs lies below.
enum FieldMapStyle {
  static let asset = Asset(
    file: "/assets/field-map.css", [MapGround.style, PackageResources.field_map_css])
}
