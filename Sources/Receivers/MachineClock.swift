import Foundation
import TimeAndText

/// The machine's own clocks. One is created when the program is put together.
public struct MachineClock: Timepiece {
  private let start = ContinuousClock.now

  /// Creates a clock whose elapsed time begins now.
  public init() {}

  /// The time of the machine's wall clock.
  public var deviceTime: DeviceTime {
    DeviceTime(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
  }

  /// The time since this clock was made.
  public var elapsed: ElapsedTime {
    ElapsedTime(milliseconds: Int64((ContinuousClock.now - start) / .milliseconds(1)))
  }

  /// Sleeps until the elapsed time reaches `deadline`.
  public func sleep(until deadline: ElapsedTime) async throws {
    try await Task.sleep(until: start + .milliseconds(deadline.milliseconds), clock: .continuous)
  }
}
