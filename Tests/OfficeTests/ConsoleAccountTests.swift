import Evidence
import Foundation
import Inspection
import OfficeScenes
import Receivers
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages
@testable import Web

@Suite("The own account and agencies, for programs", .timeLimit(.minutes(5)))
struct ConsoleAccountTests {
  private static let new = "barley over wet kestrel"

  private func signIn(
    _ login: String, _ password: String, _ site: OfficeSite
  ) async throws -> Answer {
    try await ConsoleProgram(site: site, token: nil).send(
      "POST", "/api/v1/officer-sessions", #"{"login": "\#(login)", "password": "\#(password)"}"#)
  }

  @Test("a new password needs the old one, and ends every other session")
  func password() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let other = try await ConsoleProgram.signedIn("otto", at: site)
        func change(_ old: String, _ new: String) async throws -> Answer {
          try await otto.console(
            "PUT", "/me/password", #"{"password": "\#(old)", "new": "\#(new)"}"#)
        }
        let wrong = try await change("not the password", Self.new)
        #expect(wrong.status == 401 && wrong.code == "sign-in-refused")
        let short = try await change(OfficeScene.password, "short")
        #expect(short.status == 400 && short.code == "input-invalid")
        #expect(try await otto.console("PUT", "/me/password", "{}").status == 400)
        #expect(try await other.console("GET", "/me").status == 200, "nothing has changed yet")
        let changed = try await change(OfficeScene.password, Self.new)
        #expect(changed.status == 200 && !changed.body.contains(Self.new))
        for old in [otto, other] {
          #expect(try await old.console("GET", "/me").code == "session-expired")
        }
        let next = ConsoleProgram(site: site, token: try changed.json()["token"]?.text)
        #expect(try await next.get("/me")["login"]?.text == "otto")
        #expect(try await signIn("otto", OfficeScene.password, site).status == 401)
        #expect(try await signIn("otto", Self.new, site).status == 201)
      }
    }
  }

  @Test("a stolen session cannot try passwords without end")
  func lockOut() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        var codes: [String?] = []
        for _ in 0..<6 {
          codes.append(
            try await otto.console(
              "PUT", "/me/password", #"{"password": "wrong", "new": "\#(Self.new)"}"#
            ).code)
        }
        #expect(codes.dropLast().allSatisfy { $0 == "sign-in-refused" })
        #expect(codes.last == "sign-in-wait")
      }
    }
  }

  @Test("sessions elsewhere end, a browser's too; whoever asks goes on")
  func elsewhere() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let olga = try await ConsoleProgram.signedIn("olga", at: site)
        let browser = site.browser()
        try await browser.signIn("otto")
        let answer = try await otto.console("POST", "/me/elsewhere")
        #expect(answer.status == 200, "\(answer.body)")
        let next = ConsoleProgram(site: site, token: try answer.json()["token"]?.text)
        #expect(try await next.console("GET", "/me").status == 200)
        #expect(try await otto.console("GET", "/me").status == 401)
        #expect(try await browser.get("/tasks").status == 303)
        #expect(try await olga.console("GET", "/me").status == 200, "nobody else's")
      }
    }
  }

  @Test("super-administrators keep agencies and make their administrators, and see nothing more")
  func agencies() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.order()
      try await scene.office.database.writeRegistry {
        try $0.insert(
          Account(login: "root", agency: nil, role: .superAdministrator, name: "Root"),
          password: PasswordHash.cheap(for: OfficeScene.password), at: scene.clock.deviceTime)
      }
      try await withSite(scene.office) { site in
        let root = try await ConsoleProgram.signedIn("root", at: site)
        let me = try await root.get("/me")
        #expect(me["role"]?.text == "super-administrator" && me["agency"] == nil)
        let agencies = try #require(try await root.get("/agencies")["agencies"]?.elements)
        #expect(agencies.map { $0["name"]?.text } == ["north", "south"])
        #expect(agencies[0]["inspectors"]?.wholeNumber == 2)
        #expect(agencies[0]["administrators"]?.elements?.map { $0["login"]?.text } == ["anna"])

        let added = try await root.console("POST", "/agencies", #"{"name": "west"}"#)
        #expect(added.status == 201 && added.location == ConsoleProgram.path + "/agencies/west")
        #expect(try await root.get("/agencies/west")["title"]?.text == "west")
        let twice = try await root.console("POST", "/agencies", #"{"name": "west"}"#)
        #expect(twice.status == 409 && twice.code == "login-taken")
        for body in [#"{"name": "a b"}"#, #"{"title": "West"}"#, #"{"name": "x", "of": "y"}"#] {
          #expect(try await root.console("POST", "/agencies", body).status == 400, "\(body)")
        }
        let alma = #"{"login": "alma", "name": "Alma", "password": "\#(Self.new)"}"#
        let nowhere = try await root.console("POST", "/agencies/east/administrators", alma)
        #expect(nowhere.status == 404 && nowhere.code == "unknown")
        let made = try await root.console("POST", "/agencies/west/administrators", alma)
        #expect(made.status == 201 && !made.body.contains(Self.new), "\(made.body)")
        #expect(try made.json()["role"]?.text == "administrator")
        let session = try await signIn("alma", Self.new, site)
        #expect(try session.status == 201 && session.json()["agency"]?.text == "west")
        #expect(
          try await root.console("POST", "/agencies/west/administrators", alma).code
            == "login-taken")

        for path in [
          "/tasks", "/tasks/\(task.id)", "/map?box=16,49,17,50&zoom=3", "/photos", "/tracks",
          "/people", "/log", "/policy", "/inspectors",
        ] {
          let answer = try await root.console("GET", path)
          #expect(answer.status == 403 && answer.code == "role-forbidden", "\(path)")
        }
        for login in ["otto", "anna"] {
          let program = try await ConsoleProgram.signedIn(login, at: site)
          #expect(try await program.console("GET", "/agencies").status == 403)
          #expect(try await program.console("POST", "/agencies", #"{"name": "x"}"#).status == 403)
          #expect(
            try await program.console("POST", "/agencies/west/administrators", alma).status == 403)
        }
        #expect(try await root.send("DELETE", "/api/v1/officer-sessions").status == 204)
        #expect(try await root.console("GET", "/me").status == 401)
      }
    }
  }
}
