import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence

/// Alarms that are false once in a hundred photos would be worth nothing.
@Suite("No false alarm")
struct UntouchedCapturesTests {
  private static let places: [(Double, Double)] = [
    (48.2, 11.6), (-33.9, 18.4), (40.7, -74), (-23.5, -46.6), (0.00001, 0.00001),
    (-0.00001, -0.00001), (64.1, 179.99999), (-16.5, -179.99999), (89.5, 45), (-89.5, -135),
    (51.5, 0), (0, 100),
  ]

  /// The number of captures; `make untouched` takes 10,002.
  private static let count =
    ProcessInfo.processInfo.environment["UNTOUCHED"].flatMap { Int($0) } ?? 240

  /// The habits of receivers that leave out sentences, or send them only now and then.
  private static let habits: [(@Sendable (Substring, Int) -> Bool)?] = [
    nil,
    { sentence, _ in sentence != "GST" },
    { sentence, _ in sentence != "GSA" && sentence != "GSV" },
    { sentence, _ in sentence == "GGA" || sentence == "RMC" },
    { sentence, epoch in sentence != "GST" || epoch % 2 == 0 },
    { sentence, epoch in sentence != "GSA" || epoch % 3 == 0 },
    { sentence, epoch in sentence != "RMC" || epoch % 10 == 0 },
    { sentence, _ in sentence == "GGA" || sentence == "GSA" },
    { sentence, epoch in sentence != "GST" || epoch % 3 != 1 },
  ]

  private static func sampler(_ seed: UInt64, _ random: inout SeededGenerator) -> SamplerPolicy? {
    guard seed % 5 != 4 else { return nil }
    let samples =
      seed % 10 == 0 ? 1 : seed % 10 == 5 ? 40 : Int.random(in: 1...40, using: &random)
    return SamplerPolicy(samples: samples, method: CentroidMethod.allCases[Int(seed % 3)])
  }

  @Test(
    "untouched captures of any place, way to a position, receiver and cut of its bytes are intact",
    arguments: 0..<6)
  func untouched(part: Int) throws {
    let count = Self.count / 6
    try forEachSeed(UInt64(part * count)..<UInt64((part + 1) * count)) { seed, random in
      let place = Self.places[Int(seed) % Self.places.count]
      let isSimulated = seed % 7 == 0
      // A quarter of the receivers' stories begins 90 s before midnight.
      var day = try FieldDay(
        seed: seed, start: seed % 4 == 0 ? "2026-12-31T23:48:30Z" : "2026-07-01T09:00:00Z")
      let id = try day.capture(
        at: try FieldDay.place(place.0, place.1), sampler: Self.sampler(seed, &random),
        picture: FieldDay.pictures[Int(seed % 5)],
        origin: seed % 11 == 0 ? .imported : .camera, isSimulated: isSimulated,
        cut: ReceiverStory.Cut.allCases[Int.random(in: 0..<4, using: &random)],
        countdownSeconds: Double(Int.random(in: 0...8, using: &random)),
        sends: Self.habits[Int.random(in: 0..<Self.habits.count, using: &random)])
      day.note("seed \(seed)", photo: id)
      expectIntact(try day.folder().verified(), seals: 2, "seed \(seed)")
    }
  }

  @Test("a long day with dozens of photos in one chain is intact")
  func longDay() throws {
    var day = try FieldDay(seed: 99)
    var random = SeededGenerator(seed: 99)
    var expected = 0
    for index in 0..<24 {
      // The verifier reports a picture that is used twice, so that each photo needs its own.
      var picture = FieldDay.pictures[index % 5]
      let comment = Array("picture \(index)".utf8)
      picture.insert(
        contentsOf: [0xFF, 0xDD, 0, 4, 0, 0] + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment,
        at: 2)
      if index < 5 { picture = FieldDay.pictures[index] }
      if index >= 5 {
        // Repeated restart intervals count as image data.
        for _ in 0..<index { picture.insert(contentsOf: [0xFF, 0xDD, 0, 4, 0, 0], at: 2) }
      }
      let place = Self.places[index % 3]
      let id = try day.capture(
        at: try FieldDay.place(place.0, place.1),
        sampler: Self.sampler(UInt64(index), &random), picture: picture, cut: .anywhere)
      expected += 1
      if index % 4 == 1 {
        day.note("note \(index)", photo: id)
        expected += 1
      }
      if index % 8 == 3 {
        day.delete(id, reason: "double")
        expected += 1
      }
    }
    expectIntact(try day.folder().verified(), seals: expected)
  }
}
