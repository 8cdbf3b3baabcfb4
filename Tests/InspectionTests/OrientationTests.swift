import Foundation
import Inspection
import TestSupport
import Testing

@Suite("Where the camera looked")
struct OrientationTests {
  private typealias Vector = (east: Double, north: Double, up: Double)

  /// Returns a device axis in east, north and up, by the quaternions' product q v q*.
  private static func rotate(
    _ q: Quaternion, _ x: Double, _ y: Double, _ z: Double
  ) -> Vector {
    func times(
      _ a: (Double, Double, Double, Double), _ b: (Double, Double, Double, Double)
    ) -> (Double, Double, Double, Double) {
      (
        a.0 * b.0 - a.1 * b.1 - a.2 * b.2 - a.3 * b.3,
        a.0 * b.1 + a.1 * b.0 + a.2 * b.3 - a.3 * b.2,
        a.0 * b.2 - a.1 * b.3 + a.2 * b.0 + a.3 * b.1,
        a.0 * b.3 + a.1 * b.2 - a.2 * b.1 + a.3 * b.0
      )
    }
    let result = times(times((q.w, q.x, q.y, q.z), (0, x, y, z)), (q.w, -q.x, -q.y, -q.z))
    return (result.1, result.2, result.3)
  }

  private static func isClose(_ a: Vector, _ b: Vector, _ tolerance: Double = 1e-9) -> Bool {
    abs(a.east - b.east) < tolerance && abs(a.north - b.north) < tolerance
      && abs(a.up - b.up) < tolerance
  }

