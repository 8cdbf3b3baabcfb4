import HTTPTypes
import Hummingbird
import NIOCore

/// A request on its way through the checks to its handler, and its answer on the way back.
struct Exchange: Sendable {
  /// The values that all requests of a running server share.
  struct Setting: Sendable {
    let configuration: WebConfiguration
    let table: RouteTable
    let rules: AccessRules
    let formToken: FormToken
    let cookieNames: CookieNames
    let problemPage: @Sendable (Problem, WebRequest) async -> HTML
    let log: @Sendable (String) -> Void
  }

  /// The most bytes of a form that carries its token in a field, since it is read before its
  /// handler is called; a larger form must carry its token in a header.
  static let formBytesAtMost = 1 << 20

  let setting: Setting
  private(set) var request: WebRequest
  /// The HTTP method as it was sent.
  let method: String
  /// The origin of this server as the browser knows it; nil if the request named another.
  private let own: Origin?
  private let target: Result<RouteTable.Match, WebProblem>
  /// The function that answers problems for a program that understands no other answer; nil for the
  /// ordinary answer.
  private let refusal: Routes.Refusal?
  /// The path as logs may show it: an address that may hold a secret is replaced by its pattern.
  let shownPath: String
  /// A cookie that the browser does not have yet, for the forms of the page that is answered; nil
  /// if it needs none.
  private var newFormCookie: String?

