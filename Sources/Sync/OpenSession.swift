import TimeAndText

/// A browser, program or field unit that is signed in at the office.
public struct OpenSession: Hashable, Sendable {
  /// The SHA-256 of the session's token. The token itself is not stored.
  public var digest: String
  /// The thumbprint of the device's key, for a field unit; nil for a browser or a program.
  public var key: String?
  /// The time at which the session began.
  public var created: DeviceTime
  /// The time of its last use, exact to some minutes.
  public var used: DeviceTime

  /// Creates a session.
  public init(digest: String, key: String?, created: DeviceTime, used: DeviceTime) {
    self.digest = digest
    self.key = key
    self.created = created
    self.used = used
  }

  /// The name of the session on a page: enough to tell it from the person's other sessions.
  public var mark: String { String(digest.prefix(16)) }
}
