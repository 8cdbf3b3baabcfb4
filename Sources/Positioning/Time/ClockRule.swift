/// How far a device's clock may be from the receiver's time before whoever takes photos is told.
public enum ClockRule {
  /// More is told: a photo's record carries both times, and the office compares them.
  public static let toleranceSeconds = 2.0
  /// More is wrong: the clock is to be set before photos are taken.
  public static let seriousSeconds = 60.0

  /// Seconds that the device's clock is ahead of the receiver's time, negative where it is behind; nil where the receiver
  /// tells no date.
  /// - Parameter ageSeconds: how long ago the receiver said it.
  public static func aheadSeconds(
    device: DeviceTime, receiver: GNSSTime, ageSeconds: Double
  ) -> Double? {
    receiver.millisecondsSince1970.map {
      Double(device.millisecondsSince1970 - $0) / 1000 - ageSeconds
    }
  }

  /// What is said of a clock that far ahead; nil within the tolerance, and where nothing is known.
  public static func warning(aheadSeconds: Double?) -> Wording? {
    guard let ahead = aheadSeconds, abs(ahead) > toleranceSeconds else { return nil }
    let seconds = DecimalText.fixed(abs(ahead), places: 0)
    return ahead > 0
      ? "This device's clock is \(seconds) s ahead of the receiver: set it, or the office doubts the time."
      : "This device's clock is \(seconds) s behind the receiver: set it, or the office doubts the time."
  }
}
