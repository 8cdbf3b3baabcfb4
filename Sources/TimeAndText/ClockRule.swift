/// The limits for the difference between a device's clock and the receiver's time.
public enum ClockRule {
  /// Seconds from which the user is warned: a photo's record carries both times, and the office
  /// compares them.
  public static let toleranceSeconds = 2.0
  /// Seconds from which the clock is wrong: it must be set before photos are taken.
  public static let seriousSeconds = 60.0

  /// Returns the seconds that the device's clock is ahead of the receiver's time, negative if it is
  /// slow; nil if the receiver tells no date.
  /// - Parameter ageSeconds: the seconds since the receiver told its time.
  public static func aheadSeconds(
    device: DeviceTime, receiver: GNSSTime, ageSeconds: Double
  ) -> Double? {
    receiver.millisecondsSince1970.map {
      Double(device.millisecondsSince1970 - $0) / 1000 - ageSeconds
    }
  }

  /// Returns the warning for a clock that is `aheadSeconds` ahead; nil within the tolerance, or if
  /// the difference is unknown.
  public static func warning(aheadSeconds: Double?) -> Wording? {
    guard let ahead = aheadSeconds, abs(ahead) > toleranceSeconds else { return nil }
    let seconds = DecimalText.fixed(abs(ahead), places: 0)
    return ahead > 0
      ? "This device's clock is \(seconds) s ahead of the receiver: set it, or the office will doubt the time."
      : "This device's clock is \(seconds) s behind the receiver: set it, or the office will doubt the time."
  }
}
