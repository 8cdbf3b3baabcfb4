import Inspection
import Positioning

/// Whether the device's clock went on from each record of a chain to the next. The verifier asks it of all that is
/// here, the office of each batch as it comes: both say the same.
public struct ClockOrder: Hashable, Sendable {
  /// A photo's time is that of its shutter and its place in the chain that of its seal, and a camera may take a minute
  /// between them; a clock that the network sets goes back by seconds. Neither is a clock that was turned back.
  public static let toleranceSeconds = 90.0

  /// The time that the next record is measured by; nil before the first.
  public private(set) var latest: DeviceTime?

  /// The beginning of a chain, or the place in it where somebody stopped before.
  public init(latest: DeviceTime? = nil) { self.latest = latest }

  /// Takes the chain's next record.
  /// - Returns: that the clock was turned back before it; nil where it was not, or where the record's time cannot be
  ///   compared with that of others.
  public mutating func accept(_ record: JSONValue) -> Wording? {
    CaptureChecks.comparableDeviceTime(record).flatMap { accept($0) }
  }

  /// Takes the time of the chain's next record. A simulated one's runs under its log's clock, and is none of these.
  public mutating func accept(_ time: DeviceTime) -> Wording? {
    guard let before = latest, time < before else {
      latest = time
      return nil
    }
    // The latest time stays the measure, so that a clock cannot be turned back in small steps.
    guard before.gnssTime.seconds(since: time.gnssTime) > Self.toleranceSeconds else { return nil }
    latest = time
    return "the device's clock was turned back: \(time.rfc3339) after \(before.rfc3339)"
  }
}
