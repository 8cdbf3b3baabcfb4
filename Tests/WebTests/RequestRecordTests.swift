import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Web

@Suite("What is known of a request: its name, its line, its figures")
struct RequestRecordTests {
  private final class Records: Sendable {
    private let records = Mutex<[RequestRecord]>([])
    func add(_ record: RequestRecord) { records.withLock { $0.append(record) } }
    var all: [RequestRecord] { records.withLock { $0 } }
  }

  @Test("each answer names its request; a problem, its page and the log say the same name")
  func names() async throws {
    var routes = sampleRoutes()
    routes.get("/broken") { _ in throw CocoaError(.fileNoSuchFile) }
    try await withServer(routes) { server in
      let first = try #require(try await server.get("/form").header("x-request-id"))
      let second = try #require(try await server.get("/form").header("x-request-id"))
      #expect(first != second && UUID(uuidString: first) != nil)
      let answer = try await server.get("/broken", [("Accept", "application/json")])
      let id = try #require(answer.header("x-request-id"))
      #expect(answer.body.contains("\"instance\":\"urn:standpoint:request:\(id)\""))
      #expect(server.log.all.count == 1 && server.log.all[0].contains(id))
    }
  }

  @Test("the log of what nobody expected names the route, and never the path that was asked for")
  func logsNoPath() async throws {
    var routes = Routes()
    routes.get("/tiles/{name}/{zoom}/{x}/{y}") { _ in throw CocoaError(.fileReadCorruptFile) }
    routes.post("/tasks/{id}/note") { _ in throw CocoaError(.fileReadCorruptFile) }
    routes.get("/form") { request in .page("<form>\(request.formField)</form>") }
    try await withServer(routes) { server in
      #expect(try await server.get("/tiles/base/17/71543?from=72611", []).status == 404)
      #expect(try await server.get("/tiles/base/17/71543/44897?at=72611").status == 500)
      let (cookie, token) = try await server.openForm()
      let note = try await server.post(
        "/tasks/0190a5c0-7d2e-7cc3-98c4-0000000000ff/note", cookie: cookie, token: token,
        origin: server.origin)
      #expect(note.status == 500)
      let lines = server.log.all
      #expect(lines.count == 2)
      #expect(lines.first?.contains("GET /tiles/{name}/{zoom}/{x}/{y}: ") == true)
      #expect(lines.last?.contains("POST /tasks/{id}/note: ") == true)
      for told in ["71543", "44897", "72611", "0190a5c0"] {
        #expect(!lines.contains { $0.contains(told) }, "\(told)")
      }
    }
  }

  @Test("a problem that a handler answers itself has its request's name, too")
  func answeredProblem() async throws {
    var routes = Routes()
    routes.get("/full") { _ in
      .problem(Problem(status: 503, code: "full", detail: "Full."))
    }
    try await withServer(routes) { server in
      let answer = try await server.get("/full", [("X-Request-Id", "from-the-proxy-1")])
      #expect(answer.status == 503 && answer.code == "full")
      #expect(answer.header("retry-after") == "30")
      #expect(answer.body.contains("urn:standpoint:request:from-the-proxy-1"))
    }
  }

  @Test(
    "the sender's own name is taken over where it can do nothing, and no other",
    arguments: [
      ("abcdefgh", true), (String(repeating: "a", count: 64), true), ("0-A-z-00", true),
      ("abcdefg", false), (String(repeating: "a", count: 65), false), ("abcdefg ", false),
      ("<script>", false), ("abc\"defgh", false), ("ábcdefgh", false), ("abcd_efgh", false),
    ] as [(String, Bool)])
  func sendersName(name: String, isTaken: Bool) {
    #expect((RequestIdentity.identity(ofSender: name) == name) == isTaken)
    #expect(RequestIdentity.isUsable(RequestIdentity.identity(ofSender: name)))
  }

