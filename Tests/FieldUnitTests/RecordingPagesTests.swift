import Evidence
import Foundation
import Geodesy
import Inspection
import Positioning
import Receivers
import Store
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import FieldPages
@testable import FieldUnit

@Suite("Tracks, recorded and kept from the pages", .timeLimit(.minutes(5)))
struct RecordingPagesTests {
  @Test(
    "a track is begun, paused, given corners, shortened and finished, and is sealed as a polygon")
  func record() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      let browser = map.browser
      #expect(try await browser.get("/map").body.contains("Record a track"))
      await map.walk.go(6)
      try await map.record(["name": "Round"])
      await map.walk.go(5)
      let begun = try map.recording()
      #expect(begun.points.count >= 4 && begun.track.name == "Round")
      let page = try await browser.get("/map")
      #expect(page.body.contains("Round") && page.body.contains("● recording"))

      // Only one track is recorded at a time, on the pages or in a terminal.
      let second = try await browser.post("/tracks/record", ["name": "Second"])
      #expect(second.status == 422 && second.body.contains("recording-elsewhere"))
      let terminal = try map.scene.follower()
      await #expect(throws: FieldUnitError.self) {
        try await map.scene.unit.recordTrack(
          name: nil, task: nil, with: terminal, seconds: nil)
      }
      #expect(try map.unit().trackHeads().count == 1)

      // A second press leaves it paused.
      for _ in 0..<2 {
        #expect(try await browser.post("/tracks/record/pause").location == "/map")
        #expect(try map.recording().isPaused)
      }
      let before = try map.recording().points.count
      await map.walk.go(3)
      #expect(try map.recording().points.count == before)
      _ = try await browser.post("/tracks/record/resume")
      await map.walk.go(2)
      #expect(try map.recording().points.count > before)

      // A walk gives no samples for a corner, and the page says so.
      #expect(try await browser.post("/tracks/record/centroid").location == "/map")
      #expect(try await browser.get("/map").body.contains("no corner yet"))
      _ = try await browser.post("/tracks/record/vertex")
      #expect(try map.recording().points.last?.kind == .vertex)
      #expect(try map.recording().refusal == nil)
      let count = try map.recording().points.count
      _ = try await browser.post("/tracks/record/delete-last")
      #expect(try map.recording().points.count == count - 1)
      #expect(try map.recording().deletions == 1)
      await map.walk.go(60)
      _ = try await browser.post("/tracks/record/centroid")
      #expect(try map.recording().points.last?.kind == .centroidVertex)

      let id = begun.track.id
      let points = try await map.json("/tracks/\(id)/points.json")
      #expect((points["points"] as? [Any])?.count == (try map.recording().points.count))
      #expect(points["deletions"] as? Int == 1)
      let open = try #require(
        (try await map.json("/map/view.json")["tracks"] as? [[String: Any]])?.first)
      #expect(open["isClosed"] as? Bool == false)

      let stopped = try await browser.post("/tracks/record/stop")
      #expect(stopped.location == "/map?track=\(id)&done=recorded")
      #expect(map.desk.recording(of: try map.unit().person) == nil)
      let track = try map.unit().track(id)
      #expect(track.ended != nil)
      #expect(track.points.compactMap(\.gapBefore).contains(.paused))
      let closed = try #require(
        (try await map.json("/map/view.json")["tracks"] as? [[String: Any]])?.first)
      #expect(closed["isClosed"] as? Bool == true)
      #expect((closed["pieces"] as? [Any])?.count == track.points.compactMap(\.gapBefore).count + 1)
      #expect(try map.scene.verify().verdict == .intact)
      // The device may record again.
      try await map.record()
      #expect(try await browser.post("/tracks/record/nonsense").status == 404)
    }
  }

  @Test("the script of the map is answered in JSON, and told in words what is refused")
  func script() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      let refused = try await map.browser.post("/tracks/record/vertex")
      #expect(refused.status == 422 && refused.body.contains("not-recording"))
      let unknown = try await map.browser.post("/tracks/record", ["task": "nonsense"])
      #expect(unknown.status == 404)
      #expect(map.desk.recording(of: try map.unit().person) == nil)
      #expect(try map.unit().isRecording() == false, "what could not begin holds nothing")
    }
  }

  @Test("a track without points is not kept, and the page says so")
  func empty() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      try await map.record()
      #expect(try await map.browser.post("/tracks/record/stop").location == "/map")
      #expect(try await map.browser.get("/map").body.contains("there was no point"))
      #expect(try map.unit().trackHeads().isEmpty)
      #expect(try await map.browser.get("/tracks").body.contains("No tracks yet."))
    }
  }

  @Test("whoever signs out leaves no recording behind: it is sealed under their name")
  func signOut() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      await map.walk.go(6)
      try await map.record()
      await map.walk.go(5)
      let unit = try map.unit()
      #expect(try await map.browser.post("/sign-out").location == "/sign-in")
      #expect(try unit.tracks().first?.ended != nil)
      #expect(try map.scene.unit.isRecording() == false)
    }
  }

  @Test(
    "whoever is signed out in a terminal leaves no recording and no photo behind on the pages",
    arguments: [nil, "igor"] as [String?])
  func signOutInTerminal(next: String?) async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      await map.walk.go(6)
      try await map.record()
      await map.walk.go(5)
      let unit = try map.unit()
      let server = map.site.server
      _ = try server.cameraDesk.begin(CameraDesk.Running(task: nil, name: nil, page: "open"))
      // The terminal is another program with the same data directory.
      let terminal = try SignInDesk(
        dataDirectory: server.configuration.dataDirectory, software: "terminal",
        clock: map.scene.clock)
      if let next {
        try await terminal.signIn(
          login: next, password: FakeOffice.password, over: try server.link(to: map.site.address))
      } else {
        try await terminal.signOut(over: nil)
      }
      #expect(map.desk.recording(of: unit.person) != nil, "nobody has looked yet")
      _ = try await map.browser.get("/")
      guard case .none = server.captureStatus else {
        Issue.record("the camera is still at work: \(server.captureStatus)")
        return
      }
      while map.desk.recording(of: unit.person) != nil { await Task.yield() }
      let track = try #require(try unit.tracks().first)
      #expect(track.ended != nil && track.inspector == "ines" && !track.points.isEmpty)
      #expect(try unit.isRecording() == false)
    }
  }

  @Test("a corner has its own rules' samples, whatever another page has asked the receiver for")
  func cornerRules() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      await map.walk.go(6)
      try await map.record()
      await map.walk.go(30)
      await map.walk.follower.beginSamples(try #require(SamplerPolicy(samples: 5)))
      await map.walk.go(10)
      let others = await map.walk.follower.lastFix
      try #require(others?.standpoint?.samples == 5, "the other page has all of its own")
      _ = try await map.browser.post("/tracks/record/centroid")
      #expect(try map.recording().points.last?.kind != .centroidVertex)
      #expect(try map.recording().refusal?.description.contains("0 samples so far") == true)
      await map.walk.go(34)
      _ = try await map.browser.post("/tracks/record/centroid")
      #expect(try map.recording().points.last?.kind == .centroidVertex)
      let rules = await map.walk.follower.samplerPolicy
      let own = try map.unit().cornerSampler(for: nil)
      #expect(rules == own)
    }
  }

  @Test("a recording that ends late takes nothing from the one that was begun since")
  func endedLate() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      await map.walk.go(6)
      try await map.record(["name": "Second"])
      let person = try map.unit().person
      // The device is free before the end of the first recording is noted; the test makes that
      // moment.
      let late = map.desk.end(
        TrackDesk.Ending(person: person), of: Identifier(at: map.scene.clock.deviceTime))
      #expect(late.words?.description.contains("there was no point") == true)
      #expect(try map.recording().track.name == "Second")
      #expect(map.desk.ending(of: person) == nil, "nobody is told that this one has ended")
      await map.walk.go(5)
      #expect(try !map.recording().points.isEmpty)
      let ending = try await map.desk.finish(of: person)
      #expect(ending.track?.name == "Second" && ending.words == nil)
      #expect(map.desk.recording(of: person) == nil)
    }
  }

  /// Begins a track of five points that is never finished, as if its program was killed.
  private func cutOff(_ map: MapSite, name: String = "cut") throws -> Track {
    let unit = try map.unit()
    let track = try unit.beginTrack(name: name, task: nil, source: "", isSimulated: true)
    for second in 0..<5 {
      let place = try #require(
        Coordinate(latitudeDegrees: 49 + Double(second % 3) * 1e-4, longitudeDegrees: 16))
      try unit.append(
        TrackPoint(
          kind: .recorded,
          time: map.scene.clock.deviceTime.advanced(bySeconds: Double(second)).gnssTime,
          coordinate: place, gapBefore: second == 3 ? .noFix : nil), to: track.id)
    }
    return track
  }

  @Test(
    "a recording that was cut off is offered, finished and sealed; not while another one holds it")
  func interrupted() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      let track = try cutOff(map)
      for path in ["/map", "/tracks"] {
        #expect(try await map.browser.get(path).body.contains("was interrupted"), "\(path)")
      }
      let hold = try map.scene.unit.holdRecording()
      #expect(try await map.browser.get("/tracks").body.contains("Another program on this device"))
      #expect(try await map.browser.post("/tracks/\(track.id)/finish").status == 422)
      let kept = try await map.browser.post("/tracks/\(track.id)/delete", ["reason": "x"])
      #expect(kept.status == 422, "it may be recorded just now")
      hold.release()
      let page = try await map.browser.get("/tracks/\(track.id)")
      #expect(page.body.contains("not finished") && page.body.contains("no position, 1 s"))
      let finished = try await map.browser.post("/tracks/\(track.id)/finish")
      #expect(finished.location == "/tracks/\(track.id)?done=recorded")
      #expect(try map.unit().track(track.id).ended != nil)
      #expect(try map.scene.verify().verdict == .intact)
    }
  }

  @Test("tracks are listed, shown, given out as KML, deleted with a reason, and sent one or all")
  func keep() async throws {
    try await MapSite.with { map in
      try await map.site.signIn()
      let browser = map.browser
      let tracks = try (0..<3).map { number in
        let begun = try cutOff(map, name: number == 0 ? hostileText : "track \(number)")
        return try #require(try map.unit().finishTrack(begun.id, source: nil))
      }
      let list = try await browser.get("/tracks")
      #expect(list.body.contains("Send all 3 unsent") && list.body.contains("&lt;script&gt;"))
      let (first, second, third) = (tracks[0].id, tracks[1].id, tracks[2].id)
      let page = try await browser.get("/tracks/\(first)")
      #expect(page.body.contains("&lt;script&gt;") && page.body.contains("\(first)"))
      #expect(try await browser.get("/map?track=\(first)").body.contains("&lt;script&gt;"))
      let kml = try await browser.get("/tracks/\(first)/track.kml")
      #expect(kml.type == "application/vnd.google-earth.kml+xml" && kml.body.contains("<kml"))

      let deleted = try await browser.post("/tracks/\(second)/delete", ["reason": "wrong field"])
      #expect(deleted.location == "/tracks?done=deleted")
      #expect(try await browser.get("/tracks/\(second)").status == 404)
      #expect(try map.scene.verify().findings.contains { $0.message.contains("wrong field") })
      #expect(
        try await browser.post("/tracks/\(first)/send").location == "/tracks/\(first)?done=queued")
      #expect(try await browser.post("/tracks/\(first)/delete", ["reason": "late"]).status == 422)
      #expect(try await browser.get("/tracks/\(first)").body.contains("you can no longer change"))
      #expect(try await browser.post("/tracks/send").location == "/tracks?done=queued")
      #expect(try map.unit().track(third).sent != nil)
      try await map.site.deliver()
      #expect(try await browser.get("/tracks/\(third)").body.contains("✓ delivered"))
      for unknown in ["nonsense", "\(second)"] {
        for path in ["/tracks/\(unknown)/points.json", "/tracks/\(unknown)/track.kml"] {
          #expect(try await browser.get(path).status == 404, "\(path)")
        }
      }
    }
  }
}
