import AsyncHTTPClient
import Evidence
import Exports
import Foundation
import NIOCore
import NIOHTTP1
import OfficeScenes
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import FieldUnit
@testable import MapLayers
@testable import Office
@testable import OfficeExporting
@testable import OfficePages

@Suite(
  "Base maps of an agency: files and services, on pages and on devices", .timeLimit(.minutes(5)))
struct BaseMapPagesTests {
  private static let password = "over the far hills"

  private func withAgency(
    _ body:
      @escaping @Sendable (OfficeScene, OfficeSite, OfficeBrowser, PlayedService) async throws ->
      Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await PlayedService.with { played in
        try await withSite(scene.office) { site in
          let anna = site.browser()
          try await anna.signIn("anna")
          try await body(scene, site, anna, played)
        }
      }
    }
  }

  @Test("without any, maps say so, and lead those who may add one to the page for it")
  func none() async throws {
    try await withAgency { _, site, anna, _ in
      #expect(try await anna.get("/base-maps").body.contains("No base map yet"))
      let map = try await anna.get("/map").body
      #expect(map.contains("data-add-base=\"/base-maps\""))
      let otto = site.browser()
      try await otto.signIn("otto")
      let his = try await otto.get("/map").body
      #expect(!his.contains("data-add-base") && his.contains("An administrator can add one"))
      #expect(try await otto.get("/base-maps").status == 403)
    }
  }

  @Test(
    "a WMS is added with a password, its layer chosen, and its tiles come through the office alone")
  func service() async throws {
    try await withAgency { scene, site, anna, played in
      let basic = "Basic " + Data("anna:\(Self.password)".utf8).base64EncodedString()
      played.answer { request in
        guard request.headers["Authorization"] == [basic] else { return .body(status: 401, []) }
        return request.uri.contains("GetCapabilities")
          ? .body(type: "text/xml", Array(MapServiceTests.wms.utf8)) : .tile
      }
      _ = try await anna.get("/base-maps")
      let added = try await anna.post(
        "/base-maps",
        [
          "kind": "wms", "address": "\(played.origin)/wms?request=GetCapabilities",
          "title": "Ortho",
          "user": "anna", "password": "wrong words",
        ])
      #expect(added.status == 303)
      let page = "/base-maps/ortho"
      #expect(added.location == page + "?layers=yes")
      #expect(try await anna.get(page).body.contains("refuses the user or the password"))
      #expect(
        !(try await anna.get("/map").body).contains("/map/tiles/ortho"), "it has no layer yet")
      let fields = [
        "address": "\(played.origin)/wms", "title": "Ortho", "user": "anna",
        "password": Self.password, "leastZoom": "0", "mostZoom": "19", "offered": "yes",
      ]
      #expect(try await anna.post(page, fields).status == 303)
      let choice = try await anna.get(page).body
      #expect(choice.contains("Aerial photo (ortho)") && !choice.contains("value=\"local\""))
      var chosen = fields
      (chosen["layer"], chosen["password"]) = ("ortho", "")
      let saved = try await anna.post(page, chosen)
      #expect(saved.location == page + "?tested=yes")
      #expect(try await anna.get(page + "?tested=yes").body.contains("The service works."))
      let map = try await anna.get("/map").body
      #expect(map.contains("/map/tiles/ortho/{z}/{x}/{y}") && !map.contains(played.origin))
      let tile = try await anna.get("/map/tiles/ortho/3/4/2")
      #expect(tile.bytes == PlayedService.picture() && tile.header("Content-Type") == "image/png")
      #expect(try await anna.get("/map/tiles/ortho/3/9/2").status == 404)
      // The password is in one file, for its owner alone.
      let file = scene.office.configuration.folder.path + "/keys/map-layers.json"
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600)
      #expect(try String(contentsOfFile: file, encoding: .utf8).contains(Self.password))
      for path in [page, page + "?layers=yes", "/base-maps", "/log", "/map"] {
        #expect(!(try await anna.get(path).body).contains(Self.password), "\(path)")
      }
      // Another agency has nothing of it.
      let sara = site.browser()
      try await sara.signIn("sara")
      #expect(try await sara.get("/map/tiles/ortho/3/4/2").status == 404)
      // To another host the password does not go along.
      var moved = chosen
      moved["address"] = "http://localhost:\(played.port)/wms"
      #expect(try await anna.post(page, moved).status == 422)
      #expect(played.requests.last?.headers["Authorization"] == ["Basic YW5uYTo="])
    }
  }

  @Test("of a WMTS that is moved nothing is kept that belongs to the former address")
  func moved() async throws {
    try await withAgency { scene, _, anna, played in
      let elsewhere = "http://localhost:\(played.port)"
      let template =
        "<ResourceURL format=\"image/png\" resourceType=\"tile\" template=\"\(elsewhere)/{TileMatrix}/{TileRow}/{TileCol}.png\"/>"
      let capabilities = MapServiceTests.wmts.replacing("TEMPLATE", with: template)
      let basic = "Basic " + Data("anna:\(Self.password)".utf8).base64EncodedString()
      played.answer { request in
        guard request.uri.contains("GetCapabilities") else { return .tile }
        return request.headers["Authorization"] == [basic]
          ? .body(type: "text/xml", Array(capabilities.utf8)) : .body(status: 401, [])
      }
      _ = try await anna.get("/base-maps")
      let added = try await anna.post(
        "/base-maps",
        [
          "kind": "wmts", "address": "\(played.origin)/wmts", "title": "Tiles", "user": "anna",
          "password": Self.password,
        ])
      #expect(added.location == "/base-maps/tiles?layers=yes")
      var fields = [
        "address": "\(played.origin)/wmts", "title": "Tiles", "user": "anna", "offered": "yes",
        "leastZoom": "0", "mostZoom": "19", "layer": "base",
      ]
      #expect(try await anna.post("/base-maps/tiles", fields).status == 303)
      func stored() throws -> MapService {
        try scene.office.core.layers.service("tiles", of: "north")
      }
      #expect(try stored().template?.hasPrefix(elsewhere) == true && stored().isComplete)
      // The tiles' host is not the one for which the password was entered.
      (fields["address"], fields["layer"]) = ("\(elsewhere)/wmts", nil)
      #expect(try await anna.post("/base-maps/tiles", fields).status == 422)
      let moved = try stored()
      #expect(moved.address == "\(elsewhere)/wmts" && moved.password == nil)
      #expect(moved.template == nil && moved.matrices.isEmpty && !moved.isComplete)
      let there = played.requests.filter {
        $0.headers["Host"].first?.hasPrefix("localhost") == true
      }
      #expect(!there.isEmpty && there.allSatisfy { $0.headers["Authorization"] != [basic] })
      #expect(
        try await anna.get("/base-maps").body.contains("Not in use yet: choose its layer."))
      fields["password"] = Self.password
      #expect(try await anna.post("/base-maps/tiles", fields).status == 303)
      #expect(try stored().isComplete && stored().password != nil)
    }
  }

  @Test("a service that is gone, or no address, is said; a kept tile is shown all the same")
  func gone() async throws {
    try await withAgency { _, _, anna, played in
      _ = try await anna.get("/base-maps")
      for (address, words) in [
        ("http://169.254.169.254/{z}/{x}/{y}", "network equipment"),
        ("javascript:alert(1)", "https://"),
        ("https://t.example/tiles", "lacks"),
      ] {
        let answer = try await anna.post("/base-maps", ["kind": "xyz", "address": address])
        #expect(answer.status == 400 && answer.body.contains(words), "\(address)")
        #expect(answer.body.contains("value=\"xyz\" selected"), "the form keeps what was entered")
      }
      let added = try await anna.post(
        "/base-maps", ["kind": "xyz", "address": "\(played.origin)/{z}/{x}/{y}", "title": "Tiles"])
      #expect(added.location == "/base-maps/tiles?tested=yes")
      #expect(try await anna.get("/map/tiles/tiles/2/1/1").status == 200)
      played.answer { _ in .body(type: "text/html", Array("<html>gone</html>".utf8)) }
      let page = try await anna.get("/base-maps/tiles?tested=yes").body
      #expect(page.contains("Saved, but:") && page.contains("a web page instead of a picture"))
      #expect(try await anna.get("/base-maps").body.contains("a web page instead of a picture"))
      #expect(try await anna.get("/map/tiles/tiles/2/1/1").status == 200)
      let failed = try await anna.get("/map/tiles/tiles/2/0/0")
      #expect(failed.status == 502 && failed.header("Cache-Control")?.contains("max-age") != true)
      #expect(try await anna.post("/base-maps/tiles/remove").status == 303)
      #expect(try await anna.get("/map/tiles/tiles/2/1/1").status == 404)
    }
  }

  @Test("a file is uploaded and shown first; one that is no MBTiles leaves nothing behind")
  func upload() async throws {
    try await withAgency { scene, site, anna, _ in
      let path = scene.office.configuration.folder.path
      try BaseMapFixture.write(to: path + "/source.mbtiles")
      try BaseMapFixture.write(to: path + "/maps/common.mbtiles")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/source.mbtiles"))
      _ = try await anna.get("/base-maps")
      let refused = try await Self.send(
        site, anna, named: "bad.mbtiles", Data("no archive".utf8))
      #expect(refused.status == 400 && refused.body.contains("cannot be a base map"))
      let folder = path + "/maps/agency-north"
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let taken = try await Self.send(site, anna, named: "Příběh 1.mbtiles", bytes)
      #expect(taken.status == 303)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder) == ["pribeh-1.mbtiles"])
      #expect(try await anna.get("/map/tiles/pribeh-1/0/0/0").status == 200)
      func order() throws -> [String] {
        try scene.office.core.layers.layers(of: "north").map(\.name)
      }
      #expect(try order() == ["pribeh-1", "common"])
      #expect(try await anna.post("/base-maps/common/first").status == 303)
      #expect(try order() == ["common", "pribeh-1"])
      #expect(try scene.office.exports.baseMap(of: "north")?.title == "Land")
      // A file of all agencies is not removed by one of them.
      let kept = try await anna.post("/base-maps/common/remove")
      #expect(kept.status == 400 && kept.body.contains("all agencies share"))
      #expect(try scene.office.core.layers.layers(of: "south").map(\.name) == ["common"])
      #expect(try await anna.post("/base-maps/pribeh-1/remove").status == 303)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  @Test("what a cut upload has left goes with the next one, a day later and not before")
  func leftovers() async throws {
    try await withAgency { scene, site, anna, _ in
      let folder = scene.office.configuration.folder.path + "/maps/agency-north"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let now = Double(scene.clock.deviceTime.millisecondsSince1970) / 1000
      for (name, seconds) in [
        (".0190a5c0.arriving", 86_500.0), (".0190a5c0.arriving-journal", 86_500),
        (".0190a5c1.arriving", 86_300), ("notes.arriving", 90_000), (".hidden", 90_000),
      ] {
        let path = "\(folder)/\(name)"
        try Data("half a map".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: now - seconds)], ofItemAtPath: path)
      }
      _ = try await anna.get("/base-maps")
      let refused = try await Self.send(site, anna, named: "bad.mbtiles", Data("no map".utf8))
      #expect(refused.status == 400)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
          == [".0190a5c1.arriving", ".hidden", "notes.arriving"])
    }
  }

  private static func send(
    _ site: OfficeSite, _ browser: OfficeBrowser, named name: String, _ content: Data
  ) async throws -> Answer {
    let boundary = "----boundary7"
    var body = ByteBuffer()
    body.writeString(
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(browser.token ?? "")\r\n"
        + "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n")
    body.writeBytes(content)
    body.writeString("\r\n--\(boundary)--\r\n")
    return try await site.send(
      "POST", "/base-maps",
      [
        ("Content-Type", "multipart/form-data; boundary=\(boundary)"), ("Origin", site.origin),
        (
          "Cookie",
          browser.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        ), ("Accept", "text/html"),
      ], body: .bytes(body))
  }

  @Test("a device gets a part of a service through the office, whole or not at all")
  func device() async throws {
    try await withAgency { scene, site, _, played in
      let unit = try await scene.unit()
      let token = try #require(try unit.store.signedIn()?.token)
      let bearer = ("Authorization", "Bearer \(token)")
      let layers = scene.office.core.layers
      var service = MapService(
        name: "", kind: .xyz, title: "Tiles", address: "\(played.origin)/{z}/{x}/{y}")
      service.attribution = "Survey"
      _ = try layers.add(service, to: "north")
      let list = try WireJSON.message(
        MapListMessage.self, try await site.send("GET", "/api/v1/maps", [bearer]).bytes)
      #expect(list.maps.first?.name == "tiles" && list.maps.first?.isSound == true)
      let path = "/api/v1/maps/tiles?box=16,49,16.1,49.1&zooms=9-11"
      let part = try await site.send("GET", path, [bearer])
      #expect(part.status == 200 && part.header("Standpoint-Mark") == list.maps.first?.mark)
      #expect(try TileExtract(part.bytes).tiles.count == played.requests.count)
      played.answer { $0.uri.hasPrefix("/12/") ? .cut : .tile }
      let cut = try await site.send(
        "GET", "/api/v1/maps/tiles?box=16,49,16.1,49.1&zooms=10-12", [bearer])
      #expect(cut.status == 502 && cut.code == "map-unavailable")
      #expect(!cut.body.contains("127.0.0.1:\(played.port)/"), "no address with its key")
      try layers.change("tiles", of: "north") { $0.isOffered = false }
      #expect(try await site.send("GET", path, [bearer]).status == 404)
      let none = try await site.send("GET", "/api/v1/maps", [bearer])
      #expect(try WireJSON.message(MapListMessage.self, none.bytes).maps.isEmpty)
    }
  }
}
