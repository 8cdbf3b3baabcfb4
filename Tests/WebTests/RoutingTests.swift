import Testing

@testable import Web

@Suite("Routes") struct RoutingTests {
  private func table() -> RouteTable {
    var routes = Routes()
    let nothing: Routes.Handler = { _ in .empty() }
    for pattern in [
      "/", "/orders", "/orders/new", "/orders/{id}", "/orders/{id}/lines/{line}", "/{any}/lines",
      "/files/{path...}", "/files/index",
    ] {
      routes.get(pattern, nothing)
    }
    routes.post("/orders", nothing)
    routes.put("/orders/new", nothing)
    return RouteTable(routes)
  }

  private func parameters(_ path: String, _ method: String = "GET") -> [String: String]? {
    guard case .found(_, let parameters) = table().match(method: method, path: path) else {
      return nil
    }
    return parameters
  }

  @Test("a written segment wins over a name, and a name over a rest")
  func precedence() {
    #expect(parameters("/") == [:])
    #expect(parameters("/orders/new") == [:])
    #expect(parameters("/orders/7") == ["id": "7"])
    #expect(parameters("/orders/7/lines/2") == ["id": "7", "line": "2"])
    #expect(parameters("/orders/lines") == ["id": "lines"])
    #expect(parameters("/other/lines") == ["any": "other"])
    #expect(parameters("/files/index") == [:])
    #expect(parameters("/files/a/b.png") == ["path": "a/b.png"])
  }

  @Test("segments are decoded, and never lead out of a folder")
  func decoding() {
    #expect(parameters("/orders/%C5%BE%20a+b") == ["id": "ž a+b"])
    for path in [
      "/orders/a%2Fb", "/orders/..", "/orders/%2e%2e", "/files/a/%2E./b", "/files/a/../b",
      "/files/..%2fb", "/files/a%5Cb", "/files/", "/files/a//b", "/orders/", "//orders",
      "/orders//",
    ] {
      guard case .nothing = table().match(method: "GET", path: path) else {
        Issue.record("\(path) was found")
        continue
      }
    }
  }

  @Test("a path that cannot be decoded is malformed", arguments: ["/%", "/%ff", "/a%00", "x", ""])
  func malformed(path: String) {
    guard case .malformed = table().match(method: "GET", path: path) else {
      Issue.record("\(path) passed")
      return
    }
  }

  @Test("a path that others may use with other methods says with which")
  func methods() {
    guard case .otherMethods(let methods) = table().match(method: "DELETE", path: "/orders") else {
      Issue.record("found")
      return
    }
    #expect(methods == ["GET", "HEAD", "POST"])
    // PUT is at the written segment only, GET at the name as well.
    guard case .otherMethods(["GET", "HEAD"]) = table().match(method: "PUT", path: "/orders/7")
    else {
      Issue.record("found")
      return
    }
  }

  @Test("over HTTP: 404, 405 with Allow, and HEAD like GET without a body")
  func overHTTP() async throws {
    var routes = sampleRoutes()
    routes.get("/orders/{id}") { request in
      .page("<p>\(request.parameters["id"])|\(request.query["q"])|\(request.path)</p>")
    }
    routes.get("/live") { _ in .events(AsyncStream { $0.finish() }) }
    try await withServer(routes) { server in
      let page = try await server.get("/orders/%C5%BE?q=1%202&q=3")
      #expect(page.body == "<p>ž|1 2|/orders/%C5%BE</p>")
      #expect(try await server.get("/absent").status == 404)
      for target in ["/orders/%zz", "/form?a=%zz", "/%00"] {
        // A well-behaved client would mend these.
        let answer = try await RawConnection.exchange(
          port: server.port,
          ["GET \(target) HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n\r\n"])
        #expect(answer.hasPrefix("HTTP/1.1 400"), "\(target)")
      }
      let other = try await server.send("DELETE", "/form", [("Origin", server.origin)])
      #expect(other.status == 405)
      #expect(other.header("allow") == "GET, HEAD, POST")
      #expect(try await server.send("OPTIONS", "/form").status == 405)
      #expect(try await server.send("PROPFIND", "/form").status == 405)
      let head = try await server.send("HEAD", "/orders/7")
      #expect(head.status == 200)
      #expect(head.body.isEmpty)
      #expect(head.header("content-length") == "19")
      #expect(head.header("content-type") == "text/html; charset=utf-8")
      #expect(try await server.send("HEAD", "/absent").status == 404)
      let host = "Host: localhost:\(server.port)\r\n"
      let both = try await RawConnection.exchange(
        port: server.port,
        [
          "HEAD /orders/7 HTTP/1.1\r\n\(host)\r\n",
          "GET /orders/8 HTTP/1.1\r\n\(host)Connection: close\r\n\r\n",
        ], waitingFor: "\r\n\r\n")
      #expect(both.contains("\r\n\r\nHTTP/1.1 200"))
      let stream = try await server.send("HEAD", "/live")
      #expect(stream.header("content-type") == "text/event-stream; charset=utf-8")
      // The connection must still be in step after answers without a body.
      #expect(try await server.get("/orders/8").body == "<p>8||/orders/8</p>")
    }
  }
}
