import Foundation
import Office
import Store
import Sync
import TimeAndText

/// A setting of an agency's service for phones, by which a check names the field that is wrong.
public enum PhoneSetting: String, Hashable, Sendable, CaseIterable {
  /// The secret part of the address.
  case address
  /// The name in HTTP's Basic scheme.
  case credentials
  /// The password that goes with the name.
  case password
  /// The networks that phones may come from.
  case networks
  /// The rate at which a user may ask.
  case requests
  /// The rate at which one address may try to log in.
  case logins
  /// The time for which a login holds.
  case loginHours
  /// The size of a network for which a login holds.
  case sameNetwork
  /// The zone of times that name none.
  case zone
}

/// A change of an agency's service for phones; a part that is nil stays as it is. The command and
/// the page check their input by `faults()`.
public struct PhoneServiceChange: Sendable {
  /// The secret part of the address.
  public enum Prefix: Sendable {
    /// A new secret part, which is drawn and told once.
    case drawn
    /// A text that the caller has chosen: 16 to 64 letters, digits, hyphens and underscores.
    case chosen(String)
    /// No secret part: phones bring credentials.
    case removed
  }

  /// Name and password of HTTP's Basic scheme.
  public enum Credentials: Sendable {
    /// The given name and password.
    case set(login: String, password: String)
    /// The given name, and a password that is drawn and told once.
    case drawn(login: String)
    /// No credentials: the address is secret.
    case removed
  }

  /// A rate: how many come back in a second (0.001 to 1,000,000), and how many may come at once (1
  /// to 1,000,000).
  public typealias Rate = (perSecond: Double, burst: Double)

  /// The change of the secret part of the address; nil leaves it.
  public var prefix: Prefix?
  /// The change of the credentials that phones send by HTTP's Basic scheme; nil leaves them.
  public var credentials: Credentials?
  /// The networks that phones may come from, at most 100; empty for any network.
  public var networks: [String]?
  /// The rate of a user's requests.
  public var requests: Rate?
  /// The rate of tries to log in from one address.
  public var logins: Rate?
  /// The time for which a login holds, hours: more than 0, at most 10,000.
  public var loginHours: Double?
  /// The number of an address's leading bits that make one network: 0 to 32 for IPv4, 0 to 128 for
  /// IPv6.
  public var networkBits: (four: Int, six: Int)?
  /// The zone of times that name none, such as `Europe/Prague`.
  public var zone: String?

  /// Creates a change that changes nothing.
  public init() {}

  /// Reads networks as people write them, with commas, blanks or line ends between them. `any` or
  /// an empty text gives an empty list, which stands for all networks.
  public static func networks(from text: String) -> [String] {
    let rules = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    return rules == ["any"] ? [] : rules
  }

  // MARK: checks

  private static let networksAtMost = 100

  /// Returns all faults of the change, in the order of the settings.
  public func faults() -> [(setting: PhoneSetting, refusal: OfficeRefusal)] {
    PhoneSetting.allCases.compactMap { setting in fault(of: setting).map { (setting, $0) } }
  }

  private func fault(of setting: PhoneSetting) -> OfficeRefusal? {
    switch setting {
    case .address: addressFault
    case .credentials: loginFault
    case .password: passwordFault
    case .networks: networksFault
    case .requests: Self.fault(ofRate: requests)
    case .logins: Self.fault(ofRate: logins)
    case .loginHours: loginHoursFault
    case .sameNetwork: networkBitsFault
    case .zone: zoneFault
    }
  }

