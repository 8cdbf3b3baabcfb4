/// Slows down guessing, counted for each key: a sign-in name, an address or a device code.
///
/// Locking an account for good would let every stranger lock people out. So after five failures
/// within a quarter of an hour each further try only has to wait, twice as long each time, up to a
/// quarter of an hour. Times are seconds of any clock that counts forward.
public struct AttemptLimiter: Sendable {
  private struct Record: Sendable {
    var recent: [Double] = []
    /// The number of times that the wait was doubled; 0 if there is no wait.
    var level = 0
    var last: Double

    var waitSeconds: Double {
      level == 0 ? 0 : min(Double(1 << min(level, 20)), AttemptLimiter.windowSeconds)
    }
    func isForgotten(at seconds: Double) -> Bool {
      seconds - last > (level == 0 ? 1 : 2) * AttemptLimiter.windowSeconds
    }
  }

  /// The number of failures of a key that are free within the window, unless the initialiser says
  /// otherwise.
  public static let failuresAtMost = 5
  /// The window, and the longest wait: 15 minutes.
  public static let windowSeconds = 900.0

  private var records: [String: Record] = [:]
  private let keysAtMost: Int
  private let failuresAtMost: Int

  /// Creates a limiter.
  /// - Parameters:
  ///   - failuresAtMost: the number of failures of a key that are free within the window.
  ///   - keysAtMost: the number of keys that are remembered; beyond it those that matter least are
  ///     forgotten.
  public init(
    failuresAtMost: Int = AttemptLimiter.failuresAtMost, keysAtMost: Int = 10_000
  ) {
    self.failuresAtMost = max(1, failuresAtMost)
    self.keysAtMost = max(1, keysAtMost)
  }

  /// The number of keys that are remembered.
  var count: Int { records.count }

  /// Returns the seconds that `key` must still wait before its next try; nil if it may try now.
  public mutating func wait(for key: String, at seconds: Double) -> Double? {
    guard let record = records[key] else { return nil }
    if record.isForgotten(at: seconds) {
      records[key] = nil
      return nil
    }
    // A clock that was set back must not make a key wait longer than the longest wait.
    let remaining = record.waitSeconds - max(0, seconds - record.last)
    return remaining > 0 ? remaining : nil
  }

  /// Counts a failed try of `key`.
  public mutating func failed(_ key: String, at seconds: Double) {
    var record = records[key] ?? Record(last: seconds)
    if record.isForgotten(at: seconds) { record = Record(last: seconds) }
    record.last = seconds
    if record.level > 0 {
      record.level += 1
    } else {
      record.recent.removeAll { seconds - $0 > Self.windowSeconds }
      record.recent.append(seconds)
      // The failures stay: if the last one is taken back, the others still count.
      if record.recent.count >= failuresAtMost { record.level = 1 }
    }
    records[key] = record
    if records.count > keysAtMost { forget(at: seconds, butFor: key) }
  }

  /// Forgets the failures of `key` after a try that succeeded.
  public mutating func succeeded(_ key: String) {
    records[key] = nil
  }

  /// Takes back the last failure of `key`.
  mutating func forgive(_ key: String) {
    guard var record = records[key] else { return }
    if record.level > 0 { record.level -= 1 }
    if record.level == 0 { _ = record.recent.popLast() }
    records[key] = record
  }

  // Forgets what has expired first; then a quarter of the rest, those without a wait first: a flood
  // of made-up names must not wash away the waits of the real ones.
  private mutating func forget(at seconds: Double, butFor kept: String) {
    records = records.filter { !$0.value.isForgotten(at: seconds) }
    guard records.count > keysAtMost else { return }
    let surplus = records.count - keysAtMost + keysAtMost / 4
    let order = records.filter { $0.key != kept }.sorted {
      ($0.value.level, $0.value.last) < ($1.value.level, $1.value.last)
    }
    for (key, _) in order.prefix(surplus) { records[key] = nil }
  }
}
