import Office
import Web

/// How the map looks, beside Leaflet's own sheet.
enum MapStyle {
  static let asset = Asset(
    file: "/assets/map.css", [MapGround.style, PackageResources.office_map_css])
}
