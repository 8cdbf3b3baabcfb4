import Evidence
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("The way to the office, against what else may answer there", .timeLimit(.minutes(5)))
struct HTTPOfficeLinkTests {
  private func withLink(
    _ routes: Routes, _ body: @escaping @Sendable (HTTPOfficeLink) async throws -> Void
  ) async throws {
    try await withWebServer(routes) { port in
      let link = try HTTPOfficeLink(address: "http://127.0.0.1:\(port)")
      try await body(link)
      await link.close()
    }
  }

  private func refusal(_ body: () async throws -> Void) async -> DeliveryError? {
    await #expect(throws: DeliveryError.self) { try await body() }
  }

  // MARK: addresses

  @Test("Retry-After is seconds or a date, and whoever sends it is not taken for no office")
  func retryAfter() async throws {
    let now = try #require(DeviceTime(rfc3339: "2026-06-01T10:00:00Z"))
    let date = Date(timeIntervalSince1970: Double(now.millisecondsSince1970) / 1000)
    for (field, seconds) in [
      ("120", 120.0), ("Mon, 01 Jun 2026 10:02:00 GMT", 120), ("Mon, 01 Jun 2026 09:00:00 GMT", 0),
      ("soon", nil), ("-3", 0), ("1e30", 86_400), ("99999999999999999999", 86_400), ("nan", nil),
    ] as [(String, Double?)] {
      #expect(HTTPOfficeLink.seconds(ofRetryAfter: field, now: date) == seconds, "\(field)")
    }
    var routes = Routes()
    routes.get("/api/v1/office") { _ in
      .page("<p>Maintenance until noon</p>", status: 503).setting(header: "Retry-After", to: "90")
    }
    try await withLink(routes) { link in
      let error = await #expect(throws: DeliveryError.self) { try await link.office() }
      #expect(error?.askedSeconds == 90 && error?.code == "office-busy")
      #expect(error?.description.contains("asks you to wait 90 s") == true)
    }
  }

  @Test(
    "only https, or http to this machine, with a host and nothing else, is an office's address",
    arguments: [
      "http://office.example", "http://10.0.0.1:8480", "http://127.0.0.1.example",
      "http://localhost.example:8480", "http://127.0.0.1@office.example",
      "https://ines@office.example", "https://ines:secret@office.example",
      "https://:secret@office.example", "https://office.example/path", "https://office.example//",
      "https://office.example?x=1", "https://office.example?", "https://office.example#x",
      "ftp://office.example", "office.example", "//office.example", "https://", "https:///", "",
      "file:///etc/passwd", "http://127.0.0.1\\@office.example", "https://office.example:99999",
    ])
  func refusedAddress(_ address: String) {
    let error = #expect(throws: DeliveryError.self) { _ = try HTTPOfficeLink(address: address) }
    #expect(error?.code == "office-address")
  }

  @Test("two spellings of one address are one office")
  func normalised() throws {
    for (address, expected) in [
      (" https://office.example/ ", "https://office.example"),
      ("HTTPS://office.example:8480", "https://office.example:8480"),
      ("http://127.0.0.1:8480/", "http://127.0.0.1:8480"),
      ("http://localhost", "http://localhost"), ("http://[::1]:8480", "http://[::1]:8480"),
    ] {
      #expect(try HTTPOfficeLink.normalised(address) == expected)
    }
  }

  // MARK: answers of offices and others

  @Test("where nobody listens, that is said, and soon")
  func nobody() async throws {
    // The server of this port has ended.
    let port = try await withWebServer(Routes()) { $0 }
    let link = try HTTPOfficeLink(address: "http://127.0.0.1:\(port)")
    let begin = ContinuousClock.now
    let error = await refusal { _ = try await link.office() }
    #expect(ContinuousClock.now - begin < .seconds(8))
    #expect(error?.code == "office-unreachable")
    #expect(error?.description.contains("nothing is listening there") == true, "\(error as Any)")
    #expect(error?.description.contains("Everything stays queued") == true)
    await link.close()
  }

  @Test("a page is no office: a hotel's sign-in answers like this")
  func page() async throws {
    var routes = Routes()
    routes.get("/api/v1/office") { _ in .page("<p>Welcome to our WLAN</p>") }
    routes.get("/api/v1/tasks") { _ in .json(Array("[]".utf8)) }
    try await withLink(routes) { link in
      let error = await refusal { _ = try await link.office() }
      #expect(error?.code == "not-an-office")
      #expect(error?.description.contains("it answers text/html") == true)
      let list = await refusal { _ = try await link.tasks(since: nil, proved: nil, token: "t") }
      #expect(list?.code == "not-an-office")
    }
  }

  @Test("messages that are none are no office", arguments: ["", "{", "[]", "{}", "null"])
  func malformed(_ body: String) async throws {
    var routes = Routes()
    routes.get("/api/v1/office") { _ in .json(Array(body.utf8)) }
    try await withLink(routes) { link in
      let error = await refusal { _ = try await link.office() }
      #expect(error?.code == "not-an-office")
    }
  }

