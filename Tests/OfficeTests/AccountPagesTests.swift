import Foundation
import Inspection
import OfficeScenes
import Receivers
import Store
import TestSupport
import Testing

@testable import Office
@testable import OfficePages
@testable import Web

@Suite("One's own account, agencies, the log's pages", .timeLimit(.minutes(5)))
struct AccountPagesTests {
  @Test("a new password needs the one of now, ends all other sessions and goes on under a new one")
  func password() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let (here, there) = (site.browser(), site.browser())
        try await here.signIn("otto")
        try await there.signIn("otto")
        _ = try await here.get("/account")
        let before = here.sessionToken
        let fields = ["new": "a longer sentence", "again": "a longer sentence"]
        let wrong = try await here.post(
          "/account/password", fields.merging(["password": "battery staple"]) { $1 })
        #expect(wrong.status == 401)
        let different = try await here.post(
          "/account/password",
          ["password": OfficeScene.password, "new": "one sentence here", "again": "another one"])
        #expect(different.status == 400)
        #expect(different.body.contains("the two new passwords differ"))
        let short = try await here.post(
          "/account/password", ["password": OfficeScene.password, "new": "short", "again": "short"])
        #expect(short.status == 400)
        let done = try await here.post(
          "/account/password", fields.merging(["password": OfficeScene.password]) { $1 })
        #expect(done.status == 303)
        #expect(here.sessionToken != before, "the session is another one")
        #expect(try await here.get("/tasks").status == 200)
        #expect(try await there.get("/tasks").status == 303, "elsewhere it has ended")
      }
    }
  }

  @Test("a second sign-in is shown with the first, and either can be ended from the other")
  func sessions() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let (here, there, other) = (site.browser(), site.browser(), site.browser())
        try await here.signIn("otto")
        #expect(!(try await here.get("/account").body.contains("Another browser or program")))
        try await there.signIn("otto")
        try await other.signIn("olga")
        let page = try await here.get("/account").body
        #expect(page.contains("This browser"))
        #expect(page.components(separatedBy: "Another browser or program").count == 2)
        let mark = try #require(page.firstMatch(of: #/name="session" value="([0-9a-f]{16})"/#)?.1)
        // Nobody ends another person's session.
        _ = try await other.get("/account")
        _ = try await other.post("/account/session", ["session": String(mark)])
        #expect(try await there.get("/tasks").status == 200)
        _ = try await here.post("/account/session", ["session": String(mark)])
        #expect(try await there.get("/tasks").status == 303, "it has ended")
        #expect(try await here.get("/tasks").status == 200)
      }
    }
  }

  @Test(
    "a super-administrator keeps agencies and their first administrators, and sees nothing of their work"
  )
  func agencies() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await scene.office.database.writeRegistry {
        try $0.insert(
          Account(login: "root", agency: nil, role: .superAdministrator),
          password: PasswordHash.cheap(for: OfficeScene.password), at: scene.clock.deviceTime)
      }
      try await withSite(scene.office) { site in
        let root = site.browser()
        _ = try await root.get("/sign-in")
        let entered = try await root.post(
          "/sign-in", ["login": "root", "password": OfficeScene.password, "to": "/tasks"])
        #expect(entered.location == "/agencies")
        #expect(try await root.get("/agencies").body.contains("North"))
        #expect(try await root.get("/tasks").status == 403)
        #expect(
          try await root.post("/agencies", ["name": "west", "title": "West"]).status == 303)
        #expect(try await root.post("/agencies", ["name": "../etc"]).status == 400)
        _ = try await root.get("/agencies")
        let added = try await root.post(
          "/agencies/administrators",
          ["agency": "west", "login": "wanda", "password": OfficeScene.password])
        #expect(added.status == 303)
        #expect(try await scene.office.people.accounts(ofAgency: "west").map(\.login) == ["wanda"])

        let anna = site.browser()
        try await anna.signIn("anna")
        #expect(try await anna.get("/agencies").status == 403)
      }
    }
  }

  @Test("the log is searched, paged and taken away as a table that no spreadsheet calculates")
  func log() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await scene.office.database.write(in: "north") { session in
        for number in 0..<120 {
          try session.log.add(
            scene.office.log(
              "tried", on: "thing-\(number)", by: "otto", agency: "north",
              detail: number == 7 ? "=HYPERLINK(\"x\"), \"quoted\"" : nil))
        }
      }
      try await withSite(scene.office) { site in
        let anna = site.browser()
        try await anna.signIn("anna")
        let first = try await anna.get("/log")
        #expect(first.body.contains("thing-119"))
        #expect(first.body.contains("thing-7<") == false)
        let older = try #require(
          first.body.firstMatch(of: #/href="(/log\?&amp;before=[0-9]+)"/#).map { String($0.1) })
        #expect(
          try await anna.get(older.replacing("&amp;", with: "&")).body.contains("thing-7<"))
        #expect(try await anna.get("/log?text=THING-119").body.contains("thing-118") == false)
        let table = try await anna.get("/log/log.csv?text=thing-7")
        #expect(table.header("Content-Type") == "text/csv; charset=utf-8")
        #expect(table.body.contains("\"'=HYPERLINK(\"\"x\"\"), \"\"quoted\"\"\"\r\n"))
      }
    }
  }

  @Test("the pages speak the language that a browser asks for, or the one that was chosen there")
  func languages() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let czech = try await site.send(
          "GET", "/sign-in", [("Accept-Language", "de, cs;q=0.8, en;q=0.5")])
        #expect(czech.body.contains("<html lang=\"cs\""))
        #expect(czech.body.contains(Texts.czech("Password")))
        let english = try await site.send("GET", "/sign-in", [("Accept-Language", "cs;q=0.2, en")])
        #expect(english.body.contains("<html lang=\"en\""))
        let otto = site.browser()
        try await otto.signIn("otto")
        #expect(try await otto.post("/language", ["language": "cs"]).status == 303)
        #expect(try await otto.get("/tasks").body.contains("<html lang=\"cs\""))
        #expect(try await otto.post("/language", ["language": "xx"]).status == 400)
      }
    }
  }
}
