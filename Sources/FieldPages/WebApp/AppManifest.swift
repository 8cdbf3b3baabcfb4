import FieldUnit

/// The web app's manifest: how the field unit is called and drawn when somebody installs its pages.
enum AppManifest {
  static let path = "/manifest.webmanifest"

  /// The colours are those of the light theme's bar and ground; a browser takes one of each.
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
