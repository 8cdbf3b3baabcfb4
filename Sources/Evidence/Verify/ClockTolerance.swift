/// The difference between two clocks (a device's, a receiver's, the office's) above which a person
/// has to look.
public enum ClockTolerance {
  /// The tolerance in seconds, in either direction.
  public static let seconds = 300.0
}
