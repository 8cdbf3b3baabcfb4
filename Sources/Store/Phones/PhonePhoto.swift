import Inspection
import Positioning

/// What a phone's app sent with a photo, as it was sent. It stands beside the photo for ever.
public struct PhonePhoto: Hashable, Sendable {
  /// The photo.
  public var photo: Identifier
  /// Login of the inspector who sent it.
  public var inspector: String
  /// The number by which phones know it.
  public var number: Int64
  /// The user's number as the app sent it: its digest is over this text.
  public var userNumber: String
  /// When it was taken, in the app's own words; nil where it sent none.
  public var created: String?
  /// The app's digest, as it was sent; nil where it sent none.
  public var digest: String?
  /// Whether the app's digest is the one of these bytes, this time and this user; nil without one.
  public var digestHolds: Bool?
  /// The whole JSON object with every field as it came, but for the picture, which is a file.
  public var fields: String
  /// When it came, by the office's clock.
  public var received: DeviceTime

  /// A phone's photo from its parts.
  public init(
    photo: Identifier, inspector: String, number: Int64, userNumber: String, created: String?,
    digest: String?, digestHolds: Bool?, fields: String, received: DeviceTime
  ) {
    self.photo = photo
    self.inspector = inspector
    self.number = number
    self.userNumber = userNumber
    self.created = created
    self.digest = digest
    self.digestHolds = digestHolds
    self.fields = fields
    self.received = received
  }
}
