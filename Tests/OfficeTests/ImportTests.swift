import AsyncHTTPClient
import Foundation
import Imports
import Inspection
import NIOCore
import OfficeScenes
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Web

@Suite("Tasks and parcels from files", .timeLimit(.minutes(5)))
struct ImportTests {
  private func parcels(_ range: Range<Int>, crop: String = "rye") -> String {
    "identifier,name,crop,area,wkt\n"
      + range.map { number in
        let west = 16 + Double(number) / 100
        return
          "P-\(number),Field \(number),\(crop),1.5,\"POLYGON((\(west) 49,\(west + 0.005) 49,\(west) 49.005))\"\n"
      }.joined()
  }

  private func file(_ text: String, in folder: URL) throws -> ImportedFile {
    let file = folder.appendingPathComponent("file-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    return ImportedFile(path: file.path)
  }

  @discardableResult
  private func take(
    _ text: String, _ kind: ImportReport.Kind, _ scene: OfficeScene, carryOut: Bool = true
  ) async throws -> ImportReport {
    try await scene.office.imports.importFile(
      try file(text, in: scene.folder), of: kind, in: "north", by: "otto", isCarriedOut: carryOut)
  }

  @Test("parcels are new, unchanged and changed by their identifiers, in one agency")
  func parcels() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let seen = try await take(parcels(0..<300), .parcels, scene, carryOut: false)
      #expect(seen.new == 300 && !seen.isTaken && seen.samples.count == 20)
      #expect(try await scene.office.places.parcelCount(in: "north") == 0)
      let first = try await take(parcels(0..<300), .parcels, scene)
      #expect(first.isTaken && first.new == 300 && first.rows == 300)
      let again = try await take(parcels(0..<300), .parcels, scene)
      #expect(again.unchanged == 300 && again.new == 0)
      let later = try await take(parcels(290..<310, crop: "oats"), .parcels, scene)
      #expect(later.changed == 10 && later.new == 10)
      #expect(try await scene.office.places.parcel("P-295", in: "north")?.declared.crop == "oats")
      #expect(try await scene.office.places.parcel("P-295", in: "north")?.revision == 2)
      #expect(try await scene.office.places.parcelCount(in: "north") == 310)
      #expect(try await scene.office.places.parcelCount(in: "south") == 0)
    }
  }

  @Test("one wrong line keeps all others out; all that is wrong is listed, a hundred in words")
  func allOrNothing() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let bad = String(repeating: "Q,x,y,none,\"POLYGON((0 0,1 0,0 1))\"\n", count: 150)
      let report = try await take(parcels(0..<50) + bad, .parcels, scene)
      #expect(report.faultCount == 150 && report.faults.count == 100 && !report.isTaken)
      #expect(report.faults.first?.line == 52)
      #expect(report.faults.first?.words.contains("hectares") == true)
      let double = try await take(
        parcels(0..<3) + "P-1,a,b,1,\"POLYGON((0 0,1 0,0 1))\"\n", .parcels, scene)
      #expect(double.faults.map(\.line) == [5])
      #expect(double.faults.first?.words.contains("in line 3 already") == true)
      #expect(try await scene.office.places.parcelCount(in: "north") == 0)
    }
  }

  @Test("tasks take their parcel from the register, and a file that comes again doubles none")
  func tasks() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await take(parcels(0..<3), .parcels, scene)
      let text = """
        identifier,name,type,due,inspector
        P-1,Rye,catch-crop,2026-06-30,ines
        P-2,Rye,catch-crop,2020-01-01,igor
        P-9,Rye,catch-crop,,ines

        """
      let first = try await take(text, .tasks, scene)
      #expect(first.isTaken && first.new == 3 && first.tasks.count == 3)
      // A task without a parcel and one that is overdue from the beginning are remarked on and
      // taken.
      #expect(first.remarks.map(\.line) == [3, 4])
      let task = try await scene.office.review.view(of: first.tasks[0], in: "north").task
      let registered = try #require(try await scene.office.places.parcel("P-1", in: "north"))
      #expect(task.parcel == registered.declared.parcel)
      let again = try await take(text, .tasks, scene)
      #expect(again.unchanged == 3 && again.tasks.isEmpty)
      let later = try await take(text.replacing("2026-06-30", with: "2026-07-31"), .tasks, scene)
      #expect(later.changed == 1 && later.tasks == [task.id])
      let view = try await scene.office.review.view(of: task.id, in: "north")
      #expect(view.task.revision == 2 && view.earlierOrders.count == 1)
      #expect(view.task.due?.date.iso8601 == "2026-07-31")
      #expect(try await scene.office.review.tasks(in: "north").count == 3)

      // An order on the page takes its parcel from the register, too.
      var order = try TaskFile.orders(
        from: Data("identifier,name\nP-0,Oats\n".utf8))[0]
      order.inspector = "ines"
      let single = try await scene.office.orders.addTasks([order], in: "north", by: "otto")[0]
      #expect(single.parcel?.identifier == "P-0")

      // A file changes no task that the inspector no longer has.
      try await scene.office.review.decide(
        .withdraw, on: task.id, by: scene.person("otto"), reason: nil, seen: 0)
      let refused = try await take(text, .tasks, scene)
      #expect(refused.faults.map(\.line) == [2] && !refused.isTaken)
      let other = try await take(text.replacing("igor", with: "sven"), .tasks, scene)
      #expect(other.faults.contains { $0.words.contains("no inspector sven in north") })
    }
  }

  @Test("a file that is another one than was looked at is refused")
  func otherFile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.imports.importFile(
          try file(parcels(0..<2), in: folder), of: .parcels, in: "north", by: "otto",
          isCarriedOut: true, expected: String(repeating: "0", count: 64))
      }
      #expect(try await scene.office.places.parcelCount(in: "north") == 0)
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.imports.importFile(
          ImportedFile(path: folder.path), of: .parcels, in: "north", by: "otto",
          isCarriedOut: true)
      }
    }
  }

  // MARK: pages

  private func upload(
    _ site: OfficeSite, _ browser: OfficeBrowser, _ path: String, _ content: String,
    token: String? = nil
  ) async throws -> Answer {
    try await browser.upload(path, file: ("fields.csv", Array(content.utf8)), token: token)
  }

  @Test("a file is sent, looked at and taken, without a script")
  func pages() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        #expect(try await otto.get("/parcels/import").body.contains("multipart/form-data"))
        let content =
          parcels(0..<40) + "P-99,<script>alert(1)</script>,x,2,\"POLYGON((1 1,2 1,1 2))\"\n"
        let sent = try await upload(site, otto, "/parcels/import", content)
        #expect(sent.status == 303)
        let address = try #require(sent.location)
        let preview = try await otto.get(address)
        #expect(preview.status == 200)
        #expect(preview.body.contains("Import these parcels"))
        #expect(try await scene.office.places.parcelCount(in: "north") == 0)
        // Nobody else sees the file, nor may take it.
        let anna = site.browser()
        try await anna.signIn("anna")
        #expect(try await anna.get(address).status == 404)
        let digest = try #require(preview.field("file"))
        #expect(try await anna.post("/parcels/import", ["file": digest]).status == 404)
        let taken = try await otto.post("/parcels/import", ["file": digest])
        #expect(taken.status == 303)
        #expect(try await scene.office.places.parcelCount(in: "north") == 41)
        #expect(try await otto.get(address).status == 404)
      }
    }
  }

  @Test("what is wrong is listed by line, and cannot be taken")
  func faultyPage() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        _ = try await otto.get("/tasks/import")
        let sent = try await upload(
          site, otto, "/tasks/import", "name,inspector\nRye,ines\nOats,<script>alert(1)</script>\n")
        let preview = try await otto.get(try #require(sent.location))
        #expect(preview.status == 422)
        #expect(preview.body.contains("<strong>Line 3</strong>"))
        #expect(!preview.body.contains("Order these tasks"))
        let digest = try #require(sent.location?.split(separator: "=").last.map(String.init))
        #expect(try await otto.post("/tasks/import", ["file": digest]).status == 422)
        #expect(try await scene.office.review.tasks(in: "north").isEmpty)
        // A form without its token is refused, and administrators import no tasks.
        _ = try await otto.get("/tasks/import")
        #expect(
          try await upload(site, otto, "/tasks/import", "x", token: "forged").status == 403)
        let anna = site.browser()
        try await anna.signIn("anna")
        #expect(try await anna.get("/tasks/import").status == 403)
        #expect(try await anna.get("/parcels/import").status == 200)
      }
    }
  }
}
