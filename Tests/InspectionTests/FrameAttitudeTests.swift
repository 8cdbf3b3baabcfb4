import Foundation
import Inspection
import Positioning
import TestSupport
import Testing

@Suite("The angle of a frame in its set")
struct FrameAttitudeTests {
  /// Returns the attitude of a picture by the three angles that people know.
  private static func picture(
    _ azimuth: Double, _ elevation: Double = 0, _ roll: Double = 0, screen: Int = 0
  ) throws -> PictureAttitude {
    try #require(
      PictureAttitude(
        Orientation(
          azimuthDegreesTrue: azimuth, elevationDegrees: elevation, rollDegrees: roll,
          source: .stated, screenDegrees: screen)))
  }

  @Test("grows clockwise as seen from above", arguments: [0.0, 1, 90, 179, 180, 181, 270, 359])
  func clockwise(angle: Double) throws {
    let attitude = try #require(
      FrameAttitude(from: try Self.picture(350), to: try Self.picture(350 + angle)))
    #expect(SectorRing.distanceDegrees(attitude.angleDegrees, angle) < 1e-9)
    #expect(abs(attitude.deviationPitchDegrees) < 1e-9)
    #expect(abs(attitude.deviationRollDegrees) < 1e-9)
  }

  @Test("is the same, with no deviations, for a lens that looks down all the way round")
  func tilted() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<1000 {
      let elevation = Double.random(in: -80...80, using: &generator)
      let (from, turn) = (
        Double.random(in: 0..<360, using: &generator),
        Double.random(in: 0..<360, using: &generator)
      )
      let roll = Double.random(in: -60...60, using: &generator)
      let attitude = try #require(
        FrameAttitude(
          from: try Self.picture(from, elevation, roll),
          to: try Self.picture(from + turn, elevation, roll)))
      #expect(SectorRing.distanceDegrees(attitude.angleDegrees, turn) < 1e-6)
      #expect(abs(attitude.deviationPitchDegrees) < 1e-6)
      #expect(abs(attitude.deviationRollDegrees) < 1e-6)
    }
  }

  @Test("tells tilt and roll apart from the angle")
  func deviations() throws {
    let lifted = try #require(
      FrameAttitude(from: try Self.picture(10), to: try Self.picture(100, 7)))
    #expect(abs(lifted.angleDegrees - 90) < 1e-9)
    #expect(abs(lifted.deviationPitchDegrees - 7) < 1e-9)
    #expect(abs(lifted.deviationRollDegrees) < 1e-9)
    let rolled = try #require(
      FrameAttitude(from: try Self.picture(10), to: try Self.picture(100, 0, 8)))
    #expect(abs(rolled.angleDegrees - 90) < 1e-9)
    #expect(abs(rolled.deviationPitchDegrees) < 1e-9)
    // A roll is clockwise for the photographer, a deviation anti-clockwise.
    #expect(abs(rolled.deviationRollDegrees + 8) < 1e-9)
  }

  @Test(
    "does not mind if the device is turned between portrait and landscape",
    arguments: [90, 180, 270])
  func screens(screen: Int) throws {
    let attitude = try #require(
      FrameAttitude(from: try Self.picture(0), to: try Self.picture(45, 5, 0, screen: screen)))
    #expect(abs(attitude.angleDegrees - 45) < 1e-9)
    #expect(abs(attitude.deviationPitchDegrees - 5) < 1e-9)
    #expect(abs(attitude.deviationRollDegrees) < 1e-9)
  }

  @Test("needs no compass: an unknown turn about the vertical cancels out")
  func noCompass() throws {
    func relative(_ alpha: Double, _ beta: Double) throws -> PictureAttitude {
      let device = try #require(
        DeviceAttitude(
          alphaDegrees: alpha, betaDegrees: beta, gammaDegrees: 0, screenDegrees: 0))
      let rotation = try #require(device.quaternion)
      return try #require(PictureAttitude(device: rotation, screenDegrees: 0))
    }
    let one = try #require(FrameAttitude(from: try relative(20, 85), to: try relative(350, 85)))
    let other = try #require(
      FrameAttitude(from: try relative(120, 85), to: try relative(90, 85)))
    #expect(abs(one.angleDegrees - 30) < 1e-9)
    #expect(abs(other.angleDegrees - 30) < 1e-9)
  }

  @Test("lies between the samples before and after it, along the shortest way")
  func between() throws {
    func sample(_ milliseconds: Double, _ azimuth: Double) throws -> AttitudeSample {
      AttitudeSample(
        milliseconds: milliseconds,
        rotation: try #require(
          Orientation(
            azimuthDegreesTrue: azimuth, elevationDegrees: 0, rollDegrees: 0, source: .stated
          ).quaternion), accelerationMetresPerSecondSquared: milliseconds / 10)
    }
    func azimuth(_ found: AttitudeSample?) throws -> Double {
      let sample = try #require(found)
      return Orientation.lensAngles(of: sample.rotation).azimuthDegrees
    }
    let (before, after) = (try sample(100, 350), try sample(120, 10))
    let middle = AttitudeSample.at(milliseconds: 105, before: before, after: after)
    #expect(abs(try azimuth(middle) - 355) < 1e-9)
    #expect(abs(try #require(middle?.accelerationMetresPerSecondSquared) - 10.5) < 1e-9)
    // The sensors paused for longer than twice the reach: the nearer sample counts by itself.
    let late = try sample(400, 10)
    #expect(
      abs(try azimuth(AttitudeSample.at(milliseconds: 140, before: before, after: late)) - 350)
        < 1e-9)
    #expect(AttitudeSample.at(milliseconds: 151, before: before, after: late) == nil)
    #expect(AttitudeSample.at(milliseconds: 150, before: before, after: nil) == before)
    #expect(AttitudeSample.at(milliseconds: 50, before: nil, after: before) == before)
    #expect(AttitudeSample.at(milliseconds: .nan, before: before, after: after) == nil)
    #expect(AttitudeSample.at(milliseconds: 100, before: nil, after: nil) == nil)
  }
}
