import Evidence
import Inspection
import Positioning
import Sync
import Synchronization
import Web

/// Somebody who is signed in.
public struct Visitor: Hashable, Sendable {
  /// Who.
  public var account: Account
  /// Thumbprint of the device's key, for a field unit; nil for a browser.
  public var key: String?

  /// The person within the agency.
  /// - Throws: `OfficeRefusal` for super-administrators, who belong to no agency.
  public func person() throws(OfficeRefusal) -> Person {
    guard let agency = account.agency else {
      throw OfficeRefusal(.roleForbidden, "a super-administrator belongs to no agency")
    }
    return Person(agency: agency, login: account.login, role: account.role)
  }
}

extension OfficeServer {
  // MARK: who there is

  /// Adds an agency.
  @discardableResult
  public func addAgency(_ name: String, title: String? = nil, by login: String) async throws
    -> Agency
  {
    guard Self.isName(name) else {
      throw OfficeRefusal(
        .inputInvalid, "an agency's name is 1 to 64 letters, digits, dots, hyphens or underscores")
    }
    let agency = Agency(name: name, title: title ?? name, created: clock.deviceTime)
    try await database.writeRegistry { registry in
      guard try registry.agency(name) == nil else {
        throw OfficeRefusal(.loginTaken, "there is an agency \(name) already")
      }
      try registry.insert(agency)
      try registry.log(log("agency-added", on: name, by: login, agency: name))
    }
    return agency
  }

  /// Calls an agency something else on screen; its name, by which programs and records know it, stays.
  public func setTitle(_ title: String, ofAgency name: String, by login: String) async throws {
    guard !title.allSatisfy(\.isWhitespace), title.count <= 200 else {
      throw OfficeRefusal(.inputInvalid, "an agency's title is 1 to 200 characters")
    }
    try await database.writeRegistry { registry in
      guard let agency = try registry.agency(name) else {
        throw OfficeRefusal(.unknown, "there is no agency \(name)")
      }
      try registry.setTitle(title, ofAgency: name)
      try registry.log(
        log(
          "agency-titled", on: name, by: login, agency: name,
          detail: "\(agency.title) → \(title)"))
    }
  }

  /// Adds a person.
  public func addAccount(_ account: Account, password: String, by login: String) async throws {
    guard Self.isName(account.login) else {
      throw OfficeRefusal(
        .inputInvalid, "a login is 1 to 64 letters, digits, dots, hyphens, underscores or @")
    }
    guard (account.agency == nil) == (account.role == .superAdministrator) else {
      throw OfficeRefusal(
        .inputInvalid, "everybody but a super-administrator belongs to an agency: give one")
    }
    try Self.requireUsable(password)
    let stored = try await passwords.hash(password)
    try await database.writeRegistry { registry in
      if let agency = account.agency, try registry.agency(agency) == nil {
        throw OfficeRefusal(.unknown, "there is no agency \(agency)")
      }
      guard try registry.account(account.login) == nil else {
        throw OfficeRefusal(.loginTaken, "the login \(account.login) is taken: choose another")
      }
      try registry.insert(account, password: stored, at: clock.deviceTime)
      try registry.log(
        log(
          "person-added", on: account.login, by: login, agency: account.agency,
          detail: account.role.rawValue))
    }
  }

  /// Sets a person's password. All their sessions end.
  public func setPassword(_ password: String, of target: String, by login: String) async throws {
    try Self.requireUsable(password)
    let stored = try await passwords.hash(password)
    try await database.writeRegistry { registry in
      guard let found = try registry.account(target) else {
        throw OfficeRefusal(.unknown, "there is nobody of the login \(target)")
      }
      try registry.setPassword(stored, of: target)
      try registry.log(
        log("password-set", on: target, by: login, agency: found.account.agency))
    }
  }

  /// Keeps somebody from signing in, or lets them again. All their sessions end.
  public func setDisabled(_ isDisabled: Bool, login target: String, by login: String) async throws {
    try await database.writeRegistry { registry in
      guard let found = try registry.account(target) else {
        throw OfficeRefusal(.unknown, "there is nobody of the login \(target)")
      }
      try registry.setDisabled(isDisabled ? clock.deviceTime : nil, login: target)
      try registry.log(
        log(
          isDisabled ? "person-disabled" : "person-enabled", on: target, by: login,
          agency: found.account.agency))
    }
  }

  /// All people, or those of one agency.
  public func accounts(ofAgency agency: String? = nil) async throws -> [Account] {
    try await database.readRegistry { try $0.accounts(ofAgency: agency) }
  }

  /// All agencies.
  public func agencies() async throws -> [Agency] {
    try await database.readRegistry { try $0.agencies() }
  }

  /// What an agency is called on screen.
  public func agencyTitle(_ name: String) async throws -> String {
    try await database.readRegistry { try $0.agency(name)?.title } ?? name
  }

  // MARK: sessions

  /// Begins a session and gives its token, which is kept nowhere but with whoever asked.
  public func beginSession(for account: Account, key: String? = nil) async throws -> String {
    let token = Token.make()
    let now = clock.deviceTime
    try await database.writeRegistry { registry in
      try registry.removeExpiredSessions(at: now)
      try registry.insertSession(
        digest: Token.digest(token), account: account, key: key, at: now,
        expires: now.advanced(bySeconds: sessionSeconds(isDevice: key != nil)))
      try registry.log(
        log(
          "signed-in", on: account.login, by: account.login, agency: account.agency, detail: key))
    }
    return token
  }

