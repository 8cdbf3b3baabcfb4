import Inspection
import Office
import TimeAndText
import Web

/// The people of an agency, whom its administrators add, let in and lock out.
struct PeopleConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    let people = Self.path + "/people"
    let one = people + "/{login}"
    routes.get(people, machine: true) { request in
      try await asking(request, [.administrator]) { try await list($0) }
    }
    routes.post(people, machine: true) { request in
      try await asking(request, [.administrator]) { try await addPerson($0) }
    }
    routes.get(one, machine: true) { request in
      try await asking(request, [.administrator]) { try await json(ConsolePerson(try person($0))) }
    }
    for (name, isDisabled) in [("disable", true), ("enable", false)] {
      routes.post("\(one)/\(name)", machine: true) { request in
        try await asking(request, [.administrator]) { try await setDisabled(isDisabled, $0) }
      }
    }
    routes.put(one + "/password", machine: true) { request in
      try await asking(request, [.administrator]) { try await setPassword($0) }
    }
  }

  private func list(_ asker: Asker) async throws -> WebResponse {
    let accounts = try await office.people.accounts(ofAgency: asker.agency)
    return try json(ConsolePeople(people: accounts.map(ConsolePerson.init)))
  }

  private func addPerson(_ asker: Asker) async throws -> WebResponse {
    let body = try await body(of: asker.request, ["login", "name", "role", "password"])
    guard let role = Role(rawValue: try body.neededText("role", upTo: 64)),
      role != .superAdministrator
    else {
      throw OfficeRefusal(
        .inputInvalid, "\"role\" is none of inspector, officer, administrator")
    }
    let account = Account(
      login: try body.neededText("login", upTo: 64), agency: asker.agency, role: role,
      name: try body.text("name", upTo: 200))
    try await office.people.addAccount(
      account, password: try body.neededText("password", upTo: 1024, isExact: true),
      by: asker.login)
    return try json(ConsolePerson(account), status: 201)
      .setting(header: "Location", to: "\(Self.path)/people/\(account.login)")
  }

  private func setDisabled(_ isDisabled: Bool, _ asker: Asker) async throws -> WebResponse {
    let login = try await person(asker).login
    guard login != asker.login else {
      throw OfficeRefusal(
        .ruleForbids, "this is your own login: another administrator can do it")
    }
    try await office.people.setDisabled(isDisabled, login: login, by: asker.login)
    return try await json(ConsolePerson(try person(asker)))
  }

  private func setPassword(_ asker: Asker) async throws -> WebResponse {
    let login = try await person(asker).login
    let body = try await body(of: asker.request, ["password"])
    try await office.people.setPassword(
      try body.neededText("password", upTo: 1024, isExact: true), of: login, by: asker.login)
    return .empty(204)
  }

  /// Returns the person of a login. People of another agency do not exist for this administrator.
  private func person(_ asker: Asker) async throws -> Account {
    let login = asker.request.parameters["login"] ?? ""
    guard
      let found = try await office.people.accounts(ofAgency: asker.agency).first(where: {
        $0.login == login
      })
    else { throw OfficeRefusal(.unknown, "nobody in your agency has this login") }
    return found
  }
}
