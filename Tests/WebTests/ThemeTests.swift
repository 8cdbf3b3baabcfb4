import Testing

@testable import Web

/// The themes: light, dark, sunlight, or as the system asks, chosen on any page and kept by the
/// browser.
@Suite("The look of the pages") struct ThemeTests {
  private static func routes() -> Routes {
    var routes = Routes()
    routes.addTheme()
    routes.get("/page") { request in .page(Self.page(request)) }
    routes.post("/page") { request in .page(Self.page(request)) }
    return routes
  }

  private static func page(_ request: WebRequest) -> HTML {
    PageFrame.html(
      title: "Page", side: .office, language: "en", navigation: [], main: "<h1>Page</h1>",
      themes: .init(for: request))
  }

  /// Loads the page as a browser does, and returns its cookie and the token of the form at its
  /// foot.
  private static func open(_ server: TestServer) async throws -> (cookie: String, token: String) {
    let page = try await server.get("/page")
    let cookie = try #require(page.cookies.first { $0.hasPrefix(server.formCookie) })
    let field = try #require(page.body.firstRange(of: "name=\"csrf\" value=\""))
    return (
      String(cookie.prefix { $0 != ";" }),
      String(page.body[field.upperBound...].prefix { $0 != "\"" })
    )
  }

  @Test("a choice leads back to its page, which then carries it; the system's takes it away")
  func choosing() async throws {
    try await withServer(Self.routes()) { server in
      let (cookie, token) = try await Self.open(server)
      #expect(!(try await server.get("/page").body.contains("data-theme")))
      for theme in ["sunlight", "dark", "light"] {
        let answer = try await server.post(
          "/theme", cookie: cookie, token: token, origin: server.origin, fields: "theme=\(theme)",
          more: [("Referer", "\(server.origin)/page?text=a%20b&page=2")])
        #expect(answer.status == 303)
        #expect(answer.header("location") == "/page?text=a%20b&page=2")
        let kept = try #require(answer.cookies.first { $0.contains("-theme-\(server.port)=") })
        #expect(kept.contains("HttpOnly") && kept.contains("SameSite=Lax"))
        let page = try await server.get(
          "/page", [("Cookie", "\(cookie); \(kept.prefix { $0 != ";" })")]
        ).body
        #expect(page.contains("<html lang=\"en\" data-theme=\"\(theme)\">"))
        #expect(page.contains("value=\"\(theme)\" aria-pressed=\"true\""))
        // The pressed buttons are this one and that of the language.
        #expect(page.split(separator: "aria-pressed=\"true\"").count == 3)
      }
      let system = try await server.post(
        "/theme", cookie: cookie, token: token, origin: server.origin, fields: "theme=system")
      #expect(system.header("location") == "/")
      #expect(system.cookies.contains { $0.contains("-theme-") && $0.contains("Max-Age=0") })
    }
  }

  @Test("what is no theme is refused, in a form and in a cookie")
  func hostile() async throws {
    try await withServer(Self.routes()) { server in
      let (cookie, token) = try await Self.open(server)
      for fields in ["theme=neon", "theme=", "", "theme=%22%3E%3Cscript%3E"] {
        let answer = try await server.post(
          "/theme", cookie: cookie, token: token, origin: server.origin, fields: fields)
        #expect(answer.status == 400, "\(fields)")
        #expect(!answer.cookies.contains { $0.contains("-theme-") })
      }
      let page = try await server.get(
        "/page", [("Cookie", "standpoint-theme-\(server.port)=\"><script>")]
      ).body
      #expect(!page.contains("data-theme"))
    }
  }

  @Test("nobody is led to another server")
  func elsewhere() async throws {
    try await withServer(Self.routes()) { server in
      let (cookie, token) = try await Self.open(server)
      for referer in [
        "\(server.origin)//evil.example/", "\(server.origin)/\\evil.example", "nonsense", "://", "",
      ] {
        let answer = try await server.post(
          "/theme", cookie: cookie, token: token, origin: server.origin, fields: "theme=dark",
          more: [("Referer", referer)])
        #expect(answer.header("location") == "/", "\(referer)")
      }
    }
  }

  @Test("a page that answers a form keeps its look and offers no choice")
  func answered() async throws {
    try await withServer(Self.routes()) { server in
      let (cookie, token) = try await Self.open(server)
      let page = try await server.post(
        "/page", cookie: "\(cookie); standpoint-theme-\(server.port)=dark", token: token,
        origin: server.origin
      ).body
      #expect(page.contains("data-theme=\"dark\""))
      #expect(!page.contains("action=\"/theme\""))
    }
  }

  @Test("another choice is kept by the browser for a year, without characters that end a cookie")
  func anotherChoice() async throws {
    var routes = Self.routes()
    routes.get("/choose") { request in
      WebResponse.redirect("/chosen").settingChoice(
        "columns", to: request.query["columns"] ?? "")
    }
    routes.get("/chosen") { request in
      .page(HTML.text(request.choice("columns") ?? "nothing chosen"))
    }
    try await withServer(routes) { server in
      #expect(try await server.get("/chosen").body.contains("nothing chosen"))
      let answer = try await server.get("/choose?columns=due.type;%20Domain=example.org")
      let kept = try #require(answer.cookies.first { $0.contains("-columns-\(server.port)=") })
      #expect(kept.contains("=due.typeDomainexample.org; Max-Age=31536000; Path=/; HttpOnly"))
      let page = try await server.get(
        "/chosen", [("Cookie", String(kept.prefix { $0 != ";" }))])
      #expect(page.body.contains("due.typeDomainexample.org"))
      let forgotten = try await server.get("/choose?columns=")
      #expect(forgotten.cookies.contains { $0.contains("-columns-\(server.port)=; Max-Age=0") })
    }
  }
}
