import AsyncHTTPClient
import Evidence
import Foundation
import NIOCore
import OfficeScenes
import Testing

/// A program of an officer or administrator that speaks to the console's interface.
struct ConsoleProgram: Sendable {
  static let path = "/api/v1/console"

  let site: OfficeSite
  let token: String?

  /// Signs a program in.
  static func signedIn(_ login: String, at site: OfficeSite) async throws -> ConsoleProgram {
    let answer = try await ConsoleProgram(site: site, token: nil).send(
      "POST", "/api/v1/officer-sessions",
      #"{"login": "\#(login)", "password": "\#(OfficeScene.password)"}"#)
    try #require(answer.status == 201, "\(login): \(answer.status) \(answer.body)")
    return ConsoleProgram(site: site, token: try #require(try answer.json()["token"]?.text))
  }

  /// Sends one request; a body is JSON unless the headers say otherwise.
  func send(
    _ method: String, _ path: String, _ body: String? = nil, _ headers: [(String, String)] = []
  ) async throws -> Answer {
    var all = headers
    if let token { all.append(("Authorization", "Bearer \(token)")) }
    if body != nil, !headers.contains(where: { $0.0 == "Content-Type" }) {
      all.append(("Content-Type", "application/json"))
    }
    return try await site.send(
      method, path, all, body: body.map { .bytes(ByteBuffer(string: $0)) })
  }

  /// Sends one request below the console's prefix.
  func console(
    _ method: String, _ path: String, _ body: String? = nil, _ headers: [(String, String)] = []
  ) async throws -> Answer {
    try await send(method, Self.path + path, body, headers)
  }

  /// Returns JSON that must be there.
  func get(_ path: String) async throws -> JSONValue {
    let answer = try await console("GET", path)
    try #require(answer.status == 200, "\(path): \(answer.status) \(answer.body)")
    return try answer.json()
  }

  /// Returns the elements of all pages of a list.
  /// - Parameter between: the work to do after each page.
  func pages(
    of path: String, _ name: String, between: () async throws -> Void = {}
  ) async throws -> [JSONValue] {
    var all: [JSONValue] = []
    var cursor: String?
    repeat {
      let separator = path.contains("?") ? "&" : "?"
      let page = try await get(path + (cursor.map { "\(separator)cursor=\($0)" } ?? ""))
      all += try #require(page[name]?.elements)
      cursor = page["next"]?.text
      try await between()
      try #require(all.count < 1000, "the list has no end")
    } while cursor != nil
    return all
  }
}

extension Answer {
  /// Reads the answer as JSON.
  func json() throws -> JSONValue { try JSONValue(parsing: bytes) }
}
