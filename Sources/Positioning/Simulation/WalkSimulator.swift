import Foundation
import Geodesy
import TimeAndText

// An invented walk, for demonstrations and for tests: the sentences that a single-frequency
// receiver at 1 Hz would send for a person who walks, stands and goes around a field. White noise
// about the true place would be far too kind, because averaging removes it; real errors wander over
// minutes. They are two Ornstein–Uhlenbeck processes (one slow, one over seconds) and a little
// white noise. All its positions carry quality 8 (simulator) and mode S, so that they can never
// pass for real.

/// A simulator of a receiver's sentences; equal seeds give equal sentences.
public struct WalkSimulator: Sendable {
  /// A part of the walk. Places are metres east and north of the walk's origin.
  public enum Leg: Hashable, Sendable {
    /// Standing at the current place, seconds.
    case stand(seconds: Int)
    /// Walking straight to a place, at a speed in metres a second.
    case walk(to: PlanePoint, metresPerSecond: Double)
  }

  /// Size of the slow wandering (180 s), one standard deviation of each axis, metres.
  public var slowSigmaMetres = 0.7
  /// Size of the faster wandering (8 s), one standard deviation of each axis, metres.
  public var fastSigmaMetres = 0.10
  /// Size of the white noise, one standard deviation of each axis, metres.
  public var whiteSigmaMetres = 0.03

  private let plane: LocalPlane
  private let start: DeviceTime
  private let legs: [Leg]
  private var random: SeededGenerator

  /// Creates a simulator of one walk.
  /// - Parameters:
  ///   - origin: the place from which east and north count, and where the walk begins.
  ///   - start: the time of the first epoch.
  ///   - legs: the parts of the walk, in order.
  ///   - seed: the start of the random numbers; equal seeds give equal bytes.
  public init(origin: Coordinate, start: DeviceTime, legs: [Leg], seed: UInt64) {
    plane = LocalPlane(origin: origin)
    self.start = start
    self.legs = legs
    random = SeededGenerator(seed: seed)
  }

  /// The true places, one for each second of the walk.
  public var truePlaces: [PlanePoint] {
    var here = PlanePoint(eastMetres: 0, northMetres: 0)
    var places: [PlanePoint] = []
    for leg in legs {
      switch leg {
      case .stand(let seconds): places += Array(repeating: here, count: max(0, seconds))
      case .walk(let goal, let speed):
        let east = goal.eastMetres - here.eastMetres
        let north = goal.northMetres - here.northMetres
        let distance = hypot(east, north)
        let steps = max(1, Int((distance / max(0.05, speed)).rounded(.up)))
        for step in 1...steps {
          let part = Double(step) / Double(steps)
          places.append(
            PlanePoint(
              eastMetres: here.eastMetres + east * part,
              northMetres: here.northMetres + north * part))
        }
        here = goal
      }
    }
    return places
  }

  /// Returns all epochs of the walk: the sentences of each second in the order of a common
  /// receiver.
  public func epochs() -> [[UInt8]] {
    var random = random
    let places = truePlaces
    var slow = (east: 0.0, north: 0.0)
    var fast = (east: 0.0, north: 0.0)
    slow.east = Self.normal(&random) * slowSigmaMetres
    slow.north = Self.normal(&random) * slowSigmaMetres
    var lastStep = (east: 0.0, north: 0.0)
    return places.indices.map { index in
      func wander(_ value: Double, sigma: Double, seconds: Double) -> Double {
        let keep = exp(-1 / seconds)
        return value * keep + Self.normal(&random) * sigma * (1 - keep * keep).squareRoot()
      }
      slow.east = wander(slow.east, sigma: slowSigmaMetres, seconds: 180)
      slow.north = wander(slow.north, sigma: slowSigmaMetres, seconds: 180)
      fast.east = wander(fast.east, sigma: fastSigmaMetres, seconds: 8)
      fast.north = wander(fast.north, sigma: fastSigmaMetres, seconds: 8)
      let place = places[index]
      if index > 0 {
        lastStep = (
          place.eastMetres - places[index - 1].eastMetres,
          place.northMetres - places[index - 1].northMetres
        )
      }
      let heard = plane.coordinate(
        of: PlanePoint(
          eastMetres: place.eastMetres + slow.east + fast.east
            + Self.normal(&random) * whiteSigmaMetres,
          northMetres: place.northMetres + slow.north + fast.north
            + Self.normal(&random) * whiteSigmaMetres))
      let doppler = (
        east: lastStep.east + Self.normal(&random) * 0.03,
        north: lastStep.north + Self.normal(&random) * 0.03
      )
      let height = 231.4 + 1.5 * slow.east
      return sentences(
        index: index, coordinate: heard, velocity: doppler, meanSeaLevelHeightMetres: height)
    }
  }

