import Synchronization
import TimeAndText
import Web

/// Keeps the list of the next tasks for a second: a receiver may speak ten times in it, and the list
/// takes a read of all tasks and the distance to each.
final class NextTasksShelf: Sendable {
  /// The longest time that a list is kept, seconds of elapsed time.
  private static let keptSeconds = 1.0
  private let kept = Mutex<(html: HTML, time: ElapsedTime)?>(nil)

  /// Returns the list; nil if it is to be made again.
  func html(at now: ElapsedTime) -> HTML? {
    kept.withLock { kept in
      kept.flatMap {
        (0..<Self.keptSeconds).contains(now.seconds(since: $0.time)) ? $0.html : nil
      }
    }
  }

  func keep(_ html: HTML, at now: ElapsedTime) { kept.withLock { $0 = (html, now) } }
}
