import FieldUnit
import Web

/// The script for swipes and pulls on the pages of tasks and photos. Without it every button and
/// link still works.
enum PhotoScript {
  static let asset = Asset(
    file: "/assets/photos.js", [PackageResources.photo_js])
}
