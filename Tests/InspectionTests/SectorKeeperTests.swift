import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing

@Suite("The best frame of each sector")
struct SectorKeeperTests {
  private static func attitude(
    _ angle: Double, pitch: Double = 0, roll: Double = 0
  ) -> FrameAttitude {
    FrameAttitude(
      angleDegrees: angle, deviationPitchDegrees: pitch, deviationRollDegrees: roll)
  }

  @Test("a set has 4 to 120 sectors, a turn 4, 8 or 12 views")
  func terms() throws {
    #expect(try FrameSetTerms(kind: .around).sectors == 72)
    #expect(try FrameSetTerms(kind: .around).radiusDegrees == 5)
    #expect(try FrameSetTerms(kind: .turn).sectors == 4)
    #expect(try FrameSetTerms(kind: .around, sectors: 72).sectorsForComplete == 65)
    #expect(try FrameSetTerms(kind: .turn).sectorsForComplete == 4)
    for sectors in [4, 120] { _ = try FrameSetTerms(kind: .around, sectors: sectors) }
    for sectors in [Int.min, 0, 3, 121, 10_000] {
      #expect(throws: InspectionError.self) { try FrameSetTerms(kind: .around, sectors: sectors) }
    }
    for sectors in [8, 12] { _ = try FrameSetTerms(kind: .turn, sectors: sectors) }
    for sectors in [0, 5, 16, 72] {
      #expect(throws: InspectionError.self) { try FrameSetTerms(kind: .turn, sectors: sectors) }
    }
    for share in [0, 0.09, 1.01, .nan] {
      #expect(throws: InspectionError.self) {
        try FrameSetTerms(kind: .around, completeShare: share)
      }
    }
    for weight in [-0.1, 16.1, .nan, .infinity] {
      #expect(throws: InspectionError.self) {
        try FrameQuality.Weights(checking: weight, pitch: 1, acceleration: 1, angle: 1)
      }
    }
  }

  @Test("a sector reaches half its width to both sides of its middle")
  func sectors() {
    let ring = SectorRing(count: 72)
    #expect(ring.sector(ofDegrees: 0) == 0)
    #expect(ring.sector(ofDegrees: 357.5) == 0)
    #expect(ring.sector(ofDegrees: 2.4999) == 0)
    #expect(ring.sector(ofDegrees: 2.5) == 1)
    #expect(ring.sector(ofDegrees: -5) == 71)
    #expect(ring.sector(ofDegrees: 725) == 1)
    let north = SectorRing(count: 4, firstMiddleDegrees: -37)
    #expect(north.middleDegrees(ofSector: 0) == 323)
    #expect(north.sector(ofDegrees: 0) == 0)
    #expect(north.middleDegrees(ofSector: 1) == 53)
    #expect(abs(north.offMiddleDegrees(60) - 7) < 1e-9)
  }

  @Test("quality is 1 for the ideal frame, and falls with roll, tilt, shake and distance")
  func quality() {
    let ring = SectorRing(count: 72)
    func value(_ attitude: FrameAttitude, _ acceleration: Double? = 0) -> Double {
      FrameQuality(attitude, accelerationMetresPerSecondSquared: acceleration, in: ring).value
    }
    #expect(value(Self.attitude(0)) == 1)
    #expect(value(Self.attitude(0), nil) == 1)
    // One unit off in one dimension is half of the way to 0, in all four it is all of it.
    #expect(abs(value(Self.attitude(0, roll: 10)) - 0.5) < 1e-12)
    #expect(abs(value(Self.attitude(0, pitch: -10)) - 0.5) < 1e-12)
    #expect(abs(value(Self.attitude(0), 2) - 0.5) < 1e-12)
    #expect(abs(value(Self.attitude(357.5)) - 0.5) < 1e-12)
    #expect(value(Self.attitude(357.5, pitch: 10, roll: 10), 2) < 1e-12)
    #expect(value(Self.attitude(0, pitch: .nan)) == 0)
    #expect(value(Self.attitude(0), .infinity) == 0)
    // The least quality is 0.3: 14 degrees of roll alone are just enough, 14.1 are not.
    let enough = FrameQuality(
      Self.attitude(0, roll: 13.99), accelerationMetresPerSecondSquared: 0, in: ring)
    let poor = FrameQuality(
      Self.attitude(0, roll: 14.01), accelerationMetresPerSecondSquared: 0, in: ring)
    #expect(enough.isEnough)
    #expect(!poor.isEnough)
  }

  @Test("a frame is kept if its sector is empty or holds a worse one")
  func decisions() {
    var keeper = SectorKeeper<Int>(ring: SectorRing(count: 8))
    func offer(_ frame: Int, _ angle: Double, roll: Double = 0) -> (
      SectorKeeper<Int>.Decision, Int?
    ) {
      let (decision, replaced) = keeper.offer(
        frame, Self.attitude(angle, roll: roll), accelerationMetresPerSecondSquared: 0)
      return (decision, replaced)
    }
    #expect(offer(1, 40) == (.filled(sector: 1), nil))
    #expect(offer(2, 50) == (.notBetter, nil))
    #expect(offer(3, 44) == (.better(sector: 1), 1))
    #expect(offer(4, 46) == (.notBetter, nil))
    #expect(offer(5, 90, roll: 15) == (.poor, nil))
    #expect(keeper.filled == 1)
    #expect(keeper.missingDegrees == [0, 90, 135, 180, 225, 270, 315])
  }

  @Test("all frames in one sector keep one frame")
  func oneSector() {
    var keeper = SectorKeeper<Int>(ring: SectorRing(count: 72))
    for frame in 0..<500 {
      _ = keeper.offer(
        frame, Self.attitude(Double(frame % 5) - 2), accelerationMetresPerSecondSquared: 0)
    }
    #expect(keeper.ordered.map(\.frame) == [2])
  }

  @Test("10,000 walks: each sector holds the frame that an exhaustive search picks")
  func walks() throws {
    var generator = SeededGenerator(seed: 31)
    for walk in 0..<10_000 {
      let sectors = [4, 8, 12, 36, 72, 120][walk % 6]
      let ring = SectorRing(count: sectors)
      let frames = SimulatedWalk(using: &generator).frames
      var keeper = SectorKeeper<Int>(ring: ring)
      var most = 0
      for (number, frame) in frames.enumerated() {
        guard let frame else { continue }
        _ = keeper.offer(
          number, frame.attitude, accelerationMetresPerSecondSquared: frame.acceleration)
        most = max(most, keeper.sectors.count { $0 != nil })
      }
      // The search has its own formulas.
      var best: [Int: (quality: Double, number: Int)] = [:]
      for (number, frame) in frames.enumerated() {
        guard let frame else { continue }
        let a = frame.attitude
        let width = 360 / Double(sectors)
        let sector = Int((a.angleDegrees / width).rounded(.toNearestOrAwayFromZero)) % sectors
        var off = abs(a.angleDegrees - Double(sector) * width)
        off = min(off, 360 - off)
        let terms = [
          a.deviationRollDegrees / 10, a.deviationPitchDegrees / 10, frame.acceleration / 2,
          off / (width / 2),
        ]
        let quality = 1 - min(1, terms.map { $0 * $0 }.reduce(0, +).squareRoot() / 2)
        guard quality >= 0.3, quality > best[sector]?.quality ?? 0 else { continue }
        best[sector] = (quality, number)
      }
      let kept = keeper.sectors.map { $0?.frame }
      #expect(kept == (0..<sectors).map { best[$0]?.number }, "walk \(walk)")
      #expect(most <= sectors)
      let angles = keeper.ordered.map(\.attitude.angleDegrees)
      #expect(zip(angles, angles.dropFirst()).filter { $0 > $1 }.count <= 1, "walk \(walk)")
    }
  }
}

