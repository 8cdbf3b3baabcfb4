import Evidence
import Foundation
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

@Suite("What an inspector sets on this device", .timeLimit(.minutes(5)))
struct FieldSettingsTests {
  @Test("docs/settings.md is the table, and each default is one of its values")
  func documented() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/settings.md"), encoding: .utf8)
    let rows = FieldSetting.allCases.map { setting in
      let words = [
        "`\(setting.rawValue)`", "\(setting.title). \(setting.meaning)", setting.range,
        setting.text(of: setting.standard), setting.unit ?? "–", "\(setting.authority)",
      ]
      return "| \(words.joined(separator: " | ")) |"
    }
    #expect(page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init) == rows)
    for setting in FieldSetting.allCases {
      #expect(setting.standard.map(setting.kind.allows) ?? setting.canBeNever, "\(setting)")
      #expect(
        setting.standard == nil || setting.rule == .centroid || setting.rule == nil
          || setting.standard == setting.rule?.standard, "\(setting)")
    }
  }

  @Test("they are kept for one inspector, read back, and reset one by one or together")
  func kept() throws {
    try withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let unit = scene.unit
      #expect(try unit.settings() == FieldSettings())
      try unit.set([(.samples, "40"), (.mapFollows, "off"), (.maximumDilution, "4,5")])
      try unit.set(.removeDeliveredAfterDays, to: "30")
      let settings = try FieldScene.unit(folder, clock: scene.clock).settings()
      #expect(settings.inForce(.samples) == .number(40) && !settings.mapFollows)
      #expect(settings.inForce(.maximumDilution) == .number(4.5))
      #expect(settings.removalRule == RemovalRule(ownDays: 30, agencyDays: nil))
      let other = try FieldScene.unit(
        folder, clock: scene.clock,
        person: Person(agency: "north", login: "otto", role: .inspector))
      #expect(try other.settings() == FieldSettings())
      try unit.reset([.samples])
      #expect(try unit.settings()[own: .samples] == nil && !unit.settings().mapFollows)
      try unit.set(.removeDeliveredAfterDays, to: "never")
      try unit.reset(FieldSetting.allCases)
      #expect(try unit.settings() == FieldSettings())
    }
  }

  @Test(
    "what a setting cannot be is refused in words, and so is what is looser than the gate's default",
    arguments: [
      (FieldSetting.samples, "0", "setting-malformed"), (.samples, "501", "setting-malformed"),
      (.samples, "2.5", "setting-malformed"), (.samples, "nan", "setting-malformed"),
      (.samples, "never", "setting-malformed"), (.samples, "", "setting-malformed"),
      (.method, "best", "setting-malformed"), (.mapFollows, "yes", "setting-malformed"),
      (.trackIntervalSeconds, "0", "setting-malformed"),
      (.trackIntervalSeconds, "1e300", "setting-malformed"),
      (.removeDeliveredAfterDays, "3651", "setting-malformed"),
      (.removeDeliveredAfterDays, "-1", "setting-malformed"),
      (.speedLimitMetresPerSecond, "0.21", "setting-looser"),
      (.windowSeconds, "7.9", "setting-looser"), (.maximumDilution, "11", "setting-looser"),
      (.requiresThreeDimensions, "off", "setting-looser"),
    ])
  func refused(setting: FieldSetting, text: String, code: String) throws {
    try withTemporaryDirectory { folder in
      let unit = try FieldScene(folder).unit
      let error = #expect(throws: FieldUnitError.self) {
        try unit.set([(.tonesOnPoint, "off"), (setting, text)])
      }
      #expect(error?.code == code)
      #expect(error?.wording.description.hasPrefix("\(setting.title)") == true)
      #expect(try unit.settings() == FieldSettings(), "nothing of it was kept")
    }
  }

  @Test("what the agency asks for holds where it is stricter, and is given back when it lets go")
  func agency() throws {
    var agency = CaptureRules()
    agency[.samples] = .number(30)
    agency[.method] = .method(.median)
    agency[.maximumDilution] = .number(20)
    agency[.countdownSeconds] = .number(2)
    var settings = FieldSettings(agency: agency, agencyRemovalDays: 7)
    #expect(settings.inForce(.samples) == .number(30) && !settings.isOverridden(.samples))
    #expect(settings.inForce(.usesCentroid) == .flag(true))
    #expect(settings.inForce(.removeDeliveredAfterDays) == .number(7))
    settings[own: .samples] = .number(20)
    settings[own: .removeDeliveredAfterDays] = .number(90)
    #expect(settings.inForce(.samples) == .number(30) && settings.isOverridden(.samples))
    #expect(settings.inForce(.removeDeliveredAfterDays) == .number(7))
    let error = #expect(throws: FieldUnitError.self) { try settings.value("29", for: .samples) }
    #expect(error?.description.contains("your agency asks for 30") == true)
    #expect(throws: FieldUnitError.self) { try settings.value("mean", for: .method) }
    // An agency that is looser than the default lets the inspector be as loose.
    #expect(try settings.value("15", for: .maximumDilution) == .number(15))
    #expect(throws: FieldUnitError.self) { try settings.value("20.1", for: .maximumDilution) }
    settings[own: .samples] = .number(501)
    #expect(settings[own: .samples] == .number(20), "a value that it cannot have is not taken")
    #expect(settings.isUnchanged("20", for: .samples), "what was kept before may stay in its field")
    #expect(!settings.isUnchanged("21", for: .samples))
    #expect(
      settings.isUnchanged("2,0", for: .countdownSeconds), "as it was shown, written otherwise")
  }

  @Test("a value that this program cannot read is not set")
  func unreadable() throws {
    try withTemporaryDirectory { folder in
      let unit = try FieldScene(folder).unit
      try unit.store.write(as: unit.person) {
        try $0.settings.set("samples", to: "a newer program's")
        try $0.settings.set("trackIntervalSeconds", to: "-1")
      }
      #expect(try unit.settings() == FieldSettings())
      #expect(try unit.settings().trackIntervalSeconds == 1)
    }
  }

  // MARK: effects

  private func request(_ camera: Camera = .drawn { FieldScene.picture }) -> CaptureRequest {
    CaptureRequest(task: nil, camera: camera, waitSeconds: 120)
  }

  @Test("gate, samples, method and countdown hold for the next photo, and its window carries them")
  func captures() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder, legs: [.stand(seconds: 60)])
      try scene.unit.set([
        (.samples, "12"), (.method, "median"), (.countdownSeconds, "2"), (.maximumDilution, "6"),
      ])
      let terms = try scene.unit.terms(for: request())
      #expect(terms.sampler?.samples == 12 && terms.sampler?.method == .median)
      #expect(terms.countdownSeconds == 2 && terms.gate.maximumDilution == 6)
      #expect(terms.gate.setBy == "inspector")
      #expect(try scene.unit.cornerSampler(for: nil).samples == 12)
      let photo = try await scene.capture(request())
      #expect(photo.standpoint?.samples == 12 && photo.standpoint?.method == .median)
      let raw = try Data(
        contentsOf: URL(
          fileURLWithPath: scene.unit.path(ofPhoto: photo.id).replacing(".jpg", with: ".raw")))
      #expect(!raw.isEmpty)
      #expect(try scene.verify().verdict == .intact)
      try scene.unit.set(.usesCentroid, to: "off")
      #expect(try scene.unit.terms(for: request()).sampler == nil)
      // A choice for one photo comes before the settings.
      #expect(try scene.unit.terms(for: scene.request(samples: 7)).sampler?.samples == 7)
    }
  }

  @Test("a stricter gate refuses what the default lets in")
  func strict() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder, legs: [.stand(seconds: 40)])
      try scene.unit.set(.maximumUncertaintyMetres95, to: "0.02")
      let error = await #expect(throws: FieldUnitError.self) {
        try await scene.capture(request())
      }
      guard case .captureRefused = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test("a track has a point each so many seconds of the receiver's time, and names no hole for it")
  func tracks() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      try scene.unit.set(.trackIntervalSeconds, to: "10")
      let follower = try scene.follower()
      let unit = scene.unit
      let recording = Task {
        try await unit.recordTrack(name: nil, task: nil, with: follower, seconds: 60)
      }
      while await follower.listenerCount == 0 { await Task.yield() }
      try await follower.run()
      let track = try #require(try await recording.value)
      #expect(track.points.count == 7)
      #expect(track.points.allSatisfy { $0.gapBefore == nil })
      let steps = zip(track.points.dropFirst(), track.points).map {
        $0.time.seconds(since: $1.time)
      }
      #expect(steps.allSatisfy { abs($0 - 10) < 0.1 }, "\(steps)")
    }
  }
}
