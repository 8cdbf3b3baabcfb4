import TimeAndText

/// The role of a person: it decides what the person may do.
public enum Role: String, Hashable, Sendable, CaseIterable {
  /// Goes to the place, captures photos and provides them.
  case inspector
  /// Gives out tasks, reviews what was delivered and decides.
  case officer
  /// Looks after an agency's people and its policy.
  case administrator
  /// Looks after the agencies.
  case superAdministrator = "super-administrator"
}

/// The person who acts, with the agency for which they act. Every row and every record names both.
public struct Person: Hashable, Sendable {
  /// The agency's stable name.
  public var agency: String
  /// The person's login, unique within the agency.
  public var login: String
  /// The person's role.
  public var role: Role

  /// Creates a person of an agency.
  public init(agency: String, login: String, role: Role) {
    self.agency = agency
    self.login = login
    self.role = role
  }
}

/// An agency that inspects.
public struct Agency: Hashable, Sendable {
  /// The stable name that rows and records carry.
  public var name: String
  /// The name on the screen.
  public var title: String
  /// The time at which the agency was added.
  public var created: DeviceTime

  /// Creates an agency.
  public init(name: String, title: String, created: DeviceTime) {
    self.name = name
    self.title = title
    self.created = created
  }
}

/// A person's account at the office.
public struct Account: Hashable, Sendable {
  /// The login, unique in the whole office.
  public var login: String
  /// The agency; nil for super-administrators, who belong to none.
  public var agency: String?
  /// The person's role.
  public var role: Role
  /// The full name; nil if none was given.
  public var name: String?
  /// The time from which the person may no longer sign in; nil while they may.
  public var disabled: DeviceTime?

  /// Creates an account.
  public init(
    login: String, agency: String?, role: Role, name: String? = nil, disabled: DeviceTime? = nil
  ) {
    self.login = login
    self.agency = agency
    self.role = role
    self.name = name
    self.disabled = disabled
  }

  /// The name to show: the full name, or the login if there is none.
  public var title: String { name ?? login }
}
