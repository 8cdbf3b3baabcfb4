import Crypto

/// A file that the library itself serves, from a literal in the program: there is nothing to install
/// beside the executable, and nothing that could be of another version.
public struct Asset: Sendable {
  /// Where it is served.
  public let path: String
  let mediaType: String
  let bytes: [UInt8]
  /// Changes with the contents.
  let version: String

  /// A file from a text of the program.
  /// - Parameters:
  ///   - path: where it is served, with a slash at its beginning.
  ///   - mediaType: what it is, as HTTP says it.
  public init(path: String, mediaType: String, text: String) {
    self.path = path
    self.mediaType = mediaType
    bytes = Array(text.utf8)
    version = String(Token.digest(text).prefix(16))
  }

  /// A script or a style sheet from files that were embedded when the program was built.
  /// - Parameters:
  ///   - path: where it is served; its ending tells the media type.
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

  /// What a page links to. It names the contents, so that a browser may keep them for ever.
  public var href: String { "\(path)?v=\(version)" }

  /// The style of every page.
  public static let styleSheet = Asset(
    file: "/assets/standpoint.css",
    [Array((StyleSheet.colours + "\n").utf8), PackageResources.standpoint_css])
  /// Live parts, confirmations, keys, and files that are made, for every page; an ES module.
  public static let liveScript = Asset(
    file: "/assets/live.js", [PackageResources.live_js, PackageResources.take_away_js])
  /// The sign of the program.
  public static let icon = Asset(
    path: "/assets/standpoint.svg", mediaType: "image/svg+xml", text: Icon.text)

  static let all = [styleSheet, liveScript, icon]

  /// The answer to whoever asks for it.
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
