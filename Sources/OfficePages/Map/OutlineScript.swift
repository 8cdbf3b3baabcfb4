import Office
import Web

/// The script with which the outline of a new task is drawn. It hears from the map's script when
/// the map is ready, so a page loads it first.
enum OutlineScript {
  static let asset = Asset(
    file: "/assets/outline.js", [PackageResources.outline_js])
}
