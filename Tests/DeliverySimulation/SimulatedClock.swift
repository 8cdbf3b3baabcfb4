import Positioning
import Synchronization
import TimeAndText

/// A clock that the simulation advances, and whose wall time it can set.
final class SimulatedClock: Timepiece {
  private let state: Mutex<(wall: Int64, elapsed: Int64)>

  init(start: DeviceTime) { state = Mutex((start.millisecondsSince1970, 0)) }

  var deviceTime: DeviceTime {
    // Each reading is a millisecond later, so that no two things have the same time.
    state.withLock { state in
      state.wall += 1
      state.elapsed += 1
      return DeviceTime(millisecondsSince1970: state.wall)
    }
  }

  var elapsed: ElapsedTime { ElapsedTime(milliseconds: state.withLock { $0.elapsed }) }

  /// Advances wall time and elapsed time.
  func advance(seconds: Double) {
    state.withLock { state in
      state.wall += Int64(seconds * 1000)
      state.elapsed += Int64(seconds * 1000)
    }
  }

  /// Sets the wall time forwards or backwards; the elapsed time stays.
  func step(seconds: Double) { state.withLock { $0.wall += Int64(seconds * 1000) } }

  func sleep(until deadline: ElapsedTime) async throws {
    let wait = deadline.seconds(since: elapsed)
    if wait > 0 { advance(seconds: wait) }
  }
}
