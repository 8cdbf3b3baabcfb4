import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

extension OfficeServer {
  /// The service that decides how phones are let in.
  package var phones: PhoneAccess { PhoneAccess(core: core, people: people) }
}

/// Decides how agencies let phones in, and knows who is logged in on them.
package struct PhoneAccess: OfficeService {
  package let core: OfficeCore
  let people: People
}

extension PhoneAccess {
  /// Returns an agency's service for phones; nil if the agency lets no phone in.
  /// - Throws: `OfficeRefusal` (unknown) if there is no such agency.
  public func phoneService(of agency: String) async throws -> PhoneService? {
    try await database.readRegistry { registry in
      guard try registry.agency(agency) != nil else {
        throw OfficeRefusal.noAgency(agency, among: try registry.agencies())
      }
      return try registry.phones.phoneService(ofAgency: agency)
    }
  }

  /// Changes how an agency lets phones in.
  /// - Parameter seen: when the state that the caller looked at was saved (`PhoneService.changed`),
  ///   milliseconds since 1970; 0 if there was none. If the state is another one by now, nothing is
  ///   changed. Nil changes any state.
  /// - Returns: the service as it was saved; the secret part of the address if it is a new one,
  ///   else nil; and the password if it was drawn, else nil. The office keeps neither of these
  ///   secrets.
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
      basic = (name, try await core.passwords.hash(PhoneServiceChange.sendable(password)))
    case .drawn(let name):
      // The password is short enough to be typed by hand, and as good as the secret address.
      let password = String(Token.make().prefix(24))
      drawn = password
      basic = (name, try await core.passwords.hash(password))
    case .removed, nil: break
    }
    // One transaction does it all: otherwise one of two simultaneous changes could undo the other.
    let service = try await database.writeRegistry { registry in
      let known = try registry.phones.phoneService(ofAgency: agency)
      if let seen { try Self.requireSeen(seen, known) }
      var service = known ?? PhoneService(agency: agency, changed: clock.deviceTime)
      if let known {
        // The time is never the same twice, because it tells one state from another.
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
        "somebody else changed this after you opened the page: look again, then decide")
    }
  }

  /// Requires that phones can reach the service by an address or by credentials, and that no other
  /// agency has the same ones.
  /// - Throws: `OfficeRefusal`: input-invalid, login-taken.
  private static func requireReachable(
    _ service: PhoneService, _ registry: any RegistryTransaction
  ) throws {
    guard service.prefixDigest != nil || service.basicLogin != nil else {
      throw OfficeRefusal(
        .inputInvalid,
        "phones need a secret address or credentials: nothing else tells your phones from others"
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

  /// Removes an agency's service for phones: from now on no phone is let in.
  /// - Parameter seen: as in `changePhoneService`.
  /// - Throws: `OfficeRefusal`: unknown, precondition-failed.
  public func removePhoneService(of agency: String, seen: Int64? = nil, by login: String)
    async throws
  {
    _ = try await phoneService(of: agency)
    try await database.writeRegistry { registry in
      if let seen { try Self.requireSeen(seen, try registry.phones.phoneService(ofAgency: agency)) }
      try registry.phones.removePhoneService(ofAgency: agency)
      try registry.log(log("phones-ended", on: agency, by: login, agency: agency))
    }
  }

  // MARK: logins

  /// An inspector who is logged in on phones.
  struct PhonePerson: Sendable {
    /// The inspector's login.
    var login: String
    /// The places of the logins, the latest login first: `network` as people write it, nil if the
    /// system did not tell the address; `began`, the time of the login there; `heard`, the time of
    /// the last request from there, nil if there was none since the program began.
    var places: [(network: String?, began: DeviceTime, heard: DeviceTime?)]
  }

  /// The most logins that are listed; no administrator looks through more of them.
  private static let phoneLoginsAtMost = 5000

  /// Returns the inspectors who can use a phone now without logging in again, sorted by login.
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

  /// Ends an inspector's logins: the inspector has to log in again on each phone.
  /// - Throws: `OfficeRefusal` (unknown) if the agency has no person of this login.
  func endPhoneLogins(of login: String, in agency: String, by person: String) async throws {
    guard try await people.accounts(ofAgency: agency).contains(where: { $0.login == login }) else {
      throw OfficeRefusal(.unknown, "there is no login \(login)")
    }
    try await database.write(in: agency) { session in
      let count = try session.phones.endPhoneLogins(of: login)
      try session.log.add(
        log(
          "phone-logins-ended", on: login, by: person, agency: agency, detail: "\(count) logins"))
    }
  }

  /// The highest exact count of photos or paths from phones.
  static let phoneArrivalsCounted = 10_000

  /// Counts the photos and paths that phones have sent in the last days; one more than
  /// `phoneArrivalsCounted` stands for any higher count.
  func phoneArrivals(in agency: String, days: Double) async throws -> PhoneArrivals {
    let since = clock.deviceTime.advanced(bySeconds: -days * 86_400)
    return try await database.read(in: agency) {
      try $0.phones.phoneArrivals(since: since, limit: Self.phoneArrivalsCounted + 1)
    }
  }
}
