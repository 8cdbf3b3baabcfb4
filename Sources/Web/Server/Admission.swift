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

/// A place among the work in progress. It counts until it is given up; giving it up again changes
/// nothing.
struct AdmissionPlace {
  /// True from the beginning until the place is given up; never if there was no room.
  private(set) var isHeld: Bool
  private let admission: Admission

  init(in admission: Admission) {
    isHeld = admission.enter()
    self.admission = admission
  }

  /// Gives the place up; does nothing if it is not held.
  mutating func leave() {
    guard isHeld else { return }
    admission.leave()
    isHeld = false
  }
}
