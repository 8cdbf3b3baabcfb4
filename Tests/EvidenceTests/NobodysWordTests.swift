import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

@Suite("The verifier takes nobody's word")
struct NobodysWordTests {
  private let certified: CertifiedDay

  init() throws { certified = try CertifiedDay.ordinary.get() }

  private var photo: FieldDay.Sealed { certified.day.captures[0] }

  @Test("the files of two photos exchanged with their seals: seal, doubtful")
  func exchanged() throws {
    var files = try certified.folder()
    let other = certified.day.captures[1]
    files.exchange(photo.path, other.path)
    files.exchange(photo.sealPath, other.sealPath)
    files.exchange(photo.rawPath, other.rawPath)
    expect(files.verified(), .doubtful, .seal, about: photo.sealPath, says: "name")
  }

  @Test("a photo with a name of its own: seal, intact")
  func renamed() throws {
    var files = try certified.folder()
    for (path, name) in [
      (photo.path, "mine.jpg"), (photo.sealPath, "mine.jpg.seal"), (photo.rawPath, "mine.raw"),
    ] {
      files.move(path, to: name)
    }
    expect(files.verified(), .intact, .seal, about: "mine.jpg.seal", says: "name")
  }

  @Test("loose files of any ending, nested or hidden: unnamed, intact")
  func loose() throws {
    let names = ["a.txt", "photos/b.png", "c/d/e.zip", "f"]
    var files = try certified.folder()
    for name in names { files[name] = [1] }
    let report = files.verified()
    expect(report, .intact, .unnamed, about: "a.txt", says: "nobody sealed")
    for name in names {
      #expect(report.findings.contains { $0.message.contains(name) || $0.subject == name })
    }
    for number in 0..<30 { files["more/\(number).txt"] = [1] }
    let many = files.verified().findings.filter { $0.check == .unnamed }
    #expect(many.count == 1 && many[0].message.contains("and 14 more"))
  }

  @Test("a record made after an office had it: times, doubtful")
  func afterReceipt() throws {
    let early = CertifiedDay.enrolled.advanced(bySeconds: 600)
    let receipt = try Receipt(
      id: certified.receipt.id, batch: certified.receipt.batch, agency: certified.receipt.agency,
      inspector: certified.receipt.inspector, key: certified.receipt.key, head: nil,
      records: certified.receipt.records, files: certified.receipt.files, received: early,
      signedWith: certified.officeKey, certificate: certified.office)
    let files = try certified.folder(receipts: [receipt])
    expect(files.verified(), .doubtful, .times, about: photo.sealPath, says: "an office had it")
  }

