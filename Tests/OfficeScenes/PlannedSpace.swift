import Office
import Synchronization

/// A disk with as much free space as a test says.
package final class PlannedSpace: FreeSpace {
  private let state: Mutex<(bytes: Int?, asked: Int)>

  package init(_ bytes: Int?) { state = Mutex((bytes, 0)) }

  package var freeBytes: Int? {
    state.withLock { state in
      state.asked += 1
      return state.bytes
    }
  }
  package var asked: Int { state.withLock { $0.asked } }
  package func become(_ bytes: Int?) { state.withLock { $0.bytes = bytes } }
}
