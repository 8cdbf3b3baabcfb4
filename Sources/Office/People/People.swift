import Inspection
import Sync
import TimeAndText
import Web

/// The agencies and their people.
package struct People: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
}

extension People {
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

  /// Requires that an agency of this name exists: an empty list would hide a misspelt name.
  /// - Throws: `OfficeRefusal` of the kind `unknown`, which names the agencies that exist.
  public func requireAgency(_ name: String) async throws {
    let known = try await agencies()
    guard known.contains(where: { $0.name == name }) else {
      throw OfficeRefusal.noAgency(name, among: known)
    }
  }

  /// Changes an agency's title, its name on the screen. The name by which programs and records know
  /// the agency stays.
  public func setTitle(_ title: String, ofAgency name: String, by login: String) async throws {
    guard !title.allSatisfy(\.isWhitespace), title.count <= 200 else {
      throw OfficeRefusal(.inputInvalid, "an agency's title is 1 to 200 characters")
    }
    try await database.writeRegistry { registry in
      guard let agency = try registry.agency(name) else {
        throw OfficeRefusal.noAgency(name, among: try registry.agencies())
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
        .inputInvalid, "everybody except a super-administrator belongs to an agency: give one")
    }
    try Self.requireUsable(password)
    let stored = try await core.passwords.hash(password)
    try await database.writeRegistry { registry in
      if let agency = account.agency, try registry.agency(agency) == nil {
        throw OfficeRefusal.noAgency(agency, among: try registry.agencies())
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

  /// Sets a person's password. All of the person's sessions end.
  public func setPassword(_ password: String, of target: String, by login: String) async throws {
    try Self.requireUsable(password)
    let stored = try await core.passwords.hash(password)
    try await database.writeRegistry { registry in
      guard let found = try registry.account(target) else {
        throw OfficeRefusal(.unknown, "there is no login \(target)")
      }
      try registry.setPassword(stored, of: target)
      try registry.log(
        log("password-set", on: target, by: login, agency: found.account.agency))
    }
  }

  /// Disables a person's login, or enables it again. All of the person's sessions end.
  public func setDisabled(_ isDisabled: Bool, login target: String, by login: String) async throws {
    try await database.writeRegistry { registry in
      guard let found = try registry.account(target) else {
        throw OfficeRefusal(.unknown, "there is no login \(target)")
      }
      try registry.setDisabled(isDisabled ? clock.deviceTime : nil, login: target)
      try registry.log(
        log(
          isDisabled ? "person-disabled" : "person-enabled", on: target, by: login,
          agency: found.account.agency))
    }
  }

  /// Returns all people, or those of one agency.
  public func accounts(ofAgency agency: String? = nil) async throws -> [Account] {
    try await database.readRegistry { try $0.accounts(ofAgency: agency) }
  }

  /// Returns an agency's inspectors who may be given a task.
  package func activeInspectors(ofAgency agency: String) async throws -> [Account] {
    try await accounts(ofAgency: agency).filter { $0.role == .inspector && $0.disabled == nil }
  }

  /// Returns all agencies.
  public func agencies() async throws -> [Agency] {
    try await database.readRegistry { try $0.agencies() }
  }

  /// Returns an agency's title, its name on the screen; the name itself if there is no such agency.
  public func agencyTitle(_ name: String) async throws -> String {
    try await database.readRegistry { try $0.agency(name)?.title } ?? name
  }

  /// Returns true if a text may be a name: names become parts of records, addresses and file names.
  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
          || [0x2D, 0x2E, 0x5F, 0x40].contains($0)
      }
  }

  /// Requires that a password is allowed: 10 to 1,024 bytes.
  /// - Throws: `OfficeRefusal` (input-invalid).
  package static func requireUsable(_ password: String) throws(OfficeRefusal) {
    guard (10...1024).contains(password.utf8.count) else {
      throw OfficeRefusal(
        .inputInvalid, "a password has at least 10 characters: a few words are easy to remember"
      )
    }
  }
}
