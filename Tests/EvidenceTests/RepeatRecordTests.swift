import Inspection
import TestSupport
import Testing
import TimeAndText

@testable import Evidence

@Suite("A repeat in the record of a photo")
struct RepeatRecordTests {
  private func claims() -> RepeatClaims {
    var random = SeededNumbers(seed: 5)
    var claims = RepeatClaims(
      point: Identifier(at: DeviceTime(millisecondsSince1970: 1_780_000_000_000), using: &random),
      referenceDigest: String(repeating: "0a", count: 32), distanceMetres: 1.25)
    claims.distanceUncertaintyMetres95 = 2.5
    (claims.angleDegrees, claims.rollDegrees) = (3.25, -1.5)
    (claims.pitchDegrees, claims.yawDegrees) = (0.5, -179.75)
    (claims.inliers, claims.displacementPercent) = (88, 0.75)
    return claims
  }

  private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
  }

  /// Returns the claims that a sealed capture with this member gives.
  private func read(_ member: JSONValue?) throws -> RepeatClaims? {
    var day = try FieldDay(seed: 77)
    try day.capture(
      at: try FieldDay.place(49, 16), sampler: nil, picture: FieldDay.pictures[0],
      isSimulated: true)
    let entry = try #require(day.entries.last)
    guard case .object(var members) = entry.record else { return nil }
    members["repeat"] = member
    return try SealFile.repetition(of: .object(members))
  }

  @Test("what was written is read back; a record without it repeats nothing")
  func roundTrip() throws {
    let claims = claims()
    #expect(try read(Record.repetition(claims)) == claims)
    #expect(try read(nil) == nil)
    let bare = RepeatClaims(
      point: claims.point, referenceDigest: claims.referenceDigest, distanceMetres: 0)
    #expect(try read(Record.repetition(bare)) == bare)
  }

  @Test("a member that is missing or out of its range is refused")
  func hostile() throws {
    guard case .object(let good) = Record.repetition(claims()) else { return }
    let changes: [(String, JSONValue?)] = [
      ("point", nil), ("point", .string("x")), ("reference", nil), ("reference", .string("0a")),
      ("distanceMetres", nil), ("distanceMetres", .string("far")),
      ("distanceMetres", .metres(-1)), ("angleDegrees", .angle(181)),
      ("rollDegrees", .angle(-181)), ("displacementPercent", .angle(-1)),
    ]
    for (name, value) in changes {
      var members = good
      members[name] = value
      #expect(throws: EvidenceError.self, "\(name)") { _ = try read(.object(members)) }
    }
  }
}
