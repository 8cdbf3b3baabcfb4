import Positioning

/// What a track was recorded by.
public enum TrackOrigin: String, Hashable, Sendable, CaseIterable {
  /// A field unit, whose key has sealed it.
  case fieldUnit
  /// A phone with the EGNSS4CAP or EGNSS4ALL app: no device key has sealed it.
  case egnss4cap
}

/// A path or a perimeter that was recorded.
public struct Track: Hashable, Sendable {
  /// Made on the device; also the identifier of its record.
  public var id: Identifier
  /// The agency.
  public var agency: String
  /// Login of the inspector who recorded it.
  public var inspector: String
  /// The task it belongs to; nil for a track of its own.
  public var task: Identifier?
  /// What it was recorded by.
  public var origin: TrackOrigin
  /// What it is called.
  public var name: String
  /// The device's time at its start.
  public var started: DeviceTime
  /// The device's time at its end; nil while it is recorded.
  public var ended: DeviceTime?
  /// Whether a simulator or a replay stood in for the receiver.
  public var isSimulated: Bool
  /// When Send put it into the outbox; nil before.
  public var sent: DeviceTime?
  /// When a receipt for it came; nil before.
  public var delivered: DeviceTime?
  /// Its points, in their order.
  public var points: [TrackPoint]

  /// A track from its parts.
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

  /// Length, area and the rest, computed from the points.
  public var measures: TrackMeasures { TrackMeasures(points) }

  /// Whether its inspector may still delete it: never after Send.
  public func requireDeletable() throws(InspectionError) {
    if sent != nil { throw .alreadySent(what: "track") }
  }
}
