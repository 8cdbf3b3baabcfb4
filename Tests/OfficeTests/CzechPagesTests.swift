import Foundation
import Inspection
import OfficeScenes
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

/// Pages in Czech: a person reads in Czech why something was refused, and programs get the same
/// words as ever.
@Suite("The officers' pages in Czech", .timeLimit(.minutes(5)))
struct CzechPagesTests {
  @Test("a refusal is Czech on a page and English in JSON, with the same code")
  func refusals() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        _ = try await otto.get("/sign-in")
        #expect(try await otto.post("/language", ["language": "cs"]).status == 303)
        let wrong = try await otto.post("/sign-in", ["login": "otto", "password": "guess guess"])
        #expect(wrong.body.contains("přihlašovací jméno nebo heslo je chybné"))
        try await otto.signIn("otto")
        let refused = try await otto.get("/people")
        #expect(refused.status == 403 && refused.body.contains("role-forbidden"))
        #expect(refused.body.contains("<h1>K tomu nemáte oprávnění</h1>"))
        #expect(refused.body.contains("je třeba role správce; vaše role: referent"))
        #expect(!refused.body.contains("you need the role"))
        let nothing = try await otto.get("/nowhere")
        #expect(nothing.status == 404 && nothing.body.contains("Na této adrese nic není."))

        let program = ConsoleProgram(site: site, token: nil)
        let answer = try await program.send(
          "POST", "/api/v1/officer-sessions", #"{"login": "otto", "password": "wrong"}"#,
          [("Accept-Language", "cs")])
        #expect(answer.code == "sign-in-refused")
        #expect(answer.body.contains("login or password is wrong: check both, then try again"))
        #expect(answer.body.contains("Login or password is wrong"))
      }
    }
  }

  @Test("a step that is not allowed any more is refused in Czech, with the state's own title")
  func transition() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        #expect(try await otto.post("/language", ["language": "cs"]).status == 303)
        let refused = try await otto.post(
          "/tasks/\(task.id)/order", ["name": "Other", "revision": "1", "inspector": "ines"])
        #expect(refused.body.contains("stav úkolu je „Odevzdáno“"), "\(refused.body)")
        #expect(refused.body.contains("jeho zadání již nelze změnit"))
      }
    }
  }
}
