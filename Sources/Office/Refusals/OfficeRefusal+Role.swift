import Inspection
import TimeAndText

extension OfficeRefusal {
  /// Requires a role.
  /// - Throws: `OfficeRefusal` (role-forbidden) for any other.
  package static func require(_ needed: Role, of role: Role) throws(OfficeRefusal) {
    guard role == needed else {
      throw OfficeRefusal(
        .roleForbidden,
        "you need the role \(word: needed.rawValue); yours is \(word: role.rawValue)")
    }
  }
}
