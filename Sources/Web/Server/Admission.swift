import Synchronization

/// Counts the work in progress and refuses more beyond a limit: a refusal is better than an answer
/// that is lost.
final class Admission: Sendable {
  private let count = Mutex(0)
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// Returns true if there is room; then `leave` must follow.
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
