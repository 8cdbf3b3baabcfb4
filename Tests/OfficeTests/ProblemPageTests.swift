import Foundation
import Inspection
import NIOHTTP1
import OfficeScenes
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("A problem's page at the office", .timeLimit(.minutes(5)))
struct ProblemPageTests {
  @Test("whoever is signed in goes on from a problem as from any page; nobody else is led anywhere")
  func frame() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let stranger = try await site.browser().get("/nowhere")
        #expect(stranger.status == 404)
        #expect(!stranger.body.contains("href=\"/log\"") && !stranger.body.contains("/sign-out"))
        let otto = site.browser()
        try await otto.signIn("otto")
        let refused = try await otto.get("/people")
        #expect(refused.status == 403)
        #expect(refused.body.contains("href=\"/map\"") && refused.body.contains("/sign-out"))
        #expect(!refused.body.contains("href=\"/people\""), "an officer has no such page")
        let nothing = try await otto.get("/nowhere")
        #expect(nothing.status == 404 && nothing.body.contains("href=\"/log\""))
      }
    }
  }

  @Test("too many wrong passwords are told when to come back, on the page and in JSON")
  func wait() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let browser = site.browser()
        _ = try await browser.get("/sign-in")
        for _ in 0..<5 {
          let wrong = try await browser.post(
            "/sign-in", ["login": "otto", "password": "guess guess"])
          #expect(wrong.status == 401 && wrong.headers["Retry-After"].isEmpty)
        }
        let page = try await browser.post(
          "/sign-in", ["login": "otto", "password": OfficeScene.password])
        #expect(page.status == 429)
        let seconds = try #require(page.headers["Retry-After"].first.flatMap(Int.init))
        #expect((1...900).contains(seconds))
        #expect(page.body.contains("try again in \(seconds) s"))
        let program = try await ConsoleProgram(site: site, token: nil).send(
          "POST", "/api/v1/officer-sessions", #"{"login": "otto", "password": "wrong"}"#)
        #expect(program.status == 429 && program.code == "sign-in-wait")
        #expect(program.headers["Retry-After"].first.flatMap(Int.init) != nil)
      }
    }
  }

  @Test("disabling somebody is asked about first, without a script, and each column has a name")
  func disabling() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let anna = site.browser()
        try await anna.signIn("anna")
        let people = try await anna.get("/people")
        #expect(!people.body.contains("<th></th>"))
        let question = try #require(people.body.range(of: "<summary>Disable</summary>"))
        let button = try #require(
          people.body.range(of: ">Disable otto</button></form></details>"))
        #expect(question.lowerBound < button.lowerBound)
        #expect(try await anna.post("/people/otto/disable").status == 303)
        #expect(try await anna.get("/people").body.contains("action=\"/people/otto/enable\""))
      }
    }
  }
}
