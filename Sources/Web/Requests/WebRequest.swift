import HTTPTypes
import NIOCore

/// A request that has passed every check of the library.
public struct WebRequest: Sendable {
  /// The request's identity in the answer (`X-Request-Id`), in a problem and in the log.
  public internal(set) var id = ""
  /// The HTTP method: `GET`, `POST`, `PUT`, `PATCH`, `DELETE` or `OPTIONS`; a handler sees a `HEAD`
  /// request as a `GET`.
  public let method: String
  /// The path as it was sent, percent-encoded, without the query.
  public let path: String
  /// The values of the `{names}` in the route's pattern, decoded.
  public internal(set) var parameters: [String: String] = [:]
  /// The first value of each field of the query, decoded.
  public let query: [String: String]
  /// The header fields.
  public let headers: WebHeaders
  /// The client's address, from the connection or from a trusted proxy in front; nil if the system
  /// does not tell.
  public let remoteAddress: String?
  /// The client's network line, by which limits count.
  public var line: String { NetworkLine.name(of: remoteAddress) }
  /// The fields that proxies add.
  private static let proxyFields = [
    "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via", "x-real-ip",
  ]

  /// True if this server has a proxy in front by its settings: then a connection from this machine tells
  /// nothing, and a name can be anybody's word.
  var hasProxyInFront = false

  /// True if a browser of this machine asks for this machine's own pages: the connection comes from here,
  /// names a loopback address, and shows no sign of a proxy.
  public var isOfThisMachine: Bool {
    guard !hasProxyInFront, Self.proxyFields.allSatisfy({ headers[$0] == nil }),
      let remoteAddress, ListeningRule.isLoopback(remoteAddress), let own = Origin(url: origin)
    else { return false }
    return ListeningRule.isOwnName(own.host)
  }
  /// The identity as which a gate before the pages has let the request in; nil without a gate, and where
  /// it did not ask.
  public var letInAs: String?
  /// The body's length in bytes; nil if it was not told beforehand.
  public let contentLength: Int?
  /// The token that a form of this browser must carry in its hidden field `csrf`; empty on machine
  /// routes.
  public internal(set) var formToken: String = ""
  /// The address of this server as the client knows it, such as `https://office.example`: scheme and
  /// host, the port if it is not the scheme's own, and no slash at the end. Empty if the request
  /// named another server.
  public internal(set) var origin: String = ""
  /// True if a program asks: the path begins with `/api/`, or `Accept` prefers JSON to pages.
  public let prefersJSON: Bool

  let queryForm: WebForm
  var cookies: WebCookies
  let cookieNames: CookieNames
  let source: RequestBodySource
  /// The body of a form that carries a file; nil for other bodies.
  let multipart: MultipartBody?

  /// Returns the header field of that name; several are joined by commas. Nil if there is none.
  public func header(_ name: String) -> String? { headers[name] }

  /// Returns the cookie of that name; nil on machine routes and with `Authorization: Bearer`.
  public func cookie(_ name: String) -> String? { cookies[name] }

  /// Returns what the person chose in this browser under that name (`WebResponse.settingChoice`); nil
  /// if nothing was chosen.
  public func choice(_ name: String) -> String? { cookies[cookieNames.choice(name)] }

