import Evidence
import FieldUnit
import Foundation
import Imports
import Inspection
import OfficeScenes
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import Office
@testable import OfficePages

/// Findings that were stored in the database long before anybody looked: a page shows them in the
/// language of the person who looks.
@Suite("Findings, conflicts and imports in Czech", .timeLimit(.minutes(5)))
struct CzechFindingsTests {
  @Test("the verifier's findings and the checks that repeat them are Czech on a task's page")
  func findings() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      var received = try #require(
        try await scene.office.review.view(of: task.id, in: "north").photos.first)
      let gap = Finding(
        subject: "a.jpg.seal", check: .chain, severity: .incomplete,
        wording: "the chain of key \("abc") has a gap before it: place \("7–8") is missing")
      received.findings = [
        gap,
        Finding(
          subject: "a.jpg", check: .exif, severity: .altered,
          wording: "the EXIF does not match the record: \("GPSLatitude")"),
      ]
      received.verdict = .altered
      received.checks = [PhotoCheck(.chain, .contradicts, reason: .finding(gap.message))]
      try await scene.office.database.write(in: "north") { [received] in
        try $0.photos.keepChecks(of: received)
      }
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let english = try await otto.get("/tasks/\(task.id)").body
        #expect(english.components(separatedBy: gap.message).count == 3, "found, and checked")
        _ = try await otto.post("/language", ["language": "cs"])
        let page = try await otto.get("/tasks/\(task.id)").body
        let words = "v řetězu klíče abc je před ním mezera: chybí místo 7–8"
        #expect(page.components(separatedBy: words).count == 3, "found, and checked")
        #expect(page.contains("EXIF neodpovídá záznamu: GPSLatitude"))
        #expect(!page.contains("has a gap before") && !page.contains("is not what the record"))
      }
    }
  }

  @Test("what a device did in vain is told in Czech, with the reason")
  func conflicts() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (tablet, _) = try await scene.working(photos: 1, on: "tablet")
      let (handheld, _) = try await scene.working(photos: 1, on: "handheld")
      try tablet.provideTask(order.id)
      _ = try await tablet.delivery.deliver(over: scene.link)
      try handheld.provideTask(order.id)
      _ = try await handheld.delivery.deliver(over: scene.link)
      let conflicts = try await scene.office.review.view(of: order.id, in: "north").conflicts
      #expect(!conflicts.isEmpty)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        _ = try await otto.post("/language", ["language": "cs"])
        let page = try await otto.get("/tasks/\(order.id)").body
        for conflict in conflicts {
          let czech = Texts.czech(conflict.reason)
          #expect(czech != conflict.words, "\(conflict.words)")
          #expect(page.contains(HTML.text(czech).description), "\(czech)")
          #expect(!page.contains(conflict.words))
        }
      }
    }
  }

  @Test(
    "what is wrong with a file that is imported is told in Czech",
    arguments: [
      ("<kml/>", "je to XML, například KML nebo GML"),
      (#"{"type": "Topology"}"#, "jeho typ je Topology, ne Feature"),
      ("identifier,wkt\n1,POINT (1 2)", "jeho geometrie je POINT; díly jsou POLYGON"),
      ("identifier,name\n1,a\n2", "počet polí je 1, v záhlaví 2"),
      (
        #"{"type": "Feature", "properties": {"name": "x", "due": "soon"}, "geometry": null}"#,
        "due „soon“ není datum"
      ),
      (#"{"type": "Feature", "type": 1}"#, "není to JSON: neplatný JSON na bajtu"),
    ])
  func imports(file: String, words: String) throws {
    let error = try #require(throws: TaskFileError.self) {
      try TaskFile.orders(from: Data(file.utf8))
    }
    #expect(Texts.czech(error.reason).contains(words), "\(Texts.czech(error.reason))")
    #expect(!error.words.contains(words), "programs are told in English")
  }
}
