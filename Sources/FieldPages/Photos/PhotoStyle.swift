import FieldUnit
import Web

/// The style of photos on the field unit: the rows of a list, one large photo with its numbers, and
/// the whole screen.
enum PhotoStyle {
  static let asset = Asset(
    file: "/assets/photos.css", [PackageResources.photo_css])
}
