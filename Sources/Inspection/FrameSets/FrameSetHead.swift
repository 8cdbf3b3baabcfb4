import Geodesy
import TimeAndText

/// A set as lists show it, without its frames.
public struct FrameSetHead: Hashable, Sendable {
  /// The identifier of the set.
  public var id: Identifier
  /// The task that the set belongs to; nil for a standalone set.
  public var task: Identifier?
  /// The kind of the set.
  public var kind: FrameSetKind
  /// The device's time at which it began.
  public var started: DeviceTime
  /// The device's time at which it ended.
  public var ended: DeviceTime
  /// The place at which it began.
  public var place: Coordinate
  /// The number of its sectors.
  public var sectors: Int
  /// The number of sectors that hold a frame, which is the number of frames.
  public var filled: Int
  /// True if enough sectors hold a frame.
  public var isComplete: Bool
  /// The size of all its files, bytes; nil if unknown, as at the office, which does not count it.
  public var bytes: Int?
  /// True if a simulator or a replay stood in for the receiver.
  public var isSimulated: Bool
  /// The time at which Send put the set into the outbox; nil before that.
  public var sent: DeviceTime?
  /// The time at which a receipt for the set came; nil before that.
  public var delivered: DeviceTime?
  /// The time at which a rule of removal took its bytes off the device; nil before that.
  public var removed: DeviceTime?

  /// Creates a head.
  public init(
    id: Identifier, task: Identifier?, kind: FrameSetKind, started: DeviceTime, ended: DeviceTime,
    place: Coordinate, sectors: Int, filled: Int, isComplete: Bool, bytes: Int? = nil,
    isSimulated: Bool,
    sent: DeviceTime? = nil, delivered: DeviceTime? = nil, removed: DeviceTime? = nil
  ) {
    self.id = id
    self.task = task
    self.kind = kind
    self.started = started
    self.ended = ended
    self.place = place
    self.sectors = sectors
    self.filled = filled
    self.isComplete = isComplete
    self.bytes = bytes
    self.isSimulated = isSimulated
    self.sent = sent
    self.delivered = delivered
    self.removed = removed
  }

  /// Creates the head of a set that was just taken.
  /// - Parameter bytes: the size of all its files.
  public init(_ set: FrameSet, bytes: Int) {
    let summary = set.summary
    self.init(
      id: set.id, task: set.task, kind: set.terms.kind, started: set.start.deviceTime,
      ended: set.end.deviceTime, place: set.start.position.coordinate, sectors: summary.sectors,
      filled: summary.filled, isComplete: summary.isComplete, bytes: bytes,
      isSimulated: set.isSimulated)
  }

  /// Checks that the inspector may still delete the set: never after Send.
  /// - Throws: `InspectionError.alreadySent`.
  public func requireDeletable() throws(InspectionError) {
    if sent != nil { throw .alreadySent(what: "set") }
  }
}
