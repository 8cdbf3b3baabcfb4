/// Slows down whoever guesses: a sign-in name, an address, a device code.
///
/// Locking an account for good would hand every stranger the means to lock people out. So after five
/// failures within a quarter of an hour each further try only has to wait, twice as long each time,
/// up to a quarter of an hour. Time comes in as seconds of any clock that counts forward.
public struct AttemptLimiter: Sendable {
  private struct Record: Sendable {
    var recent: [Double] = []
    /// How often the wait was doubled; 0 while there is none.
    var level = 0
    var last: Double

    var waitSeconds: Double {
      level == 0 ? 0 : min(Double(1 << min(level, 20)), AttemptLimiter.windowSeconds)
    }
    func isForgotten(at seconds: Double) -> Bool {
      seconds - last > (level == 0 ? 1 : 2) * AttemptLimiter.windowSeconds
    }
  }

  /// So many failures within the window are free, where nothing else is said.
  public static let failuresAtMost = 5
  /// The window, and the longest wait: 15 minutes.
  public static let windowSeconds = 900.0

  private var records: [String: Record] = [:]
  private let keysAtMost: Int
  private let failuresAtMost: Int

  /// A limiter that remembers so many keys; beyond that those that matter least are forgotten.
  /// - Parameter failuresAtMost: so many failures of a key within the window are free.
  public init(
    failuresAtMost: Int = AttemptLimiter.failuresAtMost, keysAtMost: Int = 10_000
  ) {
    self.failuresAtMost = max(1, failuresAtMost)
    self.keysAtMost = max(1, keysAtMost)
  }

  /// How many keys are remembered.
  var count: Int { records.count }

  /// How many seconds `key` must still wait before its next try; nil when it may try now.
  public mutating func wait(for key: String, at seconds: Double) -> Double? {
    guard let record = records[key] else { return nil }
    if record.isForgotten(at: seconds) {
      records[key] = nil
      return nil
    }
    // A clock that was set back must not lock anybody out for longer than the longest wait.
    let remaining = record.waitSeconds - max(0, seconds - record.last)
    return remaining > 0 ? remaining : nil
  }

  /// A try of `key` has failed.
  public mutating func failed(_ key: String, at seconds: Double) {
    var record = records[key] ?? Record(last: seconds)
    if record.isForgotten(at: seconds) { record = Record(last: seconds) }
    record.last = seconds
    if record.level > 0 {
      record.level += 1
    } else {
      record.recent.removeAll { seconds - $0 > Self.windowSeconds }
      record.recent.append(seconds)
      if record.recent.count >= failuresAtMost {
        record.level = 1
        record.recent = []
      }
    }
    records[key] = record
    if records.count > keysAtMost { forget(at: seconds, butFor: key) }
  }

  /// A try of `key` has succeeded: its failures are forgotten.
  public mutating func succeeded(_ key: String) {
    records[key] = nil
  }

  /// The last failure of `key` was none.
  mutating func forgive(_ key: String) {
    guard var record = records[key] else { return }
    if record.level > 0 {
      record.level -= 1
    } else {
      _ = record.recent.popLast()
    }
    records[key] = record
  }

  // First what has expired; then a quarter of the rest, those without a wait first: a flood of
  // made-up names must not wash away the waits of the real ones.
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
