import AsyncHTTPClient
import Evidence
import Foundation
import Inspection
import NIOCore
import NIOHTTP1
import Positioning
import Sync
import Synchronization
import Testing
import TimeAndText
import Web

/// An office that only speaks the protocol: it certifies everybody who knows the password, and
/// signs for every complete batch.
final class FakeOffice: Sendable {
  /// A fault in the office's answer to a sign-in.
  enum Fault: Sendable, CaseIterable {
    /// The certificate is for another key than the one that asked.
    case otherKey
    /// The certificate is for another inspector.
    case otherSubject
    /// The answer signs in another login than the one that asked.
    case otherLogin
    /// The answer names an authority that has not issued the certificate.
    case otherAuthority
    /// The certificate is no PEM.
    case noCertificate
  }

  private struct State {
    var fault: Fault?
    var tasks: [InspectionTask] = []
    var files: Set<String> = []
    var upload: [UInt8] = []
    var calls: [String] = []
    var endedSessions = false
    /// Thumbprint of the last key that was certified.
    var enrolled: String?
  }

  static let password = "correct horse battery"
  /// The one-time code that signs ines in.
  static let code = "K7PM3XQ9"

  let authority: Authority
  private let key = SoftwareDeviceKey()
  private let certificate: EvidenceCertificate
  private let clock: any Timepiece
  private let state = Mutex(State())

  init(clock: any Timepiece) throws {
    self.clock = clock
    authority = try Authority.make(name: "fake", at: clock.deviceTime)
    certificate = try authority.certifyOffice(key.publicKey, at: clock.deviceTime)
  }

  var calls: [String] { state.withLock { $0.calls } }
  func order(_ tasks: [InspectionTask]) { state.withLock { $0.tasks += tasks } }
  func plan(_ fault: Fault?) { state.withLock { $0.fault = fault } }
  func endSessions() { state.withLock { $0.endedSessions = true } }

  func routes() -> Routes {
    var routes = Routes()
    routes.get("/api/v1/office") { _ in
      self.note("office")
      return .json(
        try WireJSON.bytes(
          OfficeMessage(software: "fake", fingerprint: self.authority.certificate.fingerprint)))
    }
    routes.post("/api/v1/sign-in", machine: true) { request in
      self.note("sign-in")
      let message = try WireJSON.message(SignInRequest.self, try await request.bytes())
      guard message.password == Self.password else {
        throw Problem(
          status: 401, code: "sign-in-refused", detail: "login or password is wrong: check both")
      }
      self.state.withLock { $0.endedSessions = false }
      return .json(try WireJSON.bytes(try self.answer(to: message)))
    }
    routes.post("/api/v1/invitations", machine: true) { request in
      self.note("invitation")
      let question = try WireJSON.message(InvitationQuestion.self, try await request.bytes())
      guard question.code == Self.code else {
        throw Problem(
          status: 401, code: "invitation-refused", detail: "this office does not know the code")
      }
      return .json(
        try WireJSON.bytes(
          InvitationAnswer(
            agency: "north", title: "Agency of the North", login: "ines", name: "Ines",
            expires: "2026-06-02T09:30:00.000Z")))
    }
    routes.post("/api/v1/invitations/sign-in", machine: true) { request in
      self.note("invited-sign-in")
      let message = try WireJSON.message(InvitedSignInRequest.self, try await request.bytes())
      return .json(
        try WireJSON.bytes(
          try self.answer(
            to: SignInRequest(
              login: "ines", password: "", enrolment: message.enrolment,
              software: message.software))))
    }
    routes.post("/api/v1/sign-out", machine: true) { _ in
      self.note("sign-out")
      return .empty(204)
    }
    routes.get("/api/v1/tasks") { request in
      try self.requireToken(request)
      let (tasks, enrolled) = self.state.withLock { ($0.tasks, $0.enrolled) }
      var message = TaskListMessage(tasks: tasks.map { TaskMessage($0) })
      message.challenge = try enrolled.map {
        try CaptureChallenge(
          key: $0, issued: self.clock.deviceTime, signedWith: self.key,
          certificate: self.certificate
        ).jws
      }
      return .json(try WireJSON.bytes(message))
    }
    routes.post("/api/v1/challenges", machine: true) { _ in
      .json(try WireJSON.bytes(ChallengeMessage(challenge: "sign this")))
    }
    routes.post("/api/v1/sessions", machine: true) { _ in
      self.note("renew")
      throw Problem(
        status: 401, code: "sign-in-needed", detail: "this session ended: sign in again")
    }
    routes.post("/api/v1/held", machine: true) { request in
      try self.requireToken(request)
      let question = try WireJSON.message(HeldQuestion.self, try await request.bytes())
      let held = self.state.withLock { $0.files }
      return .json(
        try WireJSON.bytes(
          HeldAnswer(
            things: question.things.map { HeldAnswer.Thing(id: $0.id, state: .held) },
            missing: question.digests.filter { !held.contains($0) })))
    }
    routes.put("/api/v1/batches/{id}", machine: true) { request in
      try self.requireToken(request)
      let batch = try BatchMessage(try await request.bytes(limit: 1 << 24))
      return .json(try WireJSON.bytes(try self.answer(to: batch)))
    }
    // tus: small files come with the creation of the upload, all others chunk by chunk.
    routes.post("/api/v1/uploads", machine: true) { request in
      try self.requireToken(request)
      return try await self.receive(request).with(status: 201)
    }
    routes.patch("/api/v1/uploads/{digest}", machine: true) { request in
      try self.requireToken(request)
      return try await self.receive(request)
    }
    return routes
  }

