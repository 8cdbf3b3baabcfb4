/// The cookies of one request. Of two with one name the first counts: browsers send the one with
/// the longer path first, and this server's cookies have the path `/`.
struct WebCookies: Sendable {
  private let values: [String: String]

  init(headers: WebHeaders) {
    var values: [String: String] = [:]
    for field in headers.all("cookie") {
      for pair in field.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { continue }
        let name = String(parts[0].trimmingPrefix { $0 == " " })
        if values[name] == nil { values[name] = String(parts[1]) }
      }
    }
    self.values = values
  }

  private init() {
    values = [:]
  }

  /// No cookies, for requests whose cookies must not be looked at.
  static let none = WebCookies()

  subscript(_ name: String) -> String? { values[name] }
}

/// The names of this library's cookies. They carry the port: a browser keeps cookies by host alone,
/// and two programs of one machine would sign each other's people out.
struct CookieNames: Sendable {
  let session: String
  let form: String
  let theme: String
  let language: String
  private let port: Int

  init(port: Int) {
    session = "standpoint-session-\(port)"
    form = "standpoint-form-\(port)"
    theme = "standpoint-theme-\(port)"
    language = "standpoint-language-\(port)"
    self.port = port
  }

  /// Returns the name of the cookie for a choice of the person's.
  func choice(_ name: String) -> String { "standpoint-\(name)-\(port)" }
}
