import Positioning
import Synchronization
import TimeAndText

/// A clock that goes on when the simulation says so, and whose wall time jumps.
final class SimulatedClock: Timepiece {
  private let state: Mutex<(wall: Int64, elapsed: Int64)>

  init(start: DeviceTime) { state = Mutex((start.millisecondsSince1970, 0)) }

  var deviceTime: DeviceTime {
    // Each look at it is a millisecond later: no two things are made at once.
    state.withLock { state in
      state.wall += 1
      state.elapsed += 1
      return DeviceTime(millisecondsSince1970: state.wall)
    }
  }

  var elapsed: ElapsedTime { ElapsedTime(milliseconds: state.withLock { $0.elapsed }) }

  /// Time goes by.
  func advance(seconds: Double) {
    state.withLock { state in
      state.wall += Int64(seconds * 1000)
      state.elapsed += Int64(seconds * 1000)
    }
  }

  /// Somebody sets the clock.
  func step(seconds: Double) { state.withLock { $0.wall += Int64(seconds * 1000) } }

  func sleep(until deadline: ElapsedTime) async throws {
    let wait = deadline.seconds(since: elapsed)
    if wait > 0 { advance(seconds: wait) }
  }
}
