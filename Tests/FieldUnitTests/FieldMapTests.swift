import Evidence
import Foundation
import Geodesy
import Imports
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("The field unit's map", .timeLimit(.minutes(5)))
struct FieldMapTests {
  @Test("nobody who is not signed in sees anything of it")
  func strangers() async throws {
    try await MapSite.with { map in
      for path in [
        "/map", "/map/view.json", "/map/parcels.json", "/live/map", "/map/tiles/land/0/0/0",
        "/tracks",
        "/tracks/0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f",
        "/tracks/0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f/points.json",
      ] {
        let answer = try await map.browser.get(path)
        #expect(answer.status == 303 && answer.location == "/sign-in", "\(path)")
      }
      for path in ["/assets/field-map.js", "/assets/field-map.css"] {
        #expect(try await map.browser.get(path).status == 200, "\(path)")
      }
      for path in ["/assets/leaflet/package.json", "/assets/leaflet/..%2f..%2fpasswd"] {
        #expect([400, 404].contains(try await map.browser.get(path).status), "\(path)")
      }
    }
  }

  @Test(
    "parcels, photos with what they saw, and tracks stand in its view, and as a list without script"
  )
  func view() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      let empty = try await map.browser.get("/map")
      #expect(
        empty.body.contains("Nothing to show here.") && empty.body.contains("None on this device"))
      let task = try #require(try map.scene.tasks().first)
      _ = try map.scene.unit.openTask(task.id)
      let own = try await map.scene.capture(map.scene.request())
      let other = try FieldScene(map.scene.folder, seed: 2)
      let taken = try await other.capture(other.request(task: task.id))

      let view = try await map.json("/map/view.json")
      let parcels = try #require(view["tasks"] as? [[String: Any]])
      #expect(parcels.count == 1, "a task without a parcel has no place")
      #expect(parcels.first?["id"] as? String == task.id.description)
      #expect(
        parcels.first?["sign"] as? String == "◐" && parcels.first?["state"] as? String == "open")
      let ring = try #require((parcels.first?["rings"] as? [[[Double]]])?.first)
      #expect(ring.first == ring.last && ring.first == [16.62, 49.07])
      let photos = try #require(view["photos"] as? [[String: Any]])
      let marks = Dictionary(uniqueKeysWithValues: photos.map { ($0["id"] as? String ?? "", $0) })
      #expect(marks.count == 2)
      #expect(marks[own.id.description]?["task"] == nil)
      #expect(marks[taken.id.description]?["taskName"] as? String == "First")
      #expect(marks[own.id.description]?["azimuthDegreesTrue"] as? Double != nil)
      #expect(marks[own.id.description]?["isSent"] as? Bool == false)

      let page = try await map.browser.get("/map?task=\(task.id)")
      for link in ["/tasks/\(task.id)", "/photos/\(own.id)", "/map?photo=\(taken.id)"] {
        #expect(page.body.contains("href=\"\(link)\""), "\(link)")
      }
      #expect(page.body.contains("data-events=\"/live/map?task=\(task.id)\""))
      #expect(page.body.contains("data-follows=\"no\""), "it stays where it was sent")
      #expect(!page.body.contains("is not on this device"))
      for missing in ["task=nonsense", "photo=\(task.id)", "track=%3Cscript%3E"] {
        let answer = try await map.browser.get("/map?\(missing)")
        #expect(answer.status == 200 && answer.body.contains("is not on this device"), "\(missing)")
      }
    }
  }

  @Test("where the inspector is comes with its uncertainty, and is said to be old when it is")
  func position() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      let unit = try map.unit()
      let pages = MapPages(server: map.site.server)
      #expect(await pages.liveMap(unit, task: nil).position == nil)
      await map.walk.go(12)
      let json = """
        {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"identifier":"E","name":"East"},"geometry":{"type":"Polygon",
        "coordinates":[[[16.64,49.07],[16.65,49.07],[16.65,49.09],[16.64,49.09],[16.64,49.07]]]}}]}
        """
      let east = try #require(
        try unit.importTasks(try TaskFile.orders(fromGeoJSON: Data(json.utf8))).first)
      let live = await pages.liveMap(unit, task: east)
      let position = try #require(live.position)
      #expect(!position.isOld && live.here.light == "good")
      #expect((position.uncertaintyMetres95 ?? 0) > 0 && position.courseDegreesTrue != nil)
      #expect(abs(position.at[0] - 16.63) < 0.001 && abs(position.at[1] - 49.08) < 0.001)
      let guidance = try #require(live.guidance)
      #expect(guidance.words.hasPrefix("East: ") && guidance.words.hasSuffix(" m, 90°"))
      #expect(abs((guidance.to?[0] ?? 0) - 16.64) < 1e-5)

      // The receiver falls silent, and no old value passes for a current one.
      let later = map.scene.clock.elapsed.advanced(bySeconds: 30)
      map.scene.clock.advance(to: later, limit: later)
      let old = await pages.liveMap(unit, task: east)
      #expect(old.position?.isOld == true && old.here.light == "bad")
      #expect(old.here.text.contains("30 s") || old.here.text.contains("31 s"))
      #expect(old.guidance == nil)
    }
  }

  @Test("its stream tells of a recording at once, and ends for whoever has signed out")
  func stream() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      await map.walk.go(6)
      try await map.record(["name": "Live"])
      let events = MapPages(server: map.site.server).mapEvents(try map.unit(), task: nil)
      await map.walk.go(4)
      var seen = false
      for await event in events {
        let value = try #require(
          try JSONSerialization.jsonObject(with: Data(event.text.utf8)) as? [String: Any])
        #expect(value["here"] != nil)
        guard let recording = value["recording"] as? [String: Any] else { continue }
        if (recording["points"] as? Int ?? 0) >= 3, !seen {
          seen = true
          #expect((recording["words"] as? [String: String])?["name"] == "Live")
          #expect((recording["last"] as? [String: Any])?["kind"] as? String == "recorded")
          _ = try await map.browser.post("/sign-out")
        }
      }
      #expect(seen)
    }
  }

  @Test(
    "base maps are those of the folder; names are never a way out of it, and a broken file harms nothing"
  )
  func tiles() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      let folder = map.scene.data + "/field/maps"
      try BaseMapFixture.write(to: folder + "/land.mbtiles")
      try BaseMapFixture.write(to: map.scene.data + "/field/outside.mbtiles")
      try Data("no archive".utf8).write(to: URL(fileURLWithPath: folder + "/broken.mbtiles"))
      let page = try await map.browser.get("/map")
      #expect(page.body.contains("/map/tiles/land/{z}/{x}/{y}") && page.body.contains("Land"))
      let words = "The base map broken cannot be used"
      #expect(!page.body.contains("/map/tiles/broken"))
      #expect(page.body.components(separatedBy: words).count == 3, "above, and in the list")
      let again = try await map.browser.get("/map")
      #expect(again.body.components(separatedBy: words).count == 2, "in the list alone")
      let tile = try await map.browser.get("/map/tiles/land/0/0/0")
      #expect(tile.type == "image/png" && Data(tile.bytes) == BaseMapFixture.tile)
      #expect(try await map.browser.get("/map/tiles/land/2/1/2").status == 200)
      for path in [
        "..%2Foutside/0/0/0", "%2e%2e/0/0/0", ".land/0/0/0", "land%00/0/0/0", "none/0/0/0",
        "broken/0/0/0", "land/1/0/0", "land/2/-1/1", "land/2/4/1", "land/99/0/0", "land/a/0/0",
        "land/2/99999999999999999999/1", "land/-1/0/0",
      ] {
        let answer = try await map.browser.get("/map/tiles/\(path)")
        #expect([400, 404].contains(answer.status), "\(path): \(answer.status)")
      }
      #expect(try map.scene.verify().verdict == .intact, "they are nobody's evidence")
    }
  }

  @Test(
    "a long way is drawn with fewer points, and never without its corners and the sides of its holes"
  )
  func thinned() throws {
    var points: [TrackPoint] = []
    for number in 0..<5000 {
      let time = DeviceTime(millisecondsSince1970: Int64(number) * 1000).gnssTime
      let place = Coordinate(
        latitudeDegrees: 49, longitudeDegrees: 16 + Double(number) * 1e-5)
      let kind: TrackPoint.Kind = number == 1234 ? .vertex : .recorded
      points.append(
        TrackPoint(
          kind: kind, time: time, coordinate: try #require(place),
          gapBefore: number == 2501 ? .silence : nil))
    }
    let pieces = FieldMapView.pieces(of: points)
    #expect(pieces.count == 2)
    let count = pieces.reduce(0) { $0 + $1.count }
    #expect(count > 900 && count < 1010)
    for number in [0, 1234, 2500, 2501, 4999] {
      #expect(pieces.joined().contains(FieldMapView.pair(points[number].coordinate)), "\(number)")
    }
    #expect(FieldMapView.pieces(of: []).isEmpty)
  }
}