  @Test("a request without a name gets a random UUID")
  func ownName() throws {
    let names = (0..<1000).map { _ in RequestIdentity.identity(ofSender: nil) }
    #expect(Set(names).count == 1000)
    for name in names {
      #expect(UUID(uuidString: name) != nil && name == name.lowercased())
      let letters = Array(name)
      #expect(letters[14] == "4" && "89ab".contains(letters[19]), "\(name)")
    }
    // Every other bit is random.
    let bytes = try names.map { try #require(UUID(uuidString: $0)).uuid }
    #expect(Set(bytes.map(\.0)).count > 200 && Set(bytes.map(\.15)).count > 200)
  }

  @Test("two names at once are somebody's play: neither is taken")
  func twoNames() async throws {
    try await withServer(sampleRoutes()) { server in
      let answer = try await server.get(
        "/form", [("X-Request-Id", "aaaaaaaa"), ("X-Request-Id", "bbbbbbbb")])
      let id = try #require(answer.header("x-request-id"))
      #expect(UUID(uuidString: id) != nil)
    }
  }

  @Test("every request is told of once, by its route, without its query")
  func records() async throws {
    let records = Records()
    let server = WebServer(
      configuration: testConfiguration(), routes: sampleRoutes(),
      problemPage: { _, _ in "<p>no</p>" }, log: { _ in }, onRequest: { records.add($0) })
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let running = Task { try await server.run { port.yield($0) } }
    let number = try #require(try await firstElement(of: ports))
    for path in ["/form?token=secret", "/nowhere/at/all?secret=1"] {
      _ = try await RawConnection.exchange(
        port: number,
        ["GET \(path) HTTP/1.1\r\nHost: localhost:\(number)\r\nConnection: close\r\n\r\n"])
    }
    running.cancel()
    try await running.value
    let all = records.all.sorted { $0.status < $1.status }
    try #require(all.count == 2)
    #expect(all[0].route == "/form" && all[0].status == 200 && all[0].method == "GET")
    #expect(all[1].route == nil && all[1].status == 404 && all[1].path == "/nowhere/at/all")
    for record in all {
      #expect(record.seconds >= 0 && record.remoteAddress != nil)
      for format in LogFormat.allCases { #expect(!format.line(of: record).contains("secret")) }
    }
  }

  private static let record = RequestRecord(
    id: "abcdefgh", began: Date(timeIntervalSince1970: 1_780_000_000.25), method: "GET",
    route: "/tasks/{id}", path: "/tasks/1", status: 200, seconds: 0.01234,
    remoteAddress: "192.0.2.1")

  @Test("a line is text for people or JSON for programs")
  func lines() throws {
    #expect(
      LogFormat.text.line(of: Self.record)
        == "2026-05-28T20:26:40.250Z 200 GET /tasks/1 12.3 ms 192.0.2.1 abcdefgh")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(LogFormat.json.line(of: Self.record).utf8))
        as? [String: Any])
    #expect(object["time"] as? String == "2026-05-28T20:26:40.250Z")
    #expect(object["request"] as? String == "abcdefgh")
    #expect(object["route"] as? String == "/tasks/{id}")
    #expect(object["status"] as? Int == 200)
    #expect(object["milliseconds"] as? Double == 12.3)
    let words = LogFormat.json.line(of: "a \"b\"\nc", at: Self.record.began)
    #expect(words.contains("\"message\":\"a \\\"b\\\"\\nc\""))
    #expect(LogFormat.text.line(of: "a", at: Self.record.began) == "a")
  }

  @Test("nothing that is sent begins a line of its own, or fills the log")
  func hostileLines() throws {
    var record = Self.record
    record.path = "/a\n2026 200 GET /forged\u{1B}[2J\u{85}" + String(repeating: "x", count: 9000)
    record.method = "G\rET"
    for format in LogFormat.allCases {
      let line = format.line(of: record)
      #expect(!line.contains(where: \.isNewline) && !line.contains("\u{1B}"))
      #expect(line.utf8.count < 1000)
    }
    record.seconds = .nan
    #expect(LogFormat.json.line(of: record).contains("\"milliseconds\":0.0"))
  }

  @Test("figures count by route, method and class of status, and durations by bucket")
  func figures() {
    let figures = RequestFigures()
    figures.note(Self.record)
    var slow = Self.record
    slow.seconds = 0.3
    figures.note(slow)
    slow.seconds = 1000
    slow.status = 503
    figures.note(slow)
    for method in ["BREW", "GET"] {
      figures.note(
        RequestRecord(
          id: "x", began: Date(timeIntervalSince1970: 0), method: method, route: nil,
          path: "/\(method)", status: 404, seconds: .nan, remoteAddress: nil))
    }
    var text = MetricsText()
    figures.write(to: &text, prefix: "p_")
    let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    for line in [
      "# TYPE p_requests_total counter",
      "p_requests_total{route=\"/tasks/{id}\",method=\"GET\",status=\"2xx\"} 2",
      "p_requests_total{route=\"/tasks/{id}\",method=\"GET\",status=\"5xx\"} 1",
      "p_requests_total{route=\"none\",method=\"any\",status=\"4xx\"} 2",
      "# TYPE p_request_seconds histogram",
      "p_request_seconds_bucket{route=\"/tasks/{id}\",le=\"0.01\"} 0",
      "p_request_seconds_bucket{route=\"/tasks/{id}\",le=\"0.03\"} 1",
      "p_request_seconds_bucket{route=\"/tasks/{id}\",le=\"0.25\"} 1",
      "p_request_seconds_bucket{route=\"/tasks/{id}\",le=\"0.3\"} 2",
      "p_request_seconds_bucket{route=\"/tasks/{id}\",le=\"60\"} 2",
      "p_request_seconds_bucket{route=\"/tasks/{id}\",le=\"+Inf\"} 3",
      "p_request_seconds_count{route=\"/tasks/{id}\"} 3",
      "p_request_seconds_sum{route=\"none\"} 0",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test("labels and help are escaped as Prometheus reads them")
  func escaping() {
    var text = MetricsText()
    text.begin("a", .gauge, "one\\two\nthree \"four\"")
    text.value("a", [("b", "x\"y\\z\n")], 0.5)
    #expect(
      String(decoding: text.bytes, as: UTF8.self) == """
        # HELP a one\\\\two\\nthree "four"
        # TYPE a gauge
        a{b="x\\"y\\\\z\\n"} 0.5

        """)
    #expect(MetricsText.number(1e15) == "1000000000000000")
    #expect(MetricsText.number(.infinity) == "+Inf")
    #expect(MetricsText.number(0.1) == "0.1")
  }
}
