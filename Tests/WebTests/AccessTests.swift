import Testing

@testable import Web

/// The hosts, origins and form tokens that may speak to the server, over real connections.
@Suite("Access") struct AccessTests {
  @Test("the loopback names, the configured host and the extra hosts are answered, with the port")
  func hosts() async throws {
    var configuration = testConfiguration()
    configuration.extraHosts = ["office.example", "https://proxy.example", "named.example:8443"]
    try await withServer(sampleRoutes(), configuration: configuration) { server in
      let port = server.port
      for host in [
        "localhost:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)", "LocalHost:\(port)",
        "office.example:\(port)", "proxy.example", "proxy.example:443", "named.example:8443",
      ] {
        let answer = try await server.get("/form", [("Host", host)])
        #expect(answer.status == 200, "\(host)")
      }
    }
  }

  @Test("every other host is refused before anything else is looked at")
  func foreignHosts() async throws {
    try await withServer(sampleRoutes()) { server in
      let port = server.port
      for host in [
        "evil.example:\(port)", "localhost", "localhost:1", "127.0.0.1.evil.example:\(port)",
        "localhost.:\(port)", "127.0.0.1:\(port)x", "user@127.0.0.1:\(port)", "[::1", "",
        "127.0.0.1:0\(port)0", "127.0.0.2:\(port)", "localhost:\(port),localhost:\(port)",
      ] {
        for path in ["/form", "/absent", "/assets/standpoint.css"] {
          let answer = try await server.get(
            path, [("Host", host), ("Cookie", "\(server.sessionCookie)=secret")])
          #expect(answer.status == 421, "\(host) \(path)")
          #expect(answer.body.contains("host-not-allowed"))
          #expect(!answer.body.contains("secret"))
          #expect(answer.cookies.isEmpty)
        }
      }
    }
  }

  @Test(
    "a server that listens on every address is not called by that address",
    arguments: ["0.0.0.0", "::"])
  func everyAddress(host: String) {
    var configuration = testConfiguration()
    configuration.host = host
    configuration.extraHosts = ["office.example"]
    let rules = AccessRules(configuration: configuration, port: 8080)
    #expect(rules.origin(ofHost: host.contains(":") ? "[::]:8080" : "0.0.0.0:8080") == nil)
    #expect(rules.origin(ofHost: "office.example:8080") != nil)
    #expect(rules.origin(ofHost: "localhost:8080") != nil)
    configuration.host = "fe80::1"
    let named = AccessRules(configuration: configuration, port: 8080)
    #expect(named.origin(ofHost: "[fe80::1]:8080") != nil)
  }

  @Test("a second Host field is refused")
  func twoHosts() async throws {
    try await withServer(sampleRoutes()) { server in
      let answer = try await RawConnection.exchange(
        port: server.port,
        [
          "GET /form HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nHost: evil.example\r\n"
            + "Connection: close\r\n\r\n"
        ])
      #expect(answer.hasPrefix("HTTP/1.1 400"))
    }
  }

  /// A request to `/form`, and the answer that it must get.
  struct Case: Sendable, CustomTestStringConvertible {
    var origin: String? = "own"
    var referer: String?
    var cookie = "own"
    var token = "own"
    var status: Int
    var code = ""
    var testDescription: String {
      "origin \(origin ?? "-") referer \(referer ?? "-") cookie \(cookie) token \(token)"
    }
  }

  @Test(
    "a change needs our origin and our form token, both",
    arguments: [
      Case(status: 200),
      Case(origin: nil, referer: "own", status: 200),
      Case(origin: nil, status: 403, code: "origin-not-allowed"),
      Case(origin: "null", status: 403, code: "origin-not-allowed"),
      Case(origin: "null", referer: "own", status: 403, code: "origin-not-allowed"),
      Case(origin: "http://evil.example", status: 403, code: "origin-not-allowed"),
      Case(origin: "http://evil.example", referer: "own", status: 403, code: "origin-not-allowed"),
      Case(origin: "other scheme", status: 403, code: "origin-not-allowed"),
      Case(origin: "other port", status: 403, code: "origin-not-allowed"),
      Case(origin: "other name", status: 403, code: "origin-not-allowed"),
      Case(origin: "with path", status: 403, code: "origin-not-allowed"),
      Case(
        origin: nil, referer: "http://evil.example/own", status: 403, code: "origin-not-allowed"),
      Case(token: "", status: 403, code: "form-expired"),
      Case(token: "other", status: 403, code: "form-expired"),
      Case(token: "shorter", status: 403, code: "form-expired"),
      Case(cookie: "", status: 403, code: "form-expired"),
      Case(cookie: "other", status: 403, code: "form-expired"),
      Case(cookie: "planted", token: "planted", status: 403, code: "form-expired"),
    ])
  func changes(of item: Case) async throws {
    try await withServer(sampleRoutes()) { server in
      let own = try await server.openForm()
      let other = try await server.openForm()
      let port = server.port
      let origins = [
        "own": server.origin, "other scheme": "https://127.0.0.1:\(port)",
        "other port": "http://127.0.0.1:1", "other name": "http://localhost:\(port)",
        "with path": "\(server.origin)/x",
      ]
      let cookies = [
        "own": own.cookie, "other": other.cookie, "planted": "\(server.formCookie)=planted",
      ]
      let tokens = [
        "own": own.token, "other": other.token, "shorter": String(own.token.dropLast()),
        "planted": FormToken(secret: [1]).value(forCookie: "planted"),
      ]
      var more = [("Accept", "application/json")]
      if let referer = item.referer {
        more.append(("Referer", referer == "own" ? "\(server.origin)/form?x=1" : referer))
      }
      let answer = try await server.post(
        "/form", cookie: cookies[item.cookie], token: tokens[item.token],
        origin: item.origin.map { origins[$0] ?? $0 }, fields: "name=Jan", more: more)
      #expect(answer.status == item.status)
      if item.status == 200 {
        #expect(answer.body == "name=Jan")
      } else {
        #expect(answer.code == item.code)
      }
    }
  }

