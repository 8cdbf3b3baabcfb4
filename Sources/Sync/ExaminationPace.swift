/// When the office looks at what has arrived: when nothing more arrives, and after a while in any case.
/// Looking takes five times as long as receiving, and whoever is sending waits for a receipt.
public enum ExaminationPace {
  /// Nothing has arrived for so long: the delivery is over.
  private static let quietSeconds = 2.0
  /// Nobody waits longer for the checks than this, however much arrives.
  private static let longestSeconds = 30.0

  /// Seconds to wait before the next look; 0 where it is due.
  /// - Parameters:
  ///   - secondsSinceArrival: since the last bytes came; nil where none came yet.
  ///   - secondsWaited: since there was something to look at.
  public static func waitSeconds(secondsSinceArrival: Double?, secondsWaited: Double) -> Double {
    let quiet = secondsSinceArrival.map { quietSeconds - $0 } ?? 0
    return max(0, min(quiet, longestSeconds - secondsWaited))
  }
}
