import Evidence
import Exports
import FieldExporting
import FieldUnit
import Foundation
import Geodesy
import Inspection
import OfficeExporting
import OfficeScenes
import Positioning
import Receivers
import SetCapture
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import Office
@testable import OfficePages

@Suite("Sets of frames on their way to the office", .timeLimit(.minutes(5)))
struct SetTravelTests {
  /// Takes a turn of twelve views: everything is real but the receiver, the camera and the hand.
  private static func take(
    _ scene: OfficeScene, _ unit: InspectorUnit, task: Identifier?
  ) async throws -> FrameSetHead {
    let origin = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
    let log = WalkSimulator(
      origin: origin, start: scene.clock.start, legs: [.stand(seconds: 120)], seed: 3
    ).epochs().flatMap(\.self)
    let path = scene.folder.appendingPathComponent("turn.nmea").path
    try Data(log).write(to: URL(fileURLWithPath: path))
    var lines: [String] = []
    for step in 0..<240 {
      let orientation = Orientation(
        azimuthDegreesTrue: Double(step) * 1.5, elevationDegrees: 0, rollDegrees: 0,
        source: .deviceSensors)
      let q = try #require(orientation.quaternion)
      lines.append(
        "{\"milliseconds\":\(step * 100),\"w\":\(q.w),\"x\":\(q.x),\"y\":\(q.y),\"z\":\(q.z)}")
      guard step % 20 == 0 else { continue }
      try Data(try OfficeScene.picture(step)).write(
        to: scene.folder.appendingPathComponent("\(step).jpg"))
      lines.append("{\"milliseconds\":\(step * 100),\"image\":\"\(step).jpg\"}")
    }
    let walk = scene.folder.appendingPathComponent("turn.jsonl")
    try lines.joined(separator: "\n").write(to: walk, atomically: true, encoding: .utf8)
    let follower = ReceiverFollower(
      receiver: try ReceiverSource.file(path: path, rate: .infinity).receiver(
        clock: scene.clock, timeline: LogTimeline(log)), clock: scene.clock,
      gate: unit.configuration.gate, sampler: SamplerPolicy())
    let run = try SetRun(
      unit: unit, follower: follower,
      request: SetRequest(
        task: task, terms: try FrameSetTerms(kind: .turn, sectors: 12), waitSeconds: 120,
        source: WalkPlayer(try RecordedWalk(path: walk.path))))
    let taking = Task { try await run.take() }
    while await follower.listenerCount == 0 { await Task.yield() }
    try await follower.run()
    return try await taking.value
  }

