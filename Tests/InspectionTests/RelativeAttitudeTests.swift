import Foundation
import Inspection
import Positioning
import TestSupport
import Testing

@Suite("How far a picture is turned from an earlier one")
struct RelativeAttitudeTests {
  private static func picture(
    _ azimuth: Double, _ elevation: Double, _ roll: Double
  ) throws -> PictureAttitude {
    try #require(
      PictureAttitude(
        Orientation(
          azimuthDegreesTrue: azimuth, elevationDegrees: elevation, rollDegrees: roll,
          source: .stated)))
  }

  private static func random(_ generator: inout SeededGenerator) -> Quaternion {
    // Four normal numbers make a uniform rotation; pairs of uniform ones make normal numbers.
    func normal() -> Double {
      let (u, v) = (
        Double.random(in: 1e-12..<1, using: &generator),
        Double.random(
          in: 0..<1, using: &generator)
      )
      return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }
    while true {
      if let q = Quaternion(w: normal(), x: normal(), y: normal(), z: normal()) { return q }
    }
  }

  private static func about(_ axis: Int, _ degrees: Double) throws -> Quaternion {
    let (c, s) = (cos(degrees * .pi / 360), sin(degrees * .pi / 360))
    return try #require(
      Quaternion(
        w: c, x: axis == 0 ? s : 0, y: axis == 1 ? s : 0, z: axis == 2 ? s : 0))
  }

  @Test("a camera turned to the right, lifted and turned about its lens tells each part alone")
  func parts() throws {
    let reference = try Self.picture(40, 0, 0)
    let right = try #require(RelativeAttitude(from: reference, to: Self.picture(50, 0, 0)))
    #expect(abs(right.angleDegrees - 10) < 1e-9)
    #expect(abs(right.rollDegrees - -10) < 1e-9)
    #expect(abs(right.pitchDegrees) < 1e-9 && abs(right.yawDegrees) < 1e-9)
    let lifted = try #require(RelativeAttitude(from: reference, to: Self.picture(40, 7, 0)))
    #expect(abs(lifted.pitchDegrees - 7) < 1e-9)
    #expect(abs(lifted.rollDegrees) < 1e-9 && abs(lifted.yawDegrees) < 1e-9)
    let clockwise = try #require(RelativeAttitude(from: reference, to: Self.picture(40, 0, 12)))
    #expect(abs(clockwise.yawDegrees - -12) < 1e-9)
    #expect(abs(clockwise.pitchDegrees) < 1e-9 && abs(clockwise.rollDegrees) < 1e-9)
  }

  @Test("a turn of a millionth of a degree is told with its digits")
  func smallAngle() throws {
    let reference = try Self.picture(10, 0, 0)
    let now = try Self.picture(10.000001, 0, 0)
    let relative = try #require(RelativeAttitude(from: reference, to: now))
    #expect(abs(relative.angleDegrees - 1e-6) < 1e-12)
  }

  @Test("pictures of a screen held upright and held sideways are compared edge by edge")
  func screen() throws {
    let upright = try #require(
      PictureAttitude(
        Orientation(
          azimuthDegreesTrue: 200, elevationDegrees: 5, rollDegrees: 0, source: .deviceSensors)))
    let sideways = try #require(
      PictureAttitude(
        Orientation(
          azimuthDegreesTrue: 200, elevationDegrees: 5, rollDegrees: 0, source: .deviceSensors,
          screenDegrees: 90)))
    let relative = try #require(RelativeAttitude(from: upright, to: sideways))
    #expect(relative.angleDegrees < 1e-9)
  }

  @Test(
    "a million pairs agree with scipy's matrices, pitches of 90° among them, and frames with projected things",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func scipy() async throws {
    struct Worst: Decodable {
      var count: Int
      var inView: Int
      var steep: Int
      var angleRadians: Double
      var partsRadians: Double
      var pixels: Double
      var wrongSide: Int
    }
    let view = try #require(
      NavigationRectangle.View(widthPixels: 1080, heightPixels: 810, horizontalDegrees: 66))
    var generator = SeededGenerator(seed: 28)
    for _ in 0..<4 {
      var rows: [Double] = []
      rows.reserveCapacity(15 * 250_000)
      for index in 0..<250_000 {
        let reference = Self.random(&generator)
        let now = try Self.present(index, beside: reference, &generator)
        try Self.append(reference, now, view, to: &rows)
      }
      let input = rows.withUnsafeBytes { Data($0) }
      let outcome = try await PythonTools.run(
        "Attitudes/relative.py", ["1080", "810", "66"], input: input)
      try #require(outcome.status == 0, "\(outcome.errors)")
      let worst = try JSONDecoder().decode(Worst.self, from: Data(outcome.output.utf8))
      #expect(worst.count == 250_000)
      #expect(worst.inView > 50_000 && worst.steep > 10_000)
      #expect(worst.angleRadians < 1e-9)
      #expect(worst.partsRadians < 1e-9)
      #expect(worst.pixels < 0.5)
      #expect(worst.wrongSide == 0)
    }
  }

  /// Returns a present attitude: any, one near the reference, or one at a pitch of ±90°.
  private static func present(
    _ index: Int, beside reference: Quaternion, _ generator: inout SeededGenerator
  ) throws -> Quaternion {
    func product(_ p: Quaternion, _ q: Quaternion) throws -> Quaternion {
      try #require(
        Quaternion(
          w: p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
          x: p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
          y: p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
          z: p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w))
    }
    switch index % 10 {
    case 0...4: return random(&generator)
    case 9:
      let turn = try about(2, Double.random(in: -180...180, using: &generator))
      let steep = try about(0, index % 20 == 9 ? 90 : -90)
      let side = try about(1, Double.random(in: -180...180, using: &generator))
      return try product(reference, product(turn, product(steep, side)))
    default:
      let axis = random(&generator)
      let near = try #require(
        Quaternion(w: 3, x: axis.x, y: axis.y, z: axis.z))
      return try product(reference, near)
    }
  }

  private static func append(
    _ reference: Quaternion, _ now: Quaternion, _ view: NavigationRectangle.View,
    to rows: inout [Double]
  ) throws {
    let from = try #require(PictureAttitude(device: reference, screenDegrees: 0))
    let to = try #require(PictureAttitude(device: now, screenDegrees: 0))
    let relative = try #require(RelativeAttitude(from: from, to: to))
    let frame = NavigationRectangle(relative: relative, in: view, reference: view)
    rows += [
      reference.w, reference.x, reference.y, reference.z, now.w, now.x, now.y, now.z,
      relative.angleDegrees, relative.rollDegrees, relative.pitchDegrees, relative.yawDegrees,
      frame.x, frame.y, frame.isInView ? 1 : 0,
    ]
  }
}
