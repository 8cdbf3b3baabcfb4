import Evidence
import Inspection

/// What the receiver said of its own fix: too few satellites, old corrections, or signals that are all
/// equally strong, as a simulator makes them. It takes a skilled transmitter to pass; that one passes.
enum ReceiverCheck {
  private static let fewestSatellites = 4
  private static let oldestCorrectionSeconds = 60.0
  /// Satellites stand at different heights: their signals differ by more than this.
  private static let leastSpreadDecibelHertz = 1.0
  /// No satellite is received as strongly as this.
  private static let strongestDecibelHertz = 58.0

  static func check(_ seal: SealFile) -> PhotoCheck {
    let integrity = seal.record["integrity"]
    let strengths = (integrity?["satellites"]?.elements ?? []).compactMap {
      $0["carrierToNoiseDecibelHertz"]?.measured
    }
    return check(
      strengths: strengths, used: integrity?["satellitesUsed"]?.wholeNumber,
      correctionAgeSeconds: integrity?["correctionAgeSeconds"]?.measured)
  }

  /// The same of numbers that no seal has kept.
  static func check(
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
      strengths.count >= 6
      && ((spread ?? .infinity) < leastSpreadDecibelHertz
        || (mean ?? 0) > strongestDecibelHertz)
    let isWeak = used.map { $0 < fewestSatellites } == true
    // Six signals are what can be compared with each other.
    let isThin = used == nil || strengths.count < 6
    let isOld = age.map { $0 > oldestCorrectionSeconds } == true
    return PhotoCheck(
      .receiver, isAlike ? .contradicts : isWeak || isOld || isThin ? .unclear : .agrees, numbers)
  }
}
