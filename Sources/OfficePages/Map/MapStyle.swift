import Office
import Web

/// The style of the map, in addition to Leaflet's own sheet.
enum MapStyle {
  static let asset = Asset(
    file: "/assets/map.css", [MapGround.style, PackageResources.office_map_css])
}
