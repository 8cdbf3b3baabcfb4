import AsyncHTTPClient
import Crypto
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import Web

@Suite("Bodies") struct BodyTests {
  private func routes() -> Routes {
    var routes = sampleRoutes()
    routes.put("/small", machine: true) { request in
      .json(Array("\(try await request.bytes(limit: 10).count)".utf8))
    }
    routes.put("/digest", machine: true) { request in
      var hash = SHA256()
      var count = 0
      try await request.stream { chunk in
        hash.update(data: chunk)
        count += chunk.count
      }
      let digest = hash.finalize().map { String($0, radix: 16) }.joined()
      return .json(Array("\(count) \(digest) \(request.contentLength ?? -1)".utf8))
    }
    routes.put("/ignored", machine: true) { _ in .json(Array("ignored".utf8)) }
    routes.put("/twice", machine: true) { request in
      let first = try await request.bytes()
      var second: [UInt8] = []
      try await request.stream { second += $0 }
      return .json(Array("\(first == second)".utf8))
    }
    return routes
  }

  @Test("a body of exactly the limit passes, and one byte more does not", arguments: [true, false])
  func limits(isChunked: Bool) async throws {
    try await withServer(routes()) { server in
      for (count, status) in [(10, 200), (11, 413)] {
        let body = [UInt8](repeating: 65, count: count)
        var request = HTTPClientRequest(url: "\(server.origin)/small")
        request.method = .PUT
        request.headers.add(name: "Accept", value: "application/json")
        request.body =
          isChunked
          ? .stream(
            AsyncStream { stream in
              for byte in body { stream.yield(ByteBuffer(bytes: [byte])) }
              stream.finish()
            }, length: .unknown) : .bytes(ByteBuffer(bytes: body))
        let answer = try await server.client.execute(request, timeout: .seconds(300))
        #expect(Int(answer.status.code) == status)
        _ = try await answer.body.collect(upTo: 1 << 20)
      }
    }
  }

  @Test("a form may be as large as its handler allows, and is refused beyond")
  func forms() async throws {
    try await withServer(routes()) { server in
      let own = try await server.openForm()
      // "csrf=" and the token, "&" and "name=" belong to the body as well.
      let frame = own.token.utf8.count + 11
      for (count, status) in [(65_536, 200), (65_537, 413), ((1 << 20) + 1, 413)] {
        let answer = try await server.post(
          "/form", cookie: own.cookie, token: own.token, origin: server.origin,
          fields: "name=" + String(repeating: "a", count: count - frame))
        #expect(answer.status == status, "\(count)")
      }
    }
  }

  @Test("something else than a form is refused where a form is expected")
  func types() async throws {
    try await withServer(routes()) { server in
      let own = try await server.openForm()
      for type in [
        "multipart/form-data; boundary=x", "text/plain", "application/json",
        "application/x-www-form-urlencoded; charset=iso-8859-1",
      ] {
        let answer = try await server.send(
          "POST", "/form",
          [
            ("Content-Type", type), ("Cookie", own.cookie), ("Origin", server.origin),
            ("X-Form-Token", own.token), ("Accept", "application/json"),
          ], body: Array("name=a".utf8))
        #expect(answer.code == "unsupported-media-type", "\(type)")
      }
    }
  }

  @Test("8 MiB are handed on piece by piece and arrive whole")
  func streaming() async throws {
    try await withServer(routes()) { server in
      let body = randomBytes(8 << 20, seed: 11)
      let digest = SHA256.hash(data: body).map { String($0, radix: 16) }.joined()
      let answer = try await server.send("PUT", "/digest", body: body)
      #expect(answer.body == "\(body.count) \(digest) \(body.count)")
    }
  }

