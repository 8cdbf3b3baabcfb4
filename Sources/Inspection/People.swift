import Positioning

/// What a person may do.
public enum Role: String, Hashable, Sendable, CaseIterable {
  /// Goes out, captures and provides.
  case inspector
  /// Orders, reviews and decides.
  case officer
  /// Keeps an agency's people and policy.
  case administrator
  /// Keeps the agencies.
  case superAdministrator = "super-administrator"
}

/// Who does something, and for which agency. Every row and every record names both.
public struct Person: Hashable, Sendable {
  /// The agency's stable name.
  public var agency: String
  /// The person's login, unique within the agency.
  public var login: String
  /// What the person may do.
  public var role: Role

  /// A person of an agency.
  public init(agency: String, login: String, role: Role) {
    self.agency = agency
    self.login = login
    self.role = role
  }
}

/// An agency that inspects.
public struct Agency: Hashable, Sendable {
  /// Its stable name, as rows and records carry it.
  public var name: String
  /// What it is called on screen.
  public var title: String
  /// When it was added.
  public var created: DeviceTime

  /// An agency from its parts.
  public init(name: String, title: String, created: DeviceTime) {
    self.name = name
    self.title = title
    self.created = created
  }
}

/// A person as the office knows them.
public struct Account: Hashable, Sendable {
  /// The login, unique in the office.
  public var login: String
  /// The agency; nil for super-administrators, who belong to none.
  public var agency: String?
  /// What the person may do.
  public var role: Role
  /// Full name; nil when nobody has given one.
  public var name: String?
  /// Since when the person may not sign in any more; nil while they may.
  public var disabled: DeviceTime?

  /// An account from its parts.
  public init(
    login: String, agency: String?, role: Role, name: String? = nil, disabled: DeviceTime? = nil
  ) {
    self.login = login
    self.agency = agency
    self.role = role
    self.name = name
    self.disabled = disabled
  }

  /// What the person is called: the full name, or else the login.
  public var title: String { name ?? login }
}
