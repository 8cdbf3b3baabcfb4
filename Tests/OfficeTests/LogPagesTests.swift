import Foundation
import Inspection
import OfficeScenes
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("The log as sentences", .timeLimit(.minutes(5)))
struct LogPagesTests {
  @Test("an entry is a sentence with names and links, in the reader's language")
  func sentences() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      _ = try await scene.office.review.decide(
        .returnToInspector, on: task.id, by: scene.person("otto"), reason: "blurred",
        seen: task.history.count)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let otts = "<a href=\"/log?text=otto\" title=\"otto\"><strong>"
        let english = try await otto.get("/log").body
        let link = "<a href=\"/tasks/\(task.id)\">“\(task.name)”</a>"
        #expect(english.contains(" returned \(link)") && english.contains(otts), "\(english)")
        #expect(english.contains(" delivered records"))
        #expect(english.contains("<code class=\"muted\">task-returned</code>"))
        #expect(english.contains("<time datetime=\"20"))
        _ = try await otto.post("/language", ["language": "cs"])
        let czech = try await otto.get("/log").body
        #expect(czech.contains(": vrácen úkol <a href=\"/tasks/\(task.id)\">„\(task.name)“</a>"))
      }
    }
  }

  @Test("every action that the sources log has a sentence of its own")
  func complete() throws {
    let sources = Repository.root.appendingPathComponent("Sources")
    func text(_ name: String) throws -> String {
      try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
    }
    let words = try ["OfficeFrame/LogWords.swift", "Predecessor/PredecessorService.swift"]
      .map(text).joined()
    var found: Set<String> = []
    let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String }
    for name in names ?? [] where name.hasSuffix(".swift") {
      let logged = #/\b(?:log|note)\(\s*(?:is[A-Za-z]+ \? )?"([a-z]+(?:-[a-z]+)+)"/#
      for match in try text(name).matches(of: logged) { found.insert(String(match.1)) }
    }
    #expect(found.count > 30 && found.isSuperset(of: ["device-revoked", "base-map-removed"]))
    for action in found.sorted() { #expect(words.contains("\"\(action)\""), "\(action)") }
  }
}
