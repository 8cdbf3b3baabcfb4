/// What a handler answers. The library adds what every answer carries: the security headers, the
/// cookies, the length.
public struct WebResponse: Sendable {
  enum Body: Sendable {
    case none
    case page(HTML)
    case bytes([UInt8])
    case problem(Problem)
    case file(path: String)
    case events(AsyncStream<HTML>)
  }

  enum SessionChange: Sendable {
    case none
    case set(token: String, maxAgeSeconds: Int?)
    case clear
  }

  /// HTTP's status.
  public internal(set) var status: Int
  var headers: [(name: String, value: String)]
  var body: Body
  var session = SessionChange.none
  var theme: Theme?
  var language: String?
  /// What must be there until the answer is sent.
  var kept: (any AnyObject & Sendable)?

  init(status: Int, headers: [(name: String, value: String)], body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A page for people. It is never kept by a cache: what it shows is somebody's.
  public static func page(_ html: HTML, status: Int = 200) -> WebResponse {
    WebResponse(
      status: status,
      headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
      body: .page(html))
  }

  /// Sends the browser on to another page with `GET` (303 See Other).
  ///
  /// `path` is a path of this server, with or without a query; what leads anywhere else leads to
  /// `/`, so that a `next` field in a link cannot send people to another site.
  public static func redirect(_ path: String) -> WebResponse {
    WebResponse(
      status: 303,
      headers: [("Location", LocalPath.checked(path) ?? "/"), ("Cache-Control", "no-store")],
      body: .none)
  }

  /// JSON for a program.
  public static func json(_ bytes: [UInt8], status: Int = 200) -> WebResponse {
    WebResponse(
      status: status,
      headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(bytes))
  }

  /// Bytes of any type, shown or, as an attachment, offered to be saved.
  public static func bytes(
    _ bytes: [UInt8], mediaType: String, fileName: String? = nil, isAttachment: Bool = false
  ) -> WebResponse {
    WebResponse(
      status: 200,
      headers: contentHeaders(mediaType, fileName, isAttachment)
        + [("Cache-Control", "private, no-cache")],
      body: .bytes(bytes))
  }

  /// A file of this machine, streamed. Where there is none, the answer is `not-found`. With an
  /// `eTag` (any text that changes with the contents, such as their digest) a browser that has it
  /// already is told so instead.
  public static func file(
    path: String, mediaType: String, fileName: String? = nil, isAttachment: Bool = false,
    eTag: String? = nil
  ) -> WebResponse {
    var headers = contentHeaders(mediaType, fileName, isAttachment)
    if let eTag {
      headers += [
        ("ETag", "\"\(HeaderText.token(eTag))\""), ("Cache-Control", "private, no-cache"),
      ]
    } else {
      // Without a word about it a browser may keep it as long as it likes, and show it to whoever comes next.
      headers += [("Cache-Control", "private, no-cache")]
    }
    return WebResponse(status: 200, headers: headers, body: .file(path: path))
  }

  /// Programs are asked to come back so much later when this one cannot.
  static let retrySeconds = 30

  /// A problem for a program, whatever the request prefers. To let the request decide, throw it.
  public static func problem(_ problem: Problem) -> WebResponse {
    var headers = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
    if let seconds = problem.retrySeconds ?? (problem.status == 503 ? retrySeconds : nil) {
      headers.append(("Retry-After", "\(seconds)"))
    }
    return WebResponse(status: problem.status, headers: headers, body: .problem(problem))
  }

  /// Server-sent events, each a piece of a page that replaces the one before. A browser that is
  /// slower than the stream gets the latest piece and not every one. An empty piece replaces nothing: it
  /// says that the stream is alive, and from the first one on pages expect to hear something every second.
  /// It ends with the stream, with the browser, or with the server.
  public static func events(_ events: AsyncStream<HTML>) -> WebResponse {
    WebResponse(
      status: 200,
      headers: [
        ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store"),
        ("X-Accel-Buffering", "no"),
      ], body: .events(events))
  }

  /// No body at all.
  public static func empty(_ status: Int = 204) -> WebResponse {
    WebResponse(status: status, headers: [("Cache-Control", "no-store")], body: .none)
  }

  /// The same answer with a session cookie. Without `maxAgeSeconds` it ends with the browser.
  public func settingSession(token: String, maxAgeSeconds: Int?) -> WebResponse {
    var changed = self
    changed.session = .set(token: token, maxAgeSeconds: maxAgeSeconds)
    return changed
  }

  /// The same answer, which also takes the session cookie away.
  public func clearingSession() -> WebResponse {
    var changed = self
    changed.session = .clear
    return changed
  }

  /// The same answer, which also has the browser keep a choice of theme for a year.
  func settingTheme(_ theme: Theme) -> WebResponse {
    var changed = self
    changed.theme = theme
    return changed
  }

  /// The same answer, which also has the browser keep a choice of language for a year.
  func settingLanguage(_ tag: String) -> WebResponse {
    var changed = self
    changed.language = tag
    return changed
  }

  /// The same answer with one header field set, in the place of any of that name.
  public func setting(header name: String, to value: String) -> WebResponse {
    var changed = self
    changed.headers.removeAll { $0.name.lowercased() == name.lowercased() }
    changed.headers.append((name, HeaderText.line(value)))
    return changed
  }

  /// The same answer, which asks to come back so many seconds later (Retry-After); as it is for nil.
  public func asking(toRetryIn seconds: Int?) -> WebResponse {
    seconds.map { setting(header: "Retry-After", to: "\($0)") } ?? self
  }

  /// The same answer with another status.
  public func with(status: Int) -> WebResponse {
    var changed = self
    changed.status = status
    return changed
  }

  private static func contentHeaders(_ mediaType: String, _ fileName: String?, _ isAttachment: Bool)
    -> [(name: String, value: String)]
  {
    var headers = [(name: "Content-Type", value: HeaderText.line(mediaType))]
    let kind = isAttachment ? "attachment" : "inline"
    if let fileName {
      headers.append(("Content-Disposition", HeaderText.disposition(kind, fileName: fileName)))
    } else if isAttachment {
      headers.append(("Content-Disposition", kind))
    }
    return headers
  }
}
