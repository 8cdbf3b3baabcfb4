import Evidence
import Exports
import FieldExporting
import Foundation
import Inspection
import Store
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit

@Suite("Composites on the field unit", .timeLimit(.minutes(5)))
struct ComposePagesTests {
  private func withPhotos(
    _ body:
      @escaping @Sendable (FieldPagesTests.Site, FieldScene, [Photo]) async throws -> Void
  ) async throws {
    try await FieldPagesTests().withField(hasReceiver: true) { site, scene in
      try await site.signIn()
      var photos: [Photo] = []
      for _ in 0..<2 { photos.append(try await scene.capture(scene.request())) }
      try await body(site, scene, photos)
    }
  }

  private func fields(_ page: String) -> [String: String] {
    var fields: [String: String] = [:]
    for part in page.split(separator: "<input ").dropFirst() {
      guard let name = part.firstMatch(of: /name="([^"]+)"/)?.1 else { continue }
      fields[String(name)] = part.firstMatch(of: /value="([^"]*)"/).map { String($0.1) } ?? ""
    }
    return fields
  }

  @Test(
    "two photos of the inspector become a composite, which no list of photos and no outbox knows")
  func whole() async throws {
    try await withPhotos { site, scene, photos in
      #expect(
        try await site.browser.get("/photos/\(photos[0].id)").body
          .contains("/compose/choose?photo=\(photos[0].id)"))
      let choice = try await site.browser.get("/compose/choose?photo=\(photos[1].id)")
      #expect(choice.body.contains("photo=\(photos[0].id)"))
      let address = try #require(
        try await site.browser.get("/compose?with=\(photos[1].id)&photo=\(photos[0].id)").location)
      let form = fields(try await site.browser.get(address).body)
      let waiting = try scene.unit.outbox().count
      let made = try await site.browser.post("/compose", form)
      let place = try #require(made.location)
      #expect(place.hasSuffix("?done=composite"))
      let path = place.replacing("?done=composite", with: "")
      let file = try await site.browser.get(path + "/composite.jpg?download")
      let reading = try #require(CompositeReading(file.bytes))
      #expect(reading.problems == [])
      #expect(reading.record?.maker == scene.unit.person.login)
      let bytes = try photos.map { try DurableFile.read(scene.unit.path(ofPhoto: $0.id)) }
      let record = try #require(reading.record)
      let below = record.below.id == photos[1].id.description ? bytes[1] : bytes[0]
      let above = record.below.id == photos[1].id.description ? bytes[0] : bytes[1]
      #expect(try reading.agreement(of: file.bytes, below: below, above: above) == .same)
      #expect(try scene.unit.photos().count == 2 && scene.unit.outbox().count == waiting)
      #expect(try await site.browser.get("/composites").body.contains(path))
      // Exports name it beside its photos, and nowhere else.
      let kml = scene.data + "/all.kml"
      try scene.unit.exports.export(.all, as: .kml, toFile: kml)
      let text = String(decoding: try DurableFile.read(kml), as: UTF8.self)
      #expect(text.ranges(of: record.id).count == 2)
      // A composite is no photo: no capture takes it.
      #expect(throws: FieldUnitError.self) { _ = try AcceptedFrame(file.bytes) }
      #expect(
        try await site.browser.post(path + "/remove").location
          == "/composites?done=composite-removed")
      #expect(try scene.unit.composites.all().isEmpty)
      #expect(try await site.browser.get(path).status == 404)
    }
  }

  @Test("another inspector of the same device finds no composite, and a damaged record is told")
  func walls() async throws {
    try await withPhotos { site, scene, photos in
      let address = try #require(
        try await site.browser.get("/compose?with=\(photos[0].id)&photo=\(photos[1].id)").location)
      _ = try await site.browser.post("/compose", fields(try await site.browser.get(address).body))
      let id = try #require(try scene.unit.composites.all().first?.id)
      let shelf = CompositeShelf(folder: scene.unit.folder.composites)
      let (agency, known) = (scene.unit.person.agency, try #require(Identifier(id)))
      #expect(try shelf.records(of: agency, maker: "somebody").isEmpty)
      #expect(try shelf.records(of: "other").isEmpty)
      #expect(try shelf.record(known, of: agency, maker: "somebody") == nil)
      let record = scene.unit.folder.composites + "/\(id).json"
      try DurableFile.replace(record, with: Array("{}".utf8))
      #expect(throws: StoreError.self) { _ = try scene.unit.composites.all() }
      #expect(try await site.browser.get("/composites").status == 503)
    }
  }
}
