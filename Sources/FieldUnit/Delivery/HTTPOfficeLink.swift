import AsyncHTTPClient
import Evidence
import Foundation
import Inspection
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Positioning
import Sync
import Synchronization

/// The way to the office over HTTP.
public final class HTTPOfficeLink: OfficeLink {
  /// The office's address, without a slash at its end.
  public let address: String
  private let client: HTTPClient
  private let pace = Mutex(ChunkPace())
  /// Memory of chunks that have been sent, for the next ones.
  private let buffers = Mutex<[ByteBuffer]>([])

  /// Messages that the office answers with are small.
  private static let maximumAnswerBytes = 64 * 1024 * 1024

  /// A way to the office at an address.
  /// - Parameter trusting: PEM of the certificates under which the office's TLS certificate must be, its
  ///   own where it has signed itself; nil for the system's trust store.
  /// - Throws: `DeliveryError.malformedAddress`; plain HTTP is taken for this machine alone, because
  ///   a password would travel in the clear. `DeliveryError.unusablePin`.
  public init(address: String, trusting pem: String? = nil) throws(DeliveryError) {
    self.address = try Self.normalised(address)
    var configuration = HTTPClient.Configuration()
    if let pem {
      var tls = TLSConfiguration.makeClientConfiguration()
      do {
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
      } catch {
        throw .unusablePin(reason: "it holds no PEM certificate")
      }
      configuration.tlsConfiguration = tls
    }
    configuration.timeout = HTTPClient.Configuration.Timeout(
      connect: .seconds(10), read: .seconds(60))
    // An office answers itself; whoever sends us elsewhere is not it.
    configuration.redirectConfiguration = .disallow
    // Whoever waits for an answer is told at once; trying again is the outbox's business.
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  deinit {
    // Its client must be shut down, whoever forgets to close.
    let client = client
    Task.detached { try? await client.shutdown() }
  }

  /// Closes its connections; nothing can be sent afterwards.
  public func close() async {
    try? await client.shutdown()
  }

  /// An address as everything here writes it.
  static func normalised(_ text: String) throws(DeliveryError) -> String {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    guard let url = URLComponents(string: trimmed), let host = url.host, !host.isEmpty,
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme)
    else {
      throw .malformedAddress(
        text, reason: "it looks like https://office.example or https://host:8480")
    }
    guard url.user == nil, url.query == nil, url.fragment == nil,
      ["", "/"].contains(url.path), url.port.map((1...65_535).contains) ?? true
    else { throw .malformedAddress(text, reason: "give scheme, host and port alone") }
    let isHere = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    guard scheme == "https" || isHere else {
      throw .malformedAddress(
        text, reason: "http would carry the password in the clear; use https")
    }
    return "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
  }

  // MARK: the conversation

  /// What the office says of itself.
  public func office() async throws -> OfficeMessage {
    let message = try await answer(OfficeMessage.self, .GET, "/api/v1/office", token: nil)
    guard message.protocolVersion >= OfficeMessage.version else {
      throw DeliveryError.olderOffice(address: address, software: message.software)
    }
    return message
  }

  /// Signs in.
  public func signIn(_ request: SignInRequest) async throws -> SignInAnswer {
    try await answer(
      SignInAnswer.self, .POST, "/api/v1/sign-in", token: nil, message: try WireJSON.bytes(request))
  }

  /// Ends the session.
  public func signOut(token: String) async throws {
    _ = try await exchange(.POST, "/api/v1/sign-out", token: token)
  }

  /// What is to be signed to renew a session.
  public func challenge() async throws -> ChallengeMessage {
    try await answer(ChallengeMessage.self, .POST, "/api/v1/challenges", token: nil)
  }

  /// Renews a session with the device's key.
  public func renew(_ request: RenewalMessage) async throws -> SignInAnswer {
    try await answer(
      SignInAnswer.self, .POST, "/api/v1/sessions", token: nil, message: try WireJSON.bytes(request)
    )
  }

  /// The inspector's tasks that changed since a cursor.
  public func tasks(since cursor: String?, token: String) async throws -> TaskListMessage {
    let query = cursor.flatMap {
      $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    }
    return try await answer(
      TaskListMessage.self, .GET, "/api/v1/tasks" + (query.map { "?since=\($0)" } ?? ""),
      token: token)
  }

  /// "Did you get it?"
  public func held(_ question: HeldQuestion, token: String) async throws -> HeldAnswer {
    try await answer(
      HeldAnswer.self, .POST, "/api/v1/held", token: token, message: try WireJSON.bytes(question))
  }

  /// Sends.
  public func send(
    batch id: Identifier, _ message: [UInt8], token: String
  ) async throws -> BatchAnswer {
    try await answer(
      BatchAnswer.self, .PUT, "/api/v1/batches/\(id)", token: token, message: message)
  }

