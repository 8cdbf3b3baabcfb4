import Crypto
import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The epochs of a receiver that a capture rests on, from its first sample to its shutter. They are
/// taken from the receiver's fixes, not from the file's bytes: a window that is packed or divided
/// in another way gives the same epochs.
public struct WindowUse: Hashable, Sendable {
  /// The most epochs that are compared, the last ones: those of more than a minute at 10 Hz.
  public static let maximumEpochs = 1_024

  /// The longest time before the shutter from which epochs are compared, seconds.
  public static let maximumSpanSeconds = 900.0

  /// Thumbprint of the key that sealed the capture.
  public var key: String
  /// The time of the first epoch: milliseconds since 1970, or after midnight UTC if the receiver
  /// gave no date.
  public var first: Int64
  /// The time of the shutter's epoch, in the same way; not before `first`, even if the window goes
  /// past midnight.
  public var last: Int64
  /// The marks of the epochs, in their order; the last is the shutter's. Never empty.
  public var epochs: [UInt64]

  /// Creates a window's use as it was kept; nil if it has no epochs.
  public init?(key: String, first: Int64, last: Int64, epochs: [UInt64]) {
    guard !epochs.isEmpty else { return nil }
    self.key = key
    self.first = first
    self.last = last
    self.epochs = epochs
  }

  /// Takes the epochs that a capture rests on from its fixes, the last of which is the shutter's; nil if there are none.
  package init?(_ fixes: [Fix], key: String) {
    let shutter = fixes.last?.time
    let kept = fixes.filter {
      shutter?.seconds(since: $0.time) ?? 0 <= Self.maximumSpanSeconds
    }.suffix(Self.maximumEpochs)
    guard let first = kept.first.map(Self.milliseconds), var last = kept.last.map(Self.milliseconds)
    else { return nil }
    if last < first { last += Self.millisecondsOfDay }
    self.init(key: key, first: first, last: last, epochs: kept.map(Self.mark))
  }

  private static let millisecondsOfDay: Int64 = 86_400_000

  private static func milliseconds(_ fix: Fix) -> Int64 {
    fix.time.millisecondsSince1970 ?? Int64(fix.time.millisecondsSinceMidnight)
  }

  /// Returns a mark that is equal for equal time, place and height. No two receivers say all three
  /// alike: the last digits are noise.
  private static func mark(_ fix: Fix) -> UInt64 {
    func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "-" }
    let words = [
      "\(milliseconds(fix))", text(fix.coordinate?.latitudeDegrees),
      text(fix.coordinate?.longitudeDegrees), text(fix.ellipsoidalHeightMetres),
      text(fix.meanSeaLevelHeightMetres),
    ]
    return SHA256.hash(data: Array(words.joined(separator: " ").utf8)).prefix(8)
      .reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns true if two captures have their shutter's epoch in common.
  public func hasShutter(of other: WindowUse) -> Bool { epochs.last == other.epochs.last }

  /// Returns true if two captures cannot both have been made with what one receiver said once: they
  /// share the shutter's epoch or, if two devices sealed them, any epoch. One device may take
  /// several photos at one place.
  public func isSame(as other: WindowUse) -> Bool {
    hasShutter(of: other) || key != other.key && !Set(epochs).isDisjoint(with: other.epochs)
  }
}
