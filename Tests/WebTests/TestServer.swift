import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization
import TestSupport
import Testing

@testable import Web

/// A real server on a free port, and a client that speaks to it.
struct TestServer: Sendable {
  let port: Int
  let client: HTTPClient
  let scheme: String
  let log: Lines

  /// Lines that the server wrote to its log.
  final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  var origin: String { "\(scheme)://127.0.0.1:\(port)" }
  var sessionCookie: String { "standpoint-session-\(port)" }
  var formCookie: String { "standpoint-form-\(port)" }

  /// An answer with its whole body.
  struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: String
    let bytes: [UInt8]

    func header(_ name: String) -> String? { headers.first(name: name) }
    var cookies: [String] { headers["set-cookie"] }
    /// The code of a problem in JSON.
    var code: String? {
      guard header("content-type") == "application/problem+json",
        let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      else { return nil }
      return object["code"] as? String
    }
  }

  func send(
    _ method: String, _ path: String, _ headers: [(String, String)] = [], body: [UInt8]? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: "\(origin)\(path)")
    request.method = .init(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
    let response = try await client.execute(request, timeout: .seconds(300))
    let bytes = Array(try await response.body.collect(upTo: 64 << 20).readableBytesView)
    return Answer(
      status: Int(response.status.code), headers: response.headers,
      body: String(decoding: bytes, as: UTF8.self), bytes: bytes)
  }

  func get(_ path: String, _ headers: [(String, String)] = []) async throws -> Answer {
    try await send("GET", path, headers)
  }

  /// Loads a page as a browser does, and returns its cookie and the token of its form.
  func openForm(_ path: String = "/form") async throws -> (cookie: String, token: String) {
    let page = try await get(path)
    let cookie = try #require(page.cookies.first { $0.hasPrefix(formCookie) })
    let token = try #require(page.body.split(separator: "value=\"").last?.prefix { $0 != "\"" })
    return (String(cookie.prefix { $0 != ";" }), String(token))
  }

  /// Posts a form as a browser with that cookie does; nil leaves a part out.
  func post(
    _ path: String, cookie: String?, token: String?, origin: String?, fields: String = "",
    more: [(String, String)] = []
  ) async throws -> Answer {
    var headers = [("Content-Type", "application/x-www-form-urlencoded")] + more
    if let cookie { headers.append(("Cookie", cookie)) }
    if let origin { headers.append(("Origin", origin)) }
    let body = [fields, token.map { "csrf=\($0)" } ?? ""].filter { !$0.isEmpty }
    return try await send(
      "POST", path, headers, body: Array(body.joined(separator: "&").utf8))
  }
}

/// The secret of every test server.
let testSecret = Array<UInt8>(repeating: 7, count: 32)

func testConfiguration(port: Int = 0) -> WebConfiguration {
  var configuration = WebConfiguration(port: port, secret: testSecret, serverName: "test")
  // A thousand other tests on two cores may keep a connection still for longer than a minute.
  configuration.idleSeconds = 3600
  return configuration
}

/// Runs a server while `body` speaks to it, and ends it the way a program does: by cancelling.
func withServer(
  _ routes: Routes, configuration: WebConfiguration = testConfiguration(),
  _ body: @escaping @Sendable (TestServer) async throws -> Void
) async throws {
  let lines = TestServer.Lines()
  let server = WebServer(
    configuration: configuration, routes: routes,
    problemPage: { problem, request in
      "<h1>\(problem.title)</h1><p id=\"code\">\(problem.code)</p><p>\(request.sessionToken)</p>"
    }, log: { lines.add($0) })
  let (ports, portFound) = AsyncStream.makeStream(of: Int.self)
  var clientSettings = HTTPClient.Configuration(redirectConfiguration: .disallow)
  clientSettings.tlsConfiguration = .clientDefault
  clientSettings.tlsConfiguration?.certificateVerification = .none
  let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: clientSettings)
  let result: Result<Void, any Error>
  do {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { portFound.finish() }
        try await server.run { portFound.yield($0) }
      }
      let port = try await firstElement(of: ports) ?? 0
      if port > 0 {
        let scheme = configuration.tls == nil ? "http" : "https"
        try await body(TestServer(port: port, client: client, scheme: scheme, log: lines))
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    result = .success(())
  } catch {
    result = .failure(error)
  }
  try await client.shutdown()
  try result.get()
}

func firstElement<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element? {
  for await element in stream { return element }
  return nil
}

/// Returns the same bytes for the same seed: a random block again and again, each with its own
/// number, since millions of random numbers one by one would keep all other tests waiting.
func randomBytes(_ count: Int, seed: UInt64) -> [UInt8] {
  var bytes: [UInt8] = []
  forEachSeed(seed..<(seed + 1)) { _, generator in
    let block = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
    bytes.reserveCapacity(count + 4100)
    while bytes.count < count {
      withUnsafeBytes(of: UInt32(bytes.count)) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: block)
    }
  }
  return Array(bytes.prefix(count))
}

/// Returns routes that most suites can work with.
func sampleRoutes() -> Routes {
  var routes = Routes()
  routes.get("/form") { request in
    .page("<form method=\"post\">\(request.formField)</form>")
  }
  routes.post("/form") { request in
    let form = try await request.form()
    return .json(Array("name=\(form["name"] ?? "-")".utf8))
  }
  routes.put("/blob") { request in .json(Array("\(try await request.bytes().count)".utf8)) }
  routes.delete("/blob") { _ in .empty(204) }
  routes.post("/machine", machine: true) { request in
    .json(Array("\(request.sessionToken ?? "-")|\(request.cookie("any") ?? "-")".utf8))
  }
  return routes
}
