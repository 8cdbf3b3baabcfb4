import Foundation
import Inspection
import Testing

@Suite("How a device is held, from what its browser says")
struct DeviceAttitudeTests {
  /// Poses of a device: alpha, beta, gamma and the screen's angle, with the lens's azimuth,
  /// elevation and roll.
  static let table: [(held: [Double], lens: [Double])] = [
    ([0, 0, 0, 0], [0, -90, 0]),
    ([0, 90, 0, 0], [0, 0, 0]),
    ([270, 90, 0, 0], [90, 0, 0]),
    ([30, 60, 0, 0], [330, -30, 0]),
    ([0, 0, -90, 90], [90, 0, 0]),
    ([0, 0, 90, 270], [270, 0, 0]),
    ([180, -90, 0, 180], [0, 0, 0]),
    ([45, 80, 5, 0], [309.923, -9.962, 0.880]),
    ([10, 20, -70, 90], [72.904, -18.747, 21.173]),
    ([10, 20, 70, 270], [267.096, -18.747, -21.173]),
    ([300, 120, -10, 0], [71.508, 29.499, 5.725]),
  ]

  private func attitude(_ held: [Double], hasNorth: Bool = true) throws -> DeviceAttitude {
    try #require(
      DeviceAttitude(
        alphaDegrees: hasNorth ? held[0] : nil, betaDegrees: held[1], gammaDegrees: held[2],
        screenDegrees: Int(held[3])))
  }

  private func difference(_ one: Double?, _ other: Double) -> Double {
    one.map { abs(($0 - other + 540).truncatingRemainder(dividingBy: 360) - 180) } ?? .infinity
  }

  @Test("known poses, on each of the four screens", arguments: table.indices)
  func known(row: Int) throws {
    let (held, lens) = Self.table[row]
    let orientation = try #require(try attitude(held).orientation(declinationDegrees: 0))
    #expect(difference(orientation.azimuthDegreesTrue, lens[0]) < 0.001)
    #expect(difference(orientation.elevationDegrees, lens[1]) < 0.001)
    #expect(difference(orientation.rollDegrees, lens[2]) < 0.001)
    #expect(orientation.screenDegrees == Int(held[3]) && orientation.source == .deviceSensors)
    #expect(difference(orientation.angleDegrees, lens[1] + 90) < 0.001)
  }

  @Test("the declination turns azimuth and quaternion alike, and neither is claimed without it")
  func declination() throws {
    for (held, lens) in Self.table where abs(lens[1]) < 80 {
      let attitude = try attitude(held)
      let turned = try #require(attitude.orientation(declinationDegrees: 5.5))
      #expect(difference(turned.azimuthDegreesTrue, lens[0] + 5.5) < 0.001)
      #expect(difference(turned.headingDegreesMagnetic, lens[0]) < 0.001)
      #expect(turned.declinationDegrees == 5.5)
      let quaternion = try #require(turned.quaternion)
      let angles = Orientation.lensAngles(of: quaternion)
      #expect(difference(angles.azimuthDegrees, lens[0] + 5.5) < 0.001)
      #expect(difference(angles.elevationDegrees, lens[1]) < 0.001)
      let unknown = try #require(attitude.orientation(declinationDegrees: nil))
      #expect(unknown.azimuthDegreesTrue == nil && unknown.quaternion == nil)
      #expect(difference(unknown.headingDegreesMagnetic, lens[0]) < 0.001)
    }
  }

  @Test("without a north the tilt is known, and nothing else is claimed")
  func noNorth() throws {
    let orientation = try #require(
      try attitude([77, 80, 5, 0], hasNorth: false).orientation(declinationDegrees: 4))
    #expect(orientation.azimuthDegreesTrue == nil && orientation.headingDegreesMagnetic == nil)
    #expect(orientation.quaternion == nil && orientation.declinationDegrees == nil)
    #expect(difference(orientation.elevationDegrees, -9.962) < 0.001)
    #expect(difference(orientation.rollDegrees, 0.880) < 0.001)
  }

  @Test(
    "what a record keeps of it leads to the same quaternion, whichever way the screen is turned")
  func kept() throws {
    for (held, lens) in Self.table where abs(lens[1]) < 80 {
      let orientation = try #require(try attitude(held).orientation(declinationDegrees: 2))
      let again = Orientation(
        azimuthDegreesTrue: orientation.azimuthDegreesTrue,
        elevationDegrees: orientation.elevationDegrees, rollDegrees: orientation.rollDegrees,
        source: .deviceSensors, screenDegrees: orientation.screenDegrees)
      let (one, other) = (try #require(orientation.quaternion), try #require(again.quaternion))
      let product = one.w * other.w + one.x * other.x + one.y * other.y + one.z * other.z
      #expect(abs(abs(product) - 1) < 1e-9, "\(held)")
    }
  }

  @Test("numbers that are no angles make no attitude")
  func refused() {
    for bad in [Double.nan, .infinity, -.infinity, 1e9] {
      for place in 0..<3 {
        var angles = [0.0, 0, 0]
        angles[place] = bad
        #expect(
          DeviceAttitude(
            alphaDegrees: angles[0], betaDegrees: angles[1], gammaDegrees: angles[2],
            screenDegrees: 0) == nil)
      }
    }
    for screen in [45, -90, 360, Int.max] {
      #expect(
        DeviceAttitude(alphaDegrees: 0, betaDegrees: 0, gammaDegrees: 0, screenDegrees: screen)
          == nil)
    }
    let accuracy = DeviceAttitude(
      alphaDegrees: 0, betaDegrees: 0, gammaDegrees: 0, screenDegrees: 0,
      compassAccuracyDegrees: -1)
    #expect(accuracy != nil && accuracy?.compassAccuracyDegrees == nil)
  }
}
