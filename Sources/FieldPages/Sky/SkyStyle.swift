import FieldUnit
import Web

extension Asset {
  /// The style of the sky's page. Fill, stroke and ring show the state of a satellite, and not a
  /// colour alone.
  static let skyStyle = Asset(
    file: "/assets/sky.css", [PackageResources.sky_css])
}
