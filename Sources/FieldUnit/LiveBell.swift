import Synchronization

/// Wakes the live parts of pages when something that they show has changed: nobody has to ask again and
/// again.
package final class LiveBell: Sendable {
  private struct State {
    var next = 0
    var ropes: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// Something has changed.
  package func ring() {
    for rope in state.withLock({ Array($0.ropes.values) }) { rope.yield() }
  }

  /// Rings for one as well, until `leave` is called with that number.
  package func join(_ rope: AsyncStream<Void>.Continuation) -> Int {
    state.withLock { state in
      state.next += 1
      state.ropes[state.next] = rope
      return state.next
    }
  }

  /// Rings for that one no more.
  package func leave(_ number: Int) {
    state.withLock { $0.ropes[number] = nil }
  }
}
