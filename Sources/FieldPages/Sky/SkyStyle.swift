import FieldUnit
import Web

extension Asset {
  /// The style of the sky's page. What a satellite's state is shows in fill, stroke and ring, and not in a
  /// colour alone.
  static let skyStyle = Asset(
    file: "/assets/sky.css", [PackageResources.sky_css])
}
