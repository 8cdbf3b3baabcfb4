import AsyncHTTPClient
import Evidence
import Foundation
import Inspection
import NIOCore
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficeFrame
@testable import OfficePages
@testable import Web

@Suite("Parcels on the map, in a new task and in the list", .timeLimit(.minutes(5)))
struct ParcelPagesTests {
  /// Imports triangles in a row, P-0 and so on.
  private func fill(_ scene: OfficeScene, _ count: Int) async throws {
    let text =
      "identifier,name,crop,wkt\n"
      + (0..<count).map { number in
        let west = 16 + Double(number) / 1000
        return
          "P-\(number),\"Field \(number) \"\"<b>\"\"\",rye,\"POLYGON((\(west) 49,\(west + 0.0005) 49,\(west) 49.0005))\"\n"
      }.joined()
    let file = scene.folder.appendingPathComponent("parcels.csv")
    try Data(text.utf8).write(to: file)
    let report = try await scene.office.imports.importFile(
      ImportedFile(path: file.path), of: .parcels, in: "north", by: "otto", isCarriedOut: true)
    try #require(report.isTaken, "\(report.faults)")
  }

  private func view(_ answer: Answer) throws -> (isTooWide: Bool, names: [String]) {
    try #require(answer.status == 200, "\(answer.body)")
    let json = try JSONValue(parsing: answer.bytes)
    return (
      json["isTooWide"] == .bool(true),
      (json["parcels"]?.elements ?? []).compactMap { $0["identifier"]?.text }
    )
  }

  /// Sends a form in which a field may stand several times.
  private func order(
    _ site: OfficeSite, _ browser: OfficeBrowser, _ fields: [(String, String)]
  ) async throws -> Answer {
    _ = try await browser.get("/tasks/new")
    let body = (fields + [("csrf", browser.token ?? "")])
      .map { "\($0)=\(OfficeBrowser.encoded($1))" }.joined(separator: "&")
    return try await site.send(
      "POST", "/tasks",
      [
        ("Content-Type", "application/x-www-form-urlencoded"), ("Origin", site.origin),
        (
          "Cookie",
          browser.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        ), ("Accept", "text/html"),
      ], body: .bytes(ByteBuffer(string: body)))
  }

