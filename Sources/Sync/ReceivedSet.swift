import Inspection
import TimeAndText

/// A set in the office's database; its frames are in files.
public struct ReceivedSet: Hashable, Sendable {
  /// The set as lists show it.
  public var head: FrameSetHead
  /// The login of the inspector who took it.
  public var inspector: String
  /// The task that its record names, if the office had decided on that task before the set came; nil
  /// otherwise.
  public var lateTask: Identifier?
  /// The time at which it came, by the office's clock.
  public var delivered: DeviceTime

  /// Creates a received set.
  public init(
    head: FrameSetHead, inspector: String, lateTask: Identifier?, delivered: DeviceTime
  ) {
    self.head = head
    self.inspector = inspector
    self.lateTask = lateTask
    self.delivered = delivered
  }
}