/// Tests of the map that guides an inspector to a parcel.
extension FieldMapTests {
  /// Imports a task whose parcel is a square of 0.01 degrees at a corner.
  private func task(
    _ unit: InspectorUnit, longitude: Double, latitude: Double
  ) throws -> InspectionTask {
    let (east, north) = (longitude + 0.01, latitude + 0.01)
    let ring = [
      (longitude, latitude), (east > 180 ? east - 360 : east, latitude),
      (east > 180 ? east - 360 : east, north), (longitude, north), (longitude, latitude),
    ].map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    let json = """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":
      {"identifier":"P\(longitude)","name":"There"},"geometry":{"type":"Polygon","coordinates":[[\(ring)]]}}]}
      """
    return try #require(
      try unit.importTasks(try TaskFile.orders(fromGeoJSON: Data(json.utf8))).first)
  }

  @Test("the map guides to a parcel in words before its script does, and further than the horizon")
  func guided() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      let unit = try map.unit()
      let far = try task(unit, longitude: 20.7, latitude: 49.0)
      let path = "/map?task=\(far.id)&guide=yes"
      let before = try await map.browser.get(path).body
      #expect(before.contains("data-guide data-task=\"\(far.id)\""))
      #expect(before.contains("The way is shown as soon as your position is known."))
      await map.walk.go(4)
      let page = try await map.browser.get(path).body
      let live = await MapPages(server: map.site.server).liveMap(unit, task: far)
      let guidance = try #require(live.guidance)
      #expect(
        guidance.distance?.hasSuffix(" km") == true && guidance.direction?.hasSuffix(" E") == true)
      #expect(abs((guidance.bearingDegreesTrue ?? 0) - 90) < 3)
      #expect(page.contains(guidance.distance ?? "?") && page.contains(guidance.direction ?? "?"))
      #expect(page.contains("North is up: your own direction is not known."))
      #expect(page.contains("data-both") && page.contains("href=\"/camera?task=\(far.id)\""))
      #expect(!page.contains("data-way"), "the card says it")
      // The device's compass knows magnetic north only: the declination comes with the position.
      let declination = try #require(live.position?.declinationDegrees)
      #expect((3...7).contains(declination))

      let shown = try await map.browser.get("/map?task=\(far.id)").body
      #expect(shown.contains("data-way") && !shown.contains("data-guide "))
      #expect(shown.contains("href=\"/map?task=\(far.id)&amp;guide=yes\""))
      let order = try await map.browser.get("/tasks/\(far.id)").body
      #expect(order.contains("href=\"/map?task=\(far.id)&amp;guide=yes\""))
      let around = try task(unit, longitude: 16.625, latitude: 49.075)
      let there = try await map.browser.get("/map?task=\(around.id)&guide=yes").body
      #expect(there.contains("You are inside the parcel"))
    }
  }

  @Test("without a parcel, a task or a receiver the map says so, and guides nowhere")
  func notGuided() async throws {
    try await FieldPagesTests().withField { site, scene in
      let order = FieldPagesTests.order("Nowhere", at: scene.clock.deviceTime)
      site.office.order([order])
      try await site.signIn()
      let page = try await site.browser.get("/map?task=\(order.id)&guide=yes").body
      #expect(page.contains("This task has no parcel: there is no place to guide you to."))
      #expect(!page.contains("data-guide"))
      #expect(!(try await site.browser.get("/tasks/\(order.id)").body.contains("guide=yes")))
      for query in ["guide=yes", "task=nonsense&guide=yes", "task=\(order.id)&guide=no"] {
        let answer = try await site.browser.get("/map?\(query)")
        #expect(answer.status == 200 && !answer.body.contains("data-guide"), "\(query)")
      }
      let placed = try task(try site.unit(), longitude: 16.7, latitude: 49.0)
      let alone = try await site.browser.get("/map?task=\(placed.id)&guide=yes").body
      #expect(alone.contains("<p data-guide-turn>No receiver</p>"))
    }
  }

  @Test("a parcel west of Greenwich, and one across the antimeridian, are drawn in one piece")
  func antimeridian() throws {
    func longitudes(_ rings: [[(Double, Double)]]) throws -> [Double] {
      let corners = rings.map { ring in
        ring.compactMap { Coordinate(latitudeDegrees: $0.1, longitudeDegrees: $0.0) }
      }
      var task = FieldPagesTests.order("P", at: DeviceTime(millisecondsSince1970: 0))
      task.parcel = Parcel(identifier: "P", rings: corners)
      let mark = try #require(FieldMapView.mark(task, stateTitle: "Open"))
      #expect(mark.rings.count == rings.count)
      return mark.rings.joined().map { $0[0] }
    }
    let west = try longitudes([[(-8.47, 51.9), (-8.46, 51.9), (-8.46, 51.91)]])
    #expect(west.allSatisfy { (-8.47 ... -8.46).contains($0) })
    // As RFC 7946 writes it: a part on each side.
    let across = try longitudes([
      [(179.995, -16.8), (180, -16.8), (180, -16.79)],
      [(-180, -16.8), (-179.995, -16.8), (-180, -16.79)],
    ])
    let (least, most) = (try #require(across.min()), try #require(across.max()))
    #expect(most - least < 0.011, "\(least) to \(most)")
  }

  @Test(
    "the nearest of the eight winds, and a bearing just west of north",
    arguments: [
      (0.0, 0, "0"), (22.4, 0, "22"), (22.6, 1, "23"), (90, 2, "90"), (200, 4, "200"),
      (337.4, 7, "337"), (337.6, 0, "338"), (359.7, 0, "0"),
    ])
  func winds(bearing: Double, wind: Int, degrees: String) throws {
    let here = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16))
    let there = Geodesic.direct(
      from: here, initialAzimuthDegrees: bearing, distanceMetres: 5000)
    let side = 1e-7
    let corners = [(0, 0), (side, 0), (0, side)].compactMap {
      Coordinate(
        latitudeDegrees: there.latitudeDegrees + $0.0,
        longitudeDegrees: there.longitudeDegrees + $0.1)
    }
    let way = try #require(
      ParcelWay(to: Parcel(identifier: "P", rings: [corners]), from: here))
    #expect(way.wind == wind && way.degreesText == degrees)
  }

  @Test("a task that cannot be read is not taken for none: the map's stream is refused")
  func unreadableTask() async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      let task = try #require(try site.scene.tasks().first)
      let outcome = try await Program.run(
        "/usr/bin/python3",
        [
          "-c",
          """
          import sqlite3, sys
          db = sqlite3.connect(sys.argv[1])
          db.execute("PRAGMA ignore_check_constraints = ON")
          db.execute("UPDATE task SET state = 'nonsense'")
          db.commit()
          """, site.scene.data + "/field/standpoint.sqlite",
        ])
      try #require(outcome.status == 0, "\(outcome.errors)")
      #expect(try await site.browser.get("/live/map?task=\(task.id)").status == 503)
    }
  }
}
