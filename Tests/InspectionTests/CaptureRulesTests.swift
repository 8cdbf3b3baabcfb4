import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("What an agency lays down for captures")
struct CaptureRulesTests {
  private func rules(_ values: [CaptureRule: String]) -> CaptureRules {
    var rules = CaptureRules()
    for (rule, text) in values { rules[rule] = rule.value(from: text) }
    return rules
  }

  @Test("each rule's default is one of its values, and is read back from its text")
  func defaults() {
    for rule in CaptureRule.allCases {
      #expect(rule.allows(rule.standard), "\(rule)")
      #expect(rule.value(from: rule.text(of: rule.standard)) == rule.standard, "\(rule)")
      #expect(!rule.title.isEmpty)
    }
  }

  @Test("docs/policy.md says of each rule its values and its default")
  func documented() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/policy.md"), encoding: .utf8)
    for rule in CaptureRule.allCases {
      let row = try #require(
        page.split(separator: "\n").first { $0.hasPrefix("| `\(rule.rawValue)` |") }, "\(rule)")
      #expect(row.contains("| \(rule.text(of: rule.standard)) |"), "\(rule)")
      if case .number(let range, let places) = rule.kind {
        let hasOwnRange = places == 2 || [.aroundSectors, .turnViews].contains(rule)
        let text = hasOwnRange ? rule.range : "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
        #expect(row.contains("| \(text) |"), "\(rule)")
      }
      #expect(row.hasSuffix(rule.isOfTypes ? "| agency, type |" : "| agency |"), "\(rule)")
    }
  }

  @Test(
    "what a rule cannot have is refused",
    arguments: [
      (CaptureRule.samples, "0"), (.samples, "501"), (.samples, "2.5"), (.samples, "1e99"),
      (.samples, "nan"), (.samples, ""), (.samples, "many"), (.speedLimitMetresPerSecond, "1.4"),
      (.speedLimitMetresPerSecond, "-0.1"), (.speedLimitMetresPerSecond, "inf"),
      (.method, "best"), (.note, "1"), (.windowSeconds, "3"), (.countdownSeconds, "61"),
    ])
  func refused(rule: CaptureRule, text: String) {
    #expect(rule.value(from: text) == nil)
  }

  @Test("a measure has no more places than are signed")
  func places() {
    #expect(CaptureRule.speedLimitMetresPerSecond.value(from: "0.1234") == .number(0.12))
    #expect(CaptureRule.maximumDilution.value(from: "4.04") == .number(4.0))
  }

  @Test("a type's own rules stand over the agency's, and the agency's over the defaults")
  func layers() {
    var policy = CapturePolicy(revision: 1, issued: DeviceTime(millisecondsSince1970: 0))
    policy.general = rules([.samples: "30", .imported: "off"])
    policy.set(rules([.samples: "40", .note: "on", .standalone: "off"]), forType: "crop")
    let crop = policy.rules(forType: "crop")
    #expect(crop.number(.samples) == 40)
    #expect(!crop.flag(.imported) && crop.flag(.takeBack))
    #expect(crop.requirements.photos == 1 && crop.requirements.arePhotosByDefault)
    #expect(crop.requirements.note && !crop.requirements.track)
    #expect(crop[.standalone] == nil, "a photo without a task has no type")
    #expect(policy.rules(forType: "ditch").number(.samples) == 30)
    #expect(policy.rules(forType: nil).number(.samples) == 30)
    policy.set(CaptureRules(), forType: "crop")
    #expect(policy.types.isEmpty)
    let isNamed = policy.set(rules([.note: "on"]), forType: "")
    #expect(!isNamed)
  }

  @Test("a hundred types have rules of their own, and no more")
  func types() {
    var policy = CapturePolicy(revision: 1, issued: DeviceTime(millisecondsSince1970: 0))
    for number in 1...CapturePolicy.typeLimit {
      let isTaken = policy.set(rules([.photos: "2"]), forType: "type \(number)")
      #expect(isTaken)
    }
    let more = policy.set(rules([.photos: "2"]), forType: "one more")
    let known = policy.set(rules([.photos: "3"]), forType: "type 7")
    #expect(!more && known)
  }

  @Test("the office's limits are the gate's; an inspector's own hold where they are stricter")
  func gate() {
    let laid = rules([
      .maximumUncertaintyMetres95: "10", .speedLimitMetresPerSecond: "0.3", .windowSeconds: "12",
      .requiresThreeDimensions: "off",
    ])
    let device = laid.gate(on: GatePolicy())
    #expect(device.setBy == "office")
    #expect(device.maximumUncertaintyMetres95 == 10)
    #expect(device.speedLimitMetresPerSecond == 0.3)
    #expect(device.windowSeconds == 12 && !device.requiresThreeDimensions)
    #expect(device.maximumDilution == GatePolicy().maximumDilution)

    var own = GatePolicy()
    own.setBy = "inspector"
    (own.maximumUncertaintyMetres95, own.speedLimitMetresPerSecond) = (5, 0.2)
    own.windowSeconds = 20
    let strict = laid.gate(on: own)
    #expect(strict.maximumUncertaintyMetres95 == 5 && strict.speedLimitMetresPerSecond == 0.2)
    #expect(strict.windowSeconds == 20 && strict.requiresThreeDimensions)
    #expect(CaptureRules().gate(on: GatePolicy()) == GatePolicy())
  }

  @Test("whoever chooses samples gets no fewer than are laid down")
  func samples() throws {
    let laid = rules([.samples: "30", .method: "median"])
    let few = try #require(laid.stricter(SamplerPolicy(samples: 5)))
    #expect(few.samples == 30 && few.method == .median)
    #expect(laid.stricter(SamplerPolicy(samples: 50))?.samples == 50)
    #expect(laid.stricter(nil) == nil, "a single fix, unless a centroid is asked for")
    #expect(rules([.centroid: "on"]).stricter(nil)?.samples == 20)
    // Without an inspector's choice the agency's value holds, even below the default.
    #expect(rules([.samples: "10"]).sampler(on: SamplerPolicy())?.samples == 10)
  }

  @Test("a type of task may need a walk round a thing or a turn, with numbers that a set can have")
  func sets() {
    let laid = rules([.aroundSectors: "72", .turnViews: "4"])
    #expect(
      laid.requirements.sets == [.init(kind: .around, sectors: 72), .init(kind: .turn, sectors: 4)])
    #expect(rules([.aroundSectors: "0"]).requirements.sets.isEmpty)
    #expect(CaptureRules().requirements.sets.isEmpty)
    for (rule, text) in [
      (CaptureRule.aroundSectors, "3"), (.aroundSectors, "121"), (.aroundSectors, "7.5"),
      (.turnViews, "5"), (.turnViews, "16"), (.turnViews, "-4"),
    ] {
      #expect(rule.value(from: text) == nil, "\(rule) \(text)")
      #expect(!rule.allows(.number(Double(text) ?? 0)))
    }
    #expect(CaptureRule.aroundSectors.range == "0, or 4 to 120")
  }

  @Test("limits that are looser than what is laid down are named")
  func broken() throws {
    let laid = rules([
      .maximumUncertaintyMetres95: "10", .windowSeconds: "12", .samples: "30", .method: "mean",
      .requiresThreeDimensions: "on", .centroid: "on", .photos: "3",
    ])
    let gate = laid.gate(on: GatePolicy())
    let sampler = try #require(laid.stricter(SamplerPolicy()))
    #expect(laid.broken(by: gate, sampler).isEmpty)
    #expect(laid.broken(by: gate, nil) == [.centroid])
    var loose = gate
    loose.maximumUncertaintyMetres95 = 11
    loose.windowSeconds = 8
    loose.requiresThreeDimensions = false
    #expect(
      laid.broken(by: loose, SamplerPolicy(samples: 20))
        == [
          .windowSeconds, .maximumUncertaintyMetres95, .requiresThreeDimensions, .method, .samples,
        ])
  }
}
