import Evidence
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import Enrolment
@testable import Office
@testable import OfficePages

@Suite("An empty office is set up in a browser", .timeLimit(.minutes(5)))
struct FirstRunTests {
  private static let good = [
    "title": "Agency of the North", "name": "Anna Nováková", "login": "anna",
    "password": "kestrel over barley", "again": "kestrel over barley",
  ]

  /// Runs an empty office while `body` uses its pages.
  private func withEmptyOffice(
    _ body: @escaping @Sendable (OfficeSite, OfficeServer, FirstRun) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let start = try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z"))
      let office = try await OfficeScene.office(
        folder, ReplayClock(start: start, rate: .infinity))
      let firstRun = FirstRun(of: office)
      try await withSite(office, routes: office.routes(firstRun: firstRun)) {
        try await body($0, office, firstRun)
      }
    }
  }

  @Test("every way in leads to the page; the code opens it, and the first administrator is in")
  func setUp() async throws {
    try await withEmptyOffice { site, office, firstRun in
      let anna = site.browser()
      for path in ["/", "/sign-in"] {
        #expect(try await anna.get(path).location == "/first-run", "\(path)")
      }
      let asked = try await anna.get("/first-run")
      #expect(asked.body.contains("The program has printed a code"))
      #expect(!asked.body.contains(firstRun.code.grouped) && !asked.body.contains("Password"))
      // The printed address holds the code, which leaves the address at once.
      let code = firstRun.code.grouped.lowercased()
      #expect(try await anna.get("/first-run?code=\(code)").location == "/first-run")
      // Reload and Back find the form again.
      for _ in 1...2 {
        #expect(try await anna.get("/first-run").body.contains("Your agency and you"))
      }
      let done = try await anna.post("/first-run", Self.good)
      #expect(done.status == 303 && done.location == "/set-up")
      #expect(try await anna.get("/set-up").body.contains("Step 2 of 6"))
      #expect(try await office.people.agencies().map(\.name) == ["agency-of-the-north"])
      #expect(
        try await office.people.accounts() == [
          Account(
            login: "anna", agency: "agency-of-the-north", role: .administrator,
            name: "Anna Nováková")
        ])
      // The page is gone, also for the code.
      #expect(try await site.browser().get("/first-run?code=\(code)").location == "/")
      #expect(try await site.browser().get("/").location == "/tasks")
      let late = try await anna.post("/first-run", Self.good)
      #expect(late.status == 409)
      let log = try await office.database.readRegistry { registry in
        var actions: [String] = []
        try registry.forEachLogEntry { actions.append("\($0.action) \($0.person)") }
        return actions
      }
      #expect(log == ["agency-added first-run", "person-added first-run", "signed-in anna"])
    }
  }

  @Test("a faulty form keeps what was written, but no password, and makes nothing")
  func faulty() async throws {
    try await withEmptyOffice { site, office, firstRun in
      let anna = site.browser()
      _ = try await anna.get("/first-run?code=\(firstRun.code.characters)")
      _ = try await anna.get("/first-run")
      for (change, words) in [
        (["again": "another one here"], "the two passwords differ"),
        (["password": "short", "again": "short"], "at least 10 characters"),
        (["login": "anna b"], "a login is 1 to 64 letters"),
        (["title": " "], "1 to 200 characters"),
        (["agency": "no/slash"], "name is 1 to 64 letters"),
        (["title": String(repeating: "x", count: 201)], "1 to 200 characters"),
      ] {
        let answer = try await anna.post("/first-run", Self.good.merging(change) { $1 })
        #expect(answer.status == 400 && answer.body.contains(words), "\(change)")
        #expect(answer.body.contains("value=\"Anna Nováková\""), "\(change)")
        #expect(!answer.body.contains("kestrel"), "\(change)")
      }
      #expect(try await office.people.agencies().isEmpty)
      #expect(try await office.people.accounts().isEmpty)
    }
  }

  @Test("without the code nothing can be made, and guessing has to wait")
  func guessed() async throws {
    try await withEmptyOffice { site, office, firstRun in
      let stranger = site.browser()
      _ = try await stranger.get("/first-run")
      #expect(try await stranger.post("/first-run", Self.good).status == 401)
      var statuses: [Int] = []
      for number in 0..<8 {
        let guess = number % 2 == 0 ? "0000000\(number)" : "nonsense"
        statuses.append(try await stranger.post("/first-run", ["code": guess]).status)
      }
      #expect(statuses == [401, 401, 401, 401, 401, 429, 429, 429])
      // The right code has to wait, too: otherwise the wait would tell nothing to a guesser.
      let right = try await stranger.post("/first-run", ["code": firstRun.code.grouped])
      #expect(right.status == 429 && right.header("Retry-After") != nil)
      #expect(try await stranger.post("/first-run", Self.good).status == 401)
      #expect(try await office.people.agencies().isEmpty)
    }
  }

  @Test("of two people who set it up at once one is in, and the other is told so")
  func twoPeople() async throws {
    try await withEmptyOffice { site, office, firstRun in
      let (anna, otto) = (site.browser(), site.browser())
      for browser in [anna, otto] {
        _ = try await browser.get("/first-run?code=\(firstRun.code.characters)")
        _ = try await browser.get("/first-run")
      }
      async let first = anna.post("/first-run", Self.good)
      async let second = otto.post("/first-run", Self.good.merging(["login": "otto"]) { $1 })
      let answers = try await [first, second]
      #expect(answers.map(\.status).sorted() == [303, 409])
      let lost = try #require(answers.first { $0.status == 409 })
      #expect(lost.body.contains("set this office up") || lost.body.contains("is set up already"))
      #expect(try await office.people.accounts().count == 1)
      #expect(try await office.people.agencies().count == 1)
    }
  }

  @Test("a program that was started again has another code, and says so to an older page")
  func startedAgain() async throws {
    try await withEmptyOffice { site, office, firstRun in
      let again = FirstRun(of: office)
      #expect(again.code != firstRun.code)
      try await withSite(office, routes: office.routes(firstRun: again)) { later in
        let anna = later.browser()
        _ = try await anna.get("/first-run?code=\(firstRun.code.characters)")
        let answer = try await anna.post("/first-run", Self.good)
        #expect(answer.status == 401 && answer.body.contains("enter its new code"))
      }
    }
  }

  @Test("a short name is made of an agency's title")
  func shortNames() {
    #expect(FirstRun.shortName(of: "Státní zemědělský fond, Brno") == "statni-zemedelsky-fond-brno")
    #expect(FirstRun.shortName(of: "農林水産省") == "agency")
    #expect(FirstRun.shortName(of: String(repeating: "x", count: 200)).count == 64)
  }
}
