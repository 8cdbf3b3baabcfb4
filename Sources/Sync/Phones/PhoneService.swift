import TimeAndText

/// The settings by which an agency lets phones with the EGNSS4CAP and EGNSS4ALL apps in. The apps
/// send no token: these settings take its place (docs/egnss4cap.md says how far they protect).
public struct PhoneService: Hashable, Sendable {
  /// The agency's stable name.
  public var agency: String
  /// The SHA-256 of the secret first part of the address; nil if the address has none.
  public var prefixDigest: String?
  /// The login name that phones send by HTTP's Basic scheme; nil if they send none.
  public var basicLogin: String?
  /// The stored form of the password for `basicLogin`; nil if that is nil.
  public var basicPassword: String?
  /// The networks from which phones may come, as `address/bits`; empty for any.
  public var networks: [String] = []
  /// The requests that one user may make per second in the long run.
  public var requestsPerSecond = 20.0
  /// The requests that one user may make at once.
  public var requestBurst = 400.0
  /// The attempts to log in that one network may make per second in the long run.
  public var loginsPerSecond = 1.0
  /// The attempts to log in that one network may make at once.
  public var loginBurst = 60.0
  /// The time for which a login is valid, seconds.
  public var loginSeconds = 30 * 86_400.0
  /// The number of leading bits of an IPv4 address that make one network: 0 to 32.
  public var networkBits4 = 24
  /// The number of leading bits of an IPv6 address that make one network: 0 to 128.
  public var networkBits6 = 64
  /// The zone of times that name none, and of the times in answers, such as `Europe/Prague`.
  public var zone = "UTC"
  /// The time of the last change of these settings.
  public var changed: DeviceTime

  /// Creates a service that no phone can reach yet: it has neither a secret address nor credentials.
  public init(agency: String, changed: DeviceTime) {
    self.agency = agency
    self.changed = changed
  }
}

/// The kind of thing that a phone's number names: the apps keep identifiers as whole numbers.
public enum PhoneNumberKind: String, Hashable, Sendable, CaseIterable {
  /// A person, by login.
  case user
  /// A task, by identifier.
  case task
  /// A photo, by identifier.
  case photo
  /// A track, by identifier.
  case track
}
