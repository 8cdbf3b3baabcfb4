import Foundation
import Geodesy
import Inspection
import Store
import TimeAndText

/// Measures how long *Nearby* takes among very many photo points: for `standpoint measure`.
public enum NearbyMeasure {
  /// Fills a database of its own with made-up photo points, three of four in villages and the others
  /// anywhere in a country of 500 by 500 km, and asks for those near many places.
  /// - Parameter asked: the number of places.
  /// - Returns: the seconds of each question, ascending.
  public static func run(points: Int, asked: Int, folder: URL) throws -> [Double] {
    let store = try FieldStore(path: folder.appendingPathComponent("nearby.sqlite").path)
    defer { try? store.close() }
    let person = Person(agency: "measured", login: "ines", role: .inspector)
    var random = SystemRandomNumberGenerator()
    let now = DeviceTime(millisecondsSince1970: 0)
    func around(_ middle: Double, _ width: Double) -> Double {
      middle + Double.random(in: -width...width, using: &random)
    }
    let villages = (0..<2000).map { _ in (around(49, 2.25), around(15, 3.4)) }
    func place() throws -> Coordinate {
      let isVillage = Int.random(in: 0..<4, using: &random) > 0
      let middle = villages.randomElement(using: &random) ?? (49, 15)
      let (latitude, longitude) =
        isVillage
        ? (around(middle.0, 0.01), around(middle.1, 0.015)) : (around(49, 2.25), around(15, 3.4))
      guard let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
        throw StoreError.damagedRow("a place outside the Earth")
      }
      return place
    }
    var left = points
    while left > 0 {
      let part = min(left, 20_000)
      try store.write(as: person) { session in
        try session.points.take(
          adding: (0..<part).map { _ in try point(at: place(), now, &random) })
      }
      left -= part
    }
    return try (0..<asked).map { _ in
      let here = try place()
      let began = ContinuousClock.now
      _ = try store.read(as: person) {
        try $0.points.near(
          here, metres: PhotoPointRule.nearbyMetres, limit: PhotoPointRule.nearbyAtMost)
      }
      return (ContinuousClock.now - began) / .seconds(1)
    }.sorted()
  }

  private static func point(
    at place: Coordinate, _ now: DeviceTime, _ random: inout some RandomNumberGenerator
  ) -> PhotoPoint {
    var orientation = Orientation(
      azimuthDegreesTrue: 120, elevationDegrees: 1, rollDegrees: 0, source: .deviceSensors,
      screenDegrees: 0)
    orientation.quaternion = Quaternion(w: 0.5, x: 0.5, y: 0.5, z: 0.5)
    return PhotoPoint(
      id: Identifier(at: now, using: &random), agency: "measured",
      reference: PhotoPoint.Picture(
        photo: Identifier(at: now, using: &random), digest: String(repeating: "0", count: 64)),
      taken: now, widthPixels: 4000, heightPixels: 3000,
      stand: RepeatMeasure.Stand(
        coordinate: place, uncertaintyMetres95: 1.5, orientation: orientation), pose: .measured,
      camera: .assumed(widthPixels: 4000, heightPixels: 3000), maker: "ines", made: now)
  }
}
