/// The time at which the office examines what has arrived: as soon as nothing more arrives, and
/// after a while in any case. An examination takes five times as long as receiving, and a sender
/// waits for a receipt.
public enum ExaminationPace {
  /// The time without arrivals after which a delivery counts as over, seconds.
  private static let quietSeconds = 2.0
  /// The longest wait for an examination, however much arrives, seconds.
  private static let longestSeconds = 30.0

  /// Returns the seconds to wait before the next examination; 0 if it is due.
  /// - Parameters:
  ///   - secondsSinceArrival: The time since the last bytes came, seconds; nil if none came yet.
  ///   - secondsWaited: The time since there was something to examine, seconds.
  public static func waitSeconds(secondsSinceArrival: Double?, secondsWaited: Double) -> Double {
    let quiet = secondsSinceArrival.map { quietSeconds - $0 } ?? 0
    return max(0, min(quiet, longestSeconds - secondsWaited))
  }
}
