import Positioning
import Synchronization

/// The clock of a replay: it shows the log's time, `rate` times as fast as the machine's, and stands
/// still where the replay waits, so that a step that takes a while changes nothing in the story.
///
/// The one who plays the log moves it from epoch to epoch with `advance`. Between two epochs it runs
/// on its own, but never past the next one.
public final class ReplayClock: Timepiece {
  private struct State {
    var anchor: ElapsedTime
    var wall: ContinuousClock.Instant
    var limit: ElapsedTime?
    var rate: Double
  }

  /// What the clock shows at elapsed time 0.
  public let start: DeviceTime
  /// How many times as fast as the machine's clock; infinite for "as fast as it can".
  public var rate: Double { state.withLock { $0.rate } }
  private let state: Mutex<State>

  /// A clock that stands at `start`.
  public init(start: DeviceTime, rate: Double) {
    self.start = start
    let zero = ElapsedTime(milliseconds: 0)
    state = Mutex(State(anchor: zero, wall: .now, limit: zero, rate: rate))
  }

  /// The log's time.
  public var deviceTime: DeviceTime {
    DeviceTime(millisecondsSince1970: start.millisecondsSince1970 + elapsed.milliseconds)
  }

  /// Seconds of the log since its first epoch.
  public var elapsed: ElapsedTime {
    state.withLock { state in
      guard state.rate.isFinite else { return state.anchor }
      let running = (ContinuousClock.now - state.wall) / .milliseconds(1) * state.rate
      let now = ElapsedTime(milliseconds: state.anchor.milliseconds + Int64(running))
      return state.limit.map { min($0, now) } ?? now
    }
  }

  /// An epoch at `elapsed` is played; the clock may run on to `limit`, nil for as long as it likes.
  /// It never runs backwards.
  public func advance(to elapsed: ElapsedTime, limit: ElapsedTime?) {
    let now = self.elapsed
    state.withLock { state in
      state.anchor = max(elapsed, now)
      state.wall = .now
      state.limit = limit.map { max($0, state.anchor) }
    }
  }

  /// The log is over: from here on the clock runs as fast as the machine's, for as long as it likes.
  public func runOn() {
    let now = elapsed
    state.withLock { $0 = State(anchor: now, wall: .now, limit: nil, rate: 1) }
  }

  /// Returns when the log has come to `deadline`.
  public func sleep(until deadline: ElapsedTime) async throws {
    // The log is moved by somebody else: there is no machine time to wait for.
    while elapsed < deadline { try await Task.sleep(for: .milliseconds(2)) }
  }
}
