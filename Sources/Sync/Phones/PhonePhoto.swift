import Inspection
import TimeAndText

/// The facts that a phone's app sent with a photo, as they were sent. They are kept permanently
/// with the photo.
public struct PhonePhoto: Hashable, Sendable {
  /// The photo's identifier.
  public var photo: Identifier
  /// The login of the inspector who sent it.
  public var inspector: String
  /// The number by which phones know the photo; 0 if it has none.
  public var number: Int64
  /// The user's number as the app sent it: the app's digest is over this text.
  public var userNumber: String
  /// The time of the photo in the app's own words; nil if the app sent none.
  public var created: String?
  /// The app's digest, as it was sent; nil if the app sent none.
  public var digest: String?
  /// True if the app's digest agrees with the picture's bytes, the time and the user; nil without a digest.
  public var digestHolds: Bool?
  /// The whole JSON object with every field as it came, without the picture, which is a file.
  public var fields: String
  /// The time of its arrival, by the office's clock.
  public var received: DeviceTime

  /// Creates a phone's photo.
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