  private static let chunkType = "application/offset+octet-stream"

  /// Sends a file by tus 1.0.
  public func send(
    file path: String, digest: String, bytes: Int, from start: Int, token: String,
    progress: @Sendable (_ bytes: Int) -> Void
  ) async throws -> Int {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw DeliveryError.fileGone(path: path)
    }
    defer { try? handle.close() }
    var sent = 0
    var buffer = buffers.withLock { $0.popLast() } ?? ByteBuffer()
    defer { buffers.withLock { if $0.count < 4 { $0.append(buffer) } } }
    // One chunk after the other: a photo is never in memory as a whole.
    func chunk(
      at offset: Int, _ method: HTTPMethod, _ target: String, _ headers: [(String, String)]
    ) async throws -> Int {
      let count = min(pace.withLock { $0.chunkBytes }, bytes - offset)
      // Read to where it is sent from, without a copy between.
      buffer.clear(minimumCapacity: count)
      let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
        var read = 0
        while read < count {
          let more = pread(
            handle.fileDescriptor, space.baseAddress?.advanced(by: read), count - read,
            off_t(offset + read))
          if more < 0, errno == EINTR { continue }
          guard more > 0 else { break }
          read += more
        }
        return read
      }
      guard read == count else { throw DeliveryError.fileGone(path: path) }
      // What the network needs is its own time, under whatever clock a replay runs.
      let began = ContinuousClock.now
      let answer: Answer
      // Of a file that goes as a whole the digest is known: it was sealed.
      let sealed = count == bytes ? Digest.base64(ofHexadecimal: digest) : nil
      let checksum = sealed ?? Digest.base64(buffer.readableBytesView)
      do {
        answer = try await exchange(
          method, target, token: token, body: .bytes(buffer), mediaType: Self.chunkType,
          headers: headers + [("Upload-Checksum", "sha256 \(checksum)")])
      } catch {
        pace.withLock { $0.failed() }
        // The network may have changed it, or this device's disk: that is no reason to send it for ever.
        if sealed != nil, Digest.base64(buffer.readableBytesView) != checksum {
          throw DeliveryError.refused(
            code: "file-mismatch",
            detail: "\(path) is damaged: its bytes are not those that were sealed")
        }
        throw error
      }
      let seconds = (ContinuousClock.now - began) / .seconds(1)
      pace.withLock { $0.sent(bytes: count, seconds: seconds) }
      sent += count
      return try kept(by: answer)
    }
    func kept(by answer: Answer) throws -> Int {
      guard let offset = answer.headers.first(name: "Upload-Offset").flatMap(Int.init(_:)),
        (0...bytes).contains(offset)
      else {
        throw DeliveryError.notAnOffice(address: address, reason: "it does not say how much it has")
      }
      return offset
    }
    let tus = [("Tus-Resumable", "1.0.0")]
    let name = Data(digest.utf8).base64EncodedString()
    let creation =
      tus + [("Upload-Length", String(bytes)), ("Upload-Metadata", "digest \(name)")]
    let uploads = "/api/v1/uploads"
    // Each request brings bytes: one that only asks could be the one whose answer is always lost.
    var offset = start > 0 ? start : try await chunk(at: 0, .POST, uploads, creation)
    progress(offset)
    while offset < bytes {
      let next = try await chunk(
        at: offset, .PATCH, "\(uploads)/\(digest)", tus + [("Upload-Offset", String(offset))])
      guard next > offset else {
        throw DeliveryError.notAnOffice(address: address, reason: "it keeps nothing of a file")
      }
      offset = next
      progress(offset)
    }
    return sent
  }

  // MARK: HTTP

  private func answer<Message: Decodable>(
    _ type: Message.Type, _ method: HTTPMethod, _ path: String, token: String?,
    message: [UInt8]? = nil
  ) async throws -> Message {
    let answer = try await exchange(
      method, path, token: token, body: message.map { .bytes(ByteBuffer(bytes: $0)) },
      mediaType: message == nil ? nil : "application/json", digested: message)
    do {
      return try WireJSON.message(type, answer.bytes)
    } catch {
      throw DeliveryError.notAnOffice(address: address, reason: "\(error)")
    }
  }

  package struct Answer {
    package var headers: HTTPHeaders
    package var bytes: [UInt8]
    /// Whether it is what the asker said to have (If-None-Match).
    package var isUnchanged = false
  }

  /// - Parameter accepted: the media type of an answer that is no problem.
  func exchange(
    _ method: HTTPMethod, _ path: String, token: String?, body: HTTPClientRequest.Body? = nil,
    mediaType: String? = nil, headers: [(String, String)] = [], digested: [UInt8]? = nil,
    accepted: String = "application/json"
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: address + path)
    request.method = method
    request.headers.add(name: "Accept", value: accepted)
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    if let mediaType { request.headers.add(name: "Content-Type", value: mediaType) }
    if let digested {
      // RFC 9530: what was changed on its way is refused.
      request.headers.add(name: "Content-Digest", value: "sha-256=:\(Digest.base64(digested)):")
    }
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    request.body = body
    let response: HTTPClientResponse
    let bytes: [UInt8]
    do {
      response = try await client.execute(request, timeout: .minutes(10))
      var buffer = try await response.body.collect(upTo: Self.maximumAnswerBytes)
      bytes = buffer.readBytes(length: buffer.readableBytes) ?? []
    } catch let error as CancellationError {
      throw error
    } catch {
      throw DeliveryError.unreachable(address: address, reason: Self.words(error))
    }
    let type = response.headers.first(name: "Content-Type")?.lowercased() ?? "nothing"
    if (200..<300).contains(response.status.code) {
      guard bytes.isEmpty || type.hasPrefix(accepted) else {
        throw DeliveryError.notAnOffice(address: address, reason: "it answers \(type)")
      }
      return Answer(headers: response.headers, bytes: bytes)
    }
    if response.status == .notModified, request.headers.contains(name: "If-None-Match") {
      return Answer(headers: response.headers, bytes: [], isUnchanged: true)
    }
    if [429, 503].contains(response.status.code),
      let seconds = Self.seconds(ofRetryAfter: response.headers.first(name: "Retry-After"))
    {
      let problem = try? JSONValue(parsing: bytes)
      if let code = problem?["code"]?.text, ["disk-low", "quota-full"].contains(code) {
        throw DeliveryError.officeFull(
          address: address, seconds: seconds,
          reason: "\(word: problem?["detail"]?.text ?? code)")
      }
      // Too many tries with a password are the inspector's business, not the network's.
      if problem?["code"]?.text != "sign-in-wait" {
        throw DeliveryError.askedToWait(
          address: address, seconds: seconds,
          reason: problem?["detail"]?.text.map { "\(word: $0)" }
            ?? "it answers \(response.status.code)")
      }
    }
    guard type.hasPrefix("application/problem+json"),
      let problem = try? JSONValue(parsing: bytes), let code = problem["code"]?.text
    else {
      throw DeliveryError.notAnOffice(
        address: address, reason: "it answers \(response.status.code) with \(type)")
    }
    let said = problem["detail"]?.text.map { Wording(verbatim: $0) }
    // A problem of the server itself is one of its health, not a decision.
    if response.status.code >= 500 {
      throw DeliveryError.unreachable(
        address: address, reason: said ?? "it has a problem of its own")
    }
    // What was here of an upload has expired meanwhile: the next try begins it anew.
    if code == "unknown", path.hasPrefix("/api/v1/uploads/") {
      throw DeliveryError.unreachable(
        address: address, reason: said ?? "a file is to be sent anew")
    }
    // Another try of ours may still be on its way, or have come further than we know.
    if ["upload-busy", "upload-offset", "upload-checksum", "digest-differs"].contains(code) {
      throw DeliveryError.unreachable(
        address: address, reason: said ?? "a file is being received already")
    }
    // An office that has no such address is one that is older than this field unit.
    if code == "not-found" {
      throw DeliveryError.olderOffice(address: address, software: "\(path) is not known there")
    }
    throw DeliveryError.refused(
      code: code,
      detail: "\(word: problem["detail"]?.text ?? problem["title"]?.text ?? code)")
  }

  /// Retry-After as seconds from now (RFC 9110): a number, or a date.
  package static func seconds(ofRetryAfter field: String?, now: Date = Date()) -> Double? {
    guard let field else { return nil }
    // Nobody waits longer than a day, whatever is asked.
    func clamped(_ seconds: Double) -> Double { min(max(0, seconds), 86_400) }
    if let seconds = Double(field), seconds.isFinite { return clamped(seconds) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return format.date(from: field).map { clamped($0.timeIntervalSince(now)) }
  }

  private static func words(_ error: any Error) -> Wording {
    switch error {
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
      "its TLS certificate is not trusted here, or is for another name (\(error)): an office with a"
        + " certificate of its own is trusted with login --tls-certificate FILE"
    case let error as HTTPClientError:
      switch error {
      case .connectTimeout: "no answer within 10 s"
      case .readTimeout, .deadlineExceeded: "the answer stopped coming"
      case .remoteConnectionClosed: "the connection was cut"
      default: Wording(verbatim: "\(error)")
      }
    case let error as ChannelError:
      if case .connectTimeout = error { "no answer within 10 s" } else { "the connection was cut" }
    case is NIOConnectionError: "nobody listens there, or there is no network"
    case let error as IOError:
      error.errnoCode == ECONNREFUSED ? "nobody listens there" : "the connection was cut"
    default: "there is no network, or the connection was cut"
    }
  }
}
