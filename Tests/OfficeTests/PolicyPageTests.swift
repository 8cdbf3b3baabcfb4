import Evidence
import Foundation
import Inspection
import OfficeScenes
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("The policy's page")
struct PolicyPageTests {
  @Test("an administrator lays it down, nobody else; two at once get one revision and a clear line")
  func page() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        #expect(try await otto.get("/policy").status == 403)
        #expect(try await otto.post("/policy", ["seen": "0", "surroundings": "on"]).status == 403)
        #expect(!(try await otto.get("/tasks").body.contains("href=\"/policy\"")))
        #expect(try await scene.office.policies.policy(of: "north") == nil)

        let anna = site.browser()
        try await anna.signIn("anna")
        let empty = try await anna.get("/policy")
        #expect(empty.body.contains("No rules set yet"))
        #expect(!empty.body.contains("value=\"on\" selected"))
        let laid = try await anna.post(
          "/policy", ["seen": "0", "surroundings": "on", "deliverAhead": "on", "days": "90"])
        #expect(laid.location == "/policy?done=policy")
        let page = try await anna.get("/policy?done=policy")
        #expect(page.body.contains("Saved.") && page.body.contains("value=\"on\" selected"))
        #expect(page.body.contains("Revision 1 of <time datetime=\"2026-06-01"))
        #expect(page.field("seen") == "1")
        let policy = try #require(try await scene.office.policies.policy(of: "north")).policy
        #expect(policy.readsSurroundings && policy.deliversAhead)
        #expect(policy.removesDeliveredAfterDays == 90)
        #expect(page.body.contains("name=\"days\"") && page.body.contains("value=\"90\""))
        #expect(
          try await anna.post("/policy", ["seen": "1", "days": "many"]).status == 422)
        #expect(try await scene.office.policies.policy(of: "south") == nil)

        // An administrator has opened the page before that revision was saved.
        let late = try await anna.post("/policy", ["seen": "0"])
        #expect(late.status == 409)
        #expect(late.body.contains("revision 1 was saved after you opened this page"))
        #expect(try await scene.office.policies.policy(of: "north")?.policy.revision == 1)
        #expect(try await anna.post("/policy", ["surroundings": "on"]).status == 400)
        let off = try await anna.post("/policy", ["seen": "1"])
        #expect(off.status == 303)
        let log = try await anna.get("/log").body
        #expect(log.contains("policy-set") && log.contains("revision 2: radio surroundings off"))
      }
    }
  }

  @Test("what was laid down is never changed or deleted, also not by hand")
  func appendOnly() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let policy = try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        $0.readsSurroundings = true
      }
      await #expect(throws: (any Error).self) {
        try await scene.office.database.write(in: "north") {
          try $0.policies.insert(policy, by: "anna")
        }
      }
      let python = try #require(Program.tool("python3"))
      for statement in ["UPDATE policy SET person = 'x'", "DELETE FROM policy"] {
        let script =
          "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).connection.commit()"
        let path = folder.appendingPathComponent("office-data/office/standpoint.sqlite").path
        let outcome = try await Program.run(python, ["-c", script, path, statement])
        #expect(outcome.status != 0 && outcome.errors.contains("a policy is never"))
      }
      #expect(try await scene.office.policies.policy(of: "north") == policy)
    }
  }
}
