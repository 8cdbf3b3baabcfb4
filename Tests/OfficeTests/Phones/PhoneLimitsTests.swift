import AsyncHTTPClient
import Evidence
import Foundation
import Inspection
import NIOCore
import Positioning
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import Web

@Suite("What phones are given and may take", .timeLimit(.minutes(5)))
struct PhoneLimitsTests {
  @Test("Android goes on after each refusal of its paths, and shows why")
  func refusedPaths() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      /// What the app does with an answer: an "error" it never comes back from, and a list it would take for all paths.
      func shown(_ app: PhoneApp, _ fields: [(String, String)]) async throws -> String? {
        let answer = try await app.call("get_paths", fields)
        #expect(answer.word == "ok" && answer["paths"]?.elements == nil)
        #expect(answer["paths"]?.text == answer.message)
        return answer.message
      }
      #expect(try await shown(app, []) == PhoneRefusal.missingUser.text)
      #expect(try await shown(app, [("user_id", "4711")]) == PhoneRefusal.loginEnded.text)
      let lost = PhoneApp(kind: .android, site: site, secret: "nobodys-secret-address")
      #expect(try await shown(lost, [("user_id", user)]) == PhoneRefusal.unknownService.text)
      let flood = String(repeating: "x", count: 300_000)
      #expect(try await shown(app, [("user_id", flood)]) == PhoneRefusal.tooLarge.text)
      var change = PhoneServiceChange()
      change.requests = (0.001, 1)
      _ = try await phones.office.changePhoneService(of: "north", change, by: "test")
      #expect(try await app.call("get_paths", [("user_id", user)])["paths"]?.elements == [])
      #expect(try await shown(app, [("user_id", user)]) == PhoneRefusal.tooOften.text)
    }
  }

  @Test("an area that is no number is told as none", arguments: ["NaN", "inf", "-Infinity", "x"])
  func areas(_ area: String) async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let sent = try await app.call(
        "path", [("user_id", user), ("area", area), ("points", "[{\"lat\":50,\"lng\":14}]")])
      #expect(sent.word == "ok")
      let listed = try await app.call("get_paths", [("user_id", user)])
      #expect(listed["paths"]?.elements?.first?["area"]?.text == "0")
    }
  }

  @Test("`open` without a note keeps the note of a task that nobody has opened")
  func openKeepsNote() async throws {
    try await withPhones { phones, site in
      let order = try phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      try phones.office.database.write(in: "north") {
        try $0.setNote("the gate is shut", of: order.id)
      }
      for script in ["update", "status"] {
        let answer = try await app.call(
          script, [("task_id", task), ("user_id", user), ("status", "open"), ("note", "")])
        #expect(answer.word == "ok")
        let now = try phones.office.view(of: order.id, in: "north").task
        #expect(now.state == .open && now.note == "the gate is shut")
      }
      #expect(try await app.tasks(user: user).first?["note"]?.text == "the gate is shut")
    }
  }
}
