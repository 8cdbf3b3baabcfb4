import Web

/// The script of the map. Whenever the view changes, it asks for the contents of the view and draws
/// them; the office does all counting and choosing.
enum MapScript {
  static let asset = Asset(
    file: "/assets/map.js", [MapGround.script, PackageResources.office_map_js])
}

/// The style of the map, in addition to Leaflet's own sheet.
enum MapStyle {
  static let asset = Asset(
    file: "/assets/map.css", [MapGround.style, PackageResources.office_map_css])
}

/// The script with which the outline of a new task is drawn. It hears from the map's script when
/// the map is ready, so a page loads it first.
enum OutlineScript {
  static let asset = Asset(
    file: "/assets/outline.js", [PackageResources.outline_js])
}
