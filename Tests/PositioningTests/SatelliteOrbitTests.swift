import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Stored orbits")
struct SatelliteOrbitTests {
  /// An orbit that a test gives to this program and to another one.
  private struct Told: Encodable {
    var axis: Double
    var eccentricity: Double
    var inclination: Double
    /// The node's angle from Greenwich at the epoch.
    var node: Double
    var perigee: Double
    var anomaly: Double
    /// The epoch in seconds since 1970, UTC.
    var epoch: Double
  }

  private struct Question: Encodable {
    var satellites: [Told]
    var times: [Double]
    var observer: [Double]
  }

  private struct Answer: Decodable {
    var place: [Double]
    var velocity: [Double]
    var directions: [[Double]]
  }

  private static let header = """
         3.05           N: GNSS NAV DATA    M: MIXED            RINEX VERSION / TYPE
                                                                END OF HEADER

    """

  private func field(_ value: Double) -> String {
    let text = String(format: "%.12E", value).replacingOccurrences(of: "E", with: "D")
    return String(repeating: " ", count: max(0, 19 - text.count)) + text
  }

  /// Writes a name and a time such as `G07 2026 06 01 10 00 00` with three numbers, then four in
  /// each line.
  private func record(_ name: String, _ calendar: String, _ numbers: [Double]) -> String {
    var text = "\(name) \(calendar)" + (0..<3).map { _ in field(0) }.joined() + "\n"
    for start in stride(from: 0, to: numbers.count, by: 4) {
      text +=
        "    " + numbers[start..<min(start + 4, numbers.count)].map(field).joined() + "\n"
    }
    return text
  }

  /// Returns the broadcast of a satellite with Kepler's elements; the flattening turns its node.
  private func broadcast(
    _ name: String, _ told: Told, calendar: String, secondsOfWeek: Double
  ) -> String {
    let motion = (3.986_005e14 / pow(told.axis, 3)).squareRoot()
    let rate = -1.5 * 1.082_63e-3 * pow(6_378_137 / told.axis, 2) * motion * cos(told.inclination)
    let node = (told.node + 7.292_115e-5 * secondsOfWeek).remainder(dividingBy: 2 * .pi)
    return record(
      name, calendar,
      [
        0, 0, 0, told.anomaly, 0, told.eccentricity, 0, told.axis.squareRoot(), secondsOfWeek, 0,
        node, 0, told.inclination, 0, told.perigee, rate, 0, 0, 2000, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      ])
  }

  private func turn(_ first: Double, _ second: Double) -> Double {
    abs((first - second).remainder(dividingBy: 360))
  }

