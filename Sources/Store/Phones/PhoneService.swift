import Positioning

/// How an agency lets phones with the EGNSS4CAP and EGNSS4ALL apps in. The apps send no token: what is here is
/// what stands in its place (docs/egnss4cap.md says how far it reaches).
public struct PhoneService: Hashable, Sendable {
  /// The agency's stable name.
  public var agency: String
  /// SHA-256 of the secret first part of the address; nil where the address has none.
  public var prefixDigest: String?
  /// The name that phones send by HTTP's Basic scheme; nil where they send none.
  public var basicLogin: String?
  /// The stored form of the password that goes with it; nil with the name.
  public var basicPassword: String?
  /// From which networks phones may come, as `address/bits`; empty for any.
  public var networks: [String] = []
  /// How many requests of one user come back in a second.
  public var requestsPerSecond = 20.0
  /// How many may come at once.
  public var requestBurst = 400.0
  /// How many tries to log in come back to one address in a second.
  public var loginsPerSecond = 1.0
  /// How many may come at once.
  public var loginBurst = 60.0
  /// How long a login holds, seconds.
  public var loginSeconds = 30 * 86_400.0
  /// So many leading bits of an IPv4 address are one network: 0 to 32.
  public var networkBits4 = 24
  /// The same of an IPv6 address: 0 to 128.
  public var networkBits6 = 64
  /// The zone of times that name none, such as `Europe/Prague`; also that of the times in answers.
  public var zone = "UTC"
  /// When this was laid down.
  public var changed: DeviceTime

  /// A service that nobody can reach yet: it has neither a secret address nor credentials.
  public init(agency: String, changed: DeviceTime) {
    self.agency = agency
    self.changed = changed
  }
}

/// What a number stands for that phones know: the apps hold identifiers as whole numbers.
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
