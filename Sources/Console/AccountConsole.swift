import Inspection
import Office
import TimeAndText
import Web

/// The sessions of programs, and the account of each signed-in person.
struct AccountConsole: ConsoleGroup {
  let office: OfficeServer

  /// The path at which a program signs in.
  private static let sessions = "/api/v1/officer-sessions"
  /// All roles but inspectors, who sign in on their field unit.
  private static let everybody: Set<Role> = [.officer, .administrator, .superAdministrator]

  func add(to routes: inout Routes) {
    let me = Self.path + "/me"
    routes.post(Self.sessions, machine: true) { try await signIn($0) }
    routes.delete(Self.sessions, machine: true) { request in
      try await asking(request, Self.everybody) { try await signOut($0) }
    }
    routes.get(me, machine: true) { request in
      try await asking(request, Self.everybody) { try await show($0) }
    }
    routes.put(me + "/password", machine: true) { request in
      try await asking(request, Self.everybody) { try await changePassword($0) }
    }
    routes.post(me + "/elsewhere", machine: true) { request in
      try await asking(request, Self.everybody) { try await signOutElsewhere($0) }
    }
  }

  private func signIn(_ request: WebRequest) async throws -> WebResponse {
    try await office.requests.answering {
      let body = try await body(of: request, ["login", "password"])
      let session = try await office.sessions.beginOfficerSession(
        login: try body.neededText("login", upTo: 64),
        password: try body.neededText("password", upTo: 1024, isExact: true),
        line: request.line)
      return try json(
        ConsoleSession(session.account, token: session.token, expires: office.sessions.sessionEnd),
        status: 201)
    }
  }

  private func signOut(_ asker: Asker) async throws -> WebResponse {
    if let token = asker.request.bearerToken { try await office.sessions.endSession(token: token) }
    return .empty(204)
  }

  private func show(_ asker: Asker) async throws -> WebResponse {
    let account = asker.visitor.account
    var title: String?
    if let agency = account.agency { title = try await office.people.agencyTitle(agency) }
    return try json(
      ConsoleMe(
        login: account.login, name: account.name, role: account.role.rawValue,
        agency: account.agency, agencyTitle: title))
  }

  private func changePassword(_ asker: Asker) async throws -> WebResponse {
    let body = try await body(of: asker.request, ["password", "new"])
    let account = asker.visitor.account
    let token = try await office.sessions.changePassword(
      of: account, from: try body.neededText("password", upTo: 1024, isExact: true),
      to: try body.neededText("new", upTo: 1024, isExact: true), line: asker.request.line)
    return try json(ConsoleSession(account, token: token, expires: office.sessions.sessionEnd))
  }

  private func signOutElsewhere(_ asker: Asker) async throws -> WebResponse {
    let account = asker.visitor.account
    let token = try await office.sessions.endSessionsElsewhere(of: account)
    return try json(ConsoleSession(account, token: token, expires: office.sessions.sessionEnd))
  }
}
