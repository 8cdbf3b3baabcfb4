import TimeAndText

/// The skies that a receiver reported one after the other, at most one for each second.
public struct SkyHistory: Hashable, Sendable {
  /// The sky that was known when an epoch was complete.
  public struct Report: Hashable, Sendable {
    /// Time of the epoch.
    public var time: GNSSTime
    /// The satellites in view.
    public var satellites: [Satellite]
  }

  /// The most reports that are kept, the last ones.
  public static let mostReports = 120
  /// The shortest time between two reports that are kept, seconds.
  static let shortestSeconds = 0.95

  /// The reports, the earliest first.
  public private(set) var reports: [Report] = []

  /// Creates a history without reports.
  public init() {}

  /// Returns true if a report at this time would be kept.
  public func wants(_ time: GNSSTime) -> Bool {
    guard let last = reports.last else { return true }
    return time.seconds(since: last.time) >= Self.shortestSeconds
  }

  /// Adds the sky of an epoch; it is left out if the last report is less than a second old.
  public mutating func add(_ satellites: [Satellite], at time: GNSSTime) {
    guard wants(time) else { return }
    if reports.count == Self.mostReports { reports.removeFirst() }
    reports.append(Report(time: time, satellites: satellites))
  }

  /// The time from the first report to the last, seconds.
  public var spanSeconds: Double {
    guard let first = reports.first, let last = reports.last else { return 0 }
    return last.time.seconds(since: first.time)
  }
}