  @Test("a task whose type asks for a turn is sent when it holds a complete one with views enough")
  func needed() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order(type: "crop")
      try await scene.office.policies.setPolicy(of: "north", by: "anna") { policy in
        var rules = CaptureRules()
        rules[.turnViews] = .number(12)
        policy.set(rules, forType: "crop")
      }
      let (unit, task) = try await scene.working(photos: 1)
      let need = NeededSet(kind: .turn, sectors: 12)
      #expect(throws: InspectionError.setMissing(need)) { try unit.provideTask(task.id) }
      let head = try await Self.take(scene, unit, task: task.id)
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let before = try await otto.get("/tasks/\(task.id)").body
        #expect(!before.contains("now requires") && before.contains("/sets/\(head.id)"))
        #expect(try await otto.get("/sets").body.contains("\(head.id)"))
        try await scene.office.policies.setPolicy(of: "north", by: "anna") { policy in
          policy.general[.aroundSectors] = .number(72)
        }
        let page = try await otto.get("/tasks/\(task.id)").body
        #expect(page.contains("now requires: no complete set of pictures."))
      }
    }
  }

  @Test(
    "an order asks for a set by itself: it is chosen in the form, comes down, and is needed to send"
  )
  func ordered() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let form = try await otto.get("/tasks/new").body
        #expect(form.contains("name=\"around\"") && form.contains("value=\"12\""))
        let made = try await otto.post(
          "/tasks", ["name": "Heap", "inspector": "ines", "around": "", "turn": "8"])
        let path = try #require(made.location?.split(separator: "?").first.map(String.init))
        #expect(try await otto.get(path).body.contains("a turn on the spot with 8 views"))
        let old = try await scene.working(photos: 1)
        #expect(old.task.sets.list == [NeededSet(kind: .turn, sectors: 8)])
        // The order changes while the inspector has it: 12 views are asked for now.
        let order = try await otto.get(path + "/order").body
        #expect(order.contains("<option selected value=\"8\">"))
        let changed = try await otto.post(
          path + "/order", ["name": "Heap", "turn": "12", "around": ""])
        #expect(changed.location == path + "?done=changed", "\(changed.body)")
        _ = try await old.unit.delivery.fetchTasks(over: scene.link)
        let unit = old.unit
        let task = try unit.task(old.task.id)
        let need = NeededSet(kind: .turn, sectors: 12)
        #expect(task.sets.list == [need])
        #expect(try unit.requirements(of: task.id).sets == [need])
        #expect(throws: InspectionError.setMissing(need)) { try unit.provideTask(task.id) }
        let words = InspectionError.setMissing(need).wording.description
        #expect(words.contains("a turn on the spot with 12 views"))
        let head = try await Self.take(scene, unit, task: task.id)
        try unit.provideTask(task.id)
        _ = try await unit.delivery.deliver(over: scene.link)
        let page = try await otto.get(path).body
        #expect(page.contains("/sets/\(head.id)") && !page.contains("now requires"))
        let earlier = try await scene.office.review.view(of: task.id, in: "north").earlierOrders
        #expect(earlier.map(\.sets.turnViews) == [8])
      }
    }
  }

  @Test("a set goes with its task, whole, and the office shows it to those who may see it")
  func travel() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      let head = try await Self.take(scene, unit, task: task.id)
      try unit.provideTask(task.id)
      #expect(try unit.outbox().map(\.kind) == [.photo, .set, .task])
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.waiting == 0, "\(outcome)")
      #expect(try unit.setHead(head.id).delivered != nil)
      let rows = try await scene.office.database.read(in: "north") {
        try $0.sets.list(.task(task.id))
      }
      #expect(rows.map(\.head.id) == [head.id])
      #expect(rows.map(\.head.filled) == [12])
      #expect(try await scene.office.operation.differences().map(\.subject) == [])
      let bundle = try await scene.office.exports.bundle(ofTask: task.id, in: "north")
      let names = Set(bundle.entries.map(\.path))
      #expect(names.count { $0.contains("\(head.id)-0") } == 12)
      let zip = folder.appendingPathComponent("bundle.zip").path
      try scene.office.exports.write(bundle, toFile: zip)
      let report = Verifier.verify(try EvidenceArchive(path: zip), scope: .whole)
      #expect(report.verdict == .intact, "\(report.findings)")
      let dossier = try await scene.office.exports.dossier(ofTask: task.id, in: "north")
      #expect(dossier.sets.map(\.set.id) == [head.id])
      #expect(try dossier.sets[0].frame(5) == DurableFile.read(unit.path(ofFrame: 5, of: head)))
      let page = folder.appendingPathComponent("task.pdf").path
      try await scene.office.exports.writeDossier(ofTask: task.id, in: "north", toFile: page)
      let json = folder.appendingPathComponent("north.geojson").path
      let own = json + ".own"
      try await scene.office.exports.export(.all, in: "north", as: .geojson, toFile: json)
      try unit.exports.export(.all, as: .geojson, toFile: own)
      for path in [json, own] {
        let text = String(decoding: try DurableFile.read(path), as: UTF8.self)
        #expect(text.contains("\"feature\":\"set\""), "\(path)")
        #expect(text.contains("\"record\":\"\(dossier.sets[0].record)\""), "\(path)")
      }
      // A frame whose bytes are not those that were sealed is not shown.
      let fifth = EvidenceName.part(.frame(5), .turn, head.id)
      let sound = try #require(try scene.office.photos.bytes(of: fifth))
      try scene.office.photos.remove(fifth)
      try scene.office.photos.write(sound + [0], as: fifth)
      #expect(throws: StoreError.self) { try dossier.sets[0].frame(5) }
      try scene.office.photos.remove(fifth)
      try scene.office.photos.write(sound, as: fifth)
      // A frame that the office's disk has lost is sent again.
      let lost = EvidenceName.part(.frame(5), .turn, head.id)
      try scene.office.photos.remove(lost)
      let result = try await unit.delivery.reconcile(over: scene.link)
      #expect(result.sentAgain > 0 && result.lost.isEmpty, "\(result)")
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
      #expect(try scene.office.photos.holds(lost))
    }
  }

  @Test("its pages are the agency's and its inspector's, and nobody else's")
  func pages() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let head = try await Self.take(scene, unit, task: nil)
      try unit.sendSets([head.id])
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
      let frame = try DurableFile.read(unit.path(ofFrame: 3, of: head))
      try await withSite(scene.office) { site in
        for login in ["otto", "ines"] {
          let browser = site.browser()
          try await browser.signIn(login)
          #expect(try await browser.get("/sets").body.contains("\(head.id)"))
          let page = try await browser.get("/sets/\(head.id)")
          #expect(page.status == 200 && page.body.contains("data-set="))
          #expect(page.body.contains("12 of 12 sectors"))
          #expect(try await browser.get("/sets/\(head.id)/frames/003.jpg").bytes == frame)
          #expect(try await browser.get("/sets/\(head.id)/around.json").status == 200)
          let paper = try await browser.get("/sets/\(head.id)/set.pdf")
          #expect(paper.status == 200 && paper.bytes.starts(with: Array("%PDF-".utf8)))
          for path in ["frames/013.jpg", "frames/000.jpg", "frames/x.jpg", "frames/-1.jpg"] {
            #expect(try await browser.get("/sets/\(head.id)/\(path)").status == 404, "\(path)")
          }
          #expect(try await browser.get("/sets/nothing").status == 404)
        }
        for login in ["igor", "sara"] {
          let browser = site.browser()
          try await browser.signIn(login)
          #expect(try await !browser.get("/sets").body.contains("\(head.id)"))
          for path in ["", "/frames/003.jpg", "/around.json", "/set.pdf"] {
            #expect(
              try await browser.get("/sets/\(head.id)\(path)").status == 404, "\(login) \(path)")
          }
        }
      }
    }
  }

  @Test("it leaves the device by the rule for photos, once the office has read all of its frames")
  func removal() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let head = try await Self.take(scene, unit, task: nil)
      try unit.sendSets([head.id])
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
      try unit.set(.removeDeliveredAfterDays, to: "30")
      func later(days: Double) {
        scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: days * 86_400), limit: nil)
      }
      let frame = EvidenceName.part(.frame(7), .turn, head.id)
      let path = try #require(scene.office.photos.path(of: frame))
      let sound = try DurableFile.read(path)
      try DurableFile.replace(path, with: sound.reversed())
      later(days: 40)
      #expect(
        try await unit.delivery.deliver(over: scene.link).removed == 0, "one frame is damaged")
      #expect(try unit.frameSet(head.id).frames.count == 12)
      try DurableFile.replace(path, with: sound)
      later(days: 1)
      #expect(try await unit.delivery.deliver(over: scene.link).removed == 1)
      #expect(!FileManager.default.fileExists(atPath: unit.path(ofFrame: 1, of: head)))
      #expect(try unit.setHead(head.id).removed != nil, "its row stays")
      #expect(throws: FieldUnitError.self) { try unit.frameSet(head.id) }
      later(days: 1)
      let calm = try await unit.delivery.deliver(over: scene.link)
      #expect(calm.removed == 0 && calm.reconciliation?.held == calm.reconciliation?.checked)
    }
  }
}
