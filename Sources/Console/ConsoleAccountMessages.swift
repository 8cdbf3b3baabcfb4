import Inspection
import Office
import TimeAndText

// The console's messages about the asking person, and about agencies for super-administrators.

/// A session of a program of an officer, an administrator or a super-administrator.
struct ConsoleSession: Encodable, Sendable {
  /// The secret of the session: a program that has it acts as this person.
  var token: String
  /// The time at which the session ends if it is not used.
  var expires: String
  var login: String
  var name: String?
  var role: String
  /// The name of the agency; absent for a super-administrator, who belongs to none.
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

/// The person who asks.
struct ConsoleMe: Encodable, Sendable {
  var login: String
  var name: String?
  var role: String
  var agency: String?
  var agencyTitle: String?
}

/// All agencies of the office.
struct ConsoleAgencies: Encodable, Sendable {
  var agencies: [ConsoleAgency]
}

/// An agency as super-administrators see it.
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
