import Inspection
import TimeAndText

/// A photo that repeats a photo point, as it came to the office.
public struct ReceivedRepeat: Hashable, Sendable {
  /// The result of comparing the two pictures at the office.
  public enum Measured: Hashable, Sendable {
    /// The pictures share enough.
    case displaced(percent: Double, inliers: Int)
    /// The pictures cannot be compared.
    case unlike(matches: Int)
    /// A file is missing, or cannot be read or compared in time.
    case failed
  }

  /// The photo.
  public var photo: Identifier
  /// The device time at which it was taken.
  public var taken: DeviceTime
  /// The claims of its sealed record.
  public var claims: RepeatClaims
  /// The office's own result; nil until the pictures were compared.
  public var measured: Measured?

  /// Creates a repeat that was not compared yet.
  public init(photo: Identifier, taken: DeviceTime, claims: RepeatClaims) {
    (self.photo, self.taken, self.claims) = (photo, taken, claims)
  }

  /// The office's displacement, per cent of the frame; nil if there is none.
  public var displacementPercent: Double? {
    if case .displaced(let percent, _) = measured { percent } else { nil }
  }
}
