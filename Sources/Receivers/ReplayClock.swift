import Positioning
import Synchronization
import TimeAndText

/// The clock of a replay. It shows the log's time and runs `rate` times as fast as the machine's
/// clock. It pauses when the replay waits, so that a slow step changes nothing in the
/// demonstration.
///
/// The player of the log moves the clock from epoch to epoch with `advance`. Between two epochs the
/// clock runs on its own, but never past the next one.
public final class ReplayClock: Timepiece {
  private struct State {
    var anchor: ElapsedTime
    var wall: ContinuousClock.Instant
    var limit: ElapsedTime?
    var rate: Double
  }

  /// The device time at elapsed time 0.
  public let start: DeviceTime
  /// The clock's speed as a multiple of the machine's; infinite for "as fast as it can".
  public var rate: Double { state.withLock { $0.rate } }
  private let state: Mutex<State>

  /// Creates a clock that shows `start` and does not run yet.
  public init(start: DeviceTime, rate: Double) {
    self.start = start
    let zero = ElapsedTime(milliseconds: 0)
    state = Mutex(State(anchor: zero, wall: .now, limit: zero, rate: rate))
  }

  /// The log's time.
  public var deviceTime: DeviceTime {
    DeviceTime(millisecondsSince1970: start.millisecondsSince1970 + elapsed.milliseconds)
  }

  /// The time in the log since its first epoch.
  public var elapsed: ElapsedTime {
    state.withLock { state in
      guard state.rate.isFinite else { return state.anchor }
      let running = (ContinuousClock.now - state.wall) / .milliseconds(1) * state.rate
      let now = ElapsedTime(milliseconds: state.anchor.milliseconds + Int64(running))
      return state.limit.map { min($0, now) } ?? now
    }
  }

  /// Notes that an epoch at `elapsed` is played. The clock may run on to `limit`, or without a
  /// limit if that is nil. It never runs backwards.
  public func advance(to elapsed: ElapsedTime, limit: ElapsedTime?) {
    let now = self.elapsed
    state.withLock { state in
      state.anchor = max(elapsed, now)
      state.wall = .now
      state.limit = limit.map { max($0, state.anchor) }
    }
  }

  /// Notes that the log is over: from now on the clock runs as fast as the machine's, without a limit.
  public func runOn() {
    let now = elapsed
    state.withLock { $0 = State(anchor: now, wall: .now, limit: nil, rate: 1) }
  }

  /// Returns when the log has reached `deadline`.
  public func sleep(until deadline: ElapsedTime) async throws {
    // The player moves the log, so there is no machine time to wait for.
    while elapsed < deadline { try await Task.sleep(for: .milliseconds(2)) }
  }
}