  @Test("an office that lacks an address, or names an older protocol, is an older one")
  func older() async throws {
    try await withLink(Routes()) { link in
      let error = await refusal { _ = try await link.office() }
      #expect(error?.code == "office-older")
    }
    var routes = Routes()
    routes.get("/api/v1/office") { _ in
      .json(
        try WireJSON.bytes(
          OfficeMessage(software: "office 0.1", protocolVersion: 0, fingerprint: "00")))
    }
    try await withLink(routes) { link in
      let error = await refusal { _ = try await link.office() }
      #expect(error?.code == "office-older")
      #expect(error?.description.contains("office 0.1") == true)
    }
  }

  @Test("an office's own trouble is not a decision, and its words are handed on")
  func trouble() async throws {
    var routes = Routes()
    routes.get("/api/v1/tasks") { _ in
      throw Problem(status: 503, code: "store-unavailable", detail: "the disk is full")
    }
    routes.get("/api/v1/office") { _ in
      WebResponse.page("<p>502 Bad gateway</p>", status: 502)
    }
    try await withLink(routes) { link in
      let error = await refusal { _ = try await link.tasks(since: nil, proved: nil, token: "t") }
      #expect(error?.code == "office-busy" && error?.askedSeconds == 30)
      #expect(error?.description.contains("the disk is full") == true)
      let gateway = await refusal { _ = try await link.office() }
      #expect(gateway?.description.contains("502") == true)
    }
  }

  @Test("an ended session asks for a sign-in; another refusal does not")
  func refused() async throws {
    var routes = Routes()
    routes.get("/api/v1/tasks") { request in
      let code = request.bearerToken == "old" ? "session-expired" : "role-forbidden"
      throw Problem(status: 401, code: code, detail: "the office's own words")
    }
    try await withLink(routes) { link in
      let ended = await refusal { _ = try await link.tasks(since: nil, proved: nil, token: "old") }
      #expect(ended?.code == "session-expired")
      #expect(ended?.asksForSignIn == true)
      #expect(ended?.description == "the office refuses: the office's own words")
      let forbidden = await refusal {
        _ = try await link.tasks(since: nil, proved: nil, token: "new")
      }
      #expect(forbidden?.code == "role-forbidden")
      #expect(forbidden?.asksForSignIn == false)
    }
  }

  @Test("nobody is followed who sends us elsewhere, with or without a token")
  func redirects() async throws {
    let followed = Flag()
    var elsewhere = Routes()
    elsewhere.get("/{rest...}") { _ in
      followed.set()
      return .json(try WireJSON.bytes(OfficeMessage(software: "evil", fingerprint: "00")))
    }
    try await withWebServer(elsewhere) { port in
      var routes = Routes()
      routes.get("/api/v1/office") { _ in
        WebResponse.redirect("/").setting(
          header: "Location", to: "http://127.0.0.1:\(port)/api/v1/office")
      }
      routes.get("/api/v1/tasks") { _ in .redirect("/api/v1/office") }
      try await withLink(routes) { link in
        #expect(await refusal { _ = try await link.office() }?.code == "not-an-office")
        #expect(
          await refusal { _ = try await link.tasks(since: nil, proved: nil, token: "t") }?.code
            == "not-an-office")
      }
    }
    #expect(!followed.isSet)
  }

  // MARK: signing in

  @Test(
    "a certificate for another key, person or office is not believed, and nothing is kept",
    arguments: FakeOffice.Fault.allCases)
  func forged(_ fault: FakeOffice.Fault) async throws {
    try await withTemporaryDirectory { folder in
      let clock = MachineClock()
      let office = try FakeOffice(clock: clock)
      let desk = try SignInDesk(dataDirectory: folder, software: "test", clock: clock)
      try await withLink(office.routes()) { link in
        office.plan(fault)
        let error = await refusal {
          try await desk.signIn(login: "ines", password: FakeOffice.password, over: link)
        }
        #expect(error?.code == "not-an-office")
        #expect(try desk.signedIn() == nil)
        let files = FileManager.default.subpaths(atPath: folder.path) ?? []
        #expect(!files.contains { $0.hasSuffix(".pem") && $0.contains("certificates/") })
        office.plan(nil)
        let signIn = try await desk.signIn(
          login: "ines", password: FakeOffice.password, over: link)
        #expect(signIn.person == Person(agency: "north", login: "ines", role: .inspector))
        #expect(signIn.office == link.address)
      }
    }
  }

  @Test("an office of another fingerprint never sees the password")
  func pinned() async throws {
    try await withTemporaryDirectory { folder in
      let clock = MachineClock()
      let office = try FakeOffice(clock: clock)
      let desk = try SignInDesk(dataDirectory: folder, software: "test", clock: clock)
      try await withLink(office.routes()) { link in
        let error = await refusal {
          try await desk.signIn(
            login: "ines", password: FakeOffice.password, over: link,
            pin: String(repeating: "0", count: 64))
        }
        #expect(error?.code == "office-authority")
        #expect(office.calls == ["office"])
      }
    }
  }
}
