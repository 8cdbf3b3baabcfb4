import FieldUnit
import Web

/// What lists of tasks and photos do with a finger. Without it every button and link is still there.
enum PhotoScript {
  static let asset = Asset(
    file: "/assets/photos.js", [PackageResources.photo_js])
}