  @Test("the sender waits while the handler works")
  func backPressure() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    var routes = sampleRoutes()
    routes.put("/slow", machine: true) { request in
      var count = 0
      try await request.stream { chunk in
        if count == 0 { _ = try await firstElement(of: gate) }
        count += chunk.count
      }
      return .json(Array("\(count)".utf8))
    }
    let total = 64 << 20
    try await withServer(routes) { server in
      let upload = try RawConnection.Upload(
        port: server.port, path: "/slow", byteCount: total)
      // Sending stands still once every buffer on the way is full. Other requests are the clock:
      // twenty of them one after the other, and not one more byte was taken.
      var quiet = 0
      while quiet < 20 {
        quiet = try upload.push() ? 0 : quiet + 1
        #expect(try await server.get("/form").status == 200)
      }
      #expect(upload.sent > 0)
      #expect(upload.sent < total / 2)
      open.finish()
      while upload.sent < total {
        _ = try upload.push()
        #expect(try await server.get("/form").status == 200)
      }
      let answer = try await upload.answer(until: "\(total)")
      #expect(answer.hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("a body may be asked for twice, and one that nobody asks for does no harm")
  func twiceAndNever() async throws {
    try await withServer(routes()) { server in
      let body = [UInt8](repeating: 3, count: 40_000)
      for (path, body, words) in [
        ("/twice", body, "true"), ("/ignored", body, "ignored"), ("/twice", [], "true"),
      ] {
        let answer = try await server.send("PUT", path, body: body)
        #expect(answer.body == words)
      }
    }
  }

  @Test("who asks before sending is told to go on, or why not")
  func expectation() async throws {
    try await withServer(routes()) { server in
      func head(_ path: String, _ length: Int, _ more: String = "") -> String {
        "PUT \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nExpect: 100-continue\r\n"
          + "Content-Length: \(length)\r\nAccept: application/json\r\n\(more)\r\n"
      }
      let good = try await RawConnection.exchange(
        port: server.port, [head("/twice", 5), "12345"], waitingFor: "100 Continue\r\n\r\n",
        until: "true")
      #expect(good.contains("HTTP/1.1 200"))
      for (path, more, code) in [
        ("/absent", "", "not-found"),
        ("/twice", "Origin: http://evil.example\r\n", "origin-not-allowed"),
      ] {
        let refused = try await RawConnection.exchange(
          port: server.port, [head(path, 5, more)], until: "}")
        #expect(!refused.contains("100 Continue"), "\(path)")
        #expect(refused.contains("\"code\":\"\(code)\""), "\(path)")
        // The server cannot know whether the body still comes: the connection must end.
        #expect(refused.lowercased().contains("connection: close"), "\(path)")
      }
    }
  }

  @Test("a refusal arrives although the sender is still sending")
  func earlyRefusal() async throws {
    try await withServer(routes()) { server in
      let answer = try await RawConnection.exchange(
        port: server.port,
        [
          "PUT /small HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 900000\r\n"
            + "Accept: application/json\r\n\r\n" + String(repeating: "x", count: 500_000)
        ], until: "}")
      #expect(answer.contains("\"code\":\"too-large\""))
      // The server reads the rest all the same, since a reset could overtake the refusal.
      let orderly = try await RawConnection.exchange(
        port: server.port,
        [
          "PUT /small HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 8000000\r\n"
            + "Accept: application/json\r\n\r\n" + String(repeating: "x", count: 4_000_000),
          String(repeating: "x", count: 4_000_000),
        ], waitingFor: "}", isOrderly: true)
      #expect(orderly.contains("\"code\":\"too-large\""))
    }
  }

  @Test(
    "what is no HTTP is answered 400 and ends the connection",
    arguments: [
      "GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
      "PUT /twice HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET form HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
    ])
  func garbage(text: String) async throws {
    try await withServer(routes()) { server in
      let answer = try await RawConnection.exchange(
        port: server.port, [text.replacing("HOST", with: "127.0.0.1:\(server.port)")])
      #expect(answer.hasPrefix("HTTP/1.1 400"))
      #expect(try await server.get("/form").status == 200)
    }
  }
}