  private func receive(_ request: WebRequest) async throws -> WebResponse {
    let body = try await request.bytes(limit: 1 << 24)
    if let sum = request.header("Upload-Checksum") {
      #expect(sum == "sha256 \(Digest.base64(body))")
    }
    let count = state.withLock { state in
      if request.header("Upload-Length") != nil { state.upload = [] }
      state.upload += body
      state.files.insert(Digest.hexadecimal(state.upload))
      return state.upload.count
    }
    return WebResponse.empty(204).setting(header: "Upload-Offset", to: String(count))
  }

  private func note(_ call: String) { state.withLock { $0.calls.append(call) } }

  private func requireToken(_ request: WebRequest) throws {
    note(request.path)
    guard request.bearerToken == String(repeating: "t", count: 43),
      !state.withLock({ $0.endedSessions })
    else {
      throw Problem(
        status: 401, code: "session-expired", detail: "this session ended: sign in again")
    }
  }

  private func answer(to request: SignInRequest) throws -> SignInAnswer {
    let fault = state.withLock { $0.fault }
    let enrolment = try EnrolmentRequest(jws: request.enrolment)
    state.withLock { $0.enrolled = enrolment.publicKey.thumbprint }
    let login = fault == .otherLogin ? "igor" : request.login
    let issued = try authority.certify(
      fault == .otherKey ? key.publicKey : enrolment.publicKey,
      subject: DeviceSubject(
        agency: "north", inspector: fault == .otherSubject ? "igor" : login,
        device: enrolment.device), at: clock.deviceTime)
    let issuer =
      fault == .otherAuthority ? try Authority.make(name: "x", at: clock.deviceTime) : authority
    return SignInAnswer(
      token: String(repeating: "t", count: 43), agency: "north", login: login, name: "Ines",
      certificate: fault == .noCertificate ? "none" : issued.pem,
      authority: issuer.certificate.pem, software: "fake")
  }

  private func answer(to batch: BatchMessage) throws -> BatchAnswer {
    let held = state.withLock { $0.files }
    let missing = batch.fileDigests.subtracting(held).sorted()
    guard missing.isEmpty else {
      return BatchAnswer(id: batch.id.description, missing: missing, receipt: nil)
    }
    let head = (batch.links + batch.seals.map(\.seal)).max {
      $0.link.sequence < $1.link.sequence
    }
    let receipt = try Receipt(
      id: Identifier(at: clock.deviceTime), batch: batch.id, agency: "north", inspector: "ines",
      key: batch.key,
      head: head.map { Receipt.Head(sequence: $0.link.sequence, link: $0.digest) },
      records: Array(batch.recordDigests), files: Array(batch.fileDigests),
      received: clock.deviceTime, signedWith: key, certificate: certificate)
    return BatchAnswer(id: batch.id.description, missing: [], receipt: receipt.jws)
  }
}

/// Runs a server on a free port while `body` talks to it.
func withWebServer<Result: Sendable>(
  _ routes: Routes, secret: [UInt8] = Array(repeating: 7, count: 32),
  tls: (certificatePath: String, keyPath: String)? = nil, hosts: [String] = [],
  problemPage: @escaping @Sendable (Problem, WebRequest) -> HTML = { problem, _ in
    "<p>\(problem.code)</p>"
  }, _ body: @escaping @Sendable (_ port: Int) async throws -> Result
) async throws -> Result {
  let server = WebServer(
    configuration: WebConfiguration(
      port: 0, tls: tls, extraHosts: hosts, secret: secret, serverName: "test"),
    routes: routes, problemPage: problemPage, log: { _ in })
  let (ports, portFound) = AsyncStream.makeStream(of: Int.self)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { portFound.finish() }
      try await server.run { portFound.yield($0) }
    }
    let port = try #require(await ports.first { _ in true })
    let result = try await body(port)
    group.cancelAll()
    try await group.waitForAll()
    return result
  }
}

/// An inspector's browser: it keeps cookies, names the origin of forms, and sends the token of the
/// last page with a form.
final class FieldBrowser: Sendable {
  /// An answer with its whole body.
  struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let bytes: [UInt8]

