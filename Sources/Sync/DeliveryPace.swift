import Foundation

/// The time until the next delivery. It is short after a success, and grows with each failure. It
/// is not shorter than the office asks, and it varies by chance, so that field units do not all
/// come at once.
public struct DeliveryPace: Hashable, Sendable {
  /// The number of failed deliveries since the last success.
  public private(set) var failures = 0

  /// The wait after a success, seconds.
  private static let idleSeconds = 60.0
  private static let firstSeconds = 15.0
  private static let longestSeconds = 900.0
  /// The longest wait that a server may ask for, seconds. A server that asks for more is asked
  /// again earlier, because it may not be the office at all.
  private static let longestAskedSeconds = 3600.0

  /// Creates a pace before the first delivery.
  public init() {}

  /// Notes that the last delivery succeeded.
  /// - Parameter random: A random number 0…1, which shortens the wait by up to a quarter.
  /// - Returns: The seconds until the next delivery.
  public mutating func succeeded(random: Double) -> Double {
    failures = 0
    return Self.idleSeconds * (1 - random / 4)
  }

  /// Notes that the last delivery failed. The wait is 15 s, doubled with each further failure, 15
  /// minutes at most.
  /// - Parameters:
  ///   - askedSeconds: The wait that the office asked for (Retry-After), seconds; nil if it asked
  ///     for none.
  ///   - random: A random number 0…1, which shortens the own wait by up to a quarter and lengthens
  ///     the asked one by up to a quarter.
  /// - Returns: The seconds until the next delivery.
  public mutating func failed(askedSeconds: Double? = nil, random: Double) -> Double {
    failures += 1
    let doubled = Self.firstSeconds * pow(2, Double(min(failures, 10) - 1))
    let own = min(Self.longestSeconds, doubled) * (1 - random / 4)
    // The office asked all field units at one moment, and none should return before the asked wait
    // is over.
    let asked = min(Self.longestAskedSeconds, max(0, askedSeconds ?? 0)) * (1 + random / 4)
    return max(own, asked)
  }
}
