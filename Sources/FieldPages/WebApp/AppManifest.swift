import FieldUnit

/// The web app's manifest: the name and the icons of the field unit when a person installs its
/// pages.
enum AppManifest {
  static let path = "/manifest.webmanifest"

  /// The colours are those of the bar and the ground of the light theme; a browser takes one of
  /// each.
  static let text = """
    {
      "id": "/",
      "name": "Standpoint",
      "short_name": "Standpoint",
      "start_url": "/",
      "scope": "/",
      "display": "standalone",
      "orientation": "any",
      "theme_color": "#0d2733",
      "background_color": "#edf0f2",
      "icons": [
        {"src": "/assets/app-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any"},
        {"src": "/assets/app-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any"},
        {"src": "/assets/app-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        {"src": "/assets/standpoint.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
      ]
    }
    """
}
