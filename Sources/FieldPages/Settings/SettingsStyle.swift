import FieldUnit
import Web

/// How the page of settings looks: a row for each, its default beside it, two columns where there is room.
enum SettingsStyle {
  static let asset = Asset(
    file: "/assets/settings.css", [PackageResources.settings_css])
}
