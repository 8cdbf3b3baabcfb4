import Inspection
import TimeAndText

/// A path that a phone's app sent, as it was sent.
public struct PhoneTrack: Hashable, Sendable {
  /// The track's identifier.
  public var track: Identifier
  /// The login of the inspector who sent it.
  public var inspector: String
  /// The number by which phones know the track; 0 if it has none.
  public var number: Int64
  /// The SHA-256 over everything that identifies the path: a path that is sent again has the same.
  public var contentDigest: String
  /// The form's fields without the points, as a JSON object of texts.
  public var fields: String
  /// The points as they came, a JSON array.
  public var points: String
  /// The time of its arrival, by the office's clock.
  public var received: DeviceTime

  /// Creates a phone's path.
  public init(
    track: Identifier, inspector: String, number: Int64, contentDigest: String, fields: String,
    points: String, received: DeviceTime
  ) {
    self.track = track
    self.inspector = inspector
    self.number = number
    self.contentDigest = contentDigest
    self.fields = fields
    self.points = points
    self.received = received
  }
}