  @Test("a script of ours sends the token in a header, and the body is the handler's")
  func tokenInHeader() async throws {
    try await withServer(sampleRoutes()) { server in
      let own = try await server.openForm()
      let headers = [
        ("Origin", server.origin), ("Cookie", own.cookie), ("Content-Type", "image/jpeg"),
        ("Accept", "application/json"),
      ]
      let body = [UInt8](repeating: 0xFF, count: 1000)
      let good = try await server.send(
        "PUT", "/blob", headers + [("X-Form-Token", own.token)], body: body)
      #expect(good.body == "1000")
      let bad = try await server.send(
        "PUT", "/blob", headers + [("X-Form-Token", "x")], body: body)
      #expect(bad.code == "form-expired")
      let none = try await server.send("PUT", "/blob", headers, body: body)
      #expect(none.code == "unsupported-media-type")
      let removal = try await server.send(
        "DELETE", "/blob", headers + [("X-Form-Token", own.token)])
      #expect(removal.status == 204)
      #expect(try await server.send("DELETE", "/blob", headers).code == "form-expired")
    }
  }

  @Test("a machine route looks at no cookie, and an origin must be ours where there is one")
  func machines() async throws {
    try await withServer(sampleRoutes()) { server in
      let cookies = [("Cookie", "\(server.sessionCookie)=s; any=1")]
      let silent = try await server.send("POST", "/machine", cookies)
      #expect(silent.body == "-|-")
      let own = try await server.send("POST", "/machine", cookies + [("Origin", server.origin)])
      #expect(own.status == 200)
      for origin in ["http://evil.example", "null"] {
        let foreign = try await server.send("POST", "/machine", [("Origin", origin)])
        #expect(foreign.status == 403)
      }
    }
  }

  @Test("a bearer token stands for itself: no form token, no cookie, no foreign origin")
  func bearer() async throws {
    var routes = Routes()
    routes.post("/act") { request in
      .json(Array("\(request.bearerToken ?? "-")|\(request.sessionToken ?? "-")".utf8))
    }
    try await withServer(routes) { server in
      let headers = [
        ("Authorization", "Bearer abc"), ("Cookie", "\(server.sessionCookie)=s"),
      ]
      #expect(try await server.send("POST", "/act", headers).body == "abc|-")
      let foreign = try await server.send(
        "POST", "/act", headers + [("Origin", "http://evil.example")])
      #expect(foreign.status == 403)
      let basic = try await server.send("POST", "/act", [("Authorization", "Basic abc")])
      #expect(basic.status == 403)
    }
  }
}

@Suite("Origins") struct OriginTests {
  @Test(
    "hosts are read with and without port, names and addresses alike",
    arguments: [
      ("Example.org", "http://example.org"), ("example.org:80", "http://example.org"),
      ("example.org:8080", "http://example.org:8080"), ("[::1]:81", "http://[::1]:81"),
      ("[FE80::1]", "http://[fe80::1]"),
    ])
  func read(authority: String, origin: String) {
    #expect(Origin(scheme: "http", authority: authority)?.description == origin)
    #expect(Origin(url: "http://\(authority)/a?b")?.description == origin)
  }

  @Test(
    "everything else is refused",
    arguments: [
      "", ":80", "a b", "a/b", "a:", "a:0", "a:65536", "a:8o", "a:+80", "a:80:80", "::1", "[::1",
      "[::1]x", "u@a", "a\\b", "é.example", "a:０", "[a/b]",
    ])
  func refused(authority: String) {
    #expect(Origin(scheme: "http", authority: authority) == nil)
  }

  @Test(
    "only the schemes of the web are origins", arguments: ["null", "file:///a", "ftp://a", "a"])
  func schemes(url: String) {
    #expect(Origin(url: url) == nil)
  }
}
