import Foundation
import Office
import Positioning
import Store
import Sync

/// What of an agency's service for phones is laid down: what a check speaks of.
public enum PhoneSetting: String, Hashable, Sendable, CaseIterable {
  /// The secret part of the address.
  case address
  /// The name of HTTP's Basic scheme.
  case credentials
  /// The password that goes with it.
  case password
  /// The networks that phones may come from.
  case networks
  /// How often a user may ask.
  case requests
  /// How often one address may try to log in.
  case logins
  /// How long a login holds.
  case loginHours
  /// What is the same network as the login's.
  case sameNetwork
  /// The zone of times that name none.
  case zone
}

/// What is to be changed of how an agency lets phones in; what is nil stays as it is. The command and the page check by
/// `faults()` what they were given.
public struct PhoneServiceChange: Sendable {
  /// The secret part of the address.
  public enum Prefix: Sendable {
    /// A new one is drawn; it is told once.
    case drawn
    /// One that somebody has chosen: 16 to 64 letters, digits, hyphens and underscores.
    case chosen(String)
    /// None: phones bring credentials.
    case removed
  }

  /// Name and password of HTTP's Basic scheme.
  public enum Credentials: Sendable {
    /// These.
    case set(login: String, password: String)
    /// This name, and a password that is drawn; it is told once.
    case drawn(login: String)
    /// None: the address is secret.
    case removed
  }

  /// So many in a second, and so many at once.
  public typealias Rate = (perSecond: Double, burst: Double)

  /// The secret part of the address.
  public var prefix: Prefix?
  /// What phones send by HTTP's Basic scheme.
  public var credentials: Credentials?
  /// From where phones may come; empty for anywhere.
  public var networks: [String]?
  /// How many requests of a user come back in a second, and how many may come at once.
  public var requests: Rate?
  /// The same of tries to log in from one address.
  public var logins: Rate?
  /// How long a login holds, hours.
  public var loginHours: Double?
  /// How many leading bits of an address are one network, of IPv4 and IPv6.
  public var networkBits: (four: Int, six: Int)?
  /// The zone of times that name none.
  public var zone: String?

  /// Nothing is changed.
  public init() {}

  /// Networks as people write them: with commas, blanks or line ends between them; `any`, or nothing, is all of them.
  public static func networks(from text: String) -> [String] {
    let rules = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    return rules == ["any"] ? [] : rules
  }

  // MARK: checks

  private static let networksAtMost = 100

  /// Everything of it that cannot be laid down, in the order of the settings.
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
    return OfficeServer.isName(name)
      ? nil
      : OfficeRefusal(
        .inputInvalid, "a login is 1 to 64 letters, digits, dots, hyphens, underscores or @")
  }

  private var passwordFault: OfficeRefusal? {
    guard case .set(_, let password) = credentials else { return nil }
    do {
      try OfficeServer.requireUsable(Self.sendable(password))
      return nil
    } catch {
      return error
    }
  }

  /// A password as it can arrive: the apps end theirs with a line end, so that no blank at its end counts.
  static func sendable(_ password: String) -> String {
    String(PHPForm.trimmed("." + password).dropFirst())
  }

  private var networksFault: OfficeRefusal? {
    guard let networks else { return nil }
    guard networks.count <= Self.networksAtMost else {
      return OfficeRefusal(.inputInvalid, "at most \(Self.networksAtMost) networks are looked at")
    }
    return networks.first { PhoneNetwork(rule: $0) == nil }.map { rule in
      OfficeRefusal(
        .inputInvalid,
        "\(String(rule.prefix(100))) is no network: write 192.0.2.0/24 or 2001:db8::/32")
    }
  }

  private static func fault(ofRate rate: Rate?) -> OfficeRefusal? {
    guard let rate else { return nil }
    return (0.001...1e6).contains(rate.perSecond) && (1...1e6).contains(rate.burst)
      ? nil
      : OfficeRefusal(
        .inputInvalid,
        "a rate is 0.001 to 1,000,000 in a second, and 1 to 1,000,000 at once")
  }

  private var loginHoursFault: OfficeRefusal? {
    guard let loginHours else { return nil }
    return loginHours > 0 && loginHours <= 10_000
      ? nil
      : OfficeRefusal(.inputInvalid, "a login holds for more than 0 and at most 10,000 hours")
  }

  private var networkBitsFault: OfficeRefusal? {
    guard let networkBits else { return nil }
    return (0...32).contains(networkBits.four) && (0...128).contains(networkBits.six)
      ? nil
      : OfficeRefusal(
        .inputInvalid, "a network is 0 to 32 bits of an IPv4 address, 0 to 128 of an IPv6 one")
  }

  private var zoneFault: OfficeRefusal? {
    guard let zone else { return nil }
    // The system may look for it as for a file.
    let isName = zone.utf8.allSatisfy {
      Self.isLetterOrDigit($0) || [0x2B, 0x2D, 0x2F, 0x5F].contains($0)
    }
    return isName && zone.utf8.count <= 64 && TimeZone(identifier: zone) != nil
      ? nil
      : OfficeRefusal(
        .inputInvalid,
        "\(String(zone.prefix(100))) is no time zone: write Europe/Prague, or UTC")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
  }

  // MARK: laying down

  /// Puts everything but what is secret into a service; what has faults is not to come here.
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

  /// What is changed, for the log: nothing that is secret.
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
