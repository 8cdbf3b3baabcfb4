/// The time at which both sides reconcile: once a day, and at once if the office holds fewer
/// records than its receipts say.
public enum ReconciliationPace {
  /// The time that counts as a day, seconds. It is shorter than a day, so that a device that is
  /// used each morning reconciles each morning.
  private static let daySeconds = 20 * 3600.0
  /// The time until the next attempt to repair a known difference, seconds, so that it is not tried
  /// each minute.
  private static let retrySeconds = 3600.0

  /// Returns true if both sides should reconcile now.
  /// - Parameters:
  ///   - secondsSinceLast: The time since the last reconciliation, or since the first delivery,
  ///     seconds; negative if the device's clock was turned back; nil before the first delivery.
  ///   - delivered: The number of the key's records that receipts name.
  ///   - held: The number of them that the office says it holds.
  ///   - isKnown: True if both numbers were equal to these at the last reconciliation.
  public static func isDue(
    secondsSinceLast: Double?, delivered: Int, held: Int, isKnown: Bool
  ) -> Bool {
    guard let seconds = secondsSinceLast.map(abs) else { return false }
    return seconds >= daySeconds || held < delivered && (!isKnown || seconds >= retrySeconds)
  }
}
