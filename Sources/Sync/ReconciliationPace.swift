/// When both sides are compared: once a day, and at once where the office holds fewer records than its
/// receipts say.
public enum ReconciliationPace {
  /// So that a device that is used each morning compares each morning.
  private static let daySeconds = 20 * 3600.0
  /// What could not be healed is not asked for each minute.
  private static let retrySeconds = 3600.0

  /// - Parameters:
  ///   - secondsSinceLast: since the last time, or since the first delivery; negative where the device's
  ///     clock was turned back; nil before the first delivery.
  ///   - delivered: records of the key that receipts name.
  ///   - held: how many of them the office says to hold.
  ///   - isKnown: whether these two numbers were the same when it was compared last.
  public static func isDue(
    secondsSinceLast: Double?, delivered: Int, held: Int, isKnown: Bool
  ) -> Bool {
    guard let seconds = secondsSinceLast.map(abs) else { return false }
    return seconds >= daySeconds || held < delivered && (!isKnown || seconds >= retrySeconds)
  }
}
