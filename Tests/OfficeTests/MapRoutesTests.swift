import Evidence
import Foundation
import Geodesy
import Inspection
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing

@testable import FieldUnit
@testable import MapLayers
@testable import Office
@testable import OfficePages

@Suite("Base maps for field units", .timeLimit(.minutes(5)))
struct MapRoutesTests {
  private static func maps(_ scene: OfficeScene) -> String {
    scene.office.configuration.folder.path + "/maps"
  }

  @Test("a device gets the list and parts of each map, neither twice, and nobody else anything")
  func routes() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let token = try #require(try unit.store.signedIn()?.token)
      let maps = Self.maps(scene)
      try BaseMapFixture.write(to: maps + "/Land 2025.mbtiles")
      try BaseMapFixture.write(to: maps + "/.hidden.mbtiles")
      try BaseMapFixture.write(to: maps + "/vector.mbtiles", format: "pbf")
      try Data("no archive".utf8).write(to: URL(fileURLWithPath: maps + "/broken.mbtiles"))
      try await withSite(scene.office) { site in
        let bearer = ("Authorization", "Bearer \(token)")
        let list = try await site.send("GET", "/api/v1/maps", [bearer])
        #expect(list.status == 200)
        let message = try WireJSON.message(MapListMessage.self, list.bytes)
        let map = try #require(message.maps.first)
        #expect(message.maps.count == 1 && map.isSound)
        #expect(map.name == "Land 2025" && map.title == "Land" && map.attribution == "made up")
        #expect(map.mediaType == "image/png" && map.zooms == 0...2)
        let tag = try #require(list.header("ETag"))
        #expect(
          try await site.send("GET", "/api/v1/maps", [bearer, ("If-None-Match", tag)]).status
            == 304)
        let path = "/api/v1/maps/Land%202025"
        let world = path + "?box=-180,-85,180,85&zooms=0-2"
        let part = try await site.send("GET", world, [bearer])
        #expect(part.status == 200 && part.header("Content-Type") == TileExtract.mediaType)
        #expect(part.header("ETag") == "\"\(Digest.hexadecimal(part.bytes))\"")
        #expect(part.header("Standpoint-Mark") == map.mark)
        let tiles = try TileExtract(part.bytes).tiles
        #expect(
          tiles.map(\.place) == [.init(zoom: 0, x: 0, y: 0), .init(zoom: 2, x: 1, y: 2)])
        #expect(tiles.allSatisfy { Data($0.bytes) == BaseMapFixture.tile })
        let partTag = try #require(part.header("ETag"))
        let again = try await site.send("GET", world, [bearer, ("If-None-Match", partTag)])
        #expect(again.status == 304 && again.bytes.isEmpty)
        #expect(again.header("Standpoint-Mark") == map.mark)
        // A place without tiles, and zooms that the map lacks, give no tiles and no error.
        for query in ["box=100,50,101,51&zooms=2-2", "box=16,49,16.1,49.1&zooms=9-17"] {
          let empty = try await site.send("GET", "\(path)?\(query)", [bearer])
          #expect(empty.status == 200, "\(query)")
          #expect(try TileExtract(empty.bytes).tiles.isEmpty, "\(query)")
        }
        // The box crosses the antimeridian.
        let over = try await site.send("GET", "\(path)?box=170,-10,-170,10&zooms=2-2", [bearer])
        #expect(over.status == 200)
        for (query, status, code) in [
          ("", 400, "input-invalid"), ("box=1,2,3&zooms=0-1", 400, "input-invalid"),
          ("box=nan,0,1,1&zooms=0-1", 400, "input-invalid"),
          ("box=0,2,1,1&zooms=0-1", 400, "input-invalid"),
          ("box=0,0,1e999,1&zooms=0-1", 400, "input-invalid"),
          ("box=0,0,181,1&zooms=0-1", 400, "input-invalid"),
          ("box=0,0,1,1", 400, "input-invalid"), ("box=0,0,1,1&zooms=2", 400, "input-invalid"),
          ("box=0,0,1,1&zooms=2-1", 400, "input-invalid"),
          ("box=0,0,1,1&zooms=0-31", 400, "input-invalid"),
          ("box=0,0,1,1&zooms=-1-2", 400, "input-invalid"),
          ("box=0,0,1,1&zooms=0-99999999999999999999", 400, "input-invalid"),
        ] {
          let answer = try await site.send("GET", "\(path)?\(query)", [bearer])
          #expect(answer.status == status && answer.body.contains(code), "\(query)")
        }
        for name in [
          "nothing", ".hidden", "broken", "vector", "..%2Fkeys%2Fauthority", "%2e%2e", "a%00b",
          "Land%202025.mbtiles",
        ] {
          let answer = try await site.send(
            "GET", "/api/v1/maps/\(name)?box=0,0,1,1&zooms=0-1", [bearer])
          #expect((400...404).contains(answer.status), "\(name): \(answer.status)")
        }
        for path in ["/api/v1/maps", world] {
          #expect(try await site.send("GET", path).status == 401, "nobody")
          let wrong = ("Authorization", "Bearer x")
          #expect(try await site.send("GET", path, [wrong]).status == 401, "a stranger's token")
          let officer = site.browser()
          try await officer.signIn("otto")
          #expect(try await officer.get(path).status == 401, "an officer's page")
        }
        // A file that has changed has another mark.
        try BaseMapFixture.write(
          to: maps + "/Land 2025.mbtiles", areas: [(zoom: 5, columns: 0...31, rows: 0...31)])
        let changed = try await site.send(
          "GET", "/api/v1/maps", [bearer, ("If-None-Match", tag)])
        #expect(changed.status == 200)
        #expect(
          try WireJSON.message(MapListMessage.self, changed.bytes).maps.first?.mark != map.mark)
        try await scene.validate(maps: changed.bytes)
        // These are more tiles than the office sends at once.
        let large = try await site.send(
          "GET", "\(path)?box=-180,-85,180,85&zooms=5-5", [bearer])
        #expect(large.status == 422 && large.body.contains("extract-too-large"))
        #expect(large.body.contains("256 tiles"))
        // A device that has signed out is a stranger.
        try await scene.desk().signOut(over: scene.link)
        for path in ["/api/v1/maps", world] {
          #expect(try await site.send("GET", path, [bearer]).status == 401, "signed out")
        }
      }
    }
  }

  @Test("a field unit gets what lies round its tasks, once, and of a newer file only what is new")
  func bothSides() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.order()
      let unit = try await scene.unit()
      _ = try await unit.delivery.deliver(over: scene.link)
      let boxes = MapShelf.boxes(of: try unit.tasks())
      #expect(boxes.count == 1)
      // The map holds the field and far more, at zooms 14 to 16.
      let land = Self.maps(scene) + "/land.mbtiles"
      let cells = TilePlan.cells(around: boxes, zooms: 14...16)
      let corner = try #require(task.parcel?.rings.first?.first)
      @Sendable func areas(
        beyond: Int
      ) -> [(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>)] {
        (14...16).map { zoom in
          let middle = MapGrid(level: zoom).cell(of: corner)
          return (
            zoom, (middle.x - beyond)...(middle.x + beyond),
            (middle.y - beyond)...(middle.y + beyond)
          )
        }
      }
      try BaseMapFixture.write(to: land, areas: areas(beyond: 24))
      let field = folder.appendingPathComponent("tablet/field/maps").path
      let shelf = MapShelf(folder: field, clock: scene.clock, hasRoom: { true }, log: { _ in })
      try await withSite(scene.office) { site in
        let link = try HTTPOfficeLink(address: site.origin)
        #expect(try await shelf.bring(round: boxes, from: unit, over: link))
        let here = try FetchedTiles(path: field + "/office-land.mbtiles")
        #expect(try Set(here.cells().keys) == Set(cells))
        here.close()
        let found = try #require(BaseMaps(folder: field) { _ in }.archive("office-land"))
        #expect(found.title == "Land" && found.attribution == "Office of Land Survey")
        @Sendable func expectSame(_ name: String) throws {
          let whole = try TileArchive(path: land)
          let part = try TileArchive(path: field + "/office-land.mbtiles")
          for area in cells.flatMap(\.areas) where whole.zooms.contains(area.zoom) {
            for x in area.columns {
              for y in area.rows {
                let tile = try part.tile(zoom: area.zoom, x: x, y: y)
                #expect(try tile == whole.tile(zoom: area.zoom, x: x, y: y), "\(name)")
                #expect(tile != nil, "\(name)")
              }
            }
          }
        }
        try expectSame("at first")
        // The office gets another year of the map, whose coarse tiles are the same.
        try BaseMapFixture.write(to: land, areas: areas(beyond: 23), year: 2026)
        #expect(try await shelf.bring(round: boxes, from: unit, over: link))
        try expectSame("a year later")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: field) == ["office-land.mbtiles"])
        // A map that the office has no more stays for as long as a task lies on it.
        try FileManager.default.removeItem(atPath: land)
        #expect(try await shelf.bring(round: boxes, from: unit, over: link))
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: field) == ["office-land.mbtiles"])
        await link.close()
      }
    }
  }
}

extension OfficeScene {
  fileprivate func validate(maps bytes: [UInt8]) async throws {
    guard PythonTools.areHere else { return }
    let cases = "[[\"maps\",\(String(decoding: bytes, as: UTF8.self))]]"
    #expect(try await PythonTools.validate(cases: Array(cases.utf8)) == ["ok"])
  }
}
