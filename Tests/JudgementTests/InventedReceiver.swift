import Foundation
import Geodesy
import TestSupport
import TimeAndText

@testable import Positioning

/// A receiver that a program invents: it makes the sentences that a person who wants to be somewhere
/// else would write, with more skill or less.
struct InventedReceiver {
  /// The sky that it tells.
  enum Sky {
    /// No satellites at all.
    case none
    /// Satellites at made-up directions.
    case invented
    /// The satellites of the right orbits, so many hours too early.
    case computed(hoursEarly: Double)
  }

  /// The numbers that it adds to positions and to the strengths of signals.
  enum Noise {
    /// Always the same.
    case none
    /// Drawn anew each second.
    case drawn(Double)
    /// Changing slowly, as a real receiver's.
    case slow(Double)
  }

  var sky: Sky
  var positions: Noise
  var signals: Noise
  var seconds = 34

  /// 2026-06-01T09:30:00Z.
  static let start = DeviceTime(millisecondsSince1970: 1_780_306_200_000)
  static let place: Coordinate = {
    guard let place = Coordinate(latitudeDegrees: 49.0839, longitudeDegrees: 16.6389) else {
      preconditionFailure("the place is on Earth")
    }
    return place
  }()

  /// The orbits of a made-up constellation of 32 satellites in six planes.
  static let orbits: [SatelliteOrbit] = {
    let almanac = (1...32).map { number -> String in
      let (plane, place) = (Double(number % 6), Double(number / 6))
      let anomaly: Double = place * 2 * Double.pi / 5.5 + plane * 0.6
      return AlmanacText.yuma(
        week: 2421, id: number, node: plane * Double.pi / 3, anomaly: anomaly)
    }
    guard let file = try? OrbitFile(Array(almanac.joined().utf8), near: start) else { return [] }
    return file.orbits
  }()

  /// A value that is constant, drawn, or changes slowly.
  private struct Wobble {
    let noise: Noise
    private var state = 0.0

    init(_ noise: Noise, _ random: inout SeededGenerator) {
      self.noise = noise
      if case .slow(let size) = noise { state = Self.normal(&random) * size }
    }

    /// Returns a normal number, by the method of Box and Muller.
    private static func normal(_ random: inout SeededGenerator) -> Double {
      let (first, second) = (
        Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random),
        Double.random(in: 0..<1, using: &random)
      )
      return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
    }

    mutating func next(_ random: inout SeededGenerator) -> Double {
      switch noise {
      case .none: return 0
      case .drawn(let size): return Self.normal(&random) * size
      case .slow(let size):
        state = 0.95 * state + Self.normal(&random) * size * 0.31
        return state
      }
    }
  }

  /// Returns what is read of its sentences: the fixes, and the skies second by second.
  func read(seed: UInt64) -> (fixes: [Fix], sky: SkyHistory) {
    var random = SeededGenerator(seed: seed)
    var pipeline = PositioningPipeline()
    var fixes: [Fix] = []
    var history = SkyHistory()
    var (east, north, up) = (
      Wobble(positions, &random), Wobble(positions, &random), Wobble(positions, &random)
    )
    let shown = satellites(&random)
    var strengths = shown.map { _ in Wobble(signals, &random) }
    for second in 0..<seconds {
      let text = sentences(
        second, (east.next(&random), north.next(&random), up.next(&random)), shown,
        strengths.indices.map { strengths[$0].next(&random) })
      var epoch: GNSSTime?
      pipeline.accept(
        Array(text.utf8), at: ElapsedTime(milliseconds: Int64(second) * 1000)
      ) { event in
        guard case .fix(let judged) = event else { return }
        epoch = judged.fix.time
        fixes.append(judged.fix)
      }
      if let epoch { history.add(pipeline.sky, at: epoch) }
    }
    return (fixes, history)
  }

  private func satellites(_ random: inout SeededGenerator) -> [Satellite] {
    switch sky {
    case .none: []
    case .invented:
      (1...10).map { number in
        Satellite(
          constellation: .gps, id: number * 3,
          elevationDegrees: Double.random(in: 10...80, using: &random),
          azimuthDegrees: Double.random(in: 0...359, using: &random),
          carrierToNoiseDecibelHertz: 42,
          isUsed: true)
      }
    case .computed(let hours):
      SatelliteOrbit.expected(
        Self.orbits,
        at: DeviceTime(
          millisecondsSince1970: Self.start.millisecondsSince1970 - Int64(hours * 3_600_000)),
        from: Self.place, aboveDegrees: 8
      ).prefix(12).map(\.self)
    }
  }

  private func sentences(
    _ second: Int, _ offset: (east: Double, north: Double, up: Double), _ shown: [Satellite],
    _ wobbles: [Double]
  ) -> String {
    let time = String(format: "09%02d%02d.00", 30 + second / 60, second % 60)
    let latitude = Self.place.latitudeDegrees + offset.north / 111_200
    let longitude =
      Self.place.longitudeDegrees
      + offset.east / (111_320 * cos(Self.place.latitudeDegrees * .pi / 180))
    func minutes(_ degrees: Double, _ width: Int) -> String {
      String(format: "%0\(width)d%010.7f", Int(degrees), (degrees - Double(Int(degrees))) * 60)
    }
    let (north, east) = (minutes(latitude, 2), minutes(longitude, 3))
    var lines = [
      "GPRMC,\(time),A,\(north),N,\(east),E,0.01,,010626,,,A",
      "GPGGA,\(time),\(north),N,\(east),E,1,\(max(6, shown.count)),0.9,"
        + String(format: "%.2f", 250 + offset.up) + ",M,44.0,M,,",
    ]
    if !shown.isEmpty {
      let ids = shown.prefix(12).map { "\($0.id)" } + Array(repeating: "", count: 12)
      lines.append("GPGSA,A,3,\(ids.prefix(12).joined(separator: ",")),1.5,0.9,1.2")
      let parts = (shown.count + 3) / 4
      for part in 0..<parts {
        let groups = (part * 4..<min(part * 4 + 4, shown.count)).map { index in
          let one = shown[index]
          let elevation = one.elevationDegrees ?? 0
          let strength = max(20, min(55, (30 + elevation / 5 + wobbles[index]).rounded()))
          return
            "\(one.id),\(Int(elevation)),\(Int(one.azimuthDegrees ?? 0)),\(Int(strength))"
        }
        lines.append("GPGSV,\(parts),\(part + 1),\(shown.count)," + groups.joined(separator: ","))
      }
    }
    return lines.map { line in
      let sum = line.utf8.reduce(0) { $0 ^ $1 }
      return "$\(line)*\(String(format: "%02X", sum))\r\n"
    }.joined()
  }
}
