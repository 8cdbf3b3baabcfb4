/// How often, and after which pauses, a request is tried again.
struct RetryPace: Sendable {
  /// The most times that a request is sent.
  var tries = 6
  /// The pause behind the first failure, at most, seconds; each later one may be twice as long.
  var firstSeconds = 0.2
  /// The longest pause, seconds, whatever the store asks for.
  var longestSeconds = 20.0

  /// Returns the pause behind a failure. Requests that failed together do not come back together.
  /// - Parameters:
  ///   - failures: how often the request has failed, 1 or more.
  ///   - asked: the pause for which the store asks, seconds; nil if it does not.
  ///   - chance: a number from 0 to 1.
  func pauseSeconds(after failures: Int, asked: Double?, chance: Double) -> Double {
    var most = firstSeconds
    for _ in 1..<max(failures, 1) where most < longestSeconds { most *= 2 }
    let own = min(most, longestSeconds) * min(max(chance, 0), 1)
    // A store's own pause may be any text.
    guard let asked, asked.isFinite else { return own }
    return max(own, min(max(asked, 0), longestSeconds))
  }
}
