import Synchronization

/// Wakes the live parts of pages when something that they show has changed, so that pages need not
/// ask again and again.
package final class LiveBell: Sendable {
  private struct State {
    var next = 0
    var ropes: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// Creates a bell that nobody hears yet.
  package init() {}

  /// Wakes all listeners: something has changed.
  package func ring() {
    for rope in state.withLock({ Array($0.ropes.values) }) { rope.yield() }
  }

  /// Adds a listener until `leave` is called with the returned number.
  package func join(_ rope: AsyncStream<Void>.Continuation) -> Int {
    state.withLock { state in
      state.next += 1
      state.ropes[state.next] = rope
      return state.next
    }
  }

  /// Removes a listener.
  package func leave(_ number: Int) {
    state.withLock { $0.ropes[number] = nil }
  }
}
