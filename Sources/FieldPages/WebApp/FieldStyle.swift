import FieldUnit
import Web

/// What the field unit's pages need beside the library's style: lights, counters, the large buttons of
/// Home, and a navigation that fits under one thumb.
enum FieldStyle {
  static let asset = Asset(
    file: "/assets/field.css", [PackageResources.field_css])
}
