import Evidence
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import TestSupport
import Testing
import TimeAndText
import Web

@testable import Office
@testable import OfficePages

@Suite("Refused sign-ins in the log")
struct RefusalTallyTests {
  @Test("the first is told at once, those of the next minute together")
  func minutes() {
    var tally = RefusalTally()
    func note(_ login: String, at seconds: Double, isWait: Bool = false) {
      tally.note(
        login: login, agency: "north", line: "192.0.2.1", isWait: isWait, at: seconds)
    }
    note("otto", at: 0)
    #expect(
      tally.due(at: 0) == [
        .init(agency: "north", subject: "otto", detail: "1 refused, from 192.0.2.1")
      ])
    for second in 1...59 { note("login-\(second)", at: Double(second), isWait: second > 20) }
    #expect(tally.due(at: 59.9) == [])
    #expect(
      tally.due(at: 60) == [
        .init(
          agency: "north", subject: "59 logins",
          detail: "20 refused, 39 told to wait, for login-1 login-10 login-11 login-12 login-13"
            + " and 54 more, from 192.0.2.1")
      ])
    #expect(tally.due(at: 120) == [])
  }

  @Test("when the program ends, nothing stays untold") func end() {
    var tally = RefusalTally()
    for _ in 0..<3 {
      tally.note(login: "otto", agency: nil, line: "192.0.2.1", isWait: false, at: 0)
      if tally.due(at: 0).isEmpty { continue }
    }
    #expect(tally.due(at: 1, isLast: true).map(\.detail) == ["2 refused, from 192.0.2.1"])
  }

  @Test("two hundred guesses are one entry of the log a minute")
  func log() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      func entries() async throws -> [LogEntry] {
        var entries: [LogEntry] = []
        try await scene.office.database.readRegistry { registry in
          try registry.forEachLogEntry { entries.append($0) }
        }
        return entries.filter { $0.action == "sign-in-refused" }
      }
      for number in 0..<200 {
        await #expect(throws: OfficeRefusal.self) {
          try await scene.office.sessions.authenticate(
            login: "otto", password: "guess guess", line: "192.0.2.\(number % 3)")
        }
      }
      #expect(try await entries().map(\.detail) == ["1 refused, from 192.0.2.0"])
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 61), limit: nil)
      try await scene.office.sessions.logRefusals()
      #expect(
        try await entries().last?.detail
          == "14 refused, 185 told to wait, from 192.0.2.0 192.0.2.1 192.0.2.2")
      #expect(try await entries().count == 2)
      #expect(
        try await scene.office.sessions.authenticate(
          login: "otto", password: OfficeScene.password, line: "198.51.100.1"
        ).login == "otto")
    }
  }
}