  @Test("a view is drawn where it holds few enough, for its agency alone")
  func map() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await fill(scene, ParcelView.parcelsAtMost + 1)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let wide = try view(await otto.get("/map/parcels.json?box=-180,-90,180,90"))
        #expect(wide.isTooWide && wide.names.isEmpty)
        let near = try await otto.get("/map/parcels.json?box=15.9999,48.9,16.0012,49.1")
        #expect(try view(near).names == ["P-0", "P-1"] && !view(near).isTooWide)
        let first = try #require(try JSONValue(parsing: near.bytes)["parcels"]?.elements?.first)
        #expect(first["name"]?.text == "Field 0 \"<b>\"" && first["crop"]?.text == "rye")
        #expect(first["isRough"] == .bool(false))
        #expect(first["coordinates"]?.elements?.first?.elements?.first?.elements?.count == 4)
        #expect(try view(await otto.get("/map/parcels.json?identifier=P-7")).names == ["P-7"])
        #expect(try view(await otto.get("/map/parcels.json?identifier=Q")).names.isEmpty)
        for query in ["", "?box=", "?box=1,2,3", "?box=nan,0,1,1", "?box=0,9,1,8"] {
          #expect(try await otto.get("/map/parcels.json\(query)").status == 400, "\(query)")
        }
        let page = try await otto.get("/map")
        #expect(page.body.contains("data-parcels=\"/map/parcels.json\""))
        #expect(page.body.contains("data-orders=\"yes\""))
        let anna = site.browser()
        try await anna.signIn("anna")
        #expect(try await anna.get("/map").body.contains("data-orders=\"no\""))
        // Another agency without a register sees nothing of this one's, and no layer.
        let sara = site.browser()
        try await sara.signIn("sara")
        #expect(try view(await sara.get("/map/parcels.json?identifier=P-7")).names.isEmpty)
        let world = try view(await sara.get("/map/parcels.json?box=-180,-90,180,90"))
        #expect(!world.isTooWide && world.names.isEmpty)
        #expect(try await !sara.get("/map").body.contains("data-parcels"))
      }
    }
  }

  @Test("a task is ordered for a parcel by its identifier; one that is not there is refused")
  func identifiers() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await fill(scene, 3)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let form = try await otto.get("/tasks/new?parcel=P-2")
        #expect(form.body.contains("name=\"identifier\" maxlength=\"200\" value=\"P-2\""))
        #expect(form.body.contains("data-pick=\"identifier\""))
        let fields = [("name", "Rye"), ("inspector", "ines")]
        let unknown = try await order(site, otto, fields + [("identifier", "P-99")])
        #expect(unknown.status == 400)
        #expect(unknown.body.contains("the register of north has no parcel P-99"))
        #expect(unknown.body.contains("value=\"P-99\"") && unknown.body.contains("value=\"Rye\""))
        #expect(unknown.body.contains("value=\"ines\" checked"))
        #expect(try await scene.office.review.tasks(in: "north").isEmpty)
        let known = try await order(site, otto, fields + [("identifier", " P-2 ")])
        #expect(known.location?.hasSuffix("?done=ordered") == true)
        let task = try #require(try await scene.office.review.tasks(in: "north").first)
        #expect(
          task.parcel == (try await scene.office.places.parcel("P-2", in: "north"))?.declared.parcel
        )
        // Land that no register has is drawn by hand, under any identifier.
        let drawn = try await order(
          site, otto,
          fields + [("identifier", "P-99"), ("outline", "[[16,49],[16.1,49],[16,49.1]]")])
        #expect(drawn.status == 303)
        #expect(form.body.contains("data-outline=\"outline\""))
      }
    }
  }

  @Test("an outline may be a ring, a polygon's coordinates, a geometry, a feature or a collection")
  func outlines() async throws {
    let ring = "[[16,49],[16.1,49],[16,49.1],[16,49]]"
    let geometry = "{\"type\":\"Polygon\",\"coordinates\":[\(ring)]}"
    let feature = "{\"type\":\"Feature\",\"properties\":{},\"geometry\":\(geometry)}"
    let texts = [
      ring, "[\(ring)]", geometry, feature,
      "{\"type\":\"FeatureCollection\",\"features\":[\(feature)]}",
    ]
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        // An agency without a register draws, too.
        #expect(try await otto.get("/tasks/new").body.contains("data-outline=\"outline\""))
        for (number, text) in texts.enumerated() {
          let fields = [
            ("name", "Land \(number)"), ("identifier", "DRAWN"), ("inspector", "ines"),
            ("outline", text),
          ]
          #expect(try await order(site, otto, fields).status == 303, "\(text)")
        }
        let parcels = try await scene.office.review.tasks(in: "north").map(\.parcel)
        #expect(
          parcels.count == 5 && Set(parcels).count == 1 && parcels.first??.areaSquareMetres ?? 0 > 1
        )
        let point = [("name", "P"), ("inspector", "ines"), ("outline", "{\"type\":\"Point\"}")]
        #expect(try await order(site, otto, point).status == 400)
      }
    }
  }

  @Test("each of several inspectors gets a task of their own; without one, nobody does")
  func inspectors() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await fill(scene, 1)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let fields = [("name", "Rye"), ("identifier", "P-0")]
        let both = try await order(
          site, otto,
          fields + [("inspector", "ines"), ("inspector", "igor"), ("inspector", "ines")])
        #expect(both.location == "/tasks?done=orderedEach")
        let tasks = try await scene.office.review.tasks(in: "north")
        #expect(tasks.map(\.inspector).sorted() == ["igor", "ines"])
        #expect(Set(tasks.map(\.parcel?.identifier)) == ["P-0"])
        let nobody = try await order(site, otto, fields)
        #expect(nobody.status == 400 && nobody.body.contains("choose at least one"))
        let stranger = try await order(
          site, otto, fields + [("inspector", "ines"), ("inspector", "sven")])
        #expect(stranger.status == 400 && stranger.body.contains("no inspector sven in north"))
        #expect(try await scene.office.review.tasks(in: "north").count == 2)
      }
    }
  }

  @Test("the list has one parcel's tasks, letter by letter, and the next page of them, too")
  func list() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order("Beet")
      _ = try await scene.order("Beet elsewhere", for: "sven", in: "south")
      let only = TaskFilter(parcel: "P-1")
      #expect(try await scene.office.review.tasks(in: "north", only).map(\.name) == ["Beet"])
      #expect(try await scene.office.review.tasks(in: "north", TaskFilter(parcel: "p-1")).isEmpty)
      #expect(try await scene.office.review.tasks(in: "north", TaskFilter(parcel: "P")).isEmpty)
      let count = try await scene.office.database.read(in: "north") {
        try $0.tasks.count(only, at: scene.clock.deviceTime)
      }
      #expect(count == 1)
      let address = TaskListAddress(["parcel": " P-1 ", "state": "new"])
      #expect(address.filter.parcel == "P-1")
      #expect(address.query() == "state=new&parcel=P-1")
      #expect(TaskListAddress(address.query()) == address)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks?parcel=P-1")
        #expect(
          page.body.contains(">Beet</a>") && page.body.contains("name=\"parcel\" value=\"P-1\""))
        #expect(try await !otto.get("/tasks?parcel=P-2").body.contains(">Beet</a>"))
        #expect(
          try await otto.get("/map/view.json?parcel=P-2&box=16,49,17,50&zoom=17").body
            .contains("\"tasks\":[]"))
      }
    }
  }
}
