import Positioning

/// A place where somebody is signed in at the office.
public struct OpenSession: Hashable, Sendable {
  /// SHA-256 of what it shows, which nobody has kept.
  public var digest: String
  /// Thumbprint of the device's key, for a field unit; nil for a browser or a program.
  public var key: String?
  /// When it began.
  public var created: DeviceTime
  /// When it was used last, to some minutes.
  public var used: DeviceTime

  /// A session.
  public init(digest: String, key: String?, created: DeviceTime, used: DeviceTime) {
    self.digest = digest
    self.key = key
    self.created = created
    self.used = used
  }

  /// Names it on a page: enough to tell it from the person's other ones.
  public var mark: String { String(digest.prefix(16)) }
}