  @Test("limits in time that our programs do not have: standpoint, doubtful")
  func timings() {
    #expect(CaptureChecks.foreignTimings(GatePolicy(), SamplerPolicy()) == [])
    #expect(CaptureChecks.foreignTimings(GatePolicy(), nil) == [])
    var gate = GatePolicy()
    gate.maximumGapSeconds = 3600
    gate.shortWindowSeconds = 0.1
    gate.maximumAgeSeconds = 60
    var sampler = SamplerPolicy()
    sampler.maximumAgeSeconds = 1e6
    #expect(
      CaptureChecks.foreignTimings(gate, sampler) == [
        "shortWindowSeconds", "maximumAgeSeconds", "maximumGapSeconds",
        "sampler.maximumAgeSeconds",
      ])
  }

  /// Returns the satellites that the photo's record names.
  private func satellites() throws -> [JSONValue] {
    try #require(photo.record["integrity"]?["satellites"]?.elements)
  }

  /// Returns the report on the day after its first photo's record names other satellites, sealed anew.
  private func report(satellites: [JSONValue]) throws -> VerificationReport {
    var day = certified.day
    day.change(photo.id, ["integrity", "satellites"], to: .array(satellites))
    return try day.folder().verified()
  }

  @Test("a satellite that the receiver did not report: standpoint, doubtful")
  func inventedSatellite() throws {
    let own = try satellites()
    #expect(own.count > 3, "the receiver reports its satellites")
    let invented = JSONValue.object([
      "constellation": .string("GPS"), "id": .integer(9_999),
      "carrierToNoiseDecibelHertz": .string("44.0"),
    ])
    expect(
      try report(satellites: own + [invented]), .doubtful, .standpoint, about: photo.sealPath,
      says: "GPS 9999 is not in the raw window")
    for wrong: JSONValue in [.integer(7), .object(["id": .integer(3)]), .string("GPS 3")] {
      expect(
        try report(satellites: own + [wrong]), .doubtful, .standpoint, about: photo.sealPath,
        says: "satellites cannot be read")
    }
  }

  @Test(
    "satellites over a window that tells none are found, unless it is too short for a slow receiver"
  )
  func noSky() throws {
    let claims = JSONValue.array(try satellites())
    let time = CertifiedDay.enrolled.gnssTime
    let window = RawWindow(
      source: "tcp://a:1", receiver: nil, from: time, firstSample: time, shutter: time,
      cycleEnd: nil,
      gate: GatePolicy(), sampler: nil, chunks: [])
    let again = Recomputation(window)
    #expect(CaptureChecks.satelliteProblem(claims, again, spanSeconds: 33) != nil)
    #expect(CaptureChecks.satelliteProblem(claims, again, spanSeconds: 12) == nil)
    #expect(CaptureChecks.satelliteProblem(nil, again, spanSeconds: 33) == nil)
  }

  @Test("a signal stronger than the receiver reported: standpoint, doubtful")
  func strongerSignal() throws {
    var own = try satellites()
    guard case .object(var first) = own[0] else { return }
    let strength = try #require(first["carrierToNoiseDecibelHertz"]?.measured)
    first["carrierToNoiseDecibelHertz"] = .angle(strength + 12)
    own[0] = .object(first)
    expect(
      try report(satellites: own), .doubtful, .standpoint, about: photo.sealPath,
      says: "has another signal in the raw window")
  }

  @Test("a record that names fewer satellites, or a strength of the next second, is not accused")
  func fewerSatellites() throws {
    var own = try satellites()
    guard case .object(var first) = own[0] else { return }
    let strength = try #require(first["carrierToNoiseDecibelHertz"]?.measured)
    first["carrierToNoiseDecibelHertz"] = .angle(strength + 1)
    own[0] = .object(first)
    let words = "in the raw window"
    for named in [own, Array(own.dropLast(2))] {
      let findings = try report(satellites: named).findings
      #expect(!findings.contains { $0.message.contains(words) }, "\(findings)")
    }
  }

  @Test("a text that is called a log, or a database in a bundle, is named")
  func disguised() throws {
    var files = try certified.folder()
    files["statement.log"] = Array("I was there\n".utf8)
    expect(files.verified(), .intact, .unnamed, about: "statement.log", says: "nobody sealed")
  }

  @Test("limits that no agency can set: standpoint, doubtful")
  func ceilings() {
    #expect(CaptureRules.beyondEachAgency(GatePolicy(), SamplerPolicy()) == [])
    #expect(CaptureRules.beyondEachAgency(GatePolicy(), nil) == [])
    let changes: [(CaptureRule, (inout GatePolicy) -> Void)] = [
      (.windowSeconds, { $0.windowSeconds = 3.9 }),
      (.speedLimitMetresPerSecond, { $0.speedLimitMetresPerSecond = 0.51 }),
      (.dopplerLimitMetresPerSecond, { $0.dopplerLimitMetresPerSecond = 0.61 }),
      (.maximumUncertaintyMetres95, { $0.maximumUncertaintyMetres95 = 201 }),
      (.maximumDilution, { $0.maximumDilution = 51 }),
    ]
    for (rule, change) in changes {
      var gate = GatePolicy()
      change(&gate)
      #expect(CaptureRules.beyondEachAgency(gate, SamplerPolicy()) == [rule])
    }
    var sampler = SamplerPolicy()
    sampler.samples = 0
    #expect(CaptureRules.beyondEachAgency(GatePolicy(), sampler) == [.samples])
  }
}
