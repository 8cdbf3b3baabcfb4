import Foundation
import Inspection
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

@Suite("The evidence of a set of frames")
struct FrameSetEvidenceTests {
  private static func only(_ day: FieldDay) throws -> FieldDay.Sealed {
    try #require(day.entries.first)
  }

  @Test("holds, and is read back as it was sealed")
  func sound() throws {
    let day = try FieldDay.withSet.get()
    let report = try day.folder().verified()
    #expect(report.verdict == .intact, "\(report.findings)")
    let entry = try Self.only(day)
    let seal = try day.sealFiles()[0]
    let set = try seal.frameSet(list: try #require(entry.file))
    #expect(set.frames.count == 7)
    #expect(set.summary.missingDegrees == [135])
    #expect(set.summary.walked?.isRound == true)
    #expect(FrameList.bytes(set.frames, of: set.id) == entry.file)
    #expect(try seal.listedSet().filled == 7)
    #expect(seal.parts.map(\.part) == [.file, .startRaw, .endRaw] + (1...7).map { .frame($0) })
  }

  @Test(
    "a claim that was changed and sealed again does not hold",
    arguments: [
      (["set", "filled"], JSONValue.integer(8)), (["set", "complete"], .bool(true)),
      (["set", "missingDegrees"], .array([])), (["set", "sectors"], .integer(12)),
      (["set", "walked", "coveredDegrees"], .string("12.0")),
      (["set", "walked", "closed"], .bool(false)), (["set", "walked"], nil),
      (["set", "weights", "roll"], .string("3.000")),
      (["set", "firstMiddleDegrees"], .string("20.000")),
      (["start", "position", "latitudeDegrees"], .string("48.300000000")),
      (["end", "position", "uncertaintyMetres95"], .string("0.010")),
      (["end", "position", "standpoint"], nil),
      (["end", "time", "gnss"], .string("2026-05-12T06:00:00.000Z")),
      (["start", "gate", "verdict"], .string("moving")), (["start", "raw"], nil),
      (["end", "source"], .string("tcp://elsewhere:1")),
      (["frames"], .array([])), (["frames"], .array([.string("x")])),
    ] as [([String], JSONValue?)])
  func forged(path: [String], value: JSONValue?) throws {
    let day = try FieldDay.withSet.get()
    let report = try day.resealed(try Self.only(day), path, value)
    #expect(report.verdict != .intact, "\(path)")
  }

  @Test("a list whose numbers were changed and sealed again does not hold")
  func forgedList() throws {
    let day = try FieldDay.withSet.get()
    let set = try day.sealFiles()[0].frameSet(list: try #require(try Self.only(day).file))
    func report(_ change: (inout [SetFrame]) -> Void) throws -> VerificationReport {
      var forged = day
      var frames = set.frames
      change(&frames)
      forged.entries[0].file = FrameList.bytes(frames, of: set.id)
      return try forged.folder().verified()
    }
    #expect(try report { _ in }.verdict == .intact)
    #expect(try report { $0.swapAt(0, 1) }.verdict != .intact, "another order")
    #expect(try report { $0.removeLast() }.verdict != .intact, "a frame less")
    #expect(try report { $0[2].quality = 1 }.verdict != .intact)
    #expect(
      try report {
        $0[2].attitude = FrameAttitude(
          angleDegrees: 135, deviationPitchDegrees: 0, deviationRollDegrees: 0)
      }.verdict != .intact, "an angle that fills the gap")
    #expect(
      try report {
        for place in $0.indices {
          $0[place].place?.gnssTime = try! #require(
            DeviceTime(rfc3339: "2026-05-13T06:00:00Z")
          ).gnssTime
        }
      }.verdict != .intact, "taken a day later")
  }

  @Test("a turn needs windows that show that the gate held from start to end")
  func brokenTurn() throws {
    var day = try FieldDay(seed: 73)
    try day.frameSet(.turn, at: try FieldDay.place(48.2005, 11.6003), sectors: 4)
    let report = try day.folder().verified()
    #expect(report.verdict == .doubtful)
    #expect(report.findings.map(\.check) == [.standpoint], "\(report.findings)")
  }

  @Test("missing and changed frames are named by their numbers")
  func files() throws {
    let day = try FieldDay.withSet.get()
    let entry = try Self.only(day)
    let path = "sets/\(entry.id.folder)/\(entry.id)-003.jpg"
    var files = try day.folder()
    files[path] = nil
    #expect(files.verified().verdict == .incomplete)
    #expect(files.verified().findings.contains { $0.subject == path })
    files[path] = FieldDay.pictures[0] + [0]
    #expect(files.verified().verdict == .altered)
  }

  @Test("a list that is too long, of another set, or no list, is refused in words")
  func lists() throws {
    let day = try FieldDay.withSet.get()
    let id = try Self.only(day).id
    let frames = try day.sealFiles()[0].frameSet(list: try #require(try Self.only(day).file)).frames
    let many = FrameList.bytes(Array(repeating: frames[0], count: 121), of: id)
    let other = FrameList.bytes(frames, of: Identifier(at: day.now))
    for file in [many, other, [], Array("[]".utf8), [UInt8](repeating: 0x20, count: 2 << 20)] {
      #expect(throws: EvidenceError.self) { try FrameList.frames(file, of: id) }
    }
  }
}
