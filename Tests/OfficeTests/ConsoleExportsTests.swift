import Evidence
import Exports
import Foundation
import Inspection
import OfficeScenes
import Store
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("What programs take away from the office", .timeLimit(.minutes(5)))
struct ConsoleExportsTests {
  @Test("a program gets what the pages give, in each format, and nothing of another agency")
  func formats() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let things = try await scene.delivered("ines", on: "tablet", task: "Beet")
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let sara = try await ConsoleProgram.signedIn("sara", at: site)
        let beginnings: [ExportFormat: String] = [
          .kml: "<?xml", .kmz: "PK", .gpx: "<?xml", .geojson: "{", .gpkg: "SQLite format 3",
        ]
        for format in ExportFormat.allCases {
          for (kind, name, id) in [
            ("tasks", "task", things.task), ("photos", "photo", things.alone),
            ("tracks", "track", things.track),
          ] {
            let path = "/\(kind)/\(id)/\(name).\(format.rawValue)"
            let answer = try await otto.console("GET", path)
            #expect(answer.status == 200, "\(path)")
            #expect(answer.header("Content-Type") == format.mediaType, "\(path)")
            let text = String(decoding: answer.bytes, as: UTF8.self)
            let table = kind == "tracks" ? "track," : "photo,"
            #expect(text.hasPrefix(beginnings[format] ?? table), "\(path)")
            let digest = "sha-256=:\(Digest.base64(answer.bytes)):"
            #expect(answer.header("Repr-Digest") == digest, "\(path)")
            #expect(try await sara.console("GET", path).status == 404, "\(path)")
          }
          let several = try await otto.console(
            "POST", "/exports", #"{"format":"\#(format.rawValue)","tasks":["\#(things.task)"]}"#)
          #expect(several.status == 200 && !several.bytes.isEmpty, "\(format)")
        }
        let alone = try await otto.console("GET", "/photos/\(things.alone)/photo.pdf")
        #expect(alone.status == 200 && alone.bytes.starts(with: Array("%PDF".utf8)))
      }
    }
  }

  @Test("a program is told what is wrong with what it wants to take away")
  func refusals() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let sara = try await ConsoleProgram.signedIn("sara", at: site)
        for (body, status, words) in [
          (#"{"format":"shp","tasks":["\#(task.id)"]}"#, 400, "kmz, kml, gpx"),
          (#"{"format":"kml","tasks":["beet"]}"#, 400, "not an identifier"),
          (#"{"format":"kml"}"#, 400, "not an array"),
          (#"{"format":"kml","tasks":[]}"#, 422, "nothing to export"),
        ] {
          let answer = try await otto.console("POST", "/exports", body)
          #expect(answer.status == status, "\(body)")
          #expect(String(decoding: answer.bytes, as: UTF8.self).contains(words), "\(body)")
        }
        let body = #"{"format":"kml","tasks":["\#(task.id)"]}"#
        #expect(try await sara.console("POST", "/exports", body).status == 404)
        let listed = try await otto.get("/tasks/\(task.id)/photos")["photos"]?.elements?.first
        let id = try #require(listed?["id"]?.text)
        let pdf = try await otto.console("GET", "/photos/\(id)/photo.pdf")
        #expect(pdf.status == 422)
        #expect(String(decoding: pdf.bytes, as: UTF8.self).contains("belongs to task"))
      }
    }
  }
}
