import Foundation

/// When delivery is tried next: soon after a success, later and later after failures, when the office
/// has asked to wait not before, and never in step with other field units.
public struct DeliveryPace: Hashable, Sendable {
  /// How many tries have failed since the last success.
  public private(set) var failures = 0

  /// After a success.
  private static let idleSeconds = 60.0
  private static let firstSeconds = 15.0
  private static let longestSeconds = 900.0
  /// Whoever asks for more is asked again meanwhile: it may be no office at all.
  private static let longestAskedSeconds = 3600.0

  /// Nothing was tried yet.
  public init() {}

  /// The last try succeeded.
  /// - Parameter random: 0…1, takes up to a quarter away.
  /// - Returns: seconds until the next.
  public mutating func succeeded(random: Double) -> Double {
    failures = 0
    return Self.idleSeconds * (1 - random / 4)
  }

  /// The last try failed: 15 s, doubled each time, 15 minutes at most.
  /// - Parameters:
  ///   - askedSeconds: what the office asked to wait (Retry-After); nil where it asked for nothing.
  ///   - random: 0…1, takes up to a quarter away, and adds as much to what was asked for.
  /// - Returns: seconds until the next.
  public mutating func failed(askedSeconds: Double? = nil, random: Double) -> Double {
    failures += 1
    let doubled = Self.firstSeconds * pow(2, Double(min(failures, 10) - 1))
    let own = min(Self.longestSeconds, doubled) * (1 - random / 4)
    // Everybody was asked at the same moment, and none of them is to come back before it is over.
    let asked = min(Self.longestAskedSeconds, max(0, askedSeconds ?? 0)) * (1 + random / 4)
    return max(own, asked)
  }
}
