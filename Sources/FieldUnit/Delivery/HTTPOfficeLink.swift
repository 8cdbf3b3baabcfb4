import AsyncHTTPClient
import Evidence
import Foundation
import Inspection
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Sync
import Synchronization
import TimeAndText

/// A link to the office over HTTP.
public final class HTTPOfficeLink: OfficeLink {
  /// The office's address, without a slash at its end.
  public let address: String
  private let client: HTTPClient
  private let pace = Mutex(ChunkPace())
  /// The buffers of chunks that have been sent, kept for the next chunks.
  private let buffers = Mutex<[ByteBuffer]>([])

  /// The most bytes of an answer that are read; the office's messages are small.
  private static let maximumAnswerBytes = 64 * 1024 * 1024

  /// Creates a link to the office at an address.
  /// - Parameter pem: the certificates under which the office's TLS certificate must be, PEM; the
  ///   office's own if it is self-signed. Nil means the system's trust store.
  /// - Throws: `DeliveryError.malformedAddress`, also for plain HTTP to another machine than this
  ///   one, because the password would travel in the clear; `DeliveryError.unusablePin`.
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
    // The office answers at its own address: a redirect to another place does not come from it.
    configuration.redirectConfiguration = .disallow
    // The caller is told of a failure at once, because the outbox tries again by itself.
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  deinit {
    // The client must be shut down even if the owner forgot to call `close`.
    let client = client
    Task.detached { try? await client.shutdown() }
  }

  /// Closes the connections; nothing can be sent afterwards.
  public func close() async {
    try? await client.shutdown()
  }

