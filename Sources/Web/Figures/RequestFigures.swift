import Synchronization

/// Counts requests by route, method and class of status, and adds up how long they took.
///
/// The number of rows is limited by the routes: no path or method that a client sends adds a row.
public final class RequestFigures: Sendable {
  /// The upper ends of the histogram's buckets, in seconds. 0.03, 0.05, 0.25 and 0.3 are the
  /// promised times of pages and of deliveries.
  public static let bucketSeconds = [
    0.005, 0.01, 0.03, 0.05, 0.1, 0.25, 0.3, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]

  private struct Row: Hashable {
    var route: String
    var method: String
    var statusClass: String
  }

  private struct Durations {
    /// The number of requests in each bucket. A request counts in the first bucket whose end it did
    /// not exceed; the last bucket counts the requests that took longer than all ends.
    var counts = Array(repeating: 0, count: RequestFigures.bucketSeconds.count + 1)
    var sumSeconds = 0.0
  }

  private struct State {
    var counts: [Row: Int] = [:]
    var durations: [String: Durations] = [:]
  }

  private let state = Mutex(State())

  /// Creates figures that have counted no requests.
  public init() {}

  /// Counts a request.
  public func note(_ record: RequestRecord) {
    let route = record.route ?? "none"
    // A request without a route may name any text as its method: all of these count as one.
    let method = record.route == nil ? "any" : record.method
    let statusClass = "\(min(max(record.status, 0), 999) / 100)xx"
    let seconds = record.seconds.isFinite ? max(0, record.seconds) : 0
    let bucket =
      Self.bucketSeconds.firstIndex { seconds <= $0 } ?? Self.bucketSeconds.count
    state.withLock { state in
      state.counts[
        Row(route: route, method: method, statusClass: statusClass), default: 0] += 1
      state.durations[route, default: Durations()].counts[bucket] += 1
      state.durations[route, default: Durations()].sumSeconds += seconds
    }
  }

  /// Writes the counts and the histogram of durations.
  /// - Parameter prefix: the beginning of the figures' names, such as `standpoint_office_`.
  public func write(to text: inout MetricsText, prefix: String) {
    let (counts, durations) = state.withLock { ($0.counts, $0.durations) }
    let requests = prefix + "requests_total"
    text.begin(requests, .counter, "Requests answered, by route, method and class of status.")
    for (row, count) in counts.sorted(by: {
      ($0.key.route, $0.key.method, $0.key.statusClass)
        < ($1.key.route, $1.key.method, $1.key.statusClass)
    }) {
      text.value(
        requests,
        [("route", row.route), ("method", row.method), ("status", row.statusClass)],
        Double(count))
    }
    let name = prefix + "request_seconds"
    text.begin(name, .histogram, "How long requests took, seconds.")
    for (route, one) in durations.sorted(by: { $0.key < $1.key }) {
      var sum = 0
      for (index, count) in one.counts.enumerated() {
        sum += count
        let end = index < Self.bucketSeconds.count ? Self.bucketSeconds[index] : .infinity
        text.value(
          name + "_bucket", [("route", route), ("le", MetricsText.number(end))], Double(sum))
      }
      text.value(name + "_sum", [("route", route)], one.sumSeconds)
      text.value(name + "_count", [("route", route)], Double(sum))
    }
  }
}
