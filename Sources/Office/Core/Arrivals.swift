import Positioning
import Synchronization
import TimeAndText

/// Tells the examiner that something has arrived. Two announcements before the examiner looks are
/// one.
package final class Arrivals: Sendable {
  private struct State {
    var listener: AsyncStream<Void>.Continuation?
    var last: ElapsedTime?
  }

  private let state = Mutex(State())

  /// The time when bytes last arrived; nil if none have arrived yet.
  package var last: ElapsedTime? { state.withLock { $0.last } }

  /// Notes that bytes have arrived.
  package func note(at time: ElapsedTime) { state.withLock { $0.last = time } }

  /// Announces that something waits for the examiner.
  package func announce() { state.withLock { _ = $0.listener?.yield() } }

  /// Returns the announcements from now on; the first one comes at once. There is one listener: the
  /// last caller.
  package func words() -> AsyncStream<Void> {
    let (stream, words) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.listener = words }
    words.yield()
    return stream
  }
}