/// A walk round a thing as the sensors tell it: with a hand that shakes, steps back, pauses, lost
/// sensors, and one to three gaps.
struct SimulatedWalk {
  struct Frame {
    var attitude: FrameAttitude
    var acceleration: Double
  }

  /// The frames; nil where the sensors said nothing.
  var frames: [Frame?] = []

  init(using generator: inout SeededGenerator) {
    let direction = Bool.random(using: &generator) ? 1.0 : -1.0
    let gaps = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      Double.random(in: 0..<360, using: &generator)
    }
    let rounds = [0.5, 1.0, 1.0, 1.0, 2.0][Int.random(in: 0..<5, using: &generator)]
    var (angle, tilt, roll) = (0.0, 0.0, 0.0)
    var (backwards, lost) = (0, 0)
    while abs(angle) < 360 * rounds, frames.count < 600 {
      switch Int.random(in: 0..<40, using: &generator) {
      case 0: backwards = Int.random(in: 2...10, using: &generator)
      case 1: lost = Int.random(in: 2...8, using: &generator)
      default: break
      }
      let step =
        Bool.random(using: &generator) && backwards == 0
        ? 0 : Double.random(in: 0...8, using: &generator)
      angle += direction * (backwards > 0 ? -step : step)
      // A gap is walked past with the device held down.
      if gaps.contains(where: { SectorRing.distanceDegrees($0, angle) < 12 }) {
        frames.append(nil)
        angle += direction * 3
      }
      tilt = tilt * 0.8 + Double.random(in: -4...4, using: &generator)
      roll = roll * 0.8 + Double.random(in: -4...4, using: &generator)
      frames.append(
        lost > 0
          ? nil
          : Frame(
            attitude: FrameAttitude(
              angleDegrees: angle, deviationPitchDegrees: tilt, deviationRollDegrees: roll),
            acceleration: abs(Double.random(in: -1.5...1.5, using: &generator))))
      backwards = max(0, backwards - 1)
      lost = max(0, lost - 1)
    }
  }
}
