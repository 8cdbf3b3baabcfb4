import Positioning
import TimeAndText

/// The kind of device that recorded a track.
public enum TrackOrigin: String, Hashable, Sendable, CaseIterable {
  /// A field unit, whose key sealed the track.
  case fieldUnit
  /// A phone with the EGNSS4CAP or EGNSS4ALL app. No device key sealed the track.
  case egnss4cap
}

/// A recorded path or perimeter.
public struct Track: Hashable, Sendable {
  /// The identifier, made on the device; also the identifier of the track's record.
  public var id: Identifier
  /// The stable name of the agency.
  public var agency: String
  /// The login of the inspector who recorded the track.
  public var inspector: String
  /// The task that the track belongs to; nil for a standalone track.
  public var task: Identifier?
  /// The kind of device that recorded the track.
  public var origin: TrackOrigin
  /// The track's name on the screen.
  public var name: String
  /// The device time at the start.
  public var started: DeviceTime
  /// The device time at the end; nil while the track is being recorded.
  public var ended: DeviceTime?
  /// True if a simulator or a replay stood in for the receiver.
  public var isSimulated: Bool
  /// The time at which Send put the track into the outbox; nil before that.
  public var sent: DeviceTime?
  /// The time at which a receipt for the track came; nil before that.
  public var delivered: DeviceTime?
  /// The track points in the order of their epochs.
  public var points: [TrackPoint]

  /// Creates a track.
  public init(
    id: Identifier, agency: String, inspector: String, task: Identifier?,
    origin: TrackOrigin = .fieldUnit, name: String, started: DeviceTime, ended: DeviceTime? = nil,
    isSimulated: Bool, sent: DeviceTime? = nil,
    delivered: DeviceTime? = nil, points: [TrackPoint] = []
  ) {
    self.id = id
    self.agency = agency
    self.inspector = inspector
    self.task = task
    self.origin = origin
    self.name = name
    self.started = started
    self.ended = ended
    self.isSimulated = isSimulated
    self.sent = sent
    self.delivered = delivered
    self.points = points
  }

  /// The length, area and other measures, computed from the points.
  public var measures: TrackMeasures { TrackMeasures(points) }

  /// Checks that the inspector may still delete the track: never after Send.
  /// - Throws: `InspectionError.alreadySent`.
  public func requireDeletable() throws(InspectionError) {
    if sent != nil { throw .alreadySent(what: "track") }
  }
}
