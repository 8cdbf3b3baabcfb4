import Inspection
import OfficeScenes
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("The review desk", .timeLimit(.minutes(5)))
struct ReviewDeskTests {
  @Test("a line says what speaks against the photos, and accepting asks once and names it")
  func contradicted() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided(2)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      var second = try #require(view.photos.last)
      second.checks.removeAll { $0.name == .parcel }
      second.checks.append(
        PhotoCheck(.parcel, .contradicts, [.distanceMetres: 206.4, .uncertaintyMetres95: 1]))
      let outside = second
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let before = try await otto.get("/tasks/\(task.id)").body
        #expect(before.contains("<span>2 photos</span>"))
        #expect(!before.contains("outside the parcel by"))
        try await scene.office.database.write(in: "north") {
          try $0.photos.keepChecks(of: outside)
        }
        let page = try await otto.get("/tasks/\(task.id)").body
        #expect(
          page.contains("href=\"#photo-\(outside.photo.id)\">1 outside the parcel by 206 m</a>"))
        let question = try #require(
          page.split(separator: "data-confirm=\"").dropFirst().first?.split(separator: "\"").first)
        #expect(question.hasPrefix("1 outside the parcel by 206 m, "), "\(question)")
        #expect(question.hasSuffix("a simulated receiver (2). Accept anyway?"), "\(question)")
        let card = try #require(page.split(separator: "id=\"photo-\(outside.photo.id)\"").last)
        let failed = try #require(card.firstRange(of: "206.4 m outside"))
        let passed = try #require(card.firstRange(of: "class=\"checks-passed\""))
        #expect(failed.lowerBound < passed.lowerBound)
      }
    }
  }

  @Test("an inspector sees the photos of a task one below the other, and nothing to decide")
  func inspector() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided(2)
      try await withSite(scene.office) { site in
        let ines = site.browser()
        try await ines.signIn("ines")
        let page = try await ines.get("/tasks/\(task.id)").body
        #expect(page.contains("Photo 2") && !page.contains("data-desk"))
        #expect(!page.contains("data-confirm=") && !page.contains("name=\"action\""))
      }
    }
  }
}
