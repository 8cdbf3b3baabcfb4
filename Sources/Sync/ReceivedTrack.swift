import Inspection
import Positioning

/// A track as the office's database has it; its points are in its file.
public struct ReceivedTrack: Hashable, Sendable {
  /// Its identifier.
  public var id: Identifier
  /// Login of whoever recorded it.
  public var inspector: String
  /// The task it belongs to; nil for one of its own.
  public var task: Identifier?
  /// What the inspector called it.
  public var name: String
  /// When its recording began, by the device's clock.
  public var started: DeviceTime
  /// When it came, by the office's clock.
  public var delivered: DeviceTime
  /// When an officer has hidden it; nil while it is shown.
  public var hidden: DeviceTime?
  /// The task that its record names, where the office had decided upon that one before the track came; nil otherwise.
  public var lateTask: Identifier?
  /// What its points measure, computed when it came; nil for one that came to an older version.
  public var measures: TrackMeasures?

  /// A track from its parts.
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
