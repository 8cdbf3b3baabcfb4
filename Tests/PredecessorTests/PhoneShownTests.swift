import Evidence
import Exports
import Foundation
import Geodesy
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor
@testable import Web

@Suite("What officers see of what phones sent", .timeLimit(.minutes(5)))
struct PhoneShownTests {
  private static let points =
    #"[{"lat":49.0801,"lng":16.63,"altitude":231.5,"accuracy":2.5,"created":"2026-06-01 09:00:00"},"#
    + #"{"lat":49.0811,"lng":16.63,"created":"2026-06-01 09:00:10"},"#
    + #"{"lat":49.0811,"lng":16.632,"created":"2026-06-01 09:00:20"}]"#

  private func sendPath(_ app: PhoneApp, _ user: String, name: String = "Edge") async throws {
    let answer = try await app.call(
      "path",
      [
        ("user_id", user), ("name", name), ("start", "2026-06-01 09:00:00"),
        ("end", "2026-06-01 09:00:20"), ("area", "123.0"), ("devicePlatform", "Android"),
        ("points", Self.points),
      ])
    #expect(answer.word == "ok")
  }

  @Test("a path stands in the list as every track does, is marked, drawn on the map and exported")
  func path() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      try await sendPath(app, try await app.logIn(), name: "Edge \(hostileText)")
      let id = try #require(
        try await phones.office.database.read(in: "north") {
          try $0.tracks.identifiers(.standalone)
        }
        .first)
      let otto = site.browser()
      try await otto.signIn("otto")
      let list = try await otto.get("/tracks").body
      #expect(list.contains("from a phone, not sealed"))
      #expect(list.contains("&lt;script&gt;alert(1)"))
      #expect(list.contains(">257 m<") && list.contains("data-label=\"Points\">3<"))
      let link = "/map?at=16.6295,49.0796,16.6325,49.0816&amp;track=\(id)"
      #expect(list.contains("href=\"\(link)\""))

      let map = try await otto.get("/map?at=16.6295,49.0796,16.6325,49.0816&track=\(id)")
      #expect(map.body.contains("The dashed line is the track Edge"))
      #expect(map.body.contains("from a phone, not sealed"))
      #expect(map.body.contains("data-source=\"/map/view.json?track=\(id)&amp;"))
      func tracks(_ query: String) async throws -> [JSONValue] {
        let answer = try await otto.get("/map/view.json?zoom=16&\(query)")
        return try #require(try JSONValue(parsing: answer.bytes)["tracks"]?.elements)
      }
      let seen = try await tracks("box=16.6,49,16.7,49.1&track=\(id)")
      #expect(seen.count == 1 && seen.first?["origin"]?.text == "egnss4cap")
      #expect(seen.first?["line"]?.elements?.count == 3)
      #expect(try await tracks("box=16.6,49,16.7,49.1").isEmpty)
      #expect(try await tracks("box=17.6,49,17.7,49.1&track=\(id)").isEmpty)
      let sara = site.browser()
      try await sara.signIn("sara")
      #expect(try await sara.get("/map?track=\(id)").status == 404)
      #expect(
        try await sara.get("/map/view.json?zoom=16&box=16.6,49,16.7,49.1&track=\(id)").status
          == 404)

      // Each format has the track, and those that describe the track itself name its origin; a
      // table of points does not.
      for format in ["kml", "gpx", "geojson"] {
        let file = try await otto.get("/tracks/\(id)/track.\(format)")
        #expect(file.status == 200 && file.body.contains("egnss4cap"), "\(format)")
      }
      for format in ["csv", "kmz", "gpkg"] {
        #expect(try await otto.get("/tracks/\(id)/track.\(format)").status == 200, "\(format)")
      }
      let ines = site.browser()
      try await ines.signIn("ines")
      #expect(try await ines.get("/tracks").body.contains("from a phone, not sealed"))
      // Officers hide it like any other track.
      #expect(try await otto.post("/tracks/\(id)/hide").location == "/tracks?done=hidden")
    }
  }

  @Test("a field unit's track is drawn on the map too, without that mark")
  func ownTrack() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder, adding: PredecessorService.whereNoPhoneIsServed)
      let things = try await scene.delivered("ines", on: "tablet", task: "Beet")
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        #expect(!(try await otto.get("/tracks").body.contains("not sealed")))
        #expect(
          try await otto.get("/map?track=\(things.track)").body.contains("The dashed line is"))
        let view = try await otto.get(
          "/map/view.json?zoom=16&box=16,49,17,50&track=\(things.track)")
        let track = try JSONValue(parsing: view.bytes)["tracks"]?.elements?.first
        #expect(track?["origin"]?.text == "fieldUnit")
      }
    }
  }

  @Test("every field of a photo is shown in its place, and all of them are a file")
  func fields() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let more =
        #","deviceManufacture":"Maker","deviceModel":"Model 7","deviceVersion":14,"pitch":2.5,"#
        + #""satsInfo":"[{\"prn\":\"12_L1\",\"snr\":33.0,\"band\":\"L1\"}]","#
        + #""networkInfo":{"radio":"lte","wifi":{"ssid":"<script>alert(1)</script>\"'&"},"cells":[{"ci":"28120321","tac":7}]},"#
        + #""NMEAMessage":"$GPRMC,1\r\n<script>alert(1)</script>\"'&","#
        + #""efkLatGpsL1":49.0803,"efkLngGpsL1":16.63,"efkAltGpsL1":233.0,"efkTimeGpsL1":"then","#
        + #""efkLatGalIf":49.0801,"efkLngGalIf":16.63,"efkAtlGalIf":231.25,"efkLatGalE5":0,"efkLngGalE5":0,"#
        + #""<script>alert(1)</script>\"'&":{"a":[1,[2,[3,[4,[5]]]]]}"#
      let answer = try await app.send(
        app.photo(try OfficeScene.picture(1), user: user, more: more), user: user)
      #expect(answer.word == "ok")
      let id = try #require(
        try await phones.office.database.read(in: "north") { try $0.photos.list(.standalone) }.first
      ).photo.id
      let otto = site.browser()
      try await otto.signIn("otto")
      let page = try await otto.get("/photos/\(id)").body
      for words in [
        "No device key sealed it", "<code>Maker Model 7 Android</code>",
        "<dt><code>deviceVersion</code></dt><dd><code>14</code>", "<code>12_L1</code>",
        "<th scope=\"col\"><code>snr</code></th>", "<code>GpsL1</code>", "49.0803000°", "233.0 m",
        "<code>then</code>", "19.6 m", "<code>GalIf</code>", "231.3 m",
        "<dt><code>radio</code></dt>", "<code>28120321</code>", "$GPRMC,1",
        "<dt><code>efkLatGalE5</code></dt>", "<dt><code>pitch</code></dt>", "[3,[4,[5]]]",
        "User number in the digest", "<code>\(user)</code>",
        "href=\"/photos/\(id)/phone.json\"",
      ] {
        #expect(page.contains(words), "\(words)")
      }
      #expect(!page.contains("<dt><code>efkLatGpsL1</code></dt>"))
      let file = try await otto.get("/photos/\(id)/phone.json")
      #expect(file.header("Content-Type") == "application/json")
      #expect(file.header("Content-Disposition")?.contains("attachment") == true)
      let fields = try JSONValue(parsing: file.bytes)
      #expect(fields["photo"]?.text == "" && fields["pitch"] == .number(2.5))
      for (login, status) in [("ines", 200), ("igor", 404), ("sara", 404)] {
        let browser = site.browser()
        try await browser.signIn(login)
        #expect(try await browser.get("/photos/\(id)/phone.json").status == status, "\(login)")
      }
    }
  }

  @Test("very long fields are cut on the page, not in the file; a phone without a position says so")
  func long() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .iOS, site: site)
      let user = try await app.logIn()
      let long = String(repeating: "lang ", count: 20_000)
      let rows = (0..<150).map { "{\"prn\":\"\($0)\",\"snr\":30}" }.joined(separator: ",")
      let json = app.photo(
        try OfficeScene.picture(2), user: user,
        more: ",\"words\":\"\(long)end\",\"satsInfo\":[\(rows)]"
      ).replacingOccurrences(of: "\"lat\":49.0801234567,\"lng\":16.63", with: "\"lat\":0,\"lng\":0")
      #expect(try await app.send(json, user: user).word == "ok")
      let id = try #require(
        try await phones.office.database.read(in: "north") { try $0.photos.list(.standalone) }.first
      ).photo.id
      let otto = site.browser()
      try await otto.signIn("otto")
      let page = try await otto.get("/photos/\(id)").body
      #expect(page.utf8.count < 150_000 && page.contains(" …</code>") && !page.contains("lang end"))
      #expect(page.contains("50 more are in the file."))
      #expect(page.contains("the app sends 0, 0 if it never had a position"))
      #expect(try await otto.get("/photos/\(id)/phone.json").body.contains("lang end"))
    }
  }
}

