import Evidence
import FieldUnit
import Foundation
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

@Suite("What came without a task, for programs", .timeLimit(.minutes(5)))
struct ConsoleStandaloneTests {
  /// Delivers photos and tracks without a task.
  private func delivered(
    _ scene: OfficeScene
  ) async throws -> (photos: [Identifier], tracks: [Identifier]) {
    let unit = try await scene.unit()
    var photos: [Identifier] = []
    for number in 0..<3 { photos.append(try await scene.capture(unit, nil, number).id) }
    try unit.sendPhotos(photos)
    let point = try unit.photo(photos[0]).position.coordinate
    var tracks: [Identifier] = []
    for name in ["north edge", "south edge"] {
      let track = try unit.beginTrack(name: name, task: nil, source: "", isSimulated: true)
      for second in 0..<3 {
        let time = scene.clock.deviceTime.advanced(bySeconds: Double(second)).gnssTime
        try unit.append(TrackPoint(kind: .recorded, time: time, coordinate: point), to: track.id)
      }
      _ = try unit.finishTrack(track.id, source: nil)
      tracks.append(track.id)
    }
    try unit.sendTracks(tracks)
    _ = try await unit.delivery.deliver(over: scene.link)
    return (photos, tracks)
  }

  @Test("a photo is given to a task and taken out again, by the rules of the page")
  func assigning() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (photos, _) = try await delivered(scene)
      let (own, others) = (try await scene.order(), try await scene.order("Oats", for: "igor"))
      let foreign = try await scene.order("Rye", for: "sven", in: "south")
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let path = "/photos/\(photos[0])"
        func assign(_ task: String) async throws -> Answer {
          try await otto.console("POST", path + "/assign", #"{"task": "\#(task)"}"#)
        }
        let wrong = try await assign(others.id.description)
        #expect(wrong.status == 422 && wrong.code == "rule-forbids", "he did not take it")
        #expect(try await assign(foreign.id.description).status == 404)
        #expect(try await assign("x").status == 400)
        #expect(try await otto.console("POST", path + "/unassign").status == 422)
        let given = try await assign(own.id.description)
        #expect(given.status == 200, "\(given.body)")
        #expect(try given.json()["task"]?.text == own.id.description)
        #expect(try given.json()["assigned"]?.text == scene.clock.deviceTime.rfc3339)
        let twice = try await assign(own.id.description)
        #expect(twice.status == 422, "it belongs to one already")
        #expect(try await otto.console("POST", path + "/hide").status == 422, "it is evidence")
        #expect(try await otto.get("/photos")["photos"]?.elements?.count == 2)
        let taken = try await otto.console("POST", path + "/unassign")
        #expect(try taken.status == 200 && taken.json()["assigned"] == nil)
        let sara = try await ConsoleProgram.signedIn("sara", at: site)
        let stranger = try await sara.console(
          "POST", path + "/assign", #"{"task": "\#(foreign.id)"}"#)
        #expect(stranger.status == 404 && stranger.code == "unknown")
      }
    }
  }

  @Test("what is hidden leaves the lists, is listed by itself page by page, and comes back")
  func hiding() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (photos, tracks) = try await delivered(scene)
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        for (kind, ids) in [("photos", photos), ("tracks", tracks)] {
          func listed(_ query: String) async throws -> Set<String> {
            let rows = try await otto.pages(of: "/\(kind)?limit=1\(query)", kind)
            #expect(Set(rows).count == rows.count, "\(kind)\(query): one came twice")
            return Set(rows.compactMap { $0["id"]?.text })
          }
          let all = Set(ids.map(\.description))
          #expect(try await listed("") == all)
          for id in ids.dropLast() {
            let hidden = try await otto.console("POST", "/\(kind)/\(id)/hide")
            #expect(hidden.status == 200, "\(hidden.body)")
            #expect(try hidden.json()["hidden"]?.text != nil)
          }
          let last = ids[ids.count - 1].description
          #expect(try await listed("") == [last])
          #expect(try await listed("&hidden=true") == all.subtracting([last]))
          #expect(try await listed("&hidden=true&inspector=igor") == [])
          #expect(try await listed("&inspector=ines") == [last])
          #expect(try await otto.console("POST", "/\(kind)/\(ids[0])/hide").status == 200)
          let shown = try await otto.console("POST", "/\(kind)/\(ids[0])/show")
          #expect(try shown.json()["hidden"] == nil)
          #expect(try await listed("") == [last, ids[0].description])
          let wrong = try await otto.console("GET", "/\(kind)?hidden=yes")
          #expect(wrong.status == 400 && wrong.code == "input-invalid")
        }
        let sara = try await ConsoleProgram.signedIn("sara", at: site)
        for path in [
          "/photos/\(photos[0])/hide", "/photos/\(photos[0])/show",
          "/photos/\(photos[0])/unassign", "/tracks/\(tracks[0])/hide",
          "/tracks/\(tracks[0])/show",
        ] {
          let answer = try await sara.console("POST", path)
          #expect(answer.status == 404 && answer.code == "unknown", "\(path)")
        }
        for name in ["photos/\(photos[0])/photo.kml", "tracks/\(tracks[0])/track.kml"] {
          let kml = try await otto.console("GET", "/" + name)
          #expect(kml.status == 200 && kml.body.contains("<kml"), "\(name)")
          let tag = try #require(kml.header("ETag"))
          let known = try await otto.console("GET", "/" + name, nil, [("If-None-Match", tag)])
          #expect(known.status == 304, "\(name)")
          #expect(try await sara.console("GET", "/" + name).status == 404, "\(name)")
        }
        let browser = site.browser()
        try await browser.signIn("sara")
        #expect(try await browser.get("/tracks/\(tracks[0])/track.kml").status == 404)
      }
    }
  }
}
