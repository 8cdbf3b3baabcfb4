/// A span of calendar years in UTC, both ends included.
public struct YearSpan: Hashable, Sendable, CustomStringConvertible {
  /// The first year.
  public let first: Int
  /// The last year, not before the first.
  public let last: Int

  /// Creates a span; nil if the last year is before the first, or a year has not four digits.
  public init?(first: Int, last: Int) {
    guard (1000...9999).contains(first), (first...9999).contains(last) else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// Reads a span that is written `2019-2024`, or `2019` for one year; nil for anything else.
  public init?(_ text: String) {
    let years = text.split(separator: "-", omittingEmptySubsequences: false).map { part in
      part.utf8.count == 4 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(part) ?? 0 : 0
    }
    guard let first = years.first, let last = years.last, years.count <= 2 else { return nil }
    self.init(first: first, last: last)
  }

  /// The span as it is written in addresses: `2019-2024`.
  public var description: String { "\(first)-\(last)" }

  /// Returns true if the span holds an instant.
  public func contains(_ time: DeviceTime) -> Bool { (first...last).contains(time.year) }
}

extension DeviceTime {
  /// The calendar year, in UTC.
  public var year: Int { date.components.year }
}
