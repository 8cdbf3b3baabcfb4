import Foundation
import Geodesy
import TestSupport
import Testing
import TimeAndText

@testable import Positioning

@Suite("Files of orbits")
struct OrbitFileTests {
  private static func summed(_ line: String) -> String {
    let sum = line.utf8.reduce(0) { sum, byte in
      (0x30...0x39).contains(byte) ? sum + Int(byte - 0x30) : byte == 0x2D ? sum + 1 : sum
    }
    return line + "\(sum % 10)"
  }

  /// Returns three lines of a satellite twenty thousand kilometres up.
  static func elements(
    _ name: String, number: String = "20001", day: String = "26152.41666667", anomaly: Double = 10,
    inclination: Double = 55, node: Double = 100, revolutions: Double = 2.0056
  ) -> String {
    let first = "1 \(number)U 20001A   \(day)  .00000000  00000-0  00000-0 0  999"
    let second = String(
      format: "2 \(number) %8.4f %8.4f 0010000  30.0000 %8.4f %11.8f    1", inclination, node,
      anomaly, revolutions)
    return "\(name)\n\(summed(first))\n\(summed(second))\n"
  }

  /// 2026-06-01T10:00:00Z.
  private static let now = DeviceTime(millisecondsSince1970: 1_780_308_000_000)

  @Test("Names above two-line elements tell which navigation satellite it is, or nothing")
  func names() {
    let known: [(String, Constellation, Int)] = [
      ("GPS BIIF-3  (PRN 24)", .gps, 24), ("GPS BIII-1 (PRN 04)    ", .gps, 4),
      ("NAVSTAR 43 (PRN 13)", .gps, 13), ("GSAT0101 (PRN E11)", .galileo, 11),
      ("GALILEO-17 (GSAT0210, PRN E13)", .galileo, 13), ("GSAT0210 (GALILEO 13)", .galileo, 1),
      ("COSMOS 2456 (730)", .glonass, 65), ("COSMOS 2501 (702K)", .glonass, 73),
      ("BEIDOU-3 M1 (C19)", .beiDou, 19), ("BEIDOU-2 G7 (C03)", .beiDou, 3),
      ("QZS-2 (QZSS/PRN 194)", .qzss, 2), ("ASTRA 5B (EGNOS/PRN 123)", .sbas, 36),
      ("GALAXY 30 (WAAS/PRN 135)", .sbas, 48), ("IRNSS-1B", .navIC, 2), ("NVS-01", .navIC, 10),
      ("0 GPS BIIR-2 (PRN 13)", .gps, 13), ("gps biir-2 (prn 13)", .gps, 13),
    ]
    for (name, constellation, id) in known {
      let found = SatelliteName.satellite(named: name)
      #expect(found?.constellation == constellation && found?.id == id, "\(name)")
    }
    for name in [
      "ISS (ZARYA)", "STARLINK-1007", "COSMOS 2433 (999)", "COSMOS 1408 DEB", "", "(PRN 24)",
      "GPS (PRN 0)", "GPS (PRN 99999999999999999999)", "BEIDOU-3 (C99)", "GSAT9999", "GSAT",
      "COSMOS (", "PRN", "GSAT99999999999999999999",
    ] {
      #expect(SatelliteName.satellite(named: name) == nil, "\(name)")
    }
  }

  @Test("Whatever scheme a receiver counts by, a satellite has one name")
  func designations() {
    let ids: [(Constellation, [Int], String)] = [
      (.gps, [7], "G07"), (.glonass, [65, 1], "R01"), (.galileo, [13, 313], "E13"),
      (.beiDou, [19, 219, 419], "C19"), (.qzss, [2, 194], "J02"), (.navIC, [3, 503], "I03"),
      (.sbas, [49, 136], "S36"),
    ]
    for (constellation, schemes, name) in ids {
      for id in schemes {
        let satellite = Satellite(
          constellation: constellation, id: id, elevationDegrees: nil, azimuthDegrees: nil,
          carrierToNoiseDecibelHertz: nil, isUsed: false)
        #expect(satellite.designation == name, "\(id)")
      }
    }
  }

