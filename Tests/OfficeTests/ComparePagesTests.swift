import Inspection
import Matching
import OfficeScenes
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("Two photos compared at the office", .timeLimit(.minutes(5)))
struct ComparePagesTests {
  private func page(matcher: PictureMatcher) async throws -> String {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided(2)
      let text = Box()
      try await withSite(scene.office, routes: scene.office.routes(matcher: matcher)) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        text.value = try await otto.get("/tasks/\(task.id)/compare").body
      }
      return text.value
    }
  }

  private final class Box: @unchecked Sendable {
    var value = ""
  }

  @Test("both pictures, their distance and what the worker finds stand on one page")
  func compared() async throws {
    let page = try await page(
      matcher: PictureMatcher(
        program: Program.standpoint, patience: .init(comparison: .seconds(60))))
    #expect(page.contains("data-pair"))
    #expect(page.contains("<dt>Distance</dt><dd>"))
    #expect(page.contains("<dt>Picture displaced by</dt><dd>"))
    #expect(
      page.contains("features agree)") || page.contains("The pictures cannot be compared ("),
      "\(page.suffix(4000))")
    #expect(page.ranges(of: "class=\"card photo-card\"").count == 2)
  }

  @Test("without the worker the page says so, and shows the pictures all the same")
  func without() async throws {
    let page = try await page(matcher: PictureMatcher(program: nil))
    #expect(page.contains("This server cannot compare pictures"))
    #expect(page.contains("data-pair"))
  }
}
