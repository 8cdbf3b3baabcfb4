import FieldUnit
import Web

/// How photos look on the field unit: rows of a list, one large with its numbers, and the whole screen.
enum PhotoStyle {
  static let asset = Asset(
    file: "/assets/photos.css", [PackageResources.photo_css])
}
