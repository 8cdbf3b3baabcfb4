import Evidence
import Foundation
import Inspection
import OfficeScenes
import Store
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("The map for programs", .timeLimit(.minutes(5)))
struct ConsoleMapTests {
  private static let view = "box=16,49,17,50&zoom=14"

  @Test("it says what the map's pages say, of everything, of a filter, and of one task")
  func views() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided(2)
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let browser = site.browser()
        try await browser.signIn("otto")
        for (mine, page) in [
          ("/map?\(Self.view)", "/map/view.json?\(Self.view)"),
          ("/map?\(Self.view)&state=new", "/map/view.json?\(Self.view)&state=new"),
          ("/tasks/\(task.id)/map", "/tasks/\(task.id)/map.json"),
        ] {
          let answer = try await otto.console("GET", mine)
          #expect(answer.status == 200, "\(mine): \(answer.body)")
          #expect(answer.bytes == (try await browser.get(page)).bytes, "\(mine)")
        }
        let whole = try await otto.get("/map?\(Self.view)")
        let photos = try #require(whole["photos"]?.elements)
        #expect(photos.count == 2 && photos.allSatisfy { $0["task"]?.text == task.id.description })
        #expect(photos[0]["time"]?.text?.hasSuffix("Z") == true, "times are RFC 3339")
        let ring = try #require(
          whole["tasks"]?.elements?.first?["rings"]?.elements?.first?.elements)
        #expect(ring.count == 5 && ring.first == ring.last, "rings are closed")
        #expect(try await otto.get("/map?\(Self.view)&state=new")["photos"]?.elements == [])
        #expect(try await otto.get("/map?box=0,0,1,1&zoom=14")["photos"]?.elements == [])
        let sara = try await ConsoleProgram.signedIn("sara", at: site)
        #expect(try await sara.get("/map?\(Self.view)")["photos"]?.elements == [])
        #expect(try await sara.console("GET", "/tasks/\(task.id)/map").status == 404)
      }
    }
  }

  @Test("the list has the area of the map, and what is no view is refused with its name")
  func strictness() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.order()
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let there = try await otto.get("/tasks?area=16,49,17,50")["tasks"]?.elements
        #expect(there?.compactMap { $0["id"]?.text } == [task.id.description])
        #expect(try await otto.get("/tasks?area=0,0,1,1")["tasks"]?.elements == [])
        for path in [
          "/map", "/map?box=16,49,17,50", "/map?zoom=3", "/map?box=16,49,17&zoom=3",
          "/map?box=16,50,17,49&zoom=3", "/map?box=nan,49,17,50&zoom=3",
          "/map?box=16,49,17,50&zoom=23", "/map?box=16,49,17,50&zoom=99999999999999999999",
          "/map?\(Self.view)&sort=name", "/map?\(Self.view)&stat=new", "/tasks?area=x",
          "/tasks/\(task.id)/map?zoom=3",
        ] {
          let answer = try await otto.console("GET", path)
          #expect(answer.status == 400 && answer.code == "input-invalid", "\(path): \(answer.body)")
        }
      }
    }
  }
}
