import Foundation
import TimeAndText

/// The reason why a file of orbits cannot be used.
public enum NavigationFileError: Error, Hashable, CustomStringConvertible {
  /// The file is no RINEX navigation file of version 3 or 4.
  case notNavigation
  /// The file is a navigation file, but holds no orbit that can be read.
  case empty

  /// The message for people: the fault and what to do.
  public var description: String {
    switch self {
    case .notNavigation:
      "no RINEX navigation file of version 3 or 4: take a broadcast file such as BRDC….rnx"
    case .empty: "a RINEX navigation file without an orbit that can be read"
    }
  }
}

/// The orbits in a RINEX navigation file of version 3 or 4, as receivers and services write them.
/// Source: IGS/RTCM, RINEX 3.05 (sections 5 and A) and 4.01.
public struct NavigationFile: Sendable {
  /// The broadcasts in the file's order.
  public let orbits: [SatelliteOrbit]
  /// Number of broadcasts that could not be read, or are of kinds that are not orbits.
  public let unread: Int

  /// The number of orbits that are kept: more than all satellites in the world broadcast in a day.
  private static let limit = 100_000

  /// Reads a whole file.
  /// - Throws: `notNavigation` if the bytes are no such file, `empty` if no orbit can be read.
  public init(_ bytes: [UInt8]) throws(NavigationFileError) {
    var orbits: [SatelliteOrbit] = []
    var unread = 0
    var isBody = false
    var isKnown = true
    var record: Record?
    var number = 0
    func close() {
      guard let record else { return }
      if let orbit = record.orbit, orbits.count < Self.limit {
        orbits.append(orbit)
      } else {
        unread += 1
      }
    }
    var lines = OrbitLines(bytes)
    while let line = lines.next() {
      number += 1
      let text = String(decoding: line.prefix(200), as: UTF8.self)
      guard isBody else {
        if number == 1, !Self.isNavigation(text) { throw .notNavigation }
        isBody = text.contains("END OF HEADER")
        continue
      }
      if text.hasPrefix(" ") {
        record?.add(text)
      } else {
        close()
        if text.hasPrefix(">") {
          // Version 4 announces each record. Some records are no orbits, and some are orbits of
          // newer messages with other fields.
          record = nil
          isKnown =
            Self.messages.contains(
              text.split(separator: " ").last.map(String.init) ?? "") && text.hasPrefix("> EPH")
        } else if isKnown {
          record = Record(text)
        } else {
          record = nil
          unread += 1
        }
      }
    }
    close()
    if lines.isCutOff { unread += 1 }
    guard number > 0 else { throw .notNavigation }
    guard !orbits.isEmpty else { throw .empty }
    self.orbits = orbits
    self.unread = unread
  }

  /// The messages whose orbits have the fields of version 3.
  private static let messages: Set = ["LNAV", "INAV", "FNAV", "D1", "D2", "FDMA", "SBAS"]

  private static func isNavigation(_ line: String) -> Bool {
    let version = line.prefix(20).trimmingCharacters(in: .whitespaces)
    return line.contains("RINEX VERSION / TYPE") && line.dropFirst(20).first == "N"
      && (version.hasPrefix("3") || version.hasPrefix("4"))
  }
}

/// A broadcast: its first line and the numbers of the lines that follow.
private struct Record {
  private var system: Character
  private var satellite: Int
  private var clock: DeviceTime
  private var values: [Double?] = []

  init?(_ line: String) {
    guard let system = line.first, let satellite = Int(Self.column(line, 1, 2)),
      (1...99).contains(satellite),
      let clock = Self.time(line)
    else { return nil }
    self.system = system
    self.satellite = satellite
    self.clock = clock
    for column in 0..<3 { values.append(Self.number(line, 23 + 19 * column)) }
  }

  mutating func add(_ line: String) {
    guard values.count < 64 else { return }
    for column in 0..<4 { values.append(Self.number(line, 4 + 19 * column)) }
  }

  var orbit: SatelliteOrbit? {
    switch system {
    case "G": kepler(.gps, satellite, ahead: Self.leapSeconds)
    case "E": kepler(.galileo, satellite, ahead: Self.leapSeconds)
    case "C": kepler(.beiDou, satellite, ahead: Self.leapSeconds - 14)
    case "J": kepler(.qzss, satellite, ahead: Self.leapSeconds)
    case "I": kepler(.navIC, satellite, ahead: Self.leapSeconds)
    case "R": told(.glonass, satellite + 64)
    case "S": told(.sbas, satellite + 13)
    default: nil
    }
  }