  private func sentences(
    index: Int, coordinate: Coordinate, velocity: (east: Double, north: Double),
    meanSeaLevelHeightMetres: Double
  ) -> [UInt8] {
    let time = start.advanced(bySeconds: Double(index)).gnssTime
    let clock = time.timeOfDay.filter { $0 != ":" }.dropLast(1)
    let (year, month, day) = (time.date ?? CivilDate(daysSince1970: 0)).components
    let date = padded(day, 2) + padded(month, 2) + padded(year % 100, 2)
    let latitude = Self.angle(coordinate.latitudeDegrees, width: 2, signs: ("N", "S"))
    let longitude = Self.angle(coordinate.longitudeDegrees, width: 3, signs: ("E", "W"))
    let knots = DecimalText.fixed(hypot(velocity.east, velocity.north) * 3600 / 1852, places: 3)
    var course = atan2(velocity.east, velocity.north) * 180 / .pi
    if course < 0 { course += 360 }
    let courseText = DecimalText.fixed(course >= 359.995 ? 0 : course, places: 2)
    let height = DecimalText.fixed(meanSeaLevelHeightMetres, places: 2)
    let sigma = DecimalText.fixed(
      (slowSigmaMetres * slowSigmaMetres + fastSigmaMetres * fastSigmaMetres).squareRoot(),
      places: 2)
    var lines = [
      "GNRMC,\(clock),A,\(latitude),\(longitude),\(knots),\(courseText),\(date),,,S",
      "GNGGA,\(clock),\(latitude),\(longitude),8,11,0.90,\(height),M,44.60,M,,",
      "GNGSA,A,3,02,05,07,13,15,30,,,,,,,1.70,0.90,1.44,1",
      "GNGSA,A,3,04,11,19,27,36,,,,,,,,1.70,0.90,1.44,3",
      "GNGST,\(clock),,\(sigma),\(sigma),0.0,\(sigma),\(sigma),1.80",
    ]
    if index % 5 == 0 {
      lines.insert("GPGSV,2,1,06,02,63,098,44,05,41,204,42,07,22,051,38,13,55,291,43", at: 4)
      lines.insert("GPGSV,2,2,06,15,33,153,40,30,18,312,36", at: 5)
      lines.insert("GAGSV,2,1,05,04,47,070,42,11,28,240,39,19,66,180,45,27,35,320,41", at: 6)
      lines.insert("GAGSV,2,2,05,36,15,120,35", at: 7)
    }
    return lines.flatMap(Self.framed)
  }

  /// Returns a sentence with `$` before it and its checksum and line end after it.
  static func framed(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r\n".utf8)
  }

  private static func angle(_ degrees: Double, width: Int, signs: (String, String)) -> String {
    let total = (abs(degrees) * 60 * 1e7).rounded()
    let whole = Int(total) / 600_000_000
    let minutes = Int(total) % 600_000_000
    return padded(whole, width) + padded(minutes / 10_000_000, 2) + "."
      + padded(minutes % 10_000_000, 7) + "," + (degrees < 0 ? signs.1 : signs.0)
  }

  /// Returns a normal random number made of two uniform ones (Box and Muller, 1958).
  private static func normal(_ random: inout SeededGenerator) -> Double {
    let first = Double.random(in: 0x1p-53..<1, using: &random)
    let second = Double.random(in: 0..<1, using: &random)
    return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
  }
}
