import Inspection
import Sync
import TimeAndText

/// A person or a field unit that is signed in.
public struct Visitor: Hashable, Sendable {
  /// The person's account.
  public var account: Account
  /// The thumbprint of the device's key, for a field unit; nil for a browser.
  public var key: String?

  /// Returns the person within the agency.
  /// - Throws: `OfficeRefusal` (role-forbidden) for super-administrators, who belong to no agency.
  public func person() throws(OfficeRefusal) -> Person {
    guard let agency = account.agency else {
      throw OfficeRefusal(.roleForbidden, "a super-administrator belongs to no agency")
    }
    return Person(agency: agency, login: account.login, role: account.role)
  }
}
