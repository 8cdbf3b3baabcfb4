import Foundation
import Testing

@testable import Web

@Suite("Problems") struct ProblemTests {
  @Test("the catalogue's codes and statuses are what programs already know")
  func catalogue() {
    let catalogue = WebProblem.allCases.map { "\($0.rawValue) \($0.status)" }.sorted()
    #expect(
      catalogue == [
        "busy 503", "form-expired 403", "host-not-allowed 421", "internal 500",
        "malformed-request 400", "method-not-allowed 405", "not-found 404",
        "origin-not-allowed 403", "too-large 413", "unsupported-media-type 415",
      ])
  }

  @Test("every problem has a title and a sentence", arguments: WebProblem.allCases)
  func words(problem: WebProblem) {
    #expect(!problem.problem.title.isEmpty)
    #expect(problem.problem.detail.hasSuffix("."))
    #expect(problem.problem.code == problem.rawValue)
    #expect(problem.problem.status == problem.status)
  }

  @Test("JSON has the members of RFC 9457, the code, and further ones that cannot replace them")
  func json() throws {
    let problem = Problem(
      status: 409, code: "name-taken", detail: "\"A\\B\"\n\u{1}\u{2028}ž",
      members: ["field": "name", "status": "200", "a": "<"])
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(problem.json)) as? [String: Any])
    #expect(object.count == 7)
    #expect(object["type"] as? String == "urn:standpoint:problem:name-taken")
    #expect(object["title"] as? String == "Name taken")
    #expect(object["status"] as? Int == 409)
    #expect(object["detail"] as? String == "\"A\\B\"\n\u{1}\u{2028}ž")
    #expect(object["code"] as? String == "name-taken")
    #expect(object["field"] as? String == "name")
    #expect(
      String(decoding: Problem(status: 1, code: "c", detail: "d").json, as: UTF8.self)
        == """
        {"type":"urn:standpoint:problem:c","title":"C","status":1,"detail":"d","code":"c"}
        """)
  }

  private struct Known: Error, ProblemConvertible {
    var problem: Problem { Problem(status: 409, code: "name-taken", detail: "Taken.") }
  }
  private struct Unknown: Error { let path = "/var/lib/secret" }

  private func routes() -> Routes {
    var routes = sampleRoutes()
    routes.get("/known") { _ in throw Known() }
    routes.get("/thrown") { _ in throw Problem(status: 410, code: "gone", detail: "Gone.") }
    routes.get("/unknown") { _ in throw Unknown() }
    routes.get("/api/known") { _ in throw Known() }
    return routes
  }

  @Test("a handler's error that can be shown is shown: as a page for people, as JSON for programs")
  func known() async throws {
    try await withServer(routes()) { server in
      let page = try await server.get("/known", [("Accept", "text/html,*/*;q=0.8")])
      #expect(page.status == 409)
      #expect(page.body.contains("<p id=\"code\">name-taken</p>"))
      #expect(page.header("content-type") == "text/html; charset=utf-8")
      let json = try await server.get("/known", [("Accept", "application/json")])
      #expect(json.status == 409)
      #expect(json.code == "name-taken")
      #expect(try await server.get("/api/known").code == "name-taken")
      #expect(try await server.get("/thrown").status == 410)
      #expect(server.log.all.isEmpty)
    }
  }

  @Test("the page of a problem has a form token, too: its forms work")
  func forms() async throws {
    let server = WebServer(
      configuration: testConfiguration(), routes: Routes(),
      problemPage: { _, request in "<i>\(request.formToken)</i>" })
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let running = Task { try await server.run { port.yield($0) } }
    let number = try #require(try await firstElement(of: ports))
    let answer = try await RawConnection.exchange(
      port: number,
      ["GET /absent HTTP/1.1\r\nHost: localhost:\(number)\r\nConnection: close\r\n\r\n"])
    let cookie = try #require(answer.split(separator: "standpoint-form-\(number)=").last)
    let token = FormToken(secret: testSecret).value(forCookie: String(cookie.prefix { $0 != ";" }))
    #expect(answer.hasSuffix("<i>\(token)</i>"))
    running.cancel()
    try await running.value
  }

  @Test("any other error is logged and answered without its details")
  func unknown() async throws {
    try await withServer(routes()) { server in
      let answer = try await server.get("/unknown")
      #expect(answer.status == 500)
      #expect(answer.body.contains("internal"))
      #expect(!answer.body.contains("secret"))
      #expect(server.log.all.count == 1)
      #expect(server.log.all.first?.contains("/var/lib/secret") == true)
    }
  }

  @Test(
    "JSON is preferred by what Accept weighs",
    arguments: [
      ("/x", "application/json", true), ("/x", "application/problem+json", true),
      ("/x", "text/html", false), ("/x", "*/*", false), ("/x", nil, false),
      ("/x", "text/html;q=0.5, application/json;q=0.9", true),
      ("/x", "text/html, application/json", false), ("/api/x", "text/html", true),
      ("/x", "application/json;q=0, text/html;q=0", false),
      ("/x", "application/json;q=nan", false),
    ] as [(String, String?, Bool)])
  func preference(path: String, accept: String?, json: Bool) {
    #expect(WebRequest.prefersJSON(path: path, accept: accept) == json)
  }
}
