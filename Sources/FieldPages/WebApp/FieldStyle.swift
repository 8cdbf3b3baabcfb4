import FieldUnit
import Web

/// The style of the field unit's pages, in addition to the library's style: lights, counters, the
/// large buttons of Home, and a navigation that fits under one thumb.
enum FieldStyle {
  static let asset = Asset(
    file: "/assets/field.css", [PackageResources.field_css])
}
