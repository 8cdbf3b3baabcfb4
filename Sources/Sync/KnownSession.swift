import Inspection
import TimeAndText

/// The person and the end of a session, as the office's registry has them.
public struct KnownSession: Hashable, Sendable {
  /// The person whose session it is, as the person is now.
  public var account: Account
  /// The thumbprint of the device's key; nil for a browser's or a program's session.
  public var key: String?
  /// The end of the session. A session that has ended may still be in the registry.
  public var expires: DeviceTime

  /// Creates a session.
  public init(account: Account, key: String?, expires: DeviceTime) {
    self.account = account
    self.key = key
    self.expires = expires
  }
}