  @Test(
    "They stand where SGP4 has them, to a fraction of a degree within a day",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func agreement() async throws {
    var generator = SeededGenerator(seed: 9)
    // 2026-06-01T10:00:00 of GPS time is a Monday: 122,400 s of the week, 18 s ahead of UTC.
    let epoch = try #require(DeviceTime(rfc3339: "2026-06-01T09:59:42Z"))
    let unix = Double(epoch.millisecondsSince1970) / 1000
    let names: [String] = (1...6).flatMap {
      ["G0\($0)", "E0\($0)", "C3\($0)", "J0\($0)", "I0\($0)"]
    }
    let satellites = names.map { name in
      let isHigh = name.hasPrefix("J") || name.hasPrefix("I")
      return Told(
        axis: isHigh ? 42_164_000 : name.hasPrefix("G") ? 26_560_000 : 29_600_000,
        eccentricity: name.hasPrefix("J") ? 0.075 : Double.random(in: 0...0.02, using: &generator),
        inclination: Double.random(in: isHigh ? 0.5...0.8 : 0.9...1.0, using: &generator),
        node: Double.random(in: 0..<(2 * .pi), using: &generator),
        perigee: Double.random(in: 0..<(2 * .pi), using: &generator),
        anomaly: Double.random(in: 0..<(2 * .pi), using: &generator),
        epoch: name.hasPrefix("C") ? unix + 14 : unix)
    }
    let times = [0.0, 600, 3600, 21_600, 86_400].map { unix + $0 }
    for observer in [[50.1, 14.4], [-41.3, -174.9], [0.0, 180.0], [89.9, 10]] {
      let question = Question(satellites: satellites, times: times, observer: observer)
      let outcome = try await PythonTools.run(
        "Orbits/sgp4_sky.py", input: try JSONEncoder().encode(question))
      try #require(outcome.status == 0, "\(outcome.errors)")
      let answers = try JSONDecoder().decode([Answer].self, from: Data(outcome.output.utf8))
      var text = Self.header
      for (name, told) in zip(names, satellites) {
        text += broadcast(
          name, told, calendar: "2026 06 01 10 00 00", secondsOfWeek: 122_400)
      }
      for (index, answer) in answers.prefix(6).enumerated() {
        // Some of the satellites come once more as GLONASS sends them: kilometres, with their
        // rates.
        let place = answer.place.map { $0 / 1000 }
        let velocity = answer.velocity.map { $0 / 1000 }
        let numbers: [Double] = (0..<3).flatMap { axis in [place[axis], velocity[axis], 0, 0] }
        text += record(
          "R0\(index + 1)", index == 2 ? "2026 06 01 09 59 56" : "2026 06 01 09 59 42", numbers)
      }
      let file = try NavigationFile(Array(text.utf8))
      try #require(file.orbits.count == names.count + 6)
      #expect(file.unread == 0)
      let here = try place(observer[0], observer[1])
      var worst = 0.0
      for (index, orbit) in file.orbits.enumerated() {
        let answer = answers[index < names.count ? index : index - names.count]
        for (time, direction) in zip(times, answer.directions) {
          let ours = try #require(
            orbit.direction(
              at: DeviceTime(millisecondsSince1970: Int64((time * 1000).rounded())), from: here))
          let elevation = abs(ours.elevationDegrees - direction[0])
          // Near the zenith the azimuth is worth little.
          let azimuth =
            turn(ours.azimuthDegrees, direction[1]) * cos(direction[0] * .pi / 180)
          let limit = time - unix > 30_000 ? 0.4 : 0.15
          #expect(elevation < limit, "\(index) after \(time - unix) s")
          #expect(azimuth < limit, "\(index) after \(time - unix) s")
          worst = max(worst, elevation, azimuth)
        }
      }
      print("stored orbits at \(observer): at the most \(worst)° from SGP4")
    }
  }

  @Test("What stands above the horizon is listed once, highest first, by its newest broadcast")
  func expected() throws {
    let told = Told(
      axis: 42_164_000, eccentricity: 0, inclination: 0, node: 0.25, perigee: 0, anomaly: 0,
      epoch: 0)
    var text = Self.header
    // The satellite is over 0.25 rad east; a message of ten days before has it over 1.25.
    for (calendar, week) in [("2026 05 22 10 00 00", 468_000.0), ("2026 06 01 10 00 00", 122_400)] {
      var orbit = told
      orbit.node = week == 122_400 ? 0.25 : 1.25
      text += broadcast("I03", orbit, calendar: calendar, secondsOfWeek: week)
    }
    // The file also has EGNOS over 15.5° west, a satellite below the horizon, and kinds and lines
    // that are none.
    text += record(
      "S36", "2026 06 01 10 00 00",
      [40_630, 0, 0, 0, -11_268, 0, 0, 0, 0, 0, 0, 0])
    var below = told
    below.node = 0.25 + .pi
    text += broadcast("I04", below, calendar: "2026 06 01 10 00 00", secondsOfWeek: 122_400)
    // A newer kind of message has its fields elsewhere.
    text += "> EPH I05 CNAV\n"
    text += broadcast("I05", told, calendar: "2026 06 01 10 00 00", secondsOfWeek: 122_400)
    text += "> EPH I06 LNAV\n"
    text += broadcast("I06", below, calendar: "2026 06 01 10 00 00", secondsOfWeek: 122_400)
    text += "> STO G01\n    1.0\nX01 2026 06 01 10 00 00\nG99\nG01 2026 13 01 10 00 00\n    0\n"
    let file = try NavigationFile(Array(text.utf8))
    #expect(file.orbits.count == 5)
    #expect(file.unread >= 2)
    let time = try #require(DeviceTime(rfc3339: "2026-06-01T10:00:00Z"))
    let here = try place(0, 0.25 * 180 / .pi)
    let sky = SatelliteOrbit.expected(file.orbits, at: time, from: here)
    #expect(sky.map(\.constellation) == [.navIC, .sbas])
    #expect(sky.map(\.id) == [3, 49])
    #expect((sky.first?.elevationDegrees ?? 0) > 89)
    #expect(abs((sky.last?.azimuthDegrees ?? 0) - 270) < 0.01, "due west along the equator")
    #expect(sky.allSatisfy { !$0.isUsed && $0.carrierToNoiseDecibelHertz == nil })
  }

