import Office
import Web

/// The script of the map. It asks for what a view shows, whenever the view changes, and draws it; all
/// counting and choosing is the office's.
enum MapScript {
  static let asset = Asset(
    file: "/assets/map.js", [MapGround.script, PackageResources.office_map_js])
}
