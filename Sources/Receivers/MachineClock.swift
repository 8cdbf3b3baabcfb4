import Foundation
import Positioning

/// The machine's own clocks. It is made once, where the program is put together.
public struct MachineClock: Timepiece {
  private let start = ContinuousClock.now

  /// A clock whose elapsed time begins now.
  public init() {}

  /// What the machine's wall clock shows.
  public var deviceTime: DeviceTime {
    DeviceTime(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
  }

  /// Time since this clock was made.
  public var elapsed: ElapsedTime {
    ElapsedTime(milliseconds: Int64((ContinuousClock.now - start) / .milliseconds(1)))
  }

  /// Sleeps.
  public func sleep(until deadline: ElapsedTime) async throws {
    try await Task.sleep(until: start + .milliseconds(deadline.milliseconds), clock: .continuous)
  }
}
