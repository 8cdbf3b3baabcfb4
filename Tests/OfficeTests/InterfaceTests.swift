import AsyncHTTPClient
import Evidence
import FieldUnit
import Foundation
import Inspection
import NIOCore
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("What the office answers to programs", .timeLimit(.minutes(5)))
struct InterfaceTests {
  @Test("a form without its token, or from another site, changes nothing")
  func forms() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.order()
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let path = "/tasks/\(task.id)/decide"
        let fields = ["action": "withdraw", "seen": "0"]
        let stranger = site.browser()
        _ = try await stranger.get("/sign-in")
        let refused = [
          ("no token", try await otto.post(path, fields, token: .some(nil)), "form-expired"),
          ("another's", try await otto.post(path, fields, token: stranger.token), "form-expired"),
          (
            "foreign", try await otto.post(path, fields, origin: "https://evil.example"),
            "origin-not-allowed"
          ), ("null", try await otto.post(path, fields, origin: "null"), "origin-not-allowed"),
          (
            "another port", try await otto.post(path, fields, origin: "http://127.0.0.1:1"),
            "origin-not-allowed"
          ),
        ]
        for (name, answer, code) in refused {
          #expect(answer.status == 403, "\(name)")
          #expect(answer.isPage && answer.body.contains(code), "\(name)")
        }
        #expect(try await scene.office.review.view(of: task.id, in: "north").task.state == .new)
        #expect(try await otto.post(path, fields).status == 303)
      }
    }
  }

  @Test("the field units' interface wants a device's token, and answers problems in JSON")
  func tokens() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let unit = try await scene.unit()
      let device = try #require(try unit.store.signedIn()?.token)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let session = try #require(otto.sessionToken)
        let cookie = ("Cookie", "standpoint-session-\(site.port)=")
        func bearer(_ token: String) -> (String, String) { ("Authorization", "Bearer \(token)") }
        let digest = String(repeating: "a", count: 64)
        for (method, path) in [
          ("GET", "/api/v1/tasks"), ("PATCH", "/api/v1/uploads/\(digest)"),
          ("PUT", "/api/v1/batches/0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f"),
        ] {
          let body: HTTPClientRequest.Body? =
            method == "GET" ? nil : .bytes(ByteBuffer(string: "x"))
          for (headers, status, code) in [
            ([], 401, "session-missing"),
            ([(cookie.0, cookie.1 + session)], 401, "session-missing"),
            ([(cookie.0, cookie.1 + device)], 401, "session-missing"),
            ([bearer("nonsense")], 401, "session-expired"),
            ([bearer(session)], 403, "role-forbidden"),
          ] {
            let answer = try await site.send(
              method, path, headers + [("Tus-Resumable", "1.0.0")], body: body)
            #expect(answer.status == status, "\(method) \(path) \(headers)")
            #expect(answer.code == code, "\(method) \(path) \(headers)")
          }
        }
        let tasks = try await site.send("GET", "/api/v1/tasks", [bearer(device)])
        #expect(tasks.header("Content-Type") == "application/json")
        #expect(try WireJSON.message(TaskListMessage.self, tasks.bytes).tasks.count == 1)
        let office = try await site.send("GET", "/api/v1/office")
        let message = try WireJSON.message(OfficeMessage.self, office.bytes)
        #expect(message.fingerprint == scene.office.fingerprint)
        let unknown = try await site.send("GET", "/api/v1/nothing")
        #expect(unknown.status == 404 && unknown.code == "not-found")
        #expect(try await site.send("POST", "/api/v1/sign-out", [bearer(device)]).status == 204)
        #expect(try await site.send("GET", "/api/v1/tasks", [bearer(device)]).status == 401)
      }
    }
  }

  @Test(
    "a message that was changed on its way is refused by its Content-Digest, and the same one taken"
  )
  func contentDigest() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let message = Array("{}".utf8)
        func post(_ digest: String) async throws -> Answer {
          try await site.send(
            "POST", "/api/v1/sign-in", [("Content-Digest", digest)],
            body: .bytes(ByteBuffer(bytes: message)))
        }
        let own = "sha-256=:\(Digest.base64(message)):"
        for wrong in ["sha-256=:\(Digest.base64(Array("{ }".utf8))):", "md5=:AAAA:", "nonsense"] {
          let answer = try await post(wrong)
          #expect(answer.status == 400 && answer.code == "digest-differs", "\(wrong)")
        }
        for right in [own, "md5=:AAAA:, \(own)"] {
          #expect(try await post(right).code != "digest-differs", "\(right)")
        }
      }
    }
  }

  @Test("a message that is none is refused in words, and a newer one is named")
  func messages() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let device = try #require(try unit.store.signedIn()?.token)
      try await withSite(scene.office) { site in
        let request =
          #"{"schema":"standpoint.sign-in/2","login":"ines","password":"x","#
          + #""enrolment":"a","software":"s"}"#
        for (body, code) in [
          ("{", "batch-malformed"), ("{}", "batch-malformed"), (request, "message-version"),
        ] {
          let answer = try await site.send(
            "POST", "/api/v1/sign-in", [("Content-Type", "application/json")],
            body: .bytes(ByteBuffer(string: body)))
          #expect(answer.status == 400 && answer.code == code, "\(body)")
        }
        for path in ["x", "0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f"] {
          let answer = try await site.send(
            "PUT", "/api/v1/batches/\(path)", [("Authorization", "Bearer \(device)")],
            body: .bytes(ByteBuffer(string: "{}")))
          #expect(answer.status == 400, "\(path)")
        }
      }
    }
  }
}

extension Array where Element: Sendable {
  /// The same elements, one after the other, as a stream.
  fileprivate var async: AsyncStream<Element> {
    AsyncStream { stream in
      for element in self { stream.yield(element) }
      stream.finish()
    }
  }
}