  /// Seconds that GPS time is ahead of UTC, since 2017 and until further notice: they move a
  /// satellite by a sixth of a degree.
  private static let leapSeconds = 18.0
  private static let week = 604_800.0

  /// Returns the orbit of Kepler elements; nil if a number is missing or out of range.
  /// - Parameter ahead: the seconds that the constellation's time is ahead of UTC.
  private func kepler(
    _ constellation: Constellation, _ id: Int, ahead: Double
  ) -> SatelliteOrbit? {
    guard values.count >= 20, let difference = values[5], let mean = values[6],
      let eccentricity = values[8], (0..<0.9).contains(eccentricity), let root = values[10],
      (4000...8000).contains(root), let seconds = values[11], (0...Self.week).contains(seconds),
      let node = values[13], let inclination = values[15], let perigee = values[17],
      let nodeRate = values[18], let inclinationRate = values[19]
    else { return nil }
    let elements = KeplerElements(
      semiMajorAxisMetres: root * root, eccentricity: eccentricity, inclination: inclination,
      inclinationRate: inclinationRate, nodeAtWeek: node, nodeRate: nodeRate, perigee: perigee,
      meanAnomaly: mean, meanMotionDifference: difference, secondsOfWeek: seconds,
      isLeaning: constellation == .beiDou && (id <= 5 || id >= 59))
    // The difference between the orbit's second of the week and the clock's, by the shorter way:
    // the week began on a Sunday.
    let clockSeconds =
      (Double(clock.millisecondsSince1970) / 1000 - 3 * 86_400)
      .truncatingRemainder(dividingBy: Self.week)
    let step = (seconds - clockSeconds).remainder(dividingBy: Self.week)
    return SatelliteOrbit(
      constellation: constellation, id: id,
      reference: clock.advanced(bySeconds: step - ahead), motion: .kepler(elements))
  }

  /// Returns the orbit of place and velocity in kilometres, as GLONASS (in UTC) and SBAS (in GPS
  /// time) tell them; nil if a number is missing or out of range.
  private func told(_ constellation: Constellation, _ id: Int) -> SatelliteOrbit? {
    guard values.count >= 15, let x = values[3], let y = values[7], let z = values[11],
      let velocityX = values[4], let velocityY = values[8], let velocityZ = values[12]
    else { return nil }
    let place = SpacePoint(x: x * 1000, y: y * 1000, z: z * 1000)
    guard place.length > 1e7, place.length < 1e8 else { return nil }
    guard constellation != .sbas else {
      return SatelliteOrbit(
        constellation: constellation, id: id, reference: clock, motion: .fixed(place))
    }
    guard
      let elements = KeplerElements(
        place: place,
        velocity: SpacePoint(x: velocityX * 1000, y: velocityY * 1000, z: velocityZ * 1000))
    else { return nil }
    return SatelliteOrbit(
      constellation: constellation, id: id, reference: clock, motion: .kepler(elements))
  }

  // MARK: columns

  private static func column(_ line: String, _ start: Int, _ width: Int) -> String {
    String(line.dropFirst(start).prefix(width)).trimmingCharacters(in: .whitespaces)
  }

  /// Reads a number of 19 columns; nil for anything else. Fortran writes exponents with a D.
  private static func number(_ line: String, _ start: Int) -> Double? {
    let text = column(line, start, 19).replacingOccurrences(of: "D", with: "E")
      .replacingOccurrences(of: "d", with: "E")
    guard let value = Double(text), value.isFinite, abs(value) < 1e15 else { return nil }
    return value
  }

  private static func time(_ line: String) -> DeviceTime? {
    func part(_ start: Int, _ width: Int, _ range: ClosedRange<Int>) -> Int? {
      guard let value = Int(column(line, start, width)), range.contains(value) else { return nil }
      return value
    }
    guard let year = part(4, 4, 1980...2200), let month = part(9, 2, 1...12),
      let day = part(12, 2, 1...31), let hour = part(15, 2, 0...23),
      let minute = part(18, 2, 0...59), let second = part(21, 2, 0...60),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let seconds = Int64(date.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    return DeviceTime(millisecondsSince1970: seconds * 1000)
  }
}