  @Test("Each kind is known by its bytes, and what is passed over or unread is counted")
  func kinds() throws {
    let text =
      Self.elements("GPS BIIF-3  (PRN 24)") + Self.elements("ISS (ZARYA)")
      + Self.elements("GSAT0210 (GALILEO 13)").replacing("55.0000", with: "55.0001")
      + "BEIDOU-3 M1 (C19)\n1 lonely line\n"
    let file = try OrbitFile(Array(text.replacing("\n", with: "\r\n").utf8), near: Self.now)
    #expect(file.kind == .elements)
    #expect(file.orbits.map(\.constellation) == [.gps] && file.orbits.map(\.id) == [24])
    #expect(file.passedOver == 1, "the space station")
    #expect(file.unread == 1, "a wrong checksum")
    #expect(file.orbits.first?.reference.rfc3339 == "2026-06-01T10:00:00.000Z")
    let almanac = try OrbitFile(
      Array(
        (AlmanacText.yuma(week: 2421) + AlmanacText.yuma(week: 373, id: 8)
          + AlmanacText.yuma(week: 1, id: 99)).utf8),
      near: Self.now)
    #expect(almanac.kind == .almanac)
    #expect(almanac.orbits.map(\.id) == [7, 8])
    #expect(almanac.unread == 1)
    // Week 373 is 2421 without two turns of its ten bits.
    for orbit in almanac.orbits {
      #expect(orbit.reference.rfc3339 == "2026-06-01T09:59:42.000Z" && orbit.kind == .almanac)
    }
  }

