import Evidence
import Inspection

/// The check of the receiver's own report on its fix: too few satellites, old corrections, or
/// signals that are all equally strong, as a simulator makes them. A skilled forger with a
/// transmitter can pass the check.
package enum ReceiverCheck {
  package static func check(_ seal: SealFile) -> PhotoCheck {
    let integrity = seal.record["integrity"]
    let strengths = (integrity?["satellites"]?.elements ?? []).compactMap {
      $0["carrierToNoiseDecibelHertz"]?.measured
    }
    return check(
      strengths: strengths, used: integrity?["satellitesUsed"]?.wholeNumber,
      correctionAgeSeconds: integrity?["correctionAgeSeconds"]?.measured)
  }

  /// Makes the check from numbers that no seal holds.
  /// - Parameters:
  ///   - strengths: The carrier-to-noise densities of the satellites' signals, dB-Hz.
  ///   - used: The number of satellites used; nil if unknown.
  ///   - age: The age of the corrections, seconds; nil if unknown.
  package static func check(
    strengths: [Double], used: Int?, correctionAgeSeconds age: Double?
  ) -> PhotoCheck {
    let mean = strengths.isEmpty ? nil : strengths.reduce(0, +) / Double(strengths.count)
    let spread = mean.map { mean in
      (strengths.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(strengths.count))
        .squareRoot()
    }
    let numbers: [PhotoCheck.Quantity: Double?] = [
      .satellitesUsed: used.map(Double.init), .meanCarrierToNoiseDecibelHertz: mean,
      .spreadDecibelHertz: spread, .correctionAgeSeconds: age,
    ]
    guard used != nil || mean != nil else { return PhotoCheck(.receiver, .notCheckable, numbers) }
    let isAlike =
      strengths.count >= Limits.fewestComparedSignals
      && ((spread ?? .infinity) < Limits.leastSpreadDecibelHertz
        || (mean ?? 0) > Limits.strongestDecibelHertz)
    let isWeak = used.map { $0 < Limits.fewestSatellites } == true
    let isThin = used == nil || strengths.count < Limits.fewestComparedSignals
    let isOld = age.map { $0 > Limits.oldestCorrectionSeconds } == true
    return PhotoCheck(
      .receiver, isAlike ? .contradicts : isWeak || isOld || isThin ? .unclear : .agrees, numbers)
  }
}

extension Limits {
  /// The fewest satellites that can fix a position in space and time.
  package static let fewestSatellites = 4
  /// The age above which corrections say little about the moment of the photo, seconds.
  package static let oldestCorrectionSeconds = 60.0
  /// The smallest standard deviation of the signals' strengths that is plausible, dB-Hz. Satellites
  /// are at different elevations, so their signals differ by more.
  package static let leastSpreadDecibelHertz = 1.0
  /// The strength that real satellites' signals never reach on average, dB-Hz.
  package static let strongestDecibelHertz = 58.0
  /// The fewest signals that can be compared with each other.
  package static let fewestComparedSignals = 6
}