  /// Whoever a session is of; nil for a token that is of none, or of none any more.
  package func visitorIfSignedIn(withToken token: String?) async throws -> Visitor? {
    do {
      return try await visitor(withToken: token)
    } catch let refusal as OfficeRefusal
      where [.sessionMissing, .sessionExpired, .accountDisabled].contains(refusal.kind)
    {
      return nil
    }
  }

  /// Who a token belongs to. A browser's session that is used holds on.
  /// - Throws: `OfficeRefusal` (session-missing, session-expired).
  public func visitor(withToken token: String?) async throws -> Visitor {
    guard let token else { throw OfficeRefusal(.sessionMissing, "sign in first") }
    let digest = Token.digest(token)
    let now = clock.deviceTime
    guard let session = try await database.readRegistry({ try $0.session(digest: digest) }) else {
      throw OfficeRefusal(
        .sessionExpired, "this session is not known any more: sign in again, nothing is lost")
    }
    guard session.account.disabled == nil else {
      throw OfficeRefusal(
        session.key == nil ? .sessionExpired : .accountDisabled,
        "the login \(session.account.login) is disabled: ask your office; nothing is lost")
    }
    guard session.expires > now else {
      throw OfficeRefusal(
        .sessionExpired,
        "this session ended at \(session.expires.rfc3339): sign in again,"
          + " nothing is lost")
    }
    // Written when a quarter of its length has gone, and only where nobody else writes just now: reading
    // pages must not write all the time, nor wait for whoever does. A device's session is short, and
    // renewed with its key.
    let length = sessionSeconds(isDevice: session.key != nil)
    let left = session.expires.gnssTime.seconds(since: now.gnssTime)
    if session.key == nil, left < length * 0.75 {
      try await database.refreshSession(
        digest: digest, at: now, expires: now.advanced(bySeconds: length))
    }
    return Visitor(account: session.account, key: session.key)
  }

  /// Ends a session.
  public func endSession(token: String) async throws {
    try await database.writeRegistry { try $0.endSession(digest: Token.digest(token)) }
  }

  // MARK: devices

  /// A field unit signs in: it gets a session, and its key a certificate. A key that is known keeps
  /// the certificate that it has.
  public func signInDevice(
    _ request: SignInRequest, line: String = NetworkLine.unknown
  ) async throws -> SignInAnswer {
    guard request.schema == SignInRequest.schema else {
      throw SyncError.unknownSchema(found: request.schema, expected: SignInRequest.schema)
    }
    let account = try await authenticate(
      login: request.login, password: request.password, line: line)
    guard account.role == .inspector, let agency = account.agency else {
      throw OfficeRefusal(
        .roleForbidden,
        "\(account.login) is \(word: account.role.rawValue): field units are for inspectors")
    }
    let enrolment: EnrolmentRequest
    do {
      enrolment = try EnrolmentRequest(jws: request.enrolment)
    } catch {
      throw OfficeRefusal(.enrolmentMalformed, "\(error)")
    }
    guard enrolment.login == account.login else {
      throw OfficeRefusal(.enrolmentMalformed, "the request is for another login")
    }
    let key = enrolment.publicKey.thumbprint
    let certificate = try await database.write(in: agency) { session in
      if let known = try session.devices.device(withKey: key) {
        guard known.inspector == account.login, known.device == enrolment.device else {
          throw OfficeRefusal(
            .keyElsewhere, "this key was enrolled for somebody else: the field unit makes a new one"
          )
        }
        try requireValid(known)
        try session.devices.setSignedOut(nil, deviceWithKey: key)
        return known.certificate
      }
      let certificate = try authority.certify(
        enrolment.publicKey,
        subject: DeviceSubject(
          agency: agency, inspector: account.login, device: enrolment.device),
        at: clock.deviceTime
      ).pem
      try session.devices.insert(
        EnrolledDevice(
          key: key, inspector: account.login, device: enrolment.device, certificate: certificate,
          software: request.software, enrolled: clock.deviceTime))
      try session.log.add(
        log(
          "device-enrolled", on: key, by: account.login, agency: agency, detail: request.software))
      return certificate
    }
    return await SignInAnswer(
      token: try beginSession(for: account, key: key), agency: agency, login: account.login,
      name: account.name, certificate: certificate, authority: authority.certificate.pem,
      software: configuration.software)
  }

  private func sessionSeconds(isDevice: Bool) -> Double {
    isDevice ? configuration.deviceSessionSeconds : configuration.browserSessionSeconds
  }

  /// Names become parts of records, addresses and file names.
  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
          || [0x2D, 0x2E, 0x5F, 0x40].contains($0)
      }
  }

  package static func requireUsable(_ password: String) throws(OfficeRefusal) {
    guard (10...1024).contains(password.utf8.count) else {
      throw OfficeRefusal(
        .inputInvalid, "a password has at least 10 characters: a few words are easy to keep in mind"
      )
    }
  }
}
