import Inspection
import Positioning

/// A path that a phone's app sent, as it was sent.
public struct PhoneTrack: Hashable, Sendable {
  /// The track.
  public var track: Identifier
  /// Login of the inspector who sent it.
  public var inspector: String
  /// The number by which phones know it.
  public var number: Int64
  /// SHA-256 over everything that makes it this path: the same sent again has the same.
  public var contentDigest: String
  /// The form's fields but for the points, as a JSON object of texts.
  public var fields: String
  /// The points, a JSON array, as it came.
  public var points: String
  /// When it came, by the office's clock.
  public var received: DeviceTime

  /// A phone's path from its parts.
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
