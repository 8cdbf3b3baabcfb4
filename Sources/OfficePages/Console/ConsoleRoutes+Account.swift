import Inspection
import Office
import Positioning
import Web

// The sessions of programs, and the account of each signed-in person.
extension ConsoleRoutes {
  /// All roles but inspectors, who sign in on their field unit.
  private static let everybody: Set<Role> = [.officer, .administrator, .superAdministrator]

  func addAccount(to routes: inout Routes) {
    let me = Self.path + "/me"
    routes.post(Self.sessions, machine: true) { request in
      try await office.answering {
        let body = try await body(of: request, ["login", "password"])
        let session = try await office.beginOfficerSession(
          login: try body.neededText("login", upTo: 64),
          password: try body.neededText("password", upTo: 1024, isExact: true),
          line: request.line)
        return try json(
          ConsoleSession(session.account, token: session.token, expires: office.sessionEnd),
          status: 201)
      }
    }
    routes.delete(Self.sessions, machine: true) { request in
      try await asking(request, Self.everybody) { asker in
        if let token = asker.request.bearerToken { try await office.endSession(token: token) }
        return .empty(204)
      }
    }
    routes.get(me, machine: true) { request in
      try await asking(request, Self.everybody) { asker in
        let account = asker.visitor.account
        var title: String?
        if let agency = account.agency { title = try await office.agencyTitle(agency) }
        return try json(
          ConsoleMe(
            login: account.login, name: account.name, role: account.role.rawValue,
            agency: account.agency, agencyTitle: title))
      }
    }
    routes.put(me + "/password", machine: true) { request in
      try await asking(request, Self.everybody) { asker in
        let body = try await body(of: request, ["password", "new"])
        let account = asker.visitor.account
        let token = try await office.changePassword(
          of: account, from: try body.neededText("password", upTo: 1024, isExact: true),
          to: try body.neededText("new", upTo: 1024, isExact: true), line: request.line)
        return try json(ConsoleSession(account, token: token, expires: office.sessionEnd))
      }
    }
    routes.post(me + "/elsewhere", machine: true) { request in
      try await asking(request, Self.everybody) { asker in
        let account = asker.visitor.account
        let token = try await office.endSessionsElsewhere(of: account)
        return try json(ConsoleSession(account, token: token, expires: office.sessionEnd))
      }
    }
  }
}
