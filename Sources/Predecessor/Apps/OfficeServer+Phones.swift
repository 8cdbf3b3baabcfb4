import Inspection
import Office
import Positioning
import Store
import Sync
import Web

extension OfficeServer {
  /// How an agency lets phones in; nil where it does not.
  /// - Throws: `OfficeRefusal` (unknown) where there is no such agency.
  public func phoneService(of agency: String) async throws -> PhoneService? {
    try await database.readRegistry { registry in
      guard try registry.agency(agency) != nil else {
        throw OfficeRefusal(.unknown, "there is no agency \(agency)")
      }
      return try registry.phones.phoneService(ofAgency: agency)
    }
  }

  /// Lays down how an agency lets phones in.
  /// - Parameter seen: when what was looked at was laid down, milliseconds since 1970, 0 for nothing: what is changed is
  ///   what was seen, or nothing is. Nil changes whatever is in force.
  /// - Returns: what was laid down; the secret part of the address where it is a new one, and the password where it was
  ///   drawn: both are kept nowhere.
  /// - Throws: `OfficeRefusal`: unknown, input-invalid, login-taken, precondition-failed.
  public func changePhoneService(
    of agency: String, _ change: PhoneServiceChange, seen: Int64? = nil, by login: String
  ) async throws -> (service: PhoneService, prefix: String?, password: String?) {
    _ = try await phoneService(of: agency)
    if let fault = change.faults().first { throw fault.refusal }
    let prefix: String? =
      switch change.prefix {
      case .drawn: Token.make()
      case .chosen(let text): text
      case .removed, nil: nil
      }
    var basic: (login: String, stored: String)?
    var drawn: String?
    switch change.credentials {
    case .set(let name, let password):
      basic = (name, try await passwords.hash(PhoneServiceChange.sendable(password)))
    case .drawn(let name):
      // As long as somebody may have to type it, and as good as the address.
      let password = String(Token.make().prefix(24))
      drawn = password
      basic = (name, try await passwords.hash(password))
    case .removed, nil: break
    }
    // All of it in one transaction: of two who change something at once, neither undoes the other's.
    let service = try await database.writeRegistry { registry in
      let known = try registry.phones.phoneService(ofAgency: agency)
      if let seen { try Self.requireSeen(seen, known) }
      var service = known ?? PhoneService(agency: agency, changed: clock.deviceTime)
      if let known {
        // Never the same twice: it tells one state from another.
        let next = DeviceTime(
          millisecondsSince1970: known.changed.millisecondsSince1970.advanced(by: 1))
        service.changed = max(clock.deviceTime, next)
      }
      if let prefix { service.prefixDigest = Token.digest(prefix) }
      if case .removed? = change.prefix { service.prefixDigest = nil }
      if let basic { (service.basicLogin, service.basicPassword) = (basic.login, basic.stored) }
      if case .removed? = change.credentials {
        (service.basicLogin, service.basicPassword) = (nil, nil)
      }
      change.apply(to: &service)
      try Self.requireReachable(service, registry)
      try registry.phones.keep(service)
      try registry.log(
        log("phones-changed", on: agency, by: login, agency: agency, detail: change.summary))
      return service
    }
    return (service, prefix, drawn)
  }

  private static func requireSeen(_ seen: Int64, _ known: PhoneService?) throws(OfficeRefusal) {
    guard known?.changed.millisecondsSince1970 ?? 0 == seen else {
      throw OfficeRefusal(
        .preconditionFailed,
        "somebody else has changed this after you opened the page: look again, then decide")
    }
  }

  /// It must be reachable by something, and by something that is no other agency's.
  private static func requireReachable(
    _ service: PhoneService, _ registry: any RegistryTransaction
  ) throws {
    guard service.prefixDigest != nil || service.basicLogin != nil else {
      throw OfficeRefusal(
        .inputInvalid,
        "phones need a secret address or credentials: the apps send nothing else that tells them from others"
      )
    }
    if let name = service.basicLogin,
      let other = try registry.phones.phoneService(basicLogin: name),
      other.agency != service.agency
    {
      throw OfficeRefusal(.loginTaken, "the login \(name) is taken: choose another")
    }
    if let digest = service.prefixDigest,
      let other = try registry.phones.phoneService(prefixDigest: digest),
      other.agency != service.agency
    {
      throw OfficeRefusal(.loginTaken, "this address is taken: choose another")
    }
  }

  /// From now on an agency lets no phone in.
  /// - Parameter seen: as for a change.
  /// - Throws: `OfficeRefusal`: unknown, precondition-failed.
  public func removePhoneService(of agency: String, seen: Int64? = nil, by login: String) async throws {
    _ = try await phoneService(of: agency)
    try await database.writeRegistry { registry in
      if let seen { try Self.requireSeen(seen, try registry.phones.phoneService(ofAgency: agency)) }
      try registry.phones.removePhoneService(ofAgency: agency)
      try registry.log(log("phones-ended", on: agency, by: login, agency: agency))
    }
  }

  // MARK: who is logged in

  /// An inspector who is logged in on phones.
  struct PhonePerson: Sendable {
    /// Who.
    var login: String
    /// From where, the last login first: the network as people write it, nil where the system did not tell the address;
    /// when they logged in there; when they were heard from there last, nil where not since the program began.
    var places: [(network: String?, began: DeviceTime, heard: DeviceTime?)]
  }

  /// More logins than these are none that somebody looks through.
  private static let phoneLoginsAtMost = 5000

  /// Who can use a phone just now without logging in again, by login.
  func phonePeople(of service: PhoneService, _ desk: PhoneDesk) async throws -> [PhonePerson] {
    let since = clock.deviceTime.advanced(bySeconds: -service.loginSeconds)
    let logins = try await database.read(in: service.agency) {
      try $0.phones.phoneLogins(since: since, limit: Self.phoneLoginsAtMost)
    }
    var people: [PhonePerson] = []
    for one in logins {
      guard let network = PhoneNetwork(text: one.network), network.isAsLarge(as: service) else {
        continue
      }
      if people.last?.login != one.login {
        people.append(PhonePerson(login: one.login, places: []))
      }
      people[people.count - 1].places.append(
        (network.name, one.began, desk.heard(one.login, from: one.network, of: service.agency)))
    }
    return people
  }

  /// An inspector has to log in again on each phone.
  /// - Throws: `OfficeRefusal` (unknown) where the agency has nobody of this login.
  func endPhoneLogins(of login: String, in agency: String, by person: String) async throws {
    guard try await accounts(ofAgency: agency).contains(where: { $0.login == login }) else {
      throw OfficeRefusal(.unknown, "there is nobody of the login \(login)")
    }
    try await database.write(in: agency) { session in
      let count = try session.phones.endPhoneLogins(of: login)
      try session.log.add(
        log(
          "phone-logins-ended", on: login, by: person, agency: agency, detail: "\(count) logins"))
    }
  }

  /// So many of what phones have sent are counted.
  static let phoneArrivalsCounted = 10_000

  /// How much phones have sent in the last days; one more than `phoneArrivalsCounted` for more than that.
  func phoneArrivals(in agency: String, days: Double) async throws -> PhoneArrivals {
    let since = clock.deviceTime.advanced(bySeconds: -days * 86_400)
    return try await database.read(in: agency) {
      try $0.phones.phoneArrivals(since: since, limit: Self.phoneArrivalsCounted + 1)
    }
  }
}