  @Test("What is no file of orbits is refused with the reason")
  func refused() {
    func refusal(_ bytes: [UInt8]) -> OrbitFileError? {
      do throws(OrbitFileError) {
        _ = try OrbitFile(bytes, near: Self.now)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal([]) == .notOrbits)
    #expect(refusal(Array("hello\n".utf8)) == .notOrbits)
    #expect(refusal([0x1F, 0x8B, 8, 0]) == .packed)
    #expect(
      refusal(Array(Self.elements("ISS (ZARYA)").utf8)) == .noNavigationSatellites(passedOver: 1))
    let two = Self.elements("x").split(separator: "\n").dropFirst().joined(separator: "\n")
    #expect(
      refusal(Array(two.utf8)) == .noNavigationSatellites(passedOver: 1), "no name, no number")
    #expect(
      refusal(Array(Self.elements("GPS (PRN 24)").replacing("55.0000", with: "5x.0000").utf8))
        == .empty(.elements))
    #expect(refusal(Array(AlmanacText.yuma(week: 1, id: 99).utf8)) == .empty(.almanac))
  }

  @Test("An almanac and elements of one orbit put the satellite in the same place")
  func agreement() throws {
    // Both have the same ellipse; the almanac counts its node from Greenwich at the week's
    // beginning.
    let time = try #require(DeviceTime(rfc3339: "2026-06-01T09:59:42Z"))
    let almanac = try #require(
      try OrbitFile(Array(AlmanacText.yuma(week: 2421).utf8), near: Self.now).orbits.first)
    let node = 1 - 7.292_115e-5 * 122_400
    let angle = EarthRotation.greenwichSiderealTime(
      day: 0, fraction: Double(time.millisecondsSince1970) / 86_400_000)
    let axis = 5153.6 * 5153.6
    let revolutions = (3.986_005e14 / (axis * axis * axis)).squareRoot() * 86_400 / (2 * .pi)
    func degrees(_ radians: Double) -> Double {
      let angle = (radians * 180 / .pi).truncatingRemainder(dividingBy: 360)
      return angle < 0 ? angle + 360 : angle
    }
    let first = "1 20001U 20001A   26152.41645833  .00000000  00000-0  00000-0 0  999"
    let second = String(
      format: "2 20001 %8.4f %8.4f 0012346 %8.4f %8.4f %11.8f    1", degrees(0.959_931_088_6),
      degrees(node + angle), degrees(0.5), degrees(2), revolutions)
    let text = "GPS (PRN 07)\n\(Self.summed(first))\n\(Self.summed(second))\n"
    let elements = try #require(
      try OrbitFile(Array(text.utf8), near: Self.now).orbits.first)
    for (latitude, longitude) in [(50.0, 14.0), (-30, 150), (0, -75)] {
      let here = try place(latitude, longitude)
      for hours in [0.0, 6, 24] {
        let then = time.advanced(bySeconds: hours * 3600)
        let one = try #require(almanac.direction(at: then, from: here))
        let other = try #require(elements.direction(at: then, from: here))
        let turn = (one.azimuthDegrees - other.azimuthDegrees).remainder(dividingBy: 360)
        #expect(abs(one.elevationDegrees - other.elevationDegrees) < 0.3, "after \(hours) h")
        #expect(abs(turn) * cos(one.elevationDegrees * .pi / 180) < 0.3, "after \(hours) h")
      }
    }
  }

  @Test("Of several orbits of a satellite the nearest in time counts, and none beyond thirty days")
  func freshest() throws {
    let text =
      Self.elements("GPS (PRN 24)", day: "26122.00000000")
      + Self.elements("GPS (PRN 24)", day: "26150.00000000")
      + Self.elements("GPS (PRN 25)", day: "26110.00000000")
    let orbits = try OrbitFile(Array(text.utf8), near: Self.now).orbits
    let current = SatelliteOrbit.current(orbits, at: Self.now)
    #expect(current.map(\.id) == [24])
    #expect(current.first?.reference.rfc3339 == "2026-05-30T00:00:00.000Z")
    #expect(SatelliteOrbit.nearest(orbits, to: Self.now).count == 2)
    // No orbit is current at times far away.
    for time in [Int64.min, Int64.max, 0] {
      #expect(
        SatelliteOrbit.current(orbits, at: DeviceTime(millisecondsSince1970: time)).isEmpty)
    }
  }

  @Test("Lines are walked one by one, as splitting finds them, and only so many of them")
  func lines() throws {
    func walked(_ bytes: [UInt8], limit: Int) -> (lines: [[UInt8]], isCutOff: Bool) {
      var lines = OrbitLines(bytes, limit: limit)
      var found: [[UInt8]] = []
      while let line = lines.next() { found.append(Array(line)) }
      return (found, lines.isCutOff)
    }
    forEachSeed(0..<200) { seed, generator in
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        [0x0A, 0x0D, 0x41, 0x42][Int.random(in: 0..<4, using: &generator)] as UInt8
      }
      let split = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { Array($0) }
      let all = walked(bytes, limit: 100)
      #expect(all.lines == split && !all.isCutOff, "seed \(seed)")
      let some = walked(bytes, limit: 3)
      #expect(some.lines == Array(split.prefix(3)), "seed \(seed)")
      #expect(some.isCutOff == (split.count > 3), "seed \(seed)")
    }
    // Elements behind more lines than a file of orbits has are not looked for.
    let elements = Array(Self.elements("GPS (PRN 24)").utf8)
    let filling = [UInt8](repeating: 0, count: 2 * OrbitLines.limit).indices.map {
      $0.isMultiple(of: 2) ? 0x78 as UInt8 : 0x0A
    }
    #expect(throws: OrbitFileError.notOrbits) {
      try OrbitFile(filling + elements, near: Self.now)
    }
    let file = try OrbitFile(elements + filling, near: Self.now)
    #expect(file.orbits.count == 1 && file.unread == 1, "the rest counts as unread")
  }

  @Test("Hostile bytes give orbits that stand somewhere, or a reason")
  func hostile() throws {
    let sound = [
      Self.elements("GPS BIIF-3  (PRN 24)") + Self.elements("BEIDOU-3 M1 (C19)"),
      AlmanacText.yuma(week: 2421) + AlmanacText.yuma(week: 2421, id: 3),
    ].map { Array($0.utf8) }
    let here = try place(50, 14)
    try forEachSeed(0..<800) { seed, generator in
      var bytes = sound[Int(seed % 2)]
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        if Bool.random(using: &generator) {
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        } else {
          bytes.remove(at: index)
        }
      }
      guard let file = try? OrbitFile(bytes, near: Self.now) else { return }
      for satellite in SatelliteOrbit.expected(file.orbits, at: Self.now, from: here) {
        let elevation = try #require(satellite.elevationDegrees)
        let azimuth = try #require(satellite.azimuthDegrees)
        #expect((0...90).contains(elevation) && (0..<360).contains(azimuth), "seed \(seed)")
      }
    }
  }
}
