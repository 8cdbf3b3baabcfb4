import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Office
import OfficePages
import Synchronization
import Testing
import Web

/// The text that an attacker writes wherever something can be written.
package let hostileText = "<script>alert(1)</script>\"'&"

/// An answer with its whole body.
package struct Answer: Sendable {
  package let status: Int
  package let headers: HTTPHeaders
  package let bytes: [UInt8]

  package init(status: Int, headers: HTTPHeaders, bytes: [UInt8]) {
    self.status = status
    self.headers = headers
    self.bytes = bytes
  }

  package var body: String { String(decoding: bytes, as: UTF8.self) }
  package func header(_ name: String) -> String? { headers.first(name: name) }
  package var location: String? { header("Location") }
  package var isPage: Bool { header("Content-Type")?.hasPrefix("text/html") == true }

  /// The code of a problem in JSON.
  package var code: String? {
    guard header("Content-Type") == "application/problem+json",
      let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    else { return nil }
    return object["code"] as? String
  }

  /// Returns the value of a page's first hidden field of that name.
  package func field(_ name: String) -> String? {
    let parts = body.split(separator: "name=\"\(name)\" value=\"", maxSplits: 1)
    return parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : nil
  }

  /// Expects that a page holds no hostile text as it was written, and no markup of ours that was
  /// escaped by mistake.
  package func requireClean(_ path: String) {
    guard isPage else { return }
    #expect(!body.contains("<script>alert"), "\(path) holds hostile markup")
    #expect(!body.contains(hostileText.suffix(3)), "\(path) holds a quote that was not escaped")
    let rest = body.replacing("&lt;script&gt;", with: "").replacing("&lt;/script&gt;", with: "")
    #expect(!rest.contains("&lt;"), "\(path) shows markup of ours as text")
    #expect(!body.contains("Optional("), "\(path) shows an optional")
  }
}

/// An office that answers on a free port.
package struct OfficeSite: Sendable {
  package let port: Int
  package let client: HTTPClient

  package var origin: String { "http://127.0.0.1:\(port)" }
  package func browser() -> OfficeBrowser { OfficeBrowser(site: self) }

  /// Sends one request as it is, without cookies.
  package func send(
    _ method: String, _ path: String, _ headers: [(String, String)] = [],
    body: HTTPClientRequest.Body? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: origin + path)
    request.method = HTTPMethod(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    request.body = body
    let response = try await client.execute(request, timeout: .seconds(120))
    let bytes = Array(try await response.body.collect(upTo: 64 << 20).readableBytesView)
    let answer = Answer(
      status: Int(response.status.code), headers: response.headers, bytes: bytes)
    answer.requireClean(path)
    return answer
  }
}

/// Runs an office's server while `body` speaks to it, and ends it as a program does: by cancelling.
package func withSite(
  _ office: OfficeServer, routes: Routes? = nil,
  onRequest: (@Sendable (RequestRecord) -> Void)? = nil,
  _ body: @escaping @Sendable (OfficeSite) async throws -> Void
) async throws {
  let server = WebServer(
    configuration: WebConfiguration(port: 0, secret: office.core.formSecret, serverName: "test"),
    routes: routes ?? office.routes(), problemPage: office.problemPage, log: { _ in },
    onRequest: onRequest)
  let (ports, portFound) = AsyncStream.makeStream(of: Int.self)
  let client = HTTPClient(
    eventLoopGroupProvider: .singleton,
    configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
  let result: Result<Void, any Error>
  do {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { portFound.finish() }
        try await server.run { portFound.yield($0) }
      }
      let port = try #require(await ports.first { _ in true })
      try await body(OfficeSite(port: port, client: client))
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

/// A person's browser: it keeps cookies, says from where a form comes, and sends the token that the
/// last page with a form held.
package final class OfficeBrowser: Sendable {
  private struct State {
    package var cookies: [String: String] = [:]
    package var token: String?
  }

  private let site: OfficeSite
  private let state = Mutex(State())

  package init(site: OfficeSite) { self.site = site }

  package var cookies: [String: String] { state.withLock { $0.cookies } }
  package var token: String? { state.withLock { $0.token } }
  package var sessionToken: String? { cookies["standpoint-session-\(site.port)"] }

  package func get(_ path: String) async throws -> Answer { try await send("GET", path, [], nil) }

  /// Sends a form.
  ///
  /// - Parameters:
  ///   - token: the form's token; by default that of the last page.
  ///   - origin: the origin from which the form comes; by default the site's.
  package func post(
    _ path: String, _ fields: [String: String] = [:], token: String?? = .none,
    origin: String? = nil
  ) async throws -> Answer {
    var fields = fields
    fields["csrf"] = token ?? self.token
    let body = fields.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
    return try await send(
      "POST", path,
      [
        ("Content-Type", "application/x-www-form-urlencoded"), ("Origin", origin ?? site.origin),
      ], .bytes(ByteBuffer(string: body)))
  }

  /// Sends a form that carries a file. The form's token is its first field.
  ///
  /// - Parameters:
  ///   - field: the name of the file's field.
  ///   - file: the file's name and its bytes; an empty name for a form without a chosen file.
  ///   - token: the form's token; by default that of the last page.
  package func upload(
    _ path: String, _ fields: [(String, String)] = [], field: String = "file",
    file: (name: String, bytes: [UInt8]), token: String? = nil
  ) async throws -> Answer {
    let boundary = "----boundary7"
    var body = ByteBuffer()
    for (name, value) in [("csrf", token ?? self.token ?? "")] + fields {
      body.writeString(
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n")
    }
    body.writeString(
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(file.name)\"\r\nContent-Type: application/octet-stream\r\n\r\n"
    )
    body.writeBytes(file.bytes)
    body.writeString("\r\n--\(boundary)--\r\n")
    return try await send(
      "POST", path,
      [("Content-Type", "multipart/form-data; boundary=\(boundary)"), ("Origin", site.origin)],
      .bytes(body))
  }

  /// Signs in, and opens the tasks' page, whose form holds the token of the next request.
  package func signIn(_ login: String) async throws {
    _ = try await get("/sign-in")
    let answer = try await post(
      "/sign-in", ["login": login, "password": OfficeScene.password])
    try #require(answer.status == 303, "\(login): \(answer.status)")
    _ = try await get("/tasks")
  }

  package static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  private func send(
    _ method: String, _ path: String, _ headers: [(String, String)],
    _ body: HTTPClientRequest.Body?
  ) async throws -> Answer {
    let cookies = cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
    let sent = cookies.isEmpty ? headers : headers + [("Cookie", cookies)]
    let answer = try await site.send(method, path, sent + [("Accept", "text/html")], body: body)
    state.withLock { state in
      for cookie in answer.headers["Set-Cookie"] {
        let pair = cookie.prefix { $0 != ";" }.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { continue }
        let isGone = cookie.contains("Max-Age=0")
        state.cookies[String(pair[0])] = isGone ? nil : String(pair[1])
      }
      if let token = answer.field("csrf") { state.token = token }
    }
    return answer
  }
}