    var body: String { String(decoding: bytes, as: UTF8.self) }
    var location: String? { headers.first(name: "Location") }
    var type: String? { headers.first(name: "Content-Type") }
  }

  private struct State {
    var cookies: [String: String] = [:]
    var token: String?
    /// The hidden fields of the last sign-in page.
    var hidden: [String: String] = [:]
  }

  private let base: String
  /// The origin of the pages as this browser knows them.
  private let origin: String
  private let state = Mutex(State())

  /// - Parameter host: the name under which the browser asks; its connections go to this machine.
  init(port: Int, host: String = "127.0.0.1") {
    base = "http://127.0.0.1:\(port)"
    origin = "http://\(host):\(port)"
  }

  private func request(_ path: String) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: base + path)
    request.headers.add(name: "Host", value: String(origin.dropFirst("http://".count)))
    return request
  }

  func get(_ path: String, _ headers: [(String, String)] = []) async throws -> Answer {
    var request = request(path)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    return try await send(request)
  }

  /// Opens a stream and returns its head; the body lasts until the server ends it.
  func open(_ path: String) async throws -> HTTPClientResponse {
    var request = request(path)
    let cookies = state.withLock { $0.cookies }.map { "\($0.key)=\($0.value)" }.sorted()
    request.headers.add(name: "Cookie", value: cookies.joined(separator: "; "))
    return try await Self.client.execute(request, timeout: .seconds(120))
  }

  func post(_ path: String, _ fields: [String: String] = [:]) async throws -> Answer {
    var request = request(path)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
    request.headers.add(name: "Origin", value: origin)
    var fields = fields
    fields["csrf"] = state.withLock { $0.token }
    if path == "/sign-in" {
      fields.merge(state.withLock { $0.hidden }) { given, _ in given }
    }
    let body = fields.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
    request.body = .bytes(ByteBuffer(string: body))
    return try await send(request)
  }

  /// Posts bytes as a page's script does: with the token in a header, and asking for JSON.
  func post(
    _ path: String, bytes: [UInt8], type: String = "image/jpeg", words: String? = nil
  ) async throws -> Answer {
    var request = request(path)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: type)
    request.headers.add(name: "Origin", value: origin)
    request.headers.add(name: "Accept", value: "application/json")
    request.headers.add(name: "X-Form-Token", value: state.withLock { $0.token } ?? "")
    if let words { request.headers.add(name: "X-Camera-Words", value: words) }
    request.body = .bytes(ByteBuffer(bytes: bytes))
    return try await send(request)
  }

  /// Sends a form that carries a file, as browsers do: its token first.
  func upload(_ path: String, file: [UInt8], name: String) async throws -> Answer {
    var request = request(path)
    request.method = .POST
    let boundary = "----form"
    request.headers.add(name: "Content-Type", value: "multipart/form-data; boundary=\(boundary)")
    request.headers.add(name: "Origin", value: origin)
    let token = state.withLock { $0.token } ?? ""
    let head =
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(token)\r\n"
      + "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
      + "Content-Type: application/octet-stream\r\n\r\n"
    request.body = .bytes(
      ByteBuffer(bytes: Array(head.utf8) + file + Array("\r\n--\(boundary)--\r\n".utf8)))
    return try await send(request)
  }

  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  private func send(_ request: HTTPClientRequest) async throws -> Answer {
    var request = request
    let cookies = state.withLock { $0.cookies }.map { "\($0.key)=\($0.value)" }.sorted()
    if !cookies.isEmpty {
      request.headers.add(name: "Cookie", value: cookies.joined(separator: "; "))
    }
    // The tests look at redirects, so that the client does not follow them.
    let response = try await Self.client.execute(request, timeout: .seconds(120))
    let answer = Answer(
      status: Int(response.status.code), headers: response.headers,
      bytes: Array(try await response.body.collect(upTo: 1 << 24).readableBytesView))
    state.withLock { state in
      for cookie in answer.headers["Set-Cookie"] {
        let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
        if pair.count == 2 { state.cookies[String(pair[0])] = String(pair[1]) }
      }
    }
    guard answer.type?.hasPrefix("text/html") == true else { return answer }
    let page = answer.body
    state.withLock { state in
      let parts = page.split(separator: "name=\"csrf\" value=\"", maxSplits: 1)
      if parts.count == 2 { state.token = String(parts[1].prefix { $0 != "\"" }) }
      for name in ["office", "trust"] {
        let parts = page.split(separator: "type=\"hidden\" name=\"\(name)\" value=\"", maxSplits: 1)
        if parts.count == 2 { state.hidden[name] = String(parts[1].prefix { $0 != "\"" }) }
      }
    }
    // No page may contain hostile text as it was written, or markup of ours that was escaped by
    // mistake.
    #expect(!page.contains("<script>alert"), "\(request.url) holds hostile markup")
    #expect(!page.contains(hostileText.suffix(3)), "\(request.url) holds an unescaped quote")
    let rest = page.replacing("&lt;script&gt;", with: "").replacing("&lt;/script&gt;", with: "")
    #expect(!rest.contains("&lt;"), "\(request.url) shows markup of ours as text")
    #expect(!page.contains("Optional("), "\(request.url) shows an optional")
    return answer
  }

  /// The client of all tests; it lives as long as the process.
  private static let client = HTTPClient(
    eventLoopGroupProvider: .singleton,
    configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
}

/// A text that an attacker writes into every field.
let hostileText = "<script>alert(1)</script>\"'&"
