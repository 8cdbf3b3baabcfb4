import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import Web

@Suite("Responses") struct ResponseTests {
  @Test(
    "a redirect leads to a path of this server",
    arguments: [
      ("/", "/"), ("/orders/7?a=1&b=%20#part", "/orders/7?a=1&b=%20#part"),
      ("/žluť x", "/%C5%BElu%C5%A5%20x"), ("/a//b", "/a//b"), ("/a\"<>", "/a%22%3C%3E"),
    ])
  func redirects(path: String, location: String) {
    #expect(LocalPath.checked(path) == location)
  }

  @Test(
    "a redirect to anywhere else leads to the first page",
    arguments: [
      "", "orders", "//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example",
      "/\t/evil.example", "/\r\nSet-Cookie: a=b", "javascript:alert(1)", " /a", "/a\u{0}", "/a\\b",
      "/\u{7F}",
    ])
  func foreignRedirects(path: String) {
    #expect(LocalPath.checked(path) == nil)
    #expect(WebResponse.redirect(path).headers.contains { $0 == ("Location", "/") })
  }

  @Test("every answer carries the security headers, and a page the policy of pages")
  func securityHeaders() async throws {
    var routes = sampleRoutes()
    routes.get("/svg") { _ in
      .bytes(Array("<svg/>".utf8), mediaType: "image/svg+xml")
    }
    routes.get("/fail") { _ in throw WebProblem.internal }
    try await withServer(routes) { server in
      for path in ["/form", "/svg", "/fail", "/absent", "/assets/live.js"] {
        let answer = try await server.get(path)
        #expect(answer.header("x-content-type-options") == "nosniff")
        #expect(answer.header("referrer-policy") == "same-origin")
        #expect(answer.header("cross-origin-opener-policy") == "same-origin")
        #expect(answer.header("cross-origin-resource-policy") == "same-origin")
        #expect(answer.header("server") == "test")
        #expect(answer.headers["content-security-policy"].count == 1)
        #expect(answer.header("date")?.hasSuffix(" GMT") == true)
        #expect(answer.header("access-control-allow-origin") == nil)
      }
      let page = try await server.get("/form")
      #expect(
        page.header("content-security-policy")
          == "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob: data:; "
          + "connect-src 'self'; media-src 'self' blob:; font-src 'self'; manifest-src 'self'; "
          + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
      #expect(page.header("cache-control") == "no-store")
      let svg = try await server.get("/svg")
      #expect(svg.header("content-security-policy")?.contains("script-src") == false)
    }
  }

