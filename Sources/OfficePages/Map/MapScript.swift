import Office
import Web

/// The script of the map. Whenever the view changes, it asks for the contents of the view and draws
/// them; the office does all counting and choosing.
enum MapScript {
  static let asset = Asset(
    file: "/assets/map.js", [MapGround.script, PackageResources.office_map_js])
}
