import Inspection
import TimeAndText

/// The order of a device's clock along a chain: it must go on from each record to the next. The verifier
/// checks all records at hand, and the office each batch as it comes: both come to the same result.
public struct ClockOrder: Hashable, Sendable {
  /// The most seconds by which a record's time may lie before an earlier record's. A photo's time
  /// is that of its shutter and its place in the chain that of its seal, and a camera may take a
  /// minute between them; a clock that the network sets goes back by seconds. In neither case was
  /// the clock turned back.
  public static let toleranceSeconds = 90.0

  /// The time with which the next record is compared; nil before the first.
  public private(set) var latest: DeviceTime?

  /// Creates the order for the beginning of a chain, or for the place in it at which an earlier
  /// check ended.
  public init(latest: DeviceTime? = nil) { self.latest = latest }

  /// Accepts the chain's next record.
  /// - Returns: a message if the clock was turned back before it; nil if it was not, or if the
  ///   record's time cannot be compared with that of others.
  public mutating func accept(_ record: JSONValue) -> Wording? {
    Self.comparableDeviceTime(record).flatMap { accept($0) }
  }

  /// Accepts the time of the chain's next record. The time of a simulated record does not belong
  /// here, because it follows the clock of a log.
  public mutating func accept(_ time: DeviceTime) -> Wording? {
    guard let before = latest, time < before else {
      latest = time
      return nil
    }
    // The latest time is kept for comparison, so that a clock cannot be turned back in small steps.
    guard before.gnssTime.seconds(since: time.gnssTime) > Self.toleranceSeconds else { return nil }
    latest = time
    return "the device's clock was turned back: \(moment: time) after \(moment: before)"
  }

  /// Returns the device's time of a record; nil if it is missing, or cannot be compared with that
  /// of other records because this one is simulated.
  package static func comparableDeviceTime(_ record: JSONValue) -> DeviceTime? {
    guard record["simulated"]?.flag != true else { return nil }
    return record["time"]?["device"]?.text.flatMap(DeviceTime.init(rfc3339:))
  }
}
