import Synchronization
import TimeAndText

/// Remembers for a second if the office can do its work: the check runs once a second at most,
/// however many requests ask.
final class Readiness: Sendable {
  private let last = Mutex<(time: ElapsedTime, isReady: Bool)?>(nil)

  func answer(at time: ElapsedTime, _ look: () async -> Bool) async -> Bool {
    // A request that comes during a check gets the last answer: otherwise a hanging database would
    // hold every request.
    let known: Bool? = last.withLock { last in
      guard let before = last else { return nil }
      if abs(time.seconds(since: before.time)) < 1 { return before.isReady }
      last?.time = time
      return nil
    }
    if let known { return known }
    let isReady = await look()
    last.withLock { $0 = (time, isReady) }
    return isReady
  }
}
