import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

@Suite("A page's picture in the record of a photo")
struct FrameRecordTests {
  static func claims() throws -> FrameClaims {
    let lens = try #require(LensOffset(metres: 1.5, uncertaintyMetres: 0.25))
    return FrameClaims(
      timing: FrameTiming(
        delaySeconds: 0.213, delayUncertaintySeconds: 0.026, delaySecondsAtMost: 0.8,
        clockOffsetSeconds: -86_400.5, clockOffsetUncertaintySeconds: 0.025),
      limitSeconds: 0.5,
      phone: PhotoPhone(
        session: "018f0000-0000-7000-8000-000000000000", browser: "Mozilla/5.0",
        model: "Pixel 8", camera: "camera2 0, facing back"),
      lens: lens)
  }

  private func day(_ claims: FrameClaims?) throws -> FieldDay {
    var day = try FieldDay(seed: 50)
    day.frame = claims
    try day.capture(
      at: try FieldDay.place(48.2, 11.6), sampler: try FieldDay.rules(6, .mean),
      picture: FieldDay.pictures[0])
    return day
  }

  @Test("what was written is read back, and is intact; a record without it says nothing")
  func roundTrip() throws {
    let claims = try Self.claims()
    let day = try day(claims)
    #expect(try day.sealFiles()[0].frame == claims)
    expectIntact(try day.folder().verified(), seals: 1)
    let without = try self.day(nil)
    #expect(try without.sealFiles()[0].frame == nil)
    expectIntact(try without.folder().verified(), seals: 1)
  }

  @Test("the distance between antenna and lens is in the photo's uncertainty")
  func widened() throws {
    let (with, without) = (try day(try Self.claims()), try day(nil))
    func uncertainty(_ day: FieldDay) throws -> Double {
      try #require(try day.sealFiles()[0].photo().position.uncertaintyMetres95)
    }
    #expect(abs(try uncertainty(with) - uncertainty(without) - 1.75) < 0.002)
  }

  @Test(
    "a picture taken longer after its fix than is allowed, and sealed: times, doubtful",
    arguments: [("0.501", "0.500"), ("0.300", "0.200"), ("0.700", "0.900")])
  func late(delay: String, limit: String) throws {
    var day = try day(try Self.claims())
    day.change(day.entries[0].id, ["shutter", "delaySeconds"], to: .string(delay))
    day.change(day.entries[0].id, ["shutter", "limitSeconds"], to: .string(limit))
    expect(try day.folder().verified(), .doubtful, .times, about: day.entries[0].sealPath)
  }

  @Test("a delay that is missing, no number, or cannot be: times, doubtful")
  func missing() throws {
    for (name, value) in [
      ("delaySeconds", "soon"), ("delaySecondsAtMost", "soon"), ("limitSeconds", "soon"),
      ("delayUncertaintySeconds", "soon"), ("delayUncertaintySeconds", "-0.100"),
      ("delaySeconds", "-0.100"), ("delaySecondsAtMost", "0.100"), ("delaySecondsAtMost", "5.100"),
    ] {
      var day = try day(try Self.claims())
      day.change(day.entries[0].id, ["shutter", name], to: .string(value))
      expect(try day.folder().verified(), .doubtful, .times, about: day.entries[0].sealPath)
    }
  }

  @Test("the distance of the lens changed alone and sealed again: standpoint, doubtful")
  func nearer() throws {
    for value: JSONValue? in [
      .string("0.000"), .string("-1.500"), .string("far"), .string("1e9"), nil,
    ] {
      var day = try day(try Self.claims())
      day.change(day.entries[0].id, ["lens", "offsetMetres"], to: value)
      expect(try day.folder().verified(), .doubtful, .standpoint, about: day.entries[0].sealPath)
    }
  }

  @Test("a camera's own time that is as wrong as its phone's clock is no other day")
  func clockOffset() throws {
    let record: (Double) -> JSONValue = { offset in
      .object([
        "time": .object(["device": .string("2026-05-12T06:00:00.000Z")]),
        "shutter": .object(["clockOffsetSeconds": .string("\(offset)")]),
      ])
    }
    let picture = try FieldDay.picture(taken: "2026:05:15 06:00:00")
    #expect(CaptureChecks.cameraTimeProblem(record(0), picture) != nil)
    #expect(CaptureChecks.cameraTimeProblem(record(3 * 86_400), picture) == nil)
    #expect(CaptureChecks.cameraTimeProblem(record(-3 * 86_400), picture) != nil)
    let old = try FieldDay.picture(taken: "2019:05:15 06:00:00")
    #expect(CaptureChecks.cameraTimeProblem(record(-7 * 366 * 86_400), old) != nil)
  }
}
