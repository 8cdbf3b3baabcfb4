import Inspection
import Positioning
import TimeAndText

/// A track in the office's database; its points are in its file.
public struct ReceivedTrack: Hashable, Sendable {
  /// The identifier of the track.
  public var id: Identifier
  /// The login of the inspector who recorded it.
  public var inspector: String
  /// The task that the track belongs to; nil for a standalone track.
  public var task: Identifier?
  /// The name that the inspector gave it.
  public var name: String
  /// The time at which its recording began, by the device's clock.
  public var started: DeviceTime
  /// The time at which it came, by the office's clock.
  public var delivered: DeviceTime
  /// The time at which an officer hid it; nil while it is shown.
  public var hidden: DeviceTime?
  /// The task that its record names, if the office had decided on that task before the track came;
  /// nil otherwise.
  public var lateTask: Identifier?
  /// The measures of its points, computed when it came; nil if an older version received it.
  public var measures: TrackMeasures?

  /// Creates a received track.
  public init(
    id: Identifier, inspector: String, task: Identifier?, name: String, started: DeviceTime,
    delivered: DeviceTime, hidden: DeviceTime? = nil, lateTask: Identifier? = nil,
    measures: TrackMeasures? = nil
  ) {
    self.lateTask = lateTask
    self.measures = measures
    self.hidden = hidden
    self.id = id
    self.inspector = inspector
    self.task = task
    self.name = name
    self.started = started
    self.delivered = delivered
  }
}