@Suite("A track's way as maps draw it")
struct TrackCourseTests {
  private func point(
    _ latitude: Double, _ longitude: Double, gap: TrackPoint.Gap? = nil
  ) throws -> TrackPoint {
    let time = try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z")).gnssTime
    let place = try #require(
      Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
    var point = TrackPoint(kind: .recorded, time: time, coordinate: place)
    point.gapBefore = gap
    return point
  }

  private func box(_ sides: [Double]) throws -> CoordinateBox {
    try #require(
      CoordinateBox(
        westDegrees: sides[0], southDegrees: sides[1], eastDegrees: sides[2],
        northDegrees: sides[3]))
  }

  @Test("nothing is drawn across a gap, and a point alone is seen")
  func gaps() throws {
    let points = [
      try point(49, 16), try point(49.001, 16), try point(49.002, 16, gap: .noFix),
      try point(49.003, 16, gap: .paused), try point(49.004, 16),
    ]
    let stretches = TrackCourse.stretches(points)
    #expect(
      stretches.map { $0.map(\.latitudeDegrees) } == [
        [49, 49.001], [49.002, 49.002], [49.003, 49.004],
      ])
    #expect(TrackCourse.stretches([]).isEmpty)
  }

  @Test("what lies in a view is drawn, also where no point does; what lies elsewhere is not")
  func seen() throws {
    let points = [try point(49, 16), try point(49, 17), try point(50, 17)]
    // The box lies between two points, and holds neither of them.
    let middle = TrackCourse.seen(points, in: try box([16.4, 48.9, 16.6, 49.1]))
    #expect(middle.map { $0.map(\.longitudeDegrees) } == [[16, 17]])
    #expect(TrackCourse.seen(points, in: try box([16.4, 49.1, 16.6, 49.3])).isEmpty)
    #expect(TrackCourse.seen(points, in: try box([15, 48, 18, 51])).first?.count == 3)
    // A way out of the view and back is two lines.
    let there = [
      try point(49, 16), try point(49, 16.1), try point(49, 20), try point(55, 20),
      try point(55, 16), try point(49.01, 16),
    ]
    let runs = TrackCourse.seen(there, in: try box([15.9, 48.9, 16.2, 49.1]))
    #expect(runs.count == 2)
    // The track crosses the antimeridian.
    let east = [try point(0, 179.9), try point(0, -179.9)]
    #expect(TrackCourse.seen(east, in: try box([179.8, -1, -179.8, 1])).count == 1)
  }

  @Test("no view gets more points than a screen can show, and both ends stay")
  func thin() throws {
    let points = try (0..<50_000).map { number in
      try point(49 + Double(number) * 1e-6, 16 + Double(number % 7) * 1e-7)
    }
    let wide = TrackCourse.seen(points, in: try box([15, 48, 17, 50]))
    #expect(wide.reduce(0) { $0 + $1.count } <= 5000)
    #expect(wide.first?.first == points.first?.coordinate)
    #expect(wide.last?.last == points.last?.coordinate)
    // A near view has each point.
    let near = TrackCourse.seen(points, in: try box([15.9, 49.001, 16.1, 49.002]))
    #expect(near.first.map { $0.count > 900 } == true)
    let gaps = try (0..<20_000).map { try point(49, 16 + Double($0) * 1e-5, gap: .noFix) }
    let parts = TrackCourse.seen(gaps, in: try box([15, 48, 17, 50]))
    #expect(parts.reduce(0) { $0 + $1.count } <= 5000)
  }
}
