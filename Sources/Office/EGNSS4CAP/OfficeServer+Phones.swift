import Foundation
import Inspection
import Positioning
import Store
import Sync
import Web

/// What is to be changed of how an agency lets phones in; what is nil stays as it is.
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
    /// None: the address is secret.
    case removed
  }

  /// The secret part of the address.
  public var prefix: Prefix?
  /// What phones send by HTTP's Basic scheme.
  public var credentials: Credentials?
  /// From where phones may come; empty for anywhere.
  public var networks: [String]?
  /// How many requests of a user come back in a second, and how many may come at once.
  public var requests: (perSecond: Double, burst: Double)?
  /// The same of tries to log in from one address.
  public var logins: (perSecond: Double, burst: Double)?
  /// How long a login holds, hours.
  public var loginHours: Double?
  /// How many leading bits of an address are one network, of IPv4 and IPv6.
  public var networkBits: (four: Int, six: Int)?
  /// The zone of times that name none.
  public var zone: String?

  /// Nothing is changed.
  public init() {}
}

extension OfficeServer {
  /// How an agency lets phones in; nil where it does not.
  /// - Throws: `OfficeRefusal` (unknown) where there is no such agency.
  public func phoneService(of agency: String) throws -> PhoneService? {
    try database.readRegistry { registry in
      guard try registry.agency(agency) != nil else {
        throw OfficeRefusal(.unknown, "there is no agency \(agency)")
      }
      return try registry.phoneService(ofAgency: agency)
    }
  }

  /// Lays down how an agency lets phones in.
  /// - Returns: what was laid down, and the secret part of the address where it is a new one: it is kept nowhere.
  /// - Throws: `OfficeRefusal`: unknown, input-invalid.
  public func changePhoneService(
    of agency: String, _ change: PhoneServiceChange, by login: String
  ) async throws -> (service: PhoneService, prefix: String?) {
    var service =
      try phoneService(of: agency) ?? PhoneService(agency: agency, changed: clock.deviceTime)
    service.changed = clock.deviceTime
    var prefix: String?
    switch change.prefix {
    case nil: break
    case .drawn: prefix = Token.make()
    case .chosen(let text):
      guard Self.isPrefix(text) else {
        throw OfficeRefusal(
          .inputInvalid,
          "the secret part of the address is 16 to 64 letters, digits, hyphens and underscores")
      }
      prefix = text
    case .removed: service.prefixDigest = nil
    }
    if let prefix { service.prefixDigest = Token.digest(prefix) }
    switch change.credentials {
    case nil: break
    case .set(let name, let password):
      guard Self.isName(name) else {
        throw OfficeRefusal(
          .inputInvalid, "a login is 1 to 64 letters, digits, dots, hyphens, underscores or @")
      }
      try Self.requireUsable(password)
      service.basicLogin = name
      service.basicPassword = try await passwords.hash(password)
    case .removed: (service.basicLogin, service.basicPassword) = (nil, nil)
    }
    try change.apply(to: &service)
    guard service.prefixDigest != nil || service.basicLogin != nil else {
      throw OfficeRefusal(
        .inputInvalid,
        "phones need a secret address or credentials: the apps send nothing else that tells them from others"
      )
    }
    let laidDown = service
    try database.writeRegistry { registry in
      if let name = laidDown.basicLogin, let other = try registry.phoneService(basicLogin: name),
        other.agency != agency
      {
        throw OfficeRefusal(.loginTaken, "the login \(name) is taken: choose another")
      }
      if let digest = laidDown.prefixDigest,
        let other = try registry.phoneService(prefixDigest: digest), other.agency != agency
      {
        throw OfficeRefusal(.loginTaken, "this address is taken: choose another")
      }
      try registry.keep(laidDown)
      try registry.log(log("phones-changed", on: agency, by: login, agency: agency))
    }
    return (service, prefix)
  }

  /// From now on an agency lets no phone in.
  public func removePhoneService(of agency: String, by login: String) throws {
    _ = try phoneService(of: agency)
    try database.writeRegistry { registry in
      try registry.removePhoneService(ofAgency: agency)
      try registry.log(log("phones-ended", on: agency, by: login, agency: agency))
    }
  }

  private static func isPrefix(_ text: String) -> Bool {
    (16...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
          || $0 == 0x2D || $0 == 0x5F
      }
  }
}

extension PhoneServiceChange {
  /// Everything but what is secret.
  fileprivate func apply(to service: inout PhoneService) throws(OfficeRefusal) {
    if let networks {
      for rule in networks where PhoneNetwork(rule: rule) == nil {
        throw OfficeRefusal(
          .inputInvalid, "\(rule) is no network: write 192.0.2.0/24 or 2001:db8::/32")
      }
      service.networks = networks
    }
    func isRate(_ rate: (perSecond: Double, burst: Double)) -> Bool {
      rate.perSecond.isFinite && rate.burst.isFinite && (0.001...1e6).contains(rate.perSecond)
        && (1...1e6).contains(rate.burst)
    }
    for rate in [requests, logins].compactMap(\.self) where !isRate(rate) {
      throw OfficeRefusal(
        .inputInvalid, "a rate is more than 0 in a second, and at least 1 at once")
    }
    if let requests {
      (service.requestsPerSecond, service.requestBurst) = (requests.perSecond, requests.burst)
    }
    if let logins {
      (service.loginsPerSecond, service.loginBurst) = (logins.perSecond, logins.burst)
    }
    if let loginHours {
      guard loginHours > 0, loginHours <= 10_000 else {
        throw OfficeRefusal(.inputInvalid, "a login holds for more than 0 and at most 10,000 hours")
      }
      service.loginSeconds = loginHours * 3600
    }
    if let networkBits {
      guard (0...32).contains(networkBits.four), (0...128).contains(networkBits.six) else {
        throw OfficeRefusal(
          .inputInvalid, "a network is 0 to 32 bits of an IPv4 address, 0 to 128 of an IPv6 one")
      }
      (service.networkBits4, service.networkBits6) = (networkBits.four, networkBits.six)
    }
    if let zone {
      guard TimeZone(identifier: zone) != nil else {
        throw OfficeRefusal(.inputInvalid, "\(zone) is no time zone: write Europe/Prague, or UTC")
      }
      service.zone = zone
    }
  }
}
