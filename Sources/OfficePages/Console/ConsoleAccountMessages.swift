import Inspection
import Office
import Positioning

// What the console says of whoever asks, and to super-administrators of agencies.

/// A session of an officer's or administrator's program.
struct ConsoleSession: Encodable, Sendable {
  /// Whoever has it acts as this person.
  var token: String
  /// Until when it holds, if it is not used.
  var expires: String
  var login: String
  var name: String?
  var role: String
  /// Absent for a super-administrator, who belongs to none.
  var agency: String?

  init(_ account: Account, token: String, expires: DeviceTime) {
    self.token = token
    self.expires = expires.rfc3339
    login = account.login
    name = account.name
    role = account.role.rawValue
    agency = account.agency
  }
}

/// Who asks.
struct ConsoleMe: Encodable, Sendable {
  var login: String
  var name: String?
  var role: String
  var agency: String?
  var agencyTitle: String?
}

/// All agencies.
struct ConsoleAgencies: Encodable, Sendable {
  var agencies: [ConsoleAgency]
}

/// An agency, as much as super-administrators see of it.
struct ConsoleAgency: Encodable, Sendable {
  var name: String
  var title: String
  var created: String
  var inspectors: Int
  var officers: Int
  var administrators: [ConsolePerson]

  init(_ agency: Agency, _ people: [Account]) {
    name = agency.name
    title = agency.title
    created = agency.created.rfc3339
    inspectors = people.count { $0.role == .inspector }
    officers = people.count { $0.role == .officer }
    administrators = people.filter { $0.role == .administrator }.map(ConsolePerson.init)
  }
}