  init(_ incoming: Request, remoteAddress: String?, setting: Setting) {
    self.setting = setting
    let headers = WebHeaders(incoming.headers)
    let remoteAddress = Self.asker(
      remoteAddress, headers, proxies: setting.configuration.proxies)
    method = incoming.method.rawValue
    let parts = (incoming.head.path ?? "").split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts.first ?? "")
    let form = try? WebForm(urlEncoded: parts.count == 2 ? parts[1] : "")
    let length = headers["content-length"].flatMap { Int($0) }
    let host = incoming.head.authority
    own = host.flatMap(setting.rules.origin(ofHost:))
    let source = RequestBodySource(
      incoming.body, isEmpty: (length ?? 0) == 0 && headers["transfer-encoding"] == nil)
    request = WebRequest(
      method: method == "HEAD" ? "GET" : method, path: path, query: form?.firstValues ?? [:],
      headers: headers, remoteAddress: remoteAddress, contentLength: length,
      prefersJSON: WebRequest.prefersJSON(path: path, accept: headers["accept"]),
      queryForm: form ?? .empty,
      cookies: own == nil ? .none : WebCookies(headers: headers),
      cookieNames: setting.cookieNames,
      source: source,
      multipart: MultipartReader(contentType: headers["content-type"]).map {
        MultipartBody(source, $0)
      })
    request.origin = own?.description ?? ""
    request.hasProxyInFront = setting.configuration.hasProxyInFront
    let identities = headers.all("x-request-id")
    request.id = RequestIdentity.identity(
      ofSender: identities.count == 1 ? identities[0] : nil)
    let match = setting.table.match(method: method, path: path)
    // Set before the checks below: a refused request, too, is answered in its program's words.
    (refusal, shownPath) = Self.manner(of: match, path, in: setting.table)
    if own == nil {
      target = .failure(.hostNotAllowed)
    } else if form == nil || !headers.all("host").isEmpty {
      // The first Host field is not among these: a second one is an attempt to deceive a proxy.
      target = .failure(.malformedRequest)
    } else {
      target = .success(match)
    }
    // Before the route is known: the page that says that there is no such address has forms, too.
    if own != nil, request.bearerToken == nil { giveFormToken() }
  }

  /// Returns the function that answers problems, nil for the ordinary answer, and the path as logs
  /// may show it.
  private static func manner(
    of match: RouteTable.Match, _ path: String, in table: RouteTable
  ) -> (refusal: Routes.Refusal?, shownPath: String) {
    if case .found(let endpoint, _) = match {
      return (endpoint.refusal, endpoint.refusal == nil ? path : endpoint.pattern)
    }
    let stray = table.stray(path: path)
    return (stray?.refusal, stray?.pattern ?? path)
  }

  /// Returns the client's address. `X-Forwarded-For` counts only from a proxy that the operator has
  /// named, and only its last entry, which that proxy wrote: the client may have written the others.
  private static func asker(
    _ peer: String?, _ headers: WebHeaders, proxies: Set<String>
  ) -> String? {
    guard let peer, proxies.contains(peer),
      let last = headers.all("x-forwarded-for").last?.split(separator: ",").last
    else { return peer }
    let address = last.filter { $0 != " " }
    return (try? SocketAddress(ipAddress: address, port: 0))?.ipAddress ?? peer
  }

  /// The pattern of the route that the path leads to; nil if there is none.
  var route: String? {
    guard case .success(.found(let endpoint, _)) = target else { return nil }
    return endpoint.pattern
  }

  /// Returns true if the sender waits for a word before it sends the body. A request that is
  /// refused by its head alone does not get that word.
  func isWorthItsBody() -> Bool {
    guard request.headers["expect"]?.lowercased() == "100-continue" else { return false }
    return (try? endpoint()) != nil
  }

  /// Returns the handler's answer, or the answer to its error, in the language of the request.
  mutating func answer() async -> WebResponse {
    let texts = request.texts
    var answering = self
    let response = await Texts.$current.withValue(texts) { await answering.answerInWords() }
    self = answering
    return response
  }

  private mutating func answerInWords() async -> WebResponse {
    do {
      let (endpoint, parameters) = try endpoint()
      request.parameters = parameters
      if endpoint.isMachine || request.bearerToken != nil {
        request.cookies = .none
        request.formToken = ""
        newFormCookie = nil
      } else {
        try await checkFormToken()
      }
      return try await endpoint.handler(request)
    } catch {
      return await answer(to: error)
    }
  }

  /// Returns the route, if the head of the request allows it.
  private func endpoint() throws -> (Routes.Endpoint, [String: String]) {
    switch try target.get() {
    case .nothing: throw WebProblem.notFound
    case .malformed: throw WebProblem.malformedRequest
    case .otherMethods(let methods): throw OtherMethods(allowed: methods)
    case .found(let endpoint, let parameters):
      if isChange, let own,
        let complaint = setting.rules.complaint(
          origin: request.headers.all("origin"), referer: request.headers["referer"], own: own,
          mayBeSilent: endpoint.isMachine || request.bearerToken != nil)
      {
        throw complaint
      }
      return (endpoint, parameters)
    }
  }

  private var isChange: Bool { method != "GET" && method != "HEAD" }

  private mutating func giveFormToken() {
    let cookie = request.cookie(setting.cookieNames.form).flatMap {
      FormToken.isCookie($0) ? $0 : nil
    }
    if let cookie {
      request.formToken = setting.formToken.value(forCookie: cookie)
    } else {
      let fresh = Token.make()
      newFormCookie = fresh
      request.formToken = setting.formToken.value(forCookie: fresh)
    }
  }

  private func checkFormToken() async throws {
    guard isChange else { return }
    guard newFormCookie == nil, let cookie = request.cookie(setting.cookieNames.form) else {
      throw WebProblem.formExpired
    }
    let value: String?
    if let header = request.headers["x-form-token"] {
      value = header
    } else if request.isForm {
      value = try await request.form(limit: Self.formBytesAtMost).exact("csrf")
    } else if let multipart = request.multipart {
      // The file after the token is left for the handler.
      value = try await multipart.firstField("csrf")
    } else if await request.source.isFinished {
      value = nil
    } else {
      throw WebProblem.unsupportedMediaType
    }
    guard let value, setting.formToken.isValid(value, forCookie: cookie) else {
      throw WebProblem.formExpired
    }
  }

  /// Returns the answer to an error in the language of the request, also if no handler was called.
  func answer(to error: any Error) async -> WebResponse {
    await Texts.$current.withValue(request.texts) { await answerInWords(to: error) }
  }

  private func answerInWords(to error: any Error) async -> WebResponse {
    var problem: Problem
    switch error {
    case let known as any ProblemConvertible:
      problem = known.problem
    case is CancellationError:
      problem = WebProblem.busy.problem
    default:
      problem = WebProblem.internal.problem
      // The route and not the path: a tile's path says where a person is, a task's path names the
      // task, and logs are passed on. If the exact path is needed, the request's identity leads to
      // it.
      setting.log(
        "\(method) \(route ?? "no route"): \(String(reflecting: error)) (request \(request.id))")
    }
    if let refusal { return refusal(problem, request.path) }
    problem = named(problem)
    let response: WebResponse =
      request.prefersJSON
      ? .problem(problem)
      : await .page(setting.problemPage(problem, request), status: problem.status)
        .asking(toRetryIn: problem.retrySeconds)
    guard let other = error as? OtherMethods else { return response }
    return response.setting(header: "Allow", to: other.allowed.joined(separator: ", "))
  }

  /// Returns the problem with the identity of this request, which leads from the problem to the log.
  func named(_ problem: Problem) -> Problem {
    var problem = problem
    problem.instance = "urn:standpoint:request:\(request.id)"
    return problem
  }

  /// Returns all header fields of the answer: its own, and those that every answer carries.
  func fields(of response: WebResponse) -> [(name: String, value: String)] {
    var fields = response.headers + SecurityHeaders.always
    fields.append(("X-Request-Id", request.id))
    var isPage = false
    if case .page = response.body { isPage = true }
    if !fields.contains(where: { $0.name.lowercased() == "content-security-policy" }) {
      fields.append(
        (
          "Content-Security-Policy",
          isPage ? SecurityHeaders.pagePolicy : SecurityHeaders.contentPolicy
        ))
    }
    let secure = own?.scheme == "https" ? "; Secure" : ""
    if isPage, let newFormCookie {
      fields.append(
        (
          "Set-Cookie",
          "\(setting.cookieNames.form)=\(newFormCookie); Path=/; HttpOnly; SameSite=Strict\(secure)"
        ))
    }
    // Lax, not Strict: a person who follows a link in a message is signed in when the page opens.
    // Changes are guarded by origin and form token.
    let attributes = "; Path=/; HttpOnly; SameSite=Lax\(secure)"
    if let theme = response.theme {
      let age = theme == .system ? 0 : 365 * 86_400
      fields.append(
        (
          "Set-Cookie",
          "\(setting.cookieNames.theme)=\(theme.rawValue); Max-Age=\(age)\(attributes)"
        ))
    }
    if let language = response.language {
      fields.append(
        (
          "Set-Cookie",
          "\(setting.cookieNames.language)=\(language); Max-Age=\(365 * 86_400)\(attributes)"
        ))
    }
    if let choice = response.choice {
      let age = choice.value.isEmpty ? 0 : 365 * 86_400
      fields.append(
        (
          "Set-Cookie",
          "\(setting.cookieNames.choice(choice.name))=\(choice.value); Max-Age=\(age)\(attributes)"
        ))
    }
    switch response.session {
    case .none: break
    case .clear:
      fields.append(("Set-Cookie", "\(setting.cookieNames.session)=; Max-Age=0\(attributes)"))
    case .set(let token, let maxAgeSeconds):
      let age = maxAgeSeconds.map { "; Max-Age=\(max(0, $0))" } ?? ""
      let value = HeaderText.line(token).filter { !" \",;\\".contains($0) }
      fields.append(("Set-Cookie", "\(setting.cookieNames.session)=\(value)\(age)\(attributes)"))
    }
    return fields
  }
}

/// The path exists, but not for the request's method.
private struct OtherMethods: Error, ProblemConvertible {
  let allowed: [String]
  var problem: Problem { WebProblem.methodNotAllowed.problem }
}
