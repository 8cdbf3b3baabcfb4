/// The answer of a handler. The library adds the parts that every answer carries: the security
/// headers, the cookies, the length.
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

  /// The HTTP status.
  public internal(set) var status: Int
  var headers: [(name: String, value: String)]
  var body: Body
  var session = SessionChange.none
  var theme: Theme?
  var language: String?
  var choice: (name: String, value: String)?
  /// An object that must live until the answer is sent, such as a temporary file; nil if there is none.
  var kept: (any AnyObject & Sendable)?

  init(status: Int, headers: [(name: String, value: String)], body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Answers with a page for people. No cache keeps it: a page shows the data of one person.
  public static func page(_ html: HTML, status: Int = 200) -> WebResponse {
    WebResponse(
      status: status,
      headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
      body: .page(html))
  }

  /// Sends the browser on to another page with `GET` (303 See Other).
  ///
  /// `path` is a path of this server, with or without a query. Any other target becomes `/`, so
  /// that a `next` field in a link cannot send people to another site.
  public static func redirect(_ path: String) -> WebResponse {
    WebResponse(
      status: 303,
      headers: [("Location", LocalPath.checked(path) ?? "/"), ("Cache-Control", "no-store")],
      body: .none)
  }

  /// Answers with JSON for a program.
  public static func json(_ bytes: [UInt8], status: Int = 200) -> WebResponse {
    WebResponse(
      status: status,
      headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(bytes))
  }

  /// Answers with bytes of any type, shown or, as an attachment, offered to be saved.
  public static func bytes(
    _ bytes: [UInt8], mediaType: String, fileName: String? = nil, isAttachment: Bool = false,
    status: Int = 200
  ) -> WebResponse {
    WebResponse(
      status: status,
      headers: contentHeaders(mediaType, fileName, isAttachment)
        + [("Cache-Control", "private, no-cache")],
      body: .bytes(bytes))
  }

  /// Answers with a file of this machine, streamed. If the file does not exist, the answer is
  /// `not-found`. With an `eTag` (any text that changes with the contents, such as their digest), a
  /// browser that already has the file is told so instead (304).
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
      // Without this field a browser may keep the file as long as it likes, and show it to its next user.
      headers += [("Cache-Control", "private, no-cache")]
    }
    return WebResponse(status: 200, headers: headers, body: .file(path: path))
  }

  /// The seconds after which programs are asked to come back if the server is too busy (503).
  static let retrySeconds = 30

  /// Answers with a problem for a program, whatever the request prefers. A thrown problem, in
  /// contrast, follows the preference of the request.
  public static func problem(_ problem: Problem) -> WebResponse {
    var headers = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
    if let seconds = problem.retrySeconds ?? (problem.status == 503 ? retrySeconds : nil) {
      headers.append(("Retry-After", "\(seconds)"))
    }
    return WebResponse(status: problem.status, headers: headers, body: .problem(problem))
  }

  /// Answers with server-sent events, each a piece of a page that replaces the piece before. A
  /// browser that is slower than the stream gets the latest piece and not every one. An empty piece
  /// replaces nothing: it says that the stream is alive, and after the first one pages expect to
  /// hear something every second. The answer ends with the stream, the browser or the server.
  public static func events(_ events: AsyncStream<HTML>) -> WebResponse {
    WebResponse(
      status: 200,
      headers: [
        ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store"),
        ("X-Accel-Buffering", "no"),
      ], body: .events(events))
  }

  /// Returns the answer; if it is a stream of events, it ends as soon as `isOver` is true.
  /// - Parameters:
  ///   - last: the event that is sent then.
  ///   - isOver: asked before each event.
  public func ending(
    with last: HTML, when isOver: @escaping @Sendable () async -> Bool
  ) -> WebResponse {
    guard case .events(let events) = body else { return self }
    var changed = self
    let (pieces, feed) = AsyncStream.makeStream(of: HTML.self)
    let task = Task {
      for await event in events {
        if await isOver() {
          feed.yield(last)
          break
        }
        feed.yield(event)
      }
      feed.finish()
    }
    feed.onTermination = { _ in task.cancel() }
    changed.body = .events(pieces)
    return changed
  }

  /// Answers without a body.
  public static func empty(_ status: Int = 204) -> WebResponse {
    WebResponse(status: status, headers: [("Cache-Control", "no-store")], body: .none)
  }

  /// Returns the answer with a session cookie. Without `maxAgeSeconds` the cookie ends with the browser.
  public func settingSession(token: String, maxAgeSeconds: Int?) -> WebResponse {
    var changed = self
    changed.session = .set(token: token, maxAgeSeconds: maxAgeSeconds)
    return changed
  }

  /// Returns the answer, which also removes the session cookie.
  public func clearingSession() -> WebResponse {
    var changed = self
    changed.session = .clear
    return changed
  }

  /// Returns the answer, which also makes the browser keep the chosen theme for a year, or forget its
  /// choice for `system`.
  func settingTheme(_ theme: Theme) -> WebResponse {
    var changed = self
    changed.theme = theme
    return changed
  }

  /// Returns the answer, which also makes the browser keep a choice of its person for a year, such as
  /// the columns of a list; `WebRequest.choice(_:)` reads it.
  /// - Parameters:
  ///   - name: the name of the choice: small letters.
  ///   - value: letters, digits, dots and hyphens; other characters are left out. An empty value makes
  ///     the browser forget the choice.
  public func settingChoice(_ name: String, to value: String) -> WebResponse {
    var changed = self
    changed.choice = (
      name, value.filter { $0.isASCII && ($0.isLetter || $0.isNumber || ".-".contains($0)) }
    )
    return changed
  }

  /// Returns the answer, which also makes the browser keep the chosen language for a year.
  func settingLanguage(_ tag: String) -> WebResponse {
    var changed = self
    changed.language = tag
    return changed
  }

  /// Returns the answer with one header field set; it replaces all fields of that name.
  public func setting(header name: String, to value: String) -> WebResponse {
    var changed = self
    changed.headers.removeAll { $0.name.lowercased() == name.lowercased() }
    changed.headers.append((name, HeaderText.line(value)))
    return changed
  }

  /// Returns the page, whose script may also ask other origins.
  /// - Parameter origins: each a scheme, a host and a port.
  public func connecting(to origins: [String]) -> WebResponse {
    setting(
      header: "Content-Security-Policy",
      to: SecurityHeaders.pagePolicy(
        connectingTo: (["'self'"] + origins).joined(separator: " ")))
  }

  /// Returns the answer, which asks the client to come back after `seconds` (Retry-After);
  /// unchanged if `seconds` is nil.
  public func asking(toRetryIn seconds: Int?) -> WebResponse {
    seconds.map { setting(header: "Retry-After", to: "\($0)") } ?? self
  }

  /// Returns the answer with another status.
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
