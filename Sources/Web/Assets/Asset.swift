import Crypto

/// A file that the library itself serves, from a literal in the program: the executable alone is
/// installed, and no file can be of another version.
public struct Asset: Sendable {
  /// The path at which the file is served.
  public let path: String
  let mediaType: String
  let bytes: [UInt8]
  /// A text that changes with the contents: 16 hexadecimal digits of their SHA-256.
  let version: String

  /// Creates a file from a text of the program.
  /// - Parameters:
  ///   - path: the path at which the file is served, with a slash at its beginning.
  ///   - mediaType: the media type as HTTP says it.
  public init(path: String, mediaType: String, text: String) {
    self.path = path
    self.mediaType = mediaType
    bytes = Array(text.utf8)
    version = String(Token.digest(text).prefix(16))
  }

  /// Creates a script or a style sheet from files that were embedded when the program was built.
  /// - Parameters:
  ///   - path: the path at which the file is served; its ending tells the media type.
  ///   - parts: the files' bytes, one after the other.
  ///   - links: other scripts that it imports by their paths, each of which gets its version.
  public init(file path: String, _ parts: [[UInt8]], linking links: [Asset] = []) {
    var text = String(decoding: parts.joined(), as: UTF8.self)
    for link in links {
      assert(text.contains("\"\(link.path)\""), "\(path) does not import \(link.path)")
      text = text.replacing("\"\(link.path)\"", with: "\"\(link.href)\"")
    }
    self.init(
      path: path,
      mediaType: path.hasSuffix(".css")
        ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8", text: text)
  }

  /// The address that a page links to. It names the contents, so that a browser may keep the file
  /// for a year without asking again.
  public var href: String { "\(path)?v=\(version)" }

  /// The style sheet of every page.
  public static let styleSheet = Asset(
    file: "/assets/standpoint.css",
    [Array((StyleSheet.colours + "\n").utf8), PackageResources.standpoint_css])
  /// Live parts, confirmations, keys, files that are made, and local times, for every page; an ES
  /// module.
  public static let liveScript = Asset(
    file: "/assets/live.js",
    [
      PackageResources.live_js, PackageResources.take_away_js, PackageResources.local_moment_js,
      PackageResources.local_time_js,
    ])
  /// The icon of the program.
  public static let icon = Asset(
    path: "/assets/standpoint.svg", mediaType: "image/svg+xml", text: Icon.text)

  static let all = [styleSheet, liveScript, icon]

  /// Returns the answer to a request for the file.
  public func response(to request: WebRequest) -> WebResponse {
    let eTag = "\"\(version)\""
    let caching =
      request.query["v"] == version
      ? "public, max-age=31536000, immutable" : "public, no-cache"
    let isKnown = request.headers["if-none-match"]?.contains(eTag) == true
    let response =
      isKnown ? WebResponse.empty(304) : WebResponse.bytes(bytes, mediaType: mediaType)
    return response.setting(header: "Cache-Control", to: caching).setting(header: "ETag", to: eTag)
  }
}