  @Test("BeiDou's geostationary satellites stay where they are, in spite of the leaning frame")
  func leaning() throws {
    // An orbit of five degrees in a frame that leans by five lies in the equator, or leans by ten.
    for (node, isSteady) in [(Double.pi, true), (0, false)] {
      let told = Told(
        axis: 42_164_170, eccentricity: 0, inclination: 5 * .pi / 180, node: node, perigee: 0,
        anomaly: -node + 2, epoch: 0)
      let text =
        Self.header
        + broadcast("C01", told, calendar: "2026 06 01 10 00 00", secondsOfWeek: 122_400)
      let orbit = try #require(try NavigationFile(Array(text.utf8)).orbits.first)
      let time = try #require(DeviceTime(rfc3339: "2026-06-01T10:00:00Z"))
      let here = try place(40, 2 * 180 / .pi)
      let elevations = try (0..<24).map {
        try #require(
          orbit.direction(at: time.advanced(bySeconds: Double($0) * 3600), from: here)
        ).elevationDegrees
      }
      let spread = (elevations.max() ?? 0) - (elevations.min() ?? 0)
      #expect(isSteady ? spread < 0.5 : spread > 10, "\(elevations)")
    }
  }

  @Test("Other files are refused in words, and damaged ones give what is sound, or nothing")
  func hostile() throws {
    for text in ["", "\n", "hello", "     2.11           N: GPS NAV DATA   RINEX VERSION / TYPE"] {
      #expect(throws: NavigationFileError.notNavigation) { try NavigationFile(Array(text.utf8)) }
    }
    #expect(throws: NavigationFileError.empty) { try NavigationFile(Array(Self.header.utf8)) }
    let told = Told(
      axis: 26_560_000, eccentricity: 0.01, inclination: 0.95, node: 1, perigee: 1, anomaly: 1,
      epoch: 0)
    let sound = Array(
      (Self.header + broadcast("G05", told, calendar: "2026 06 01 10 00 00", secondsOfWeek: 122_400)
        + record("R05", "2026 06 01 10 00 00", [10_000, 1, 0, 0, 20_000, 2, 0, 0, 9000, 3, 0, 0]))
        .utf8)
    let time = DeviceTime(millisecondsSince1970: 1_780_300_000_000)
    let here = try place(50, 14)
    try forEachSeed(0..<400) { seed, generator in
      var bytes = sound
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        bytes[Int.random(in: 150..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      guard let file = try? NavigationFile(bytes) else { return }
      for satellite in SatelliteOrbit.expected(file.orbits, at: time, from: here) {
        let elevation = try #require(satellite.elevationDegrees)
        let azimuth = try #require(satellite.azimuthDegrees)
        #expect((0...90).contains(elevation) && (0..<360).contains(azimuth), "seed \(seed)")
      }
    }
  }
}
