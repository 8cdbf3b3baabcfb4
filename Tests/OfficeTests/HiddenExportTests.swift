import Evidence
import Exports
import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Receivers
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficeExporting
@testable import OfficePages

@Suite("Exports of one thing, of what is hidden, and of what is not there", .timeLimit(.minutes(5)))
struct HiddenExportTests {
  /// Exports a choice as KML, and returns the text.
  private func kml(
    _ choice: ExportChoice, _ office: OfficeServer, _ folder: URL
  ) async throws -> String {
    let path = folder.appendingPathComponent("chosen.kml").path
    try await office.exports.export(choice, in: "north", as: .kml, toFile: path)
    return String(decoding: try DurableFile.read(path), as: UTF8.self)
  }

  @Test("what is not there is not there, whatever document is asked for: none is empty instead")
  func missing() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let things = try await scene.delivered("ines", on: "tablet", task: "Beet")
      let nothing = "019e8284-0000-7000-8000-00000000abcd"
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let sara = site.browser()
        try await sara.signIn("sara")
        for (thing, name) in [
          ("tracks", "track.kml"), ("photos", "photo.kml"), ("photos", "photo.pdf"),
          ("photos", "photo.jpg"), ("tasks", "task.kml"), ("tasks", "task.pdf"),
          ("tasks", "bundle.zip"), ("tasks", "map.json"),
        ] {
          let id = ["tracks": things.track, "photos": things.alone, "tasks": things.task][thing]
          let own = "/\(thing)/\(try #require(id))/\(name)"
          #expect(try await otto.get(own).status == 200, "\(own)")
          #expect(try await sara.get(own).status == 404, "\(own) of another agency")
          for absent in [nothing, "no-identifier"] {
            let path = "/\(thing)/\(absent)/\(name)"
            #expect(try await otto.get(path).status == 404, "\(path)")
          }
        }
      }
      // The export refuses a track whose row is here and whose file is not.
      let name = EvidenceName.file(.track, things.track)
      let file = try #require(scene.office.photos.path(of: name))
      try FileManager.default.removeItem(atPath: file)
      await #expect {
        _ = try await kml(.tracks([things.track]), scene.office, folder)
      } throws: {
        ($0 as? OfficeRefusal)?.kind == .unknown
      }
    }
  }

  @Test("everything leaves out what is hidden; a document that names it says that it is hidden")
  func hidden() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let things = try await scene.delivered("ines", on: "tablet", task: "Beet")
      let office = scene.office
      let before = try await kml(.all, office, folder)
      #expect(before.contains("id=\"photo-\(things.alone)\""))
      #expect(before.contains("id=\"track-\(things.track)\""))
      for isHidden in [true, false] {
        try await office.review.setHidden(isHidden, photo: things.alone, in: "north", by: "otto")
        try await office.review.setHidden(isHidden, track: things.track, in: "north", by: "otto")
        let all = try await kml(.all, office, folder)
        #expect(all.contains("id=\"photo-\(things.alone)\"") == !isHidden)
        #expect(all.contains("id=\"track-\(things.track)\"") == !isHidden)
        #expect(all.contains("id=\"photo-\(things.photo)\""), "what belongs to a task stays")
        for choice in [
          ExportChoice.photos([things.alone]), .tracks([things.track]),
          .photos([things.photo, things.alone]),
        ] {
          #expect(
            try await kml(choice, office, folder).contains("hidden by an officer") == isHidden,
            "\(choice)")
        }
      }
      let pair = ExportChoice.photos([things.photo, things.alone])
      try await office.review.setHidden(true, photo: things.alone, in: "north", by: "otto")
      #expect(
        try await kml(pair, office, folder).contains(
          "<name>Standpoint: North, hidden by an officer: 1 of 2</name>"))
      let received = try await office.database.read(in: "north") {
        try $0.photos.photo(things.alone)
      }
      #expect(try await office.exports.dossier(of: received).hidden == scene.clock.deviceTime)
    }
  }

  @Test("a photo without a task has a button for its PDF; one of a task leads to its task's")
  func photoPDF() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let things = try await scene.delivered("ines", on: "tablet", task: "Beet")
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let address = "/photos/\(things.alone)/photo.pdf"
        #expect(try await otto.get("/photos/\(things.alone)").body.contains("href=\"\(address)\""))
        let pdf = try await otto.get(address)
        #expect(pdf.header("Content-Type") == "application/pdf")
        #expect(pdf.header("Content-Disposition")?.contains("photo.pdf") == true)
        #expect(pdf.bytes.starts(with: Array("%PDF".utf8)))
        let other = try await otto.get("/photos/\(things.photo)/photo.pdf")
        #expect(other.location == "/tasks/\(things.task)/task.pdf")
      }
    }
  }

  @Test("a track's way to the map is an area round its points")
  func onTheMap() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.delivered("ines", on: "tablet", task: "Beet")
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let box = "16.6295,49.0795,16.6305,49.0805"
        #expect(try await otto.get("/tracks").body.contains("/map?at=\(box)"))
        let map = try await otto.get("/map?at=\(box)")
        #expect(map.body.contains("data-box=\"\(box)\""))
        #expect(!map.body.contains("area="), "it filters nothing")
        #expect(try await otto.get("/map?at=nowhere").status == 200)
      }
    }
  }
}
