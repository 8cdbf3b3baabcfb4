import Evidence
import Exports
import Foundation
import Imagery
import Inspection
import OfficeExporting
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("Composites at the office", .timeLimit(.minutes(5)))
struct ComposePagesTests {
  /// Calls `body` with an officer's browser at an office that has a task with photos.
  private func withOfficer(
    _ body:
      @escaping @Sendable (OfficeScene, OfficeSite, OfficeBrowser, [Photo]) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided(3).id
      let photos = try await scene.office.review.view(of: task, in: "north").photos.map(\.photo)
        .sorted { $0.deviceTime < $1.deviceTime }
      try #require(photos.count == 3)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        try await body(scene, site, otto, photos)
      }
    }
  }

  /// Returns the fields of a form as a browser would send them.
  private func fields(_ page: String) -> [String: String] {
    var fields: [String: String] = [:]
    for part in page.split(separator: "<input ").dropFirst() {
      guard let name = part.firstMatch(of: /name="([^"]+)"/)?.1 else { continue }
      fields[String(name)] = part.firstMatch(of: /value="([^"]*)"/).map { String($0.1) } ?? ""
    }
    return fields
  }

  @Test("two photos become a composite, which is listed, changed, downloaded, logged and removed")
  func whole() async throws {
    try await withOfficer { scene, _, otto, photos in
      let choice = try await otto.get("/compose/choose?photo=\(photos[2].id)")
      #expect(choice.status == 200 && choice.body.contains("photo=\(photos[0].id)"))
      // The earlier one is laid over the later one, whichever was looked at first.
      let lead = try await otto.get("/compose?with=\(photos[2].id)&photo=\(photos[0].id)")
      let address = try #require(lead.location)
      #expect(address.contains("old=\(photos[0].id)&new=\(photos[2].id)"))
      let page = try await otto.get(address)
      #expect(page.status == 200 && page.body.contains("data-compose-canvas"))
      var form = fields(page.body)
      #expect(form["placeScale"] == "1" && form["softness"] == "30")
      form["shape"] = "ellipse"
      let query = form.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
      let preview = try await otto.get("/compose/preview.jpg?\(query)")
      #expect(preview.status == 200 && preview.bytes.starts(with: [0xFF, 0xD8]))
      let made = try await otto.post("/compose", form)
      let place = try #require(made.location)
      #expect(made.status == 303 && place.hasSuffix("?done=composite"))
      let shown = try await otto.get(place)
      #expect(shown.body.contains("The composite is made."))
      let path = place.replacing("?done=composite", with: "")
      let file = try await otto.get(path + "/composite.jpg")
      let reading = try #require(CompositeReading(file.bytes))
      #expect(reading.problems == [] && reading.record?.above.id == photos[0].id.description)
      #expect(reading.record?.maker == "otto" && reading.record?.agency == "north")
      #expect(try await otto.get("/composites").body.contains(path))
      #expect(try await otto.get(path + "/thumbnail.jpg").status == 200)
      #expect(
        try await otto.get("/log").body.contains("made the <a href=\"\(path)\">composite</a>"))

      // A change keeps the identifier and its numbers.
      let again = try #require(try await otto.get(path + "/change").location)
      var changed = fields(try await otto.get(again).body)
      #expect(changed["softness"] == "30" && changed["windowWidth"] == form["windowWidth"])
      changed["softness"] = "55"
      changed["shape"] = "rectangle"
      #expect(try await otto.post("/compose", changed).location == place)
      let renewed = try #require(
        CompositeReading(try await otto.get(path + "/composite.jpg").bytes))
      #expect(
        renewed.record?.plan.softness == 0.55 && renewed.record?.plan.window.shape == .rectangle)
      #expect(try scene.office.composites.all(in: "north").count == 1)

      #expect(
        try await otto.post(path + "/remove").location == "/composites?done=composite-removed")
      #expect(try await otto.get(path).status == 404)
      #expect(try await otto.get("/composites").body.contains("No composites yet."))
    }
  }

  @Test(
    "KML, GeoJSON and GeoPackage hold a composite as a link of its photos alone, and an inspector's hold none"
  )
  func exported() async throws {
    try await withOfficer { scene, _, otto, photos in
      let address = try #require(
        try await otto.get("/compose?with=\(photos[0].id)&photo=\(photos[1].id)").location)
      _ = try await otto.post("/compose", fields(try await otto.get(address).body))
      let id = try #require(try scene.office.composites.all(in: "north").first).id
      for format in [ExportFormat.kml, .geojson, .gpkg, .csv] {
        let path = scene.folder.appendingPathComponent("all.\(format.rawValue)").path
        try await scene.office.exports.export(.all, in: "north", as: format, toFile: path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // Once with each of its two photos, and nowhere else.
        let wanted = Data(id.utf8)
        var (found, from) = (0, bytes.startIndex)
        while let range = bytes.range(of: wanted, in: from..<bytes.endIndex) {
          (found, from) = (found + 1, range.upperBound)
        }
        #expect(found == 2, "\(format)")
        try await scene.office.exports.export(
          .all, in: "north", ofInspector: "ines", as: format, toFile: path + ".own")
        let own = try Data(contentsOf: URL(fileURLWithPath: path + ".own"))
        #expect(own.range(of: wanted) == nil, "\(format)")
      }
    }
  }

  @Test("numbers that make no picture are refused with what was typed, and nothing is kept")
  func refusals() async throws {
    try await withOfficer { scene, _, otto, photos in
      let address = try #require(
        try await otto.get("/compose?with=\(photos[0].id)&photo=\(photos[1].id)").location)
      let form = fields(try await otto.get(address).body)
      for (name, wrong, words) in [
        ("softness", "nan", "softness must be a number from 0 to 1"),
        ("windowX", "99999", "Nothing of the picture above would be seen"),
        ("placeScale", "0", "needs a scale from 0.001 to 1000"),
        ("windowWidth", "wide", "The window needs a width"), ("cropX", "5", "The crop must lie"),
      ] {
        var form = form
        form[name] = wrong
        form["windowAngle"] = "12.5"
        let refused = try await otto.post("/compose", form)
        #expect(refused.status == 422, "\(name)")
        #expect(refused.body.contains(words), "\(name)")
        #expect(refused.body.contains("value=\"12.5\""), "\(name)")
        #expect(
          try await otto.get(
            "/compose/preview.jpg?"
              + form.map { "\($0.key)=\($0.value)" }
              .joined(separator: "&")
          ).status == 422, "\(name)")
      }
      let same = try await otto.get("/compose?old=\(photos[0].id)&new=\(photos[0].id)")
      #expect(same.status == 422 && same.body.contains("Both are the same photo."))
      #expect(try await otto.get("/compose?old=x&new=y").status == 404)
      #expect(try scene.office.composites.all(in: "north").isEmpty)
    }
  }

  @Test("hidden photos, inspectors and other agencies find no composite")
  func walls() async throws {
    try await withOfficer { scene, site, otto, photos in
      let address = try #require(
        try await otto.get("/compose?with=\(photos[0].id)&photo=\(photos[1].id)").location)
      let place = try #require(
        try await otto.post("/compose", fields(try await otto.get(address).body)).location)
      let path = place.replacing("?done=composite", with: "")
      let id = try #require(Identifier(String(path.dropFirst("/composites/".count))))
      let ines = site.browser()
      try await ines.signIn("ines")
      for path in [
        "/composites", path, path + "/composite.jpg", address,
        "/compose/photo.jpg?id=\(photos[0].id)",
      ] {
        #expect(try await ines.get(path).status == 403, "\(path)")
      }
      #expect(throws: StoreError.unknown(what: "composite", id: id.description)) {
        _ = try scene.office.composites.composite(id, in: "south")
      }
      await #expect(throws: (any Error).self) {
        _ = try await scene.office.composites.source(photos[0].id, in: "south")
      }
    }
  }

  @Test("a backup holds the composites with their records")
  func backup() async throws {
    try await withOfficer { scene, _, otto, photos in
      let address = try #require(
        try await otto.get("/compose?with=\(photos[0].id)&photo=\(photos[1].id)").location)
      _ = try await otto.post("/compose", fields(try await otto.get(address).body))
      let known = try #require(try scene.office.composites.all(in: "north").first)
      try await withTemporaryDirectory { folder in
        let path = folder.appendingPathComponent("office.tar").path
        let outcome = try await scene.office.operation.backup(to: path)
        #expect(outcome.differences == [])
        let listed = try await Program.run("/usr/bin/tar", ["-tf", path])
        for ending in ["jpg", "json"] {
          #expect(listed.output.contains("/\(known.id).\(ending)"))
        }
      }
    }
  }
}
