import Inspection
import Positioning
import Testing
import TimeAndText

@Suite("What an inspector sets for themselves, in the agency's rules")
struct OwnRulesTests {
  private func rules(_ values: [CaptureRule: String]) -> CaptureRules {
    var rules = CaptureRules()
    for (rule, text) in values { rules[rule] = rule.value(from: text) }
    return rules
  }

  @Test(
    "looser is what lets more through, and another method",
    arguments: [
      (CaptureRule.samples, "19", "20", true), (.samples, "20", "20", false),
      (.samples, "21", "20", false), (.windowSeconds, "7.9", "8", true),
      (.countdownSeconds, "6", "5", false), (.speedLimitMetresPerSecond, "0.21", "0.20", true),
      (.speedLimitMetresPerSecond, "0.19", "0.20", false),
      (.maximumUncertaintyMetres95, "50.01", "50", true), (.maximumDilution, "10", "10", false),
      (.requiresThreeDimensions, "off", "on", true), (.requiresThreeDimensions, "on", "off", false),
      (.centroid, "off", "on", true), (.method, "mean", "median", true),
      (.method, "mean", "mean", false), (.note, "off", "on", false), (.photos, "1", "3", false),
    ])
  func looser(rule: CaptureRule, own: String, asked: String, isLooser: Bool) throws {
    let own = try #require(rule.value(from: own))
    let asked = try #require(rule.value(from: asked))
    #expect(rule.isLooser(own, than: asked) == isLooser)
  }

  @Test("without an agency the gate's defaults are the limit, and for the rest there is none")
  func limits() {
    for rule in CaptureRule.allCases {
      #expect(
        rule.limit(under: CaptureRules()) == (rule.topic == .gate ? rule.standard : nil), "\(rule)")
    }
    let laid = rules([.speedLimitMetresPerSecond: "0.3"])
    #expect(CaptureRule.speedLimitMetresPerSecond.limit(under: laid) == .number(0.3))
  }

  @Test("an inspector's limits make the gate stricter one by one, and never looser")
  func gate() {
    let office = rules([.speedLimitMetresPerSecond: "0.3"]).gate(on: GatePolicy())
    let own = rules([.maximumDilution: "4", .maximumUncertaintyMetres95: "100"])
    let gate = own.tightening(office)
    #expect(gate.maximumDilution == 4 && gate.setBy == "inspector")
    #expect(gate.maximumUncertaintyMetres95 == 50, "looser than the default: not taken")
    #expect(gate.speedLimitMetresPerSecond == 0.3, "what nobody set here is the office's")
    #expect(CaptureRules().tightening(office) == office)
    #expect(rules([.windowSeconds: "8"]).tightening(GatePolicy()) == GatePolicy())
    #expect(rules([.windowSeconds: "12"]).tightening(GatePolicy()).windowSeconds == 12)
    var flat = GatePolicy()
    flat.requiresThreeDimensions = false
    #expect(rules([.requiresThreeDimensions: "on"]).tightening(flat).requiresThreeDimensions)
    #expect(!rules([.requiresThreeDimensions: "off"]).tightening(flat).requiresThreeDimensions)
  }

  @Test("samples and countdown are the inspector's where they are more, else the agency's")
  func samples() {
    let laid = rules([.samples: "30", .method: "median", .countdownSeconds: "10"])
    let device = SamplerPolicy()
    #expect(laid.sampler(on: device, own: rules([.samples: "40"]))?.samples == 40)
    let fewer = laid.sampler(on: device, own: rules([.samples: "5", .method: "mean"]))
    #expect(fewer?.samples == 30 && fewer?.method == .median)
    #expect(CaptureRules().sampler(on: device, own: rules([.samples: "5"]))?.samples == 5)
    #expect(CaptureRules().sampler(on: device, own: rules([.centroid: "off"])) == nil)
    let asked = rules([.centroid: "on", .samples: "10"])
    #expect(asked.sampler(on: device, own: rules([.centroid: "off"]))?.samples == 10)
    #expect(laid.countdownSeconds(chosen: nil, own: rules([.countdownSeconds: "3"]), on: 5) == 10)
    #expect(laid.countdownSeconds(chosen: nil, own: rules([.countdownSeconds: "20"]), on: 5) == 20)
    #expect(laid.countdownSeconds(chosen: 15, own: rules([.countdownSeconds: "20"]), on: 5) == 15)
    #expect(CaptureRules().countdownSeconds(chosen: nil, own: CaptureRules(), on: 5) == 5)
  }
}
