import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Judgement

@Suite("What the receiver's own data say about it")
struct ReceiverDataTests {
  private func sky(_ receiver: InventedReceiver, seed: UInt64 = 1) -> PhotoCheck {
    SkyCheck.check(
      receiver.read(seed: seed).sky, at: InventedReceiver.start, from: InventedReceiver.place,
      orbits: InventedReceiver.orbits)
  }

  private func noise(_ receiver: InventedReceiver, seed: UInt64 = 1) -> PhotoCheck {
    let read = receiver.read(seed: seed)
    return NoiseCheck.check(read.fixes, read.sky)
  }

  /// An invention, and what each of the two checks says to it.
  struct Fake: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var receiver: InventedReceiver
    var sky: PhotoCheck.Outcome
    var noise: PhotoCheck.Outcome
    var signs: [PhotoCheck.NoiseSign] = []
  }

  /// Ten inventions of rising skill. The last one passes: docs/evidence.md says what it costs.
  static let fakes = [
    Fake(
      testDescription: "positions alone, always the same",
      receiver: InventedReceiver(sky: .none, positions: .none, signals: .none),
      sky: .notCheckable, noise: .unclear),
    Fake(
      testDescription: "positions alone, drawn",
      receiver: InventedReceiver(sky: .none, positions: .drawn(0.8), signals: .none),
      sky: .notCheckable, noise: .unclear, signs: [.drawnPositions]),
    Fake(
      testDescription: "a constant sky at made-up directions, everything constant",
      receiver: InventedReceiver(sky: .invented, positions: .none, signals: .none),
      sky: .contradicts, noise: .contradicts, signs: [.constantSignals, .constantPositions]),
    Fake(
      testDescription: "a made-up sky, constant signals, drawn positions",
      receiver: InventedReceiver(sky: .invented, positions: .drawn(0.03), signals: .none),
      sky: .contradicts, noise: .contradicts, signs: [.drawnPositions, .constantSignals]),
    Fake(
      testDescription: "a made-up sky, everything drawn",
      receiver: InventedReceiver(sky: .invented, positions: .drawn(1), signals: .drawn(2)),
      sky: .contradicts, noise: .contradicts, signs: [.drawnPositions, .drawnSignals]),
    Fake(
      testDescription: "a made-up sky, good noise",
      receiver: InventedReceiver(sky: .invented, positions: .slow(1), signals: .slow(2)),
      sky: .contradicts, noise: .agrees),
    Fake(
      testDescription: "the right sky of three hours ago, good noise",
      receiver: InventedReceiver(
        sky: .computed(hoursEarly: 3), positions: .slow(1), signals: .slow(2)),
      sky: .contradicts, noise: .agrees),
    Fake(
      testDescription: "the right sky, constant signals, drawn positions",
      receiver: InventedReceiver(
        sky: .computed(hoursEarly: 0), positions: .drawn(1), signals: .none),
      sky: .agrees, noise: .contradicts, signs: [.drawnPositions, .constantSignals]),
    Fake(
      testDescription: "the right sky, good positions, drawn signals",
      receiver: InventedReceiver(
        sky: .computed(hoursEarly: 0), positions: .slow(1), signals: .drawn(2)),
      sky: .agrees, noise: .unclear, signs: [.drawnSignals]),
    Fake(
      testDescription: "the right sky, good noise",
      receiver: InventedReceiver(
        sky: .computed(hoursEarly: 0), positions: .slow(1), signals: .slow(2)),
      sky: .agrees, noise: .agrees),
  ]

  @Test("ten invented receivers of rising skill are told apart", arguments: fakes)
  func invented(_ fake: Fake) {
    for seed in UInt64(1)...20 {
      let sky = sky(fake.receiver, seed: seed)
      #expect(sky.outcome == fake.sky, "seed \(seed): \(sky)")
      let noise = noise(fake.receiver, seed: seed)
      // Numbers that are drawn look slow now and then: one in twenty may be less certain.
      if seed > 1, noise.outcome != fake.noise {
        #expect(noise.outcome == .unclear, "seed \(seed): \(noise)")
      } else {
        #expect(noise.outcome == fake.noise, "seed \(seed): \(noise)")
      }
      if seed == 1 {
        #expect(noise.reason == (fake.signs.isEmpty ? nil : .invented(fake.signs)), "\(noise)")
      }
    }
  }

  @Test("a sky of the right hour stands where it should to the degree, with its numbers")
  func numbers() throws {
    let check = sky(
      InventedReceiver(sky: .computed(hoursEarly: 0), positions: .slow(1), signals: .slow(2)))
    #expect(check[.comparedSatellites] == check[.reportedSatellites])
    #expect(check[.agreeingSatellites] == check[.comparedSatellites])
    #expect(try #require(check[.medianMissDegrees]) < 1)
    #expect(check[.orbitAgeDays] ?? 99 < 7)
  }

  @Test("a sky from another place, far away, is contradicted; one from the next town is not")
  func elsewhere() {
    let receiver = InventedReceiver(
      sky: .computed(hoursEarly: 0), positions: .slow(1), signals: .slow(2))
    let read = receiver.read(seed: 3)
    func check(_ place: Coordinate?) -> PhotoCheck? {
      place.map {
        SkyCheck.check(
          read.sky, at: InventedReceiver.start, from: $0, orbits: InventedReceiver.orbits)
      }
    }
    let far = Coordinate(latitudeDegrees: 49, longitudeDegrees: -100)
    #expect(check(far)?.outcome == .contradicts)
    let near = Coordinate(latitudeDegrees: 49.3, longitudeDegrees: 16.9)
    #expect(check(near)?.outcome == .agrees)
  }

  @Test("without orbits of that month, and with few satellites, nothing is claimed")
  func unknown() {
    let receiver = InventedReceiver(
      sky: .computed(hoursEarly: 0), positions: .slow(1), signals: .slow(2))
    let read = receiver.read(seed: 3)
    func check(_ orbits: [SatelliteOrbit], at time: DeviceTime) -> PhotoCheck {
      SkyCheck.check(read.sky, at: time, from: InventedReceiver.place, orbits: orbits)
    }
    let none = check([], at: InventedReceiver.start)
    #expect(none.outcome == .notCheckable && none[.comparedSatellites] == 0)
    let later = DeviceTime(
      millisecondsSince1970: InventedReceiver.start.millisecondsSince1970 + 40 * 86_400_000)
    #expect(check(InventedReceiver.orbits, at: later).outcome == .notCheckable)
    let few = InventedReceiver.orbits.filter { $0.id <= 12 }
    #expect(check(few, at: InventedReceiver.start).outcome != .contradicts)
  }

  /// The recordings of real receivers that are here; nil if there are none.
  static let recordings = Repository.shared("data/gnss")

  @Test(
    "no recording of a real receiver is called invented, in any stretch of half a minute",
    .enabled(if: recordings != nil, "the recordings are not here"))
  func recorded() throws {
    var windows = 0
    for folder in ["gpsd", "field"] {
      let path = try #require(Self.recordings).appendingPathComponent(folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: path.path).sorted()
      where name.hasSuffix(".log") || name.hasSuffix(".nmea") {
        let bytes = Array(try Data(contentsOf: path.appendingPathComponent(name)))
        var pipeline = PositioningPipeline()
        var epochs: [(fix: Fix, sky: [Satellite])] = []
        for (number, line) in bytes.split(separator: 0x0A).enumerated() {
          var fixes: [Fix] = []
          pipeline.accept(
            Array(line) + [0x0A], at: ElapsedTime(milliseconds: Int64(number) * 10)
          ) { event in
            if case .fix(let judged) = event { fixes.append(judged.fix) }
          }
          for fix in fixes { epochs.append((fix, pipeline.sky)) }
        }
        for length in [16, 22, 33] {
          for start in stride(from: 0, to: max(1, epochs.count - length), by: 5) {
            let window = epochs.dropFirst(start).prefix(length)
            var history = SkyHistory()
            for epoch in window { history.add(epoch.sky, at: epoch.fix.time) }
            let check = NoiseCheck.check(window.map(\.fix), history)
            if check.outcome != .notCheckable { windows += 1 }
            #expect(check.outcome != .contradicts, "\(name) from \(start): \(check)")
            #expect(check.reason == nil, "\(name) from \(start), \(length) s: \(check)")
          }
        }
      }
    }
    #expect(windows > 300, "only \(windows) stretches were judged")
  }
}
