import Synchronization

/// Counts what is going on at a time, and says no beyond a bound: late is better refused than lost.
final class Admission: Sendable {
  private let count = Mutex(0)
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// True when there is room; then `leave` must follow.
  func enter() -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func leave() {
    count.withLock { count in
      assert(count > 0, "left more often than entered")
      count -= 1
    }
  }
}
