/// The library that draws maps in a browser, from Debian's packages libjs-leaflet and
/// libjs-leaflet.markercluster. Its files are served from the packages' folder; none is copied.
public enum Leaflet {
  /// The scripts that a page with a map loads before its own.
  public static let scripts = [
    "/assets/leaflet/leaflet.min.js", "/assets/leaflet/leaflet.markercluster.min.js",
  ]
  /// The style sheets that a page with a map loads before its own.
  public static let styles = ["/assets/leaflet/leaflet.css", "/assets/leaflet/MarkerCluster.css"]

  private static let folder = "/usr/share/javascript/leaflet"
  private static let files = [
    "leaflet.min.js": "text/javascript", "leaflet.css": "text/css",
    "leaflet.markercluster.min.js": "text/javascript", "MarkerCluster.css": "text/css",
    "images/layers.png": "image/png", "images/layers-2x.png": "image/png",
  ]

  /// Answers with one of the library's files, for the route `/assets/leaflet/{name...}`: only these
  /// files, by their own names, and no other file of this machine.
  /// - Throws: `WebProblem.notFound` for any other name.
  public static func file(_ request: WebRequest) throws -> WebResponse {
    guard let name = request.parameters["name"], let type = files[name] else {
      throw WebProblem.notFound
    }
    return .file(path: "\(folder)/\(name)", mediaType: type)
      .setting(header: "Cache-Control", to: "public, max-age=86400")
  }
}