  /// Returns an address in the form in which the field unit stores and compares addresses.
  /// - Throws: `DeliveryError.malformedAddress`.
  package static func normalised(_ text: String) throws(DeliveryError) -> String {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    guard let url = URLComponents(string: trimmed), let host = url.host, !host.isEmpty,
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme)
    else {
      throw .malformedAddress(
        text, reason: "it looks like https://office.example or https://host:8480")
    }
    guard url.user == nil, url.query == nil, url.fragment == nil,
      ["", "/"].contains(url.path), url.port.map((1...65_535).contains) ?? true
    else { throw .malformedAddress(text, reason: "give only scheme, host and port") }
    let isHere = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    guard scheme == "https" || isHere else {
      throw .malformedAddress(
        text, reason: "http would send the password unencrypted; use https")
    }
    return "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
  }

  // MARK: the conversation

  /// Asks the office for its software, its protocol version and its fingerprint.
  /// - Throws: `DeliveryError.olderOffice` if the office speaks an older version of the protocol.
  public func office() async throws -> OfficeMessage {
    let message = try await answer(OfficeMessage.self, .GET, "/api/v1/office", token: nil)
    guard message.protocolVersion >= OfficeMessage.version else {
      throw DeliveryError.olderOffice(address: address, software: message.software)
    }
    return message
  }

  /// Signs the inspector in.
  public func signIn(_ request: SignInRequest) async throws -> SignInAnswer {
    try await answer(
      SignInAnswer.self, .POST, "/api/v1/sign-in", token: nil, message: try WireJSON.bytes(request))
  }

  /// Ends the session.
  public func signOut(token: String) async throws {
    _ = try await exchange(.POST, "/api/v1/sign-out", token: token)
  }

  /// Asks for the challenge that is signed to renew a session.
  public func challenge() async throws -> ChallengeMessage {
    try await answer(ChallengeMessage.self, .POST, "/api/v1/challenges", token: nil)
  }

  /// Renews a session with the device's key.
  public func renew(_ request: RenewalMessage) async throws -> SignInAnswer {
    try await answer(
      SignInAnswer.self, .POST, "/api/v1/sessions", token: nil, message: try WireJSON.bytes(request)
    )
  }

  /// Returns the inspector's tasks that changed since a cursor; nil means from the beginning.
  public func tasks(
    since cursor: String?, proved: String?, token: String
  ) async throws -> TaskListMessage {
    let since = cursor?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    let query = [
      since.map { "since=\($0)" }, proved.map { "proved=\($0)" },
    ].compactMap(\.self).joined(separator: "&")
    return try await answer(
      TaskListMessage.self, .GET, "/api/v1/tasks" + (query.isEmpty ? "" : "?" + query),
      token: token)
  }

  /// Asks the office which records and files it holds.
  public func held(_ question: HeldQuestion, token: String) async throws -> HeldAnswer {
    try await answer(
      HeldAnswer.self, .POST, "/api/v1/held", token: token, message: try WireJSON.bytes(question))
  }

  /// Sends a batch's message.
  public func send(
    batch id: Identifier, _ message: [UInt8], token: String
  ) async throws -> BatchAnswer {
    try await answer(
      BatchAnswer.self, .PUT, "/api/v1/batches/\(id)", token: token, message: message)
  }

  private static let chunkType = "application/offset+octet-stream"

  /// Sends a file by tus 1.0.
  /// - Throws: `DeliveryError.fileGone` if the file cannot be read; `DeliveryError.refused` with
  ///   the code `file-mismatch` if its bytes are not those that were sealed.
  public func send(
    file path: String, digest: String, bytes: Int, from start: Int, token: String,
    progress: @Sendable (_ bytes: Int) -> Void
  ) async throws -> Int {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw DeliveryError.fileGone(path: path)
    }
    defer { try? handle.close() }
    var upload = FileUpload(
      link: self, descriptor: handle.fileDescriptor, path: path, digest: digest, bytes: bytes,
      token: token, buffer: takeBuffer())
    defer { giveBack(upload.buffer) }
    let tus = [("Tus-Resumable", "1.0.0")]
    let name = Data(digest.utf8).base64EncodedString()
    let creation =
      tus + [("Upload-Length", String(bytes)), ("Upload-Metadata", "digest \(name)")]
    let uploads = "/api/v1/uploads"
    // Each request brings bytes: a request that only asks for the offset could be the one whose
    // answer is lost each time.
    var offset = start > 0 ? start : try await upload.sendChunk(at: 0, .POST, uploads, creation)
    progress(offset)
    while offset < bytes {
      let next = try await upload.sendChunk(
        at: offset, .PATCH, "\(uploads)/\(digest)", tus + [("Upload-Offset", String(offset))])
      guard next > offset else {
        throw DeliveryError.notAnOffice(address: address, reason: "it keeps nothing of a file")
      }
      offset = next
      progress(offset)
    }
    return upload.sent
  }

  private func takeBuffer() -> ByteBuffer { buffers.withLock { $0.popLast() } ?? ByteBuffer() }

  private func giveBack(_ buffer: ByteBuffer) {
    buffers.withLock { if $0.count < 4 { $0.append(buffer) } }
  }

  /// A file on its way to the office, one chunk after the other, so that a photo is never in memory as
  /// a whole.
  private struct FileUpload {
    let link: HTTPOfficeLink
    /// The descriptor of the open file.
    let descriptor: Int32
    let path: String
    let digest: String
    /// The length of the file, bytes.
    let bytes: Int
    let token: String
    /// The memory of the chunk that is sent.
    var buffer: ByteBuffer
    /// The number of bytes sent so far.
    var sent = 0

    /// Sends the chunk that begins at an offset.
    /// - Returns: the number of the file's bytes that the office then has.
    mutating func sendChunk(
      at offset: Int, _ method: HTTPMethod, _ target: String, _ headers: [(String, String)]
    ) async throws -> Int {
      let count = min(link.pace.withLock { $0.chunkBytes }, bytes - offset)
      try read(count, at: offset)
      // The network takes real time, whatever clock a replay has.
      let began = ContinuousClock.now
      let answer: Answer
      // The digest of a file that goes as one chunk is known, because the file was sealed.
      let sealed = count == bytes ? Digest.base64(ofHexadecimal: digest) : nil
      let checksum = sealed ?? Digest.base64(buffer.readableBytesView)
      do {
        answer = try await link.exchange(
          method, target, token: token, body: .bytes(buffer),
          mediaType: HTTPOfficeLink.chunkType,
          headers: headers + [("Upload-Checksum", "sha256 \(checksum)")])
      } catch {
        link.pace.withLock { $0.failed() }
        // The network may have changed the bytes, or this device's disk: a file that the disk has
        // damaged would otherwise be sent again and again.
        if sealed != nil, Digest.base64(buffer.readableBytesView) != checksum {
          throw DeliveryError.refused(
            code: "file-mismatch",
            detail: "\(path) is damaged: its bytes are not those that were sealed")
        }
        throw error
      }
      let seconds = (ContinuousClock.now - began) / .seconds(1)
      link.pace.withLock { $0.sent(bytes: count, seconds: seconds) }
      sent += count
      return try kept(by: answer)
    }

    /// Reads bytes of the file straight into the buffer from which they are sent, to avoid a copy.
    /// - Throws: `DeliveryError.fileGone` if the file has fewer bytes than asked for.
    private mutating func read(_ count: Int, at offset: Int) throws {
      let descriptor = descriptor
      buffer.clear(minimumCapacity: count)
      let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
        var read = 0
        while read < count {
          let more = pread(
            descriptor, space.baseAddress?.advanced(by: read), count - read, off_t(offset + read))
          if more < 0, errno == EINTR { continue }
          guard more > 0 else { break }
          read += more
        }
        return read
      }
      guard read == count else { throw DeliveryError.fileGone(path: path) }
    }

    private func kept(by answer: Answer) throws -> Int {
      guard let offset = answer.headers.first(name: "Upload-Offset").flatMap(Int.init(_:)),
        (0...bytes).contains(offset)
      else {
        throw DeliveryError.notAnOffice(
          address: link.address, reason: "it does not say how much it has")
      }
      return offset
    }
  }

  // MARK: HTTP

  package func answer<Message: Decodable>(
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
    /// True if the office has nothing newer than what the request named (If-None-Match).
    package var isUnchanged = false
  }

  /// Sends one request, and returns the office's answer.
  /// - Parameters:
  ///   - digested: the body's bytes for `Content-Digest`; nil leaves that header out.
  ///   - accepted: the media type of a successful answer.
  /// - Throws: `DeliveryError` if there is no answer, or if the office says no;
  ///   `CancellationError`.
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
      // RFC 9530: the office refuses a body that was changed on its way.
      request.headers.add(name: "Content-Digest", value: "sha-256=:\(Digest.base64(digested)):")
    }
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    request.body = body
    let (response, bytes) = try await execute(request)
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
    if let wait = requestToWait(response, bytes) { throw wait }
    throw problem(response, type, bytes, at: path)
  }

  /// Sends a request, and collects the whole answer.
  /// - Throws: `DeliveryError.unreachable`, `.untrusted`, `CancellationError`.
  private func execute(
    _ request: HTTPClientRequest
  ) async throws -> (response: HTTPClientResponse, bytes: [UInt8]) {
    do {
      let response = try await client.execute(request, timeout: .minutes(10))
      var buffer = try await response.body.collect(upTo: Self.maximumAnswerBytes)
      return (response, buffer.readBytes(length: buffer.readableBytes) ?? [])
    } catch let error as CancellationError {
      throw error
    } catch {
      let words = Self.words(error)
      throw Self.saysUntrusted(error)
        ? DeliveryError.untrusted(address: address, reason: words)
        : DeliveryError.unreachable(address: address, reason: words)
    }
  }

  /// Returns the error of an answer that asks to come back later; nil for any other answer.
  private func requestToWait(_ response: HTTPClientResponse, _ bytes: [UInt8]) -> DeliveryError? {
    guard [429, 503].contains(response.status.code),
      let seconds = Self.seconds(ofRetryAfter: response.headers.first(name: "Retry-After"))
    else { return nil }
    let problem = try? JSONValue(parsing: bytes)
    if let code = problem?["code"]?.text, ["disk-low", "quota-full"].contains(code) {
      return DeliveryError.officeFull(
        address: address, seconds: seconds,
        reason: "\(word: problem?["detail"]?.text ?? code)")
    }
    // Too many tries with a password are for the inspector to solve, not for the network.
    if problem?["code"]?.text == "sign-in-wait" { return nil }
    return DeliveryError.askedToWait(
      address: address, seconds: seconds,
      reason: problem?["detail"]?.text.map { "\(word: $0)" }
        ?? "it answers \(response.status.code)")
  }

  /// Returns the error of an answer that says no.
  private func problem(
    _ response: HTTPClientResponse, _ type: String, _ bytes: [UInt8], at path: String
  ) -> DeliveryError {
    guard type.hasPrefix("application/problem+json"),
      let problem = try? JSONValue(parsing: bytes), let code = problem["code"]?.text
    else {
      return DeliveryError.notAnOffice(
        address: address, reason: "it answers \(response.status.code) with \(type)")
    }
    let said = problem["detail"]?.text.map { Wording(verbatim: $0) }
    // A problem of the server itself says something about its health, and is not a decision.
    if response.status.code >= 500, !["map-unavailable", "authority-unavailable"].contains(code) {
      return DeliveryError.unreachable(
        address: address, reason: said ?? "it reports an internal error")
    }
    // The office's part of an upload has expired meanwhile: the next try starts from the beginning.
    if code == "unknown", path.hasPrefix("/api/v1/uploads/") {
      return DeliveryError.unreachable(
        address: address, reason: said ?? "a file must be sent again")
    }
    // Another try of this device may still be on its way, or have come further than is known here.
    if ["upload-busy", "upload-offset", "upload-checksum", "digest-differs"].contains(code) {
      return DeliveryError.unreachable(
        address: address, reason: said ?? "a file is being received already")
    }
    // An office without such an address is older than this field unit.
    if code == "not-found" {
      return DeliveryError.olderOffice(address: address, software: "\(path) is not known there")
    }
    return DeliveryError.refused(
      code: code,
      detail: "\(word: problem["detail"]?.text ?? problem["title"]?.text ?? code)")
  }

  /// Reads Retry-After, a number or a date, as seconds from now, 0…86,400 (RFC 9110); nil if it is
  /// missing or malformed.
  package static func seconds(ofRetryAfter field: String?, now: Date = Date()) -> Double? {
    guard let field else { return nil }
    // The field unit waits a day at most, even if the office asks for more.
    func clamped(_ seconds: Double) -> Double { min(max(0, seconds), 86_400) }
    if let seconds = Double(field), seconds.isFinite { return clamped(seconds) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return format.date(from: field).map { clamped($0.timeIntervalSince(now)) }
  }

  /// Returns true if TLS itself has failed. A connection that is cut in the middle of it says
  /// nothing about the certificate.
  private static func saysUntrusted(_ error: any Error) -> Bool {
    switch error {
    case NIOSSLError.handshakeFailed(.sslError(let stack)), BoringSSLError.sslError(let stack):
      !stack.contains(.eofDuringHandshake)
    case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate: true
    case is NIOSSLExtraError: true
    default: false
    }
  }

  private static func words(_ error: any Error) -> Wording {
    switch error {
    case _ where saysUntrusted(error):
      "its TLS certificate is not trusted here, or is for another name (\(error)): trust an"
        + " office with its own certificate with login --tls-certificate FILE"
    case let error as HTTPClientError:
      switch error {
      case .connectTimeout: "no answer within 10 s"
      case .readTimeout, .deadlineExceeded: "the answer stopped coming"
      case .remoteConnectionClosed: "the connection was cut"
      default: Wording(verbatim: "\(error)")
      }
    case let error as ChannelError:
      if case .connectTimeout = error { "no answer within 10 s" } else { "the connection was cut" }
    case is NIOSSLError, is BoringSSLError: "the connection was cut"
    case is NIOConnectionError: "nothing is listening there, or there is no network"
    case let error as IOError:
      error.errnoCode == ECONNREFUSED ? "nothing is listening there" : "the connection was cut"
    default: "there is no network, or the connection was cut"
    }
  }
}