  @Test("the form cookie comes with the first page only, and nobody but the browser can use it")
  func formCookie() async throws {
    try await withServer(sampleRoutes()) { server in
      let first = try await server.get("/form")
      let cookie = try #require(first.cookies.first)
      #expect(first.cookies.count == 1)
      #expect(cookie.hasPrefix("standpoint-form-\(server.port)="))
      #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
      let value = String(cookie.prefix { $0 != ";" })
      #expect(FormToken.isCookie(String(value.drop { $0 != "=" }.dropFirst())))
      #expect(try await server.get("/form", [("Cookie", value)]).cookies.isEmpty)
      // Any other value under that name is replaced.
      #expect(
        try await server.get("/form", [("Cookie", "\(server.formCookie)=short")]).cookies.count == 1
      )
      #expect(try await server.get("/assets/live.js").cookies.isEmpty)
      #expect(try await server.get("/absent", [("Accept", "application/json")]).cookies.isEmpty)
    }
  }

  @Test("the session cookie is set, read and cleared, with the attributes that keep it in")
  func session() async throws {
    var routes = Routes()
    routes.get("/in") { _ in .redirect("/who").settingSession(token: "abc", maxAgeSeconds: 60) }
    routes.get("/brief") { _ in .empty().settingSession(token: "a;b, c", maxAgeSeconds: nil) }
    routes.get("/out") { _ in .redirect("/who").clearingSession() }
    routes.get("/who") { request in .json(Array((request.sessionToken ?? "nobody").utf8)) }
    try await withServer(routes) { server in
      let name = server.sessionCookie
      let signedIn = try await server.get("/in")
      #expect(signedIn.status == 303)
      #expect(signedIn.header("location") == "/who")
      #expect(signedIn.cookies == ["\(name)=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax"])
      #expect(
        try await server.get("/brief").cookies == ["\(name)=abc; Path=/; HttpOnly; SameSite=Lax"])
      #expect(
        try await server.get("/out").cookies
          == ["\(name)=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"])
      #expect(try await server.get("/who", [("Cookie", "x=1; \(name)=abc; y")]).body == "abc")
      #expect(try await server.get("/who", [("Cookie", "\(name)=1; \(name)=2")]).body == "1")
      #expect(try await server.get("/who", [("Cookie", "\(name)=")]).body == "nobody")
      // The other program of this machine has another port and so another cookie.
      #expect(
        try await server.get("/who", [("Cookie", "standpoint-session-1=abc")]).body == "nobody")
    }
  }

  @Test("a file is streamed; one that is not there, or is a folder, is not found")
  func files() async throws {
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("big.bin")
      let bytes = randomBytes(1_000_003, seed: 5)
      try Data(bytes).write(to: file)
      try Data().write(to: folder.appendingPathComponent("empty.bin"))
      var routes = Routes()
      routes.get("/files/{name}") { request in
        .file(
          path: folder.path + "/" + (request.parameters["name"] ?? ""),
          mediaType: "application/octet-stream", fileName: "Žluť \"1\".bin", isAttachment: true,
          eTag: "v1")
      }
      routes.get("/folder") { _ in .file(path: folder.path, mediaType: "text/plain") }
      try await withServer(routes) { server in
        let answer = try await server.get("/files/big.bin")
        let isWhole = answer.bytes == bytes
        #expect(isWhole)
        #expect(answer.header("content-length") == "1000003")
        #expect(answer.header("cache-control") == "private, no-cache")
        #expect(answer.header("etag") == "\"v1\"")
        #expect(
          answer.header("content-disposition")
            == "attachment; filename=\"_lu_ _1_.bin\"; filename*=UTF-8''%C5%BDlu%C5%A5%20%221%22.bin"
        )
        let known = try await server.get("/files/big.bin", [("If-None-Match", "\"v0\", \"v1\"")])
        #expect(known.status == 304)
        #expect(known.bytes.isEmpty)
        let head = try await server.send("HEAD", "/files/big.bin")
        #expect(head.header("content-length") == "1000003")
        #expect(head.bytes.isEmpty)
        #expect(try await server.get("/files/empty.bin").bytes.isEmpty)
        #expect(try await server.get("/files/absent.bin").status == 404)
        #expect(try await server.get("/folder").status == 404)
      }
    }
  }

  @Test("no text from outside begins another header field")
  func injection() async throws {
    var routes = Routes()
    routes.get("/a") { request in
      .bytes([], mediaType: "text/plain\r\nX-Evil: 1", fileName: "a\r\nX-Evil: 1/../b\"c")
        .setting(header: "X-Own", to: "a\r\nX-Evil: \(request.query["q"] ?? "")")
    }
    try await withServer(routes) { server in
      let answer = try await server.get("/a?q=1%0D%0AX-Evil:%202")
      #expect(answer.status == 200)
      #expect(answer.header("x-evil") == nil)
      #expect(answer.header("content-disposition")?.hasPrefix("inline; filename=\"b_c\"") == true)
    }
  }

  @Test("assets are served from the program, for ever under their content's name")
  func assets() async throws {
    try await withServer(Routes()) { server in
      for (asset, type) in [
        (Asset.styleSheet, "text/css; charset=utf-8"),
        (Asset.liveScript, "text/javascript; charset=utf-8"), (Asset.icon, "image/svg+xml"),
      ] {
        let answer = try await server.get(asset.href)
        #expect(answer.status == 200)
        #expect(answer.bytes == asset.bytes)
        #expect(answer.header("content-type") == type)
        #expect(answer.header("cache-control") == "public, max-age=31536000, immutable")
        let plain = try await server.get(asset.path)
        #expect(plain.header("cache-control") == "public, no-cache")
        let tag = try #require(plain.header("etag"))
        #expect(try await server.get(asset.path, [("If-None-Match", tag)]).status == 304)
      }
      #expect(Asset.styleSheet.bytes.count < 40_000)
      #expect(!String(decoding: Asset.styleSheet.bytes, as: UTF8.self).contains("http"))
    }
  }

  @Test("dates are those of RFC 9110")
  func dates() {
    #expect(
      HTTPDate.text(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(Date(timeIntervalSince1970: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
  }

  @Test("a language is the first that the browser wants and the pages have")
  func languages() async throws {
    var routes = Routes()
    routes.get("/l") { request in .json(Array(request.language(of: ["en", "cs", "pt-BR"]).utf8)) }
    try await withServer(routes) { server in
      for (wanted, language) in [
        ("cs", "cs"), ("cs-CZ,en;q=0.8", "cs"), ("de, en;q=0.5, cs;q=0.7", "cs"), ("de", "en"),
        ("", "en"), ("pt", "pt-BR"), ("*;q=x", "en"), ("cs;q=0", "en"),
      ] {
        let answer = try await server.get("/l", [("Accept-Language", wanted)])
        #expect(answer.body == language, "\(wanted)")
      }
    }
  }
}
