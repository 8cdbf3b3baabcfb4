import FieldUnit
import Web

/// The style of the settings page: a row for each setting with its default next to it, in two
/// columns if there is room.
enum SettingsStyle {
  static let asset = Asset(
    file: "/assets/settings.css", [PackageResources.settings_css])
}
