/// How far two clocks may differ before somebody has to look: a device's, a receiver's, the office's.
public enum ClockTolerance {
  /// Seconds, in either direction.
  public static let seconds = 300.0
}
