import Evidence
import Foundation
import Inspection
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("Files of tasks and parcels for programs", .timeLimit(.minutes(5)))
struct ConsoleImportTests {
  private static let csv = [("Content-Type", "text/csv; charset=UTF-8")]
  private static let geojson = [("Content-Type", "application/geo+json")]
  private static let parcels = "/imports/parcels"

  private static func parcels(_ range: Range<Int>) -> String {
    "identifier,name,crop,wkt\n"
      + range.map { "P-\($0),Field,rye,\"POLYGON((16 49,16.005 49,16 49.005))\"\n" }.joined()
  }

  @Test("a file is looked through, and taken: all of it, or nothing with each line that is wrong")
  func parcels() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let office = scene.office
      try await withSite(office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let seen = try await otto.console(
          "POST", Self.parcels + "?preview=true", Self.parcels(0..<3), Self.csv)
        #expect(seen.status == 200, "\(seen.body)")
        let report = try seen.json()
        #expect(report["new"]?.wholeNumber == 3 && report["taken"]?.flag == false)
        #expect(report["samples"]?.elements?.count == 3)
        #expect(
          report["digest"]?.text == Digest.hexadecimal(Array(Self.parcels(0..<3).utf8)))
        #expect(try await office.places.parcelCount(in: "north") == 0)

        let bad = Self.parcels(0..<3) + "P-1,Field,rye,\"POLYGON((0 0,1 0,0 1))\"\nP-9,x,y,none\n"
        let look = try await otto.console(
          "POST", Self.parcels + "?preview=true", bad, Self.csv)
        #expect(look.status == 200)
        let refused = try await otto.console("POST", Self.parcels, bad, Self.csv)
        #expect(refused.status == 422 && refused.code == "import-faulty", "\(refused.body)")
        let faults = try #require(try refused.json()["report"]?["faults"]?.elements)
        #expect(faults.map { $0["line"]?.wholeNumber } == [5, 6])
        #expect(try look.json()["faults"]?.elements == faults)
        #expect(try await office.places.parcelCount(in: "north") == 0)

        // Administrators import parcels, too.
        let anna = try await ConsoleProgram.signedIn("anna", at: site)
        let taken = try await anna.console("POST", Self.parcels, Self.parcels(0..<3), Self.csv)
        #expect(taken.status == 200, "\(taken.body)")
        #expect(try taken.json()["taken"]?.flag == true)
        #expect(try await office.places.parcelCount(in: "north") == 3)
        #expect(try await office.places.parcelCount(in: "south") == 0)
        let again = try await otto.console("POST", Self.parcels, Self.parcels(0..<4), Self.csv)
        #expect(try again.json()["unchanged"]?.wholeNumber == 3)
        #expect(try again.json()["new"]?.wholeNumber == 1)
      }
    }
  }

  @Test("tasks are ordered from GeoJSON by officers, and a file that comes again doubles none")
  func tasks() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let file = """
        {"type":"FeatureCollection","features":[{"type":"Feature",
         "properties":{"identifier":"P-1","name":"Beet","inspector":"ines"},
         "geometry":{"type":"Polygon","coordinates":
          [[[16.62,49.07],[16.64,49.07],[16.64,49.09],[16.62,49.07]]]}}]}
        """
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        for headers in [Self.geojson, [("Content-Type", "application/json")]] {
          let answer = try await otto.console("POST", "/imports/tasks", file, headers)
          #expect(answer.status == 200, "\(answer.body)")
        }
        let tasks = try #require(try await otto.get("/tasks")["tasks"]?.elements)
        #expect(tasks.map { $0["name"]?.text } == ["Beet"])
        let anna = try await ConsoleProgram.signedIn("anna", at: site)
        let forbidden = try await anna.console("POST", "/imports/tasks", file, Self.geojson)
        #expect(forbidden.status == 403 && forbidden.code == "role-forbidden")
        let sara = try await ConsoleProgram.signedIn("sara", at: site)
        let other = try await sara.console("POST", "/imports/tasks", file, Self.geojson)
        #expect(other.status == 422, "ines is no inspector of her agency")
      }
      #expect(try await scene.office.review.tasks(in: "south").isEmpty)
    }
  }

  @Test(
    "what is of another type, changed on its way or too large is refused, and leaves nothing behind"
  )
  func refusals() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      var configuration = scene.office.configuration
      configuration.maximumImportBytes = 4000
      let office = try await OfficeServer.make(configuration: configuration, clock: scene.clock)
      // The same login looks at this file in a browser just now.
      let shelf = ImportShelf(office.imports)
      let text = Array(Self.parcels(0..<1).utf8)
      let kept = try await shelf.receive(.parcels, agency: "north", login: "otto") { body in
        try body(text)
        return true
      }
      let digest = try #require(kept)
      try await withSite(office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let good = Self.parcels(0..<2)
        for type in ["text/plain", "text/csv; charset=windows-1250", "multipart/form-data"] {
          let answer = try await otto.console(
            "POST", Self.parcels, good, [("Content-Type", type)])
          #expect(answer.status == 415 && answer.code == "unsupported-media-type", "\(type)")
        }
        let mixed = try await otto.console("POST", Self.parcels, good, Self.geojson)
        #expect(mixed.status == 422, "what says that it is GeoJSON is read as that")
        let changed = try await otto.console(
          "POST", Self.parcels, good,
          Self.csv + [("Content-Digest", "sha-256=:\(Digest.base64(text)):")])
        #expect(changed.status == 400 && changed.code == "digest-differs")
        let large = try await otto.console(
          "POST", Self.parcels, Self.parcels(0..<400), Self.csv)
        #expect(large.status == 413 && large.code == "file-too-large")
        for query in ["?preview=yes", "?preview=", "?dry=true", "?preview=true&preview=true"] {
          let answer = try await otto.console("POST", Self.parcels + query, good, Self.csv)
          #expect(answer.status == 400 && answer.code == "input-invalid", "\(query)")
        }
        #expect(try await office.places.parcelCount(in: "north") == 0)
        let whole = try await otto.console(
          "POST", Self.parcels, good,
          Self.csv + [("Content-Digest", "sha-256=:\(Digest.base64(Array(good.utf8))):")])
        #expect(whole.status == 200, "\(whole.body)")
      }
      let left = try FileManager.default.contentsOfDirectory(
        atPath: configuration.folder.path + "/imports")
      #expect(left.count == 1, "\(left)")
      _ = try shelf.file(digest, .parcels, agency: "north", login: "otto")
    }
  }
}