  private static func quaternion(
    _ azimuth: Double, _ elevation: Double, _ roll: Double
  ) throws -> Quaternion {
    try #require(
      Orientation(
        azimuthDegreesTrue: azimuth, elevationDegrees: elevation, rollDegrees: roll,
        source: .stated
      ).quaternion)
  }

  @Test("a device held upright to the north: right is east, top is up, the lens looks north")
  func upright() throws {
    let q = try Self.quaternion(0, 0, 0)
    #expect(Self.isClose(Self.rotate(q, 1, 0, 0), (1, 0, 0)))
    #expect(Self.isClose(Self.rotate(q, 0, 1, 0), (0, 0, 1)))
    #expect(Self.isClose(Self.rotate(q, 0, 0, -1), (0, 1, 0)))
  }

  @Test("azimuth 90 looks east, and the device's right is south")
  func east() throws {
    let q = try Self.quaternion(90, 0, 0)
    #expect(Self.isClose(Self.rotate(q, 0, 0, -1), (1, 0, 0)))
    #expect(Self.isClose(Self.rotate(q, 1, 0, 0), (0, -1, 0)))
    #expect(Self.isClose(Self.rotate(q, 0, 1, 0), (0, 0, 1)))
  }

  @Test("looking straight down the top of the picture points where the azimuth says")
  func down() throws {
    let q = try Self.quaternion(90, -90, 0)
    #expect(Self.isClose(Self.rotate(q, 0, 0, -1), (0, 0, -1)))
    #expect(Self.isClose(Self.rotate(q, 0, 1, 0), (1, 0, 0)))
    let flat = try Self.quaternion(0, -90, 0)
    // The axes of a device on its back, with its long side to the north, are east, north and up.
    #expect(abs(flat.w - 1) < 1e-12)
  }

  @Test("a roll of 90 turns the device clockwise for the photographer: its right points down")
  func roll() throws {
    let q = try Self.quaternion(0, 0, 90)
    #expect(Self.isClose(Self.rotate(q, 1, 0, 0), (0, 0, -1)))
    #expect(Self.isClose(Self.rotate(q, 0, 1, 0), (1, 0, 0)))
    #expect(Self.isClose(Self.rotate(q, 0, 0, -1), (0, 1, 0)))
  }

  @Test("the inspector's angle is 0 looking down, 90 at the horizon, 180 looking up")
  func angle() {
    for (elevation, angle) in [(-90.0, 0.0), (0, 90), (90, 180), (-12, 78)] {
      let orientation = Orientation(
        azimuthDegreesTrue: nil, elevationDegrees: elevation, rollDegrees: nil, source: .stated)
      #expect(orientation.angleDegrees == angle)
    }
    #expect(
      Orientation(
        azimuthDegreesTrue: 1, elevationDegrees: nil, rollDegrees: nil, source: .stated
      ).angleDegrees == nil)
  }

  @Test("angles become a quaternion and the same angles again, over the whole sphere")
  func roundTrip() throws {
    try forEachSeed(0..<2000) { seed, random in
      let azimuth = Double.random(in: 0..<360, using: &random)
      let elevation = asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
      let roll = Double.random(in: -180..<180, using: &random)
      let q = try Self.quaternion(azimuth, elevation, roll)
      #expect(abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-12, "seed \(seed)")
      #expect(q.w >= 0, "seed \(seed)")
      let lens = Self.rotate(q, 0, 0, -1)
      let expected: Vector = (
        sin(azimuth * .pi / 180) * cos(elevation * .pi / 180),
        cos(azimuth * .pi / 180) * cos(elevation * .pi / 180), sin(elevation * .pi / 180)
      )
      #expect(Self.isClose(lens, expected), "seed \(seed)")
      let angles = Orientation.lensAngles(of: q)
      func difference(_ a: Double, _ b: Double) -> Double {
        abs((a - b).remainder(dividingBy: 360))
      }
      #expect(difference(angles.azimuthDegrees, azimuth) < 1e-6, "seed \(seed)")
      #expect(abs(angles.elevationDegrees - elevation) < 1e-6, "seed \(seed)")
      #expect(difference(angles.rollDegrees, roll) < 1e-6, "seed \(seed)")
    }
  }

  @Test("straight up and straight down, and next to it, angles still name the same rotation")
  func poles() throws {
    try forEachSeed(0..<300) { seed, random in
      let offset = [0, 1e-9, 1e-7, 1e-5, 1e-3][Int(seed % 5)]
      let elevation = (90 - offset) * (seed % 2 == 0 ? 1 : -1)
      let q = try Self.quaternion(
        Double.random(in: 0..<360, using: &random), elevation,
        Double.random(in: -180..<180, using: &random))
      let angles = Orientation.lensAngles(of: q)
      #expect((0..<360).contains(angles.azimuthDegrees), "seed \(seed)")
      let again = try Self.quaternion(
        angles.azimuthDegrees, angles.elevationDegrees, angles.rollDegrees)
      for axis in [(1.0, 0.0, 0.0), (0, 1, 0), (0, 0, 1)] {
        #expect(
          Self.isClose(
            Self.rotate(q, axis.0, axis.1, axis.2), Self.rotate(again, axis.0, axis.1, axis.2),
            1e-6), "seed \(seed)")
      }
    }
    let down = Orientation.lensAngles(of: try Self.quaternion(30, -90, 0))
    #expect(abs(down.azimuthDegrees - 30) < 1e-6)
    #expect(down.elevationDegrees == -90)
    #expect(down.rollDegrees == 0)
    let up = Orientation.lensAngles(of: try Self.quaternion(30, 90, 0))
    #expect(abs(up.azimuthDegrees - 30) < 1e-6)
    #expect(up.elevationDegrees == 90)
  }

  @Test("azimuths are kept within 0 and 360")
  func wrapped() throws {
    for (given, kept) in [
      (-90.0, 270.0), (360, 0), (450, 90), (720, 0), (-1e-20, 0), (-0.0, 0), (359.9, 359.9),
    ] {
      let azimuth = try #require(
        Orientation(
          azimuthDegreesTrue: given, elevationDegrees: nil, rollDegrees: nil, source: .stated
        ).azimuthDegreesTrue)
      #expect(abs(azimuth - kept) < 1e-9, "\(given)")
      #expect((0..<360).contains(azimuth), "\(given)")
    }
  }

  @Test("a rotation is not made up from angles that nobody has said")
  func unknown() {
    for (azimuth, elevation, roll) in [
      (nil, 1, 1), (1, nil, 1), (1, 1, nil), (1, nil, nil), (nil, nil, nil),
    ] as [(Double?, Double?, Double?)] {
      let orientation = Orientation(
        azimuthDegreesTrue: azimuth, elevationDegrees: elevation, rollDegrees: roll,
        source: .stated)
      #expect(orientation.quaternion == nil)
      #expect(orientation.azimuthDegreesTrue == azimuth)
    }
  }

  @Test("a quaternion is scaled to length 1 with w not below 0, and nonsense is none")
  func quaternions() throws {
    let q = try #require(Quaternion(w: -2, x: 0, y: 2, z: 0))
    #expect(abs(q.w - 0.5.squareRoot()) < 1e-15 && abs(q.y + 0.5.squareRoot()) < 1e-15)
    #expect(Quaternion(w: 0, x: 0, y: 0, z: 0) == nil)
    #expect(Quaternion(w: .nan, x: 0, y: 0, z: 1) == nil)
    #expect(Quaternion(w: .infinity, x: 0, y: 0, z: 1) == nil)
    #expect(Quaternion(w: 1e-12, x: 0, y: 0, z: 0) == nil)
  }

  @Test("an assumed camera is wider along the picture's longer side")
  func camera() {
    let wide = CameraGeometry.assumed(widthPixels: 4000, heightPixels: 3000)
    let high = CameraGeometry.assumed(widthPixels: 3000, heightPixels: 4000)
    #expect(wide.horizontalDegrees == high.verticalDegrees)
    #expect(wide.horizontalDegrees > wide.verticalDegrees)
    #expect(wide.source == .assumed)
  }
}
