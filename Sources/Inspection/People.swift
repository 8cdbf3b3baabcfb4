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
