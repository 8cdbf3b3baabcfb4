import Foundation
import Inspection
import Receivers
import Store
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit
@testable import Web

@Suite("The guide on the field unit", .timeLimit(.minutes(5)))
struct HelpPagesTests {
  @Test("every page leads to its part of the guide, whoever is signed in")
  func everyPage() async throws {
    try await FieldSite.with { site in
      for path in ["/sign-in", "/sign-in/server", "/not-running", "/nothing-here", "/help"] {
        let answer = try await site.browser.get(path)
        #expect(HelpLink.complaint(about: answer.body) == nil, "\(path) before the sign-in")
      }
      try await site.signIn()
      let unit = try #require(try site.server.unit())
      let task = try #require(try site.scene.tasks().first)
      _ = try unit.openTask(task.id)
      let photo = try await site.scene.capture(site.scene.request(task: task.id))
      let track = try unit.beginTrack(name: "edge", task: nil, source: "", isSimulated: true)
      let things = ["tasks": task.id, "photos": photo.id, "tracks": track.id]
      var pages: Set<String> = []
      for entry in site.server.routes().entries where entry.method == "GET" {
        // A live part never ends, and a map's picture is no page.
        guard !entry.endpoint.pattern.hasPrefix("/live/"), !entry.endpoint.names.contains("name")
        else { continue }
        var path = entry.endpoint.pattern.replacing("{page}", with: "inspector")
        if let kind = entry.segments.first.flatMap({ things[String($0)] }) {
          path = path.replacing("{id}", with: kind.description)
        }
        let answer = try await site.browser.get(path)
        guard answer.type?.hasPrefix("text/html") == true else { continue }
        #expect(HelpLink.complaint(about: answer.body) == nil, "\(path)")
        if answer.status == 200 { pages.insert(entry.endpoint.pattern) }
      }
      for pattern in [
        "/", "/tasks", "/tasks/{id}", "/camera", "/photos/{id}", "/map", "/outbox", "/settings",
        "/sky", "/about", "/start", "/help", "/help/{page}",
      ] {
        #expect(pages.contains(pattern), "\(pattern)")
      }
    }
  }

  @Test("the guide is shown in the browser's language, with anchors, and searched without script")
  func guide() async throws {
    try await FieldSite.with { site in
      let english = try await site.browser.get("/help/inspector")
      #expect(english.status == 200)
      #expect(english.body.contains("<h2 id=\"take-a-photo\">Take a photo</h2>"))
      #expect(english.body.contains("href=\"#take-a-photo\""))
      let asksCzech = [("Accept-Language", "cs")]
      let czech = try await site.browser.get("/help/inspector", asksCzech)
      #expect(czech.body.contains("<h2 id=\"take-a-photo\">Pořiďte fotografii</h2>"))
      let found = try await site.browser.get("/help?q=odpocet", asksCzech)
      #expect(found.body.contains("/help/inspector#take-a-photo"))
      let none = try await site.browser.get("/help?q=%22%3E%3Cscript%3Ezeppelin")
      #expect(none.status == 200 && !none.body.contains("<script>zeppelin"))
      #expect(none.body.contains("class=\"empty\""))
      #expect(try await site.browser.get("/help/nothing").status == 404)
    }
  }
}