  private var addressFault: OfficeRefusal? {
    guard case .chosen(let text) = prefix else { return nil }
    let isOne =
      (16...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { Self.isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x5F }
    return isOne
      ? nil
      : OfficeRefusal(
        .inputInvalid,
        "the secret part of the address is 16 to 64 letters, digits, hyphens and underscores")
  }

  private var loginFault: OfficeRefusal? {
    let name: String
    switch credentials {
    case .set(let login, _), .drawn(let login): name = login
    case .removed, nil: return nil
    }
    return People.isName(name)
      ? nil
      : OfficeRefusal(
        .inputInvalid, "a login is 1 to 64 letters, digits, dots, hyphens, underscores or @")
  }

  private var passwordFault: OfficeRefusal? {
    guard case .set(_, let password) = credentials else { return nil }
    do {
      try People.requireUsable(Self.sendable(password))
      return nil
    } catch {
      return error
    }
  }

  /// Returns a password as it can arrive: the apps end theirs with a line end, so blanks at its end
  /// do not count.
  static func sendable(_ password: String) -> String {
    String(PHPForm.trimmed("." + password).dropFirst())
  }

  private var networksFault: OfficeRefusal? {
    guard let networks else { return nil }
    guard networks.count <= Self.networksAtMost else {
      return OfficeRefusal(.inputInvalid, "enter at most \(Self.networksAtMost) networks")
    }
    return networks.first { PhoneNetwork(rule: $0) == nil }.map { rule in
      OfficeRefusal(
        .inputInvalid,
        "\(String(rule.prefix(100))) is not a network: enter one such as 192.0.2.0/24 or 2001:db8::/32"
      )
    }
  }

  private static func fault(ofRate rate: Rate?) -> OfficeRefusal? {
    guard let rate else { return nil }
    return (0.001...1e6).contains(rate.perSecond) && (1...1e6).contains(rate.burst)
      ? nil
      : OfficeRefusal(
        .inputInvalid,
        "enter 0.001 to 1,000,000 requests per second and a burst of 1 to 1,000,000")
  }

  private var loginHoursFault: OfficeRefusal? {
    guard let loginHours else { return nil }
    return loginHours > 0 && loginHours <= 10_000
      ? nil
      : OfficeRefusal(.inputInvalid, "enter more than 0 and at most 10,000 hours")
  }

  private var networkBitsFault: OfficeRefusal? {
    guard let networkBits else { return nil }
    return (0...32).contains(networkBits.four) && (0...128).contains(networkBits.six)
      ? nil
      : OfficeRefusal(
        .inputInvalid, "enter 0 to 32 bits for IPv4 and 0 to 128 for IPv6")
  }

  private var zoneFault: OfficeRefusal? {
    guard let zone else { return nil }
    // The system may look the name up as a file, so only characters of zone names are allowed.
    let isName = zone.utf8.allSatisfy {
      Self.isLetterOrDigit($0) || [0x2B, 0x2D, 0x2F, 0x5F].contains($0)
    }
    return isName && zone.utf8.count <= 64 && TimeZone(identifier: zone) != nil
      ? nil
      : OfficeRefusal(
        .inputInvalid,
        "\(String(zone.prefix(100))) is not a time zone: enter one such as Europe/Prague or UTC")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
  }

  // MARK: applying

  /// Puts everything but the secrets into a service; the change must have no faults.
  func apply(to service: inout PhoneService) {
    if let networks { service.networks = networks }
    if let requests {
      (service.requestsPerSecond, service.requestBurst) = (requests.perSecond, requests.burst)
    }
    if let logins {
      (service.loginsPerSecond, service.loginBurst) = (logins.perSecond, logins.burst)
    }
    if let loginHours { service.loginSeconds = loginHours * 3600 }
    if let networkBits {
      (service.networkBits4, service.networkBits6) = (networkBits.four, networkBits.six)
    }
    if let zone { service.zone = zone }
  }

  /// The change in words for the log, without secrets.
  var summary: String {
    var parts: [String] = []
    func number(_ value: Double) -> String {
      let text = "\(value)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    func rate(_ rate: Rate) -> String { "\(number(rate.perSecond)),\(number(rate.burst))" }
    switch prefix {
    case .drawn, .chosen: parts.append("new address")
    case .removed: parts.append("no address")
    case nil: break
    }
    switch credentials {
    case .set(let login, _), .drawn(let login): parts.append("credentials \(login)")
    case .removed: parts.append("no credentials")
    case nil: break
    }
    if let networks {
      parts.append("networks " + (networks.isEmpty ? "any" : networks.joined(separator: " ")))
    }
    if let requests { parts.append("requests \(rate(requests))") }
    if let logins { parts.append("logins \(rate(logins))") }
    if let loginHours { parts.append("login hours \(number(loginHours))") }
    if let networkBits { parts.append("same network \(networkBits.four),\(networkBits.six)") }
    if let zone { parts.append("zone \(zone)") }
    return parts.joined(separator: "; ")
  }
}
