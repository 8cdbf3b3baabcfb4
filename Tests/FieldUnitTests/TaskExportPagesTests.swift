import Foundation
import Inspection
import Receivers
import Testing

@testable import FieldPages
@testable import FieldUnit

@Suite("Tasks taken away from their list", .timeLimit(.minutes(5)))
struct TaskExportPagesTests {
  @Test("what the list shows is what its file holds, and an empty list gives no file")
  func chosen() async throws {
    try await FieldPagesTests().withField { site, scene in
      let now = scene.clock.deviceTime
      site.office.order([
        FieldPagesTests.order("Beet", at: now), FieldPagesTests.order("Wheat", at: now),
      ])
      try await site.signIn()
      let page = try await site.browser.get("/tasks?text=wheat")
      #expect(page.body.contains("href=\"/tasks.geojson?text=wheat"))
      let some = try await site.browser.get("/tasks.geojson?text=wheat")
      #expect(some.type == "application/geo+json")
      #expect(some.body.contains("Wheat") && !some.body.contains("Beet"))
      let all = try await site.browser.get("/tasks.geojson")
      #expect(all.body.contains("Wheat") && all.body.contains("Beet"))
      let none = try await site.browser.get("/tasks.geojson?text=zz")
      #expect(none.status >= 400 && none.type?.hasPrefix("text/html") == true)
      #expect(!(try await site.browser.get("/tasks?text=zz")).body.contains("/tasks.geojson"))
    }
  }
}
