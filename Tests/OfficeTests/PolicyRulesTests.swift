import Evidence
import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Judgement
@testable import Office
@testable import OfficePages

@Suite("What an agency lays down, from its page to the record")
struct PolicyRulesTests {
  private static func set(_ rules: inout CaptureRules, _ values: [CaptureRule: String]) {
    for (rule, text) in values { rules[rule] = rule.value(from: text) }
  }

  @Test("it is signed whole, and read back; a rule of a later version is passed over")
  func signed() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let signed = try await scene.office.policies.setPolicy(of: "north", by: "anna") { policy in
        for rule in CaptureRule.allCases { policy.general[rule] = rule.standard }
        var rules = CaptureRules()
        Self.set(&rules, [.samples: "40", .note: "on", .speedLimitMetresPerSecond: "0.15"])
        policy.set(rules, forType: "crop \"a\" ♣")
      }
      let read = try SignedPolicy(jws: signed.jws)
      #expect(read == signed)
      #expect(read.policy.general.rules == CaptureRule.allCases)
      #expect(read.policy.rules(forType: "crop \"a\" ♣").number(.samples) == 40)
      let later = try CaptureRules(
        json: .object(["samples": .integer(30), "moonPhase": .string("full")]))
      #expect(later.rules == [.samples])
      for wrong: JSONValue in [
        .object(["samples": .integer(0)]), .object(["note": .string("on")]), .string("samples"),
        .object(["speedLimitMetresPerSecond": .string("9")]), .object(["method": .bool(true)]),
      ] {
        #expect(throws: EvidenceError.self) { try CaptureRules(json: wrong) }
      }
    }
  }

  @Test("a capture obeys it, its record names it, and the office finds that it was kept")
  func captured() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        Self.set(&$0.general, [.samples: "6", .maximumUncertaintyMetres95: "30", .method: "mean"])
      }
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 0)
      // The inspector's setting asks for four samples.
      let photo = try await scene.capture(unit, task.id, 1)
      #expect(photo.standpoint?.samples == 6)
      #expect(photo.standpoint?.method == .mean)
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let seal = try #require(
        try await scene.office.database.read(in: "north") {
          try $0.seals.seal(of: photo.id, .capture)
        })
      #expect(seal.record["policy"]?["revision"]?.wholeNumber == 1)
      #expect(seal.record["gate"]?["limits"]?["setBy"]?.text == "office")
      #expect(seal.record["gate"]?["limits"]?["maximumUncertaintyMetres95"]?.measured == 30)
      let checks = try await scene.office.review.view(of: task.id, in: "north").photos[0].checks
      let check = try #require(checks.first { $0.name == .policy })
      #expect(check.outcome == .agrees && check[.revision] == 1)
      // The standpoint, computed again under these limits, is the same.
      #expect(checks.first { $0.name == .standpoint }?.outcome == .agrees)
    }
  }

  @Test("a record with looser limits than were laid down contradicts it, rule by rule")
  func broken() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 0)
      _ = try await scene.capture(unit, task.id, 1)
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let received = try await scene.office.review.view(of: task.id, in: "north").photos[0]
      #expect(received.checks.allSatisfy { $0.name != .policy }, "nothing was laid down")
      let seal = try #require(
        try await scene.office.database.read(in: "north") {
          try $0.seals.seal(of: received.photo.id, .capture)
        })
      let signed = try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        Self.set(&$0.general, [.samples: "30", .imported: "off"])
      }
      try await scene.office.database.read(in: "north") { session in
        // The photo was taken before the device knew of the policy.
        #expect(
          try session.policyCheck(seal.record, received.photo, devices: nil)?.outcome
            == .unclear)
        func check(_ digest: String, revision: Int = 1) throws -> PhotoCheck? {
          guard case .object(var members) = seal.record else { return nil }
          members["policy"] = .object([
            "revision": .integer(revision), "digest": .string(digest),
          ])
          var photo = received.photo
          photo.origin = .imported
          return try session.policyCheck(.object(members), photo, devices: nil)
        }
        let broken = try #require(try check(signed.digest))
        #expect(
          broken.outcome == .contradicts && broken.reason == .brokenRules([.samples, .imported]))
        #expect(try check(String(repeating: "0", count: 64))?.reason == .unknownPolicy)
        #expect(try check(signed.digest, revision: 2)?.reason == .unknownPolicy)
      }
    }
  }

  @Test("what it forbids is refused in words: without a task, imported, taken back")
  func forbidden() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        Self.set(&$0.general, [.standalone: "off", .imported: "off", .takeBack: "off"])
      }
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 0)
      for (way, rule) in [
        (Camera.command(["camera"]).way, CaptureRule.command), (.still, .browser),
        (.liveFrame, .browser),
      ] {
        var rules = CaptureRules()
        rules[rule] = .flag(false)
        #expect(rules.forbidding(withoutTask: false, way: way) == [rule])
        #expect(CaptureRules().forbidding(withoutTask: false, way: way).isEmpty)
      }
      let alone = CaptureRequest(task: nil, camera: .command(["camera"]), waitSeconds: 1)
      #expect(throws: InspectionError.policyForbids(.standalone)) {
        try unit.terms(for: alone)
      }
      let imported = CaptureRequest(
        task: task.id, camera: .imported(path: "a.jpg"), waitSeconds: 1)
      #expect(throws: InspectionError.policyForbids(.imported)) {
        try unit.terms(for: imported)
      }
      _ = try await scene.capture(unit, task.id, 1)
      try unit.provideTask(task.id)
      #expect(throws: InspectionError.policyForbids(.takeBack)) {
        try unit.takeBackTask(task.id)
      }
    }
  }

  @Test("a task is sent when it holds what its type asks for; what was sent stays sent")
  func contents() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order(type: "crop")
      let (unit, task) = try await scene.working(photos: 0)
      try await scene.office.policies.setPolicy(of: "north", by: "anna") { policy in
        var rules = CaptureRules()
        Self.set(&rules, [.photos: "2", .note: "on"])
        policy.set(rules, forType: "crop")
      }
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      _ = try await scene.capture(unit, task.id, 1)
      #expect(throws: InspectionError.photosMissing(have: 1, need: 2)) {
        try unit.provideTask(task.id)
      }
      _ = try await scene.capture(unit, task.id, 2)
      #expect(throws: InspectionError.noteMissing) { try unit.provideTask(task.id) }
      try unit.noteTask(task.id, "beet")
      try unit.provideTask(task.id)
      // The office asks for more while the task is on its way.
      try await scene.office.policies.setPolicy(of: "north", by: "anna") { policy in
        Self.set(&policy.general, [.track: "on"])
      }
      _ = try await unit.delivery.deliver(over: scene.link)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      #expect(view.task.state == .dataProvided && view.conflicts.isEmpty)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(task.id)").body
        #expect(page.contains("now requires: no track."))
      }
    }
  }

  @Test("the page takes rules for all tasks and for a type, and says what cannot be")
  func page() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let anna = site.browser()
        try await anna.signIn("anna")
        let wrong = try await anna.post(
          "/policy", ["seen": "0", "samples": "0", "speedLimitMetresPerSecond": "0,3", "days": "x"])
        #expect(wrong.status == 422)
        #expect(
          wrong.body.contains("Samples for a centroid") && wrong.body.contains("From 1 to 500"))
        #expect(wrong.body.contains("value=\"0,3\""), "what was typed stays")
        #expect(try await scene.office.policies.policy(of: "north") == nil)
        let laid = try await anna.post(
          "/policy",
          ["seen": "0", "samples": "30", "speedLimitMetresPerSecond": "0,3", "standalone": "off"])
        #expect(laid.location == "/policy?done=policy")
        let general = try #require(try await scene.office.policies.policy(of: "north")).policy
          .general
        #expect(general.number(.samples) == 30 && !general.flag(.standalone))
        #expect(general.number(.speedLimitMetresPerSecond) == 0.3)

        let type = try await anna.get("/policy?type=crop%20%26%20soil").body
        #expect(type.contains("crop &amp; soil") && type.contains("As for all tasks: 30"))
        #expect(!type.contains("name=\"standalone\"") && !type.contains("name=\"days\""))
        let own = try await anna.post(
          "/policy", ["seen": "1", "type": "crop & soil", "photos": "3", "note": "on"])
        #expect(own.location == "/policy?done=policy&type=crop%20%26%20soil")
        let policy = try #require(try await scene.office.policies.policy(of: "north")).policy
        #expect(policy.rules(forType: "crop & soil").requirements.photos == 3)
        #expect(policy.general == general)
        let list = try await anna.get("/policy").body
        #expect(list.contains("href=\"/policy?type=crop%20%26%20soil\""))
        #expect(list.contains("Photos required; Require a note"))
        let long = String(repeating: "x", count: 201)
        #expect(
          try await anna.post("/policy", ["seen": "2", "type": long, "photos": "3"]).status == 400)
      }
    }
  }
}
