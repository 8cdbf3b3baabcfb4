import ArgumentParser
import Foundation
import Geodesy
import Positioning
import TimeAndText

/// Fixes of a log, as the gate gets them.
func fixes(ofLog bytes: [UInt8]) -> [Fix] {
  var decoder = FixDecoder()
  var fixes: [Fix] = []
  func take(_ event: DecodedEvent) { if case .fix(let fix) = event { fixes.append(fix) } }
  decoder.accept(bytes, take)
  decoder.finish(take)
  return fixes
}

func fixes(ofFile path: String) throws -> [Fix] {
  guard let data = FileManager.default.contents(atPath: path) else {
    throw ValidationError("\(path) cannot be read.")
  }
  return fixes(ofLog: Array(data))
}

/// A place for numbers in a table.
func cell(_ value: Double, places: Int = 0, unit: String = "") -> String {
  DecimalText.fixed(value, places: places) + unit
}

func median(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[values.count / 2]
}

func percentile(_ values: [Double], _ share: Double) -> Double {
  guard !values.isEmpty else { return .nan }
  return values.sorted()[min(values.count - 1, Int(Double(values.count) * share))]
}

/// A receiver that is carried: how well it knows where it is.
struct SimulatedReceiver {
  var name: String
  var slowSigmaMetres: Double
  var fastSigmaMetres: Double
  var whiteSigmaMetres: Double

  static let all = [
    SimulatedReceiver(
      name: "good", slowSigmaMetres: 0.7, fastSigmaMetres: 0.1, whiteSigmaMetres: 0.02),
    SimulatedReceiver(
      name: "ordinary", slowSigmaMetres: 1.5, fastSigmaMetres: 0.2, whiteSigmaMetres: 0.05),
    SimulatedReceiver(
      name: "restless", slowSigmaMetres: 2, fastSigmaMetres: 0.4, whiteSigmaMetres: 0.15),
  ]

  /// What it says on its way, without Doppler speed: many receivers send none, and the gate must do
  /// without.
  func fixes(_ legs: [WalkSimulator.Leg], seed: UInt64) -> (fixes: [Fix], truth: [PlanePoint]) {
    guard let origin = Coordinate(latitudeDegrees: 50.06, longitudeDegrees: 14.42) else {
      return ([], [])
    }
    var walk = WalkSimulator(
      origin: origin, start: DeviceTime(millisecondsSince1970: 1_780_000_000_000), legs: legs,
      seed: seed)
    walk.slowSigmaMetres = slowSigmaMetres
    walk.fastSigmaMetres = fastSigmaMetres
    walk.whiteSigmaMetres = whiteSigmaMetres
    let heard = figures.fixes(ofLog: walk.epochs().flatMap { $0 }).map {
      var fix = $0
      fix.speedMetresPerSecond = nil
      return fix
    }
    return (heard, walk.truePlaces)
  }
}

/// The documented limits, for fixes that say that they are simulated.
func policy(windowSeconds: Double? = nil, limit: Double? = nil) -> GatePolicy {
  var policy = GatePolicy()
  policy.allowsSimulated = true
  if let windowSeconds { policy.windowSeconds = windowSeconds }
  if let limit { policy.speedLimitMetresPerSecond = limit }
  return policy
}