  /// The session cookie; nil on machine routes and with `Authorization: Bearer`.
  public var sessionToken: String? {
    cookies[cookieNames.session].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The token of `Authorization: Bearer`; nil if there is none.
  public var bearerToken: String? { Self.bearerToken(headers["authorization"]) }

  static func bearerToken(_ authorization: String?) -> String? {
    guard let authorization else { return nil }
    let parts = authorization.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  /// The hidden field that every form of a page must hold.
  public var formField: HTML { "<input type=\"hidden\" name=\"csrf\" value=\"\(formToken)\">" }

  /// Returns every value of a field of the query that is not blank, trimmed.
  public func queryValues(_ name: String) -> [String] { queryForm.all(name) }

  /// Returns the offered language that the browser asks for most, otherwise the first one offered.
  /// `offered` are BCP 47 tags and not empty.
  public func language(of offered: [String]) -> String {
    var best = (quality: 0.0, language: offered.first ?? "en")
    for item in Self.weighted(headers["accept-language"] ?? "") {
      let primary = item.value.prefix { $0 != "-" }
      let match =
        offered.first { $0.lowercased() == item.value }
        ?? offered.first { $0.lowercased().prefix { $0 != "-" } == primary }
      if let match, item.quality > best.quality { best = (item.quality, match) }
    }
    return best.language
  }

  /// Reads the fields of the body.
  /// - Throws: `WebProblem.tooLarge` for more than `limit` bytes, `.unsupportedMediaType` if it is
  ///   no form, `.malformedRequest` if it cannot be read.
  public func form(limit: Int = 65_536) async throws -> WebForm {
    guard isForm else { throw WebProblem.unsupportedMediaType }
    return try WebForm(urlEncoded: try await bytes(limit: limit))
  }

  /// True if the body is a form that carries a file.
  public var isUpload: Bool { multipart != nil }

  /// Passes the file that a form carries to `body`, piece by piece; the sender waits while `body`
  /// works. The file can be read only once. The form's token is its first field.
  /// - Parameter limit: the most bytes of the whole body.
  /// - Returns: the file's name as the browser says it; nil if no file was chosen.
  /// - Throws: `WebProblem.tooLarge`, `.unsupportedMediaType` if it is no such form,
  ///   `.malformedRequest` if it breaks off or holds a second file; the errors of `body`.
  public func upload(
    limit: Int, isolation: isolated (any Actor)? = #isolation,
    _ body: (_ piece: [UInt8]) throws -> Void
  ) async throws -> String? {
    guard let multipart else { throw WebProblem.unsupportedMediaType }
    if let contentLength, contentLength > limit { throw WebProblem.tooLarge }
    var fileName: String?
    var isInFile = false
    while let event = try await multipart.next(limit: limit) {
      switch event {
      case .part(_, let name):
        isInFile = name.map { !$0.isEmpty } ?? false
        guard !isInFile || fileName == nil else { throw WebProblem.malformedRequest }
        if isInFile { fileName = name }
      case .bytes(let piece):
        if isInFile { try body(piece) }
      case .endOfPart: isInFile = false
      }
    }
    return fileName
  }

  /// The factor by which a file may be larger than its limit and is still read to its end: a browser shows
  /// the answer to a form only behind all that it sends.
  private static let patience = 5

  /// Reads the fields and the file of a form that carries one. It can be read only once.
  /// - Parameters:
  ///   - fieldBytes: the most bytes of all fields together.
  ///   - fileBytes: the most bytes of the file.
  /// - Returns: the fields, and the file; nil if none was chosen.
  /// - Throws: as `upload`, but for a file that is too large.
  public func formWithFile(
    fieldBytes: Int, fileBytes: Int
  ) async throws -> (form: WebForm, file: UploadedFile?) {
    guard let multipart else { throw WebProblem.unsupportedMediaType }
    // The wrapping around each part needs little room in the body.
    let limit = fieldBytes + fileBytes * Self.patience + 65_536
    if let contentLength, contentLength > limit { throw WebProblem.tooLarge }
    var fields: [(name: String, value: String)] = []
    var file: UploadedFile?
    var part: (name: String, isFile: Bool, bytes: [UInt8])?
    var left = fieldBytes
    while let event = try await multipart.next(limit: limit) {
      switch event {
      case .part(let name, let fileName):
        if let fileName, !fileName.isEmpty {
          guard file == nil else { throw WebProblem.malformedRequest }
          file = UploadedFile(name: fileName, bytes: [])
        }
        part = (name, fileName != nil, [])
      case .bytes(let piece) where part?.isFile == true:
        file?.take(piece, limit: fileBytes)
      case .bytes(let piece):
        left -= piece.count
        guard left >= 0 else { throw WebProblem.tooLarge }
        part?.bytes += piece
      case .endOfPart:
        if let part, !part.isFile {
          guard let value = String(validating: part.bytes, as: UTF8.self) else {
            throw WebProblem.malformedRequest
          }
          fields.append((part.name, value))
        }
        part = nil
      }
    }
    return (WebForm(fields: fields), file)
  }

  /// Reads the whole body, which may be asked for more than once.
  /// - Throws: `WebProblem.tooLarge` for more than `limit` bytes, `.malformedRequest` if it breaks
  ///   off.
  public func bytes(limit: Int = 65_536) async throws -> [UInt8] {
    if let contentLength, contentLength > limit { throw WebProblem.tooLarge }
    return try await source.collect(limit: limit)
  }

  /// Passes the request's body to `body`, piece by piece; the sender waits while `body` works. The
  /// request's body can be read only once.
  /// - Throws: `WebProblem.tooLarge` for more than `limit` bytes, `.malformedRequest` if it breaks
  ///   off, and the errors of `body`.
  public func stream(
    limit: Int = .max, isolation: isolated (any Actor)? = #isolation,
    _ body: (_ chunk: [UInt8]) async throws -> Void
  ) async throws {
    try await eachPiece(limit: limit) { try await body(Array($0.readableBytesView)) }
  }

  /// Passes the request's body to `body` piece by piece without a copy, for handlers that do not
  /// keep it. The request's body can be read only once.
  /// - Parameter goOn: called after each piece; the sender waits meanwhile, and an error ends the
  ///   reading.
  /// - Throws: `WebProblem.tooLarge` for more than `limit` bytes, `.malformedRequest` if it breaks
  ///   off, and the errors of `body` and `goOn`.
  public func streamBytes(
    limit: Int = .max, isolation: isolated (any Actor)? = #isolation,
    goOn: () async throws -> Void = {}, _ body: (_ chunk: UnsafeRawBufferPointer) throws -> Void
  ) async throws {
    try await eachPiece(limit: limit) {
      try $0.withUnsafeReadableBytes(body)
      try await goOn()
    }
  }

  /// Reads the rest of the body and throws it away, for 60 s at most, for senders that cannot bear
  /// an answer while they send. A body that broke off, or is longer than `bytesAtMost`, is left.
  public func discardBody(bytesAtMost: Int = 16 << 20) async {
    _ = await source.drain(bytesAtMost: bytesAtMost, secondsAtMost: 60)
  }

  private func eachPiece(
    limit: Int, isolation: isolated (any Actor)? = #isolation,
    _ body: (_ piece: ByteBuffer) async throws -> Void
  ) async throws {
    if let contentLength, contentLength > limit { throw WebProblem.tooLarge }
    if let collected = await source.collected {
      guard collected.count <= limit else { throw WebProblem.tooLarge }
      return try await body(ByteBuffer(bytes: collected))
    }
    var count = 0
    while let piece = try await source.nextBuffer() {
      count += piece.readableBytes
      guard count <= limit else { throw WebProblem.tooLarge }
      try await body(piece)
    }
  }

  /// True if the body says that it is a form, in UTF-8.
  var isForm: Bool {
    guard let type = headers["content-type"]?.lowercased() else { return false }
    let parts = type.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" } }
    guard parts.first == "application/x-www-form-urlencoded" else { return false }
    return parts.dropFirst().allSatisfy { !$0.hasPrefix("charset=") || $0 == "charset=utf-8" }
  }

  /// Returns the items of an `Accept…` field, lower-cased, each with its quality between 0 and 1.
  static func weighted(_ field: String) -> [(value: String, quality: Double)] {
    field.lowercased().split(separator: ",").prefix(50).map { item in
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
      let quality =
        parts.dropFirst().first { $0.hasPrefix("q=") }
        .flatMap { Double($0.dropFirst(2)) } ?? 1
      return (parts.first ?? "", quality.isFinite ? min(max(quality, 0), 1) : 0)
    }
  }

  static func prefersJSON(path: String, accept: String?) -> Bool {
    if path.hasPrefix("/api/") { return true }
    func quality(_ items: [(value: String, quality: Double)], _ types: Set<String>) -> Double {
      items.filter { types.contains($0.value) }.map(\.quality).max() ?? 0
    }
    let items = weighted(accept ?? "")
    let json = quality(items, ["application/json", "application/problem+json"])
    return json > quality(items, ["text/html", "application/xhtml+xml"])
  }
}

/// A file that came with a form.
public struct UploadedFile: Sendable {
  /// The name of the file, as the browser says it.
  public let name: String
  /// The bytes; nil if they are more than the limit.
  public private(set) var bytes: [UInt8]?

  init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

  mutating func take(_ piece: [UInt8], limit: Int) {
    guard let count = bytes?.count else { return }
    if count + piece.count > limit { bytes = nil } else { bytes?.append(contentsOf: piece) }
  }
}
