import Inspection
import Office
import TimeAndText
import Web

/// The agencies and their first administrators, which super-administrators keep and make. They see
/// nothing of an agency's inspections.
struct AgencyConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    let agencies = Self.path + "/agencies"
    let one = agencies + "/{agency}"
    routes.get(agencies, machine: true) { request in
      try await asking(request, [.superAdministrator]) { _ in try await list() }
    }
    routes.post(agencies, machine: true) { request in
      try await asking(request, [.superAdministrator]) { try await addAgency($0) }
    }
    routes.get(one, machine: true) { request in
      try await asking(request, [.superAdministrator]) { try await show($0) }
    }
    routes.post(one + "/administrators", machine: true) { request in
      try await asking(request, [.superAdministrator]) { try await addAdministrator($0) }
    }
  }

  private func list() async throws -> WebResponse {
    let people = await Dictionary(grouping: try office.people.accounts(), by: \.agency)
    return try await json(
      ConsoleAgencies(
        agencies: try office.people.agencies().map { ConsoleAgency($0, people[$0.name] ?? []) }))
  }

  private func addAgency(_ asker: Asker) async throws -> WebResponse {
    let body = try await body(of: asker.request, ["name", "title"])
    let agency = try await office.people.addAgency(
      try body.neededText("name", upTo: 64), title: try body.text("title", upTo: 200),
      by: asker.login)
    return try json(ConsoleAgency(agency, []), status: 201)
      .setting(header: "Location", to: "\(Self.path)/agencies/\(agency.name)")
  }

  private func show(_ asker: Asker) async throws -> WebResponse {
    let agency = try await agency(asker)
    return try await json(ConsoleAgency(agency, try office.people.accounts(ofAgency: agency.name)))
  }

  private func addAdministrator(_ asker: Asker) async throws -> WebResponse {
    let agency = try await agency(asker)
    let body = try await body(of: asker.request, ["login", "name", "password"])
    let account = Account(
      login: try body.neededText("login", upTo: 64), agency: agency.name,
      role: .administrator, name: try body.text("name", upTo: 200))
    try await office.people.addAccount(
      account, password: try body.neededText("password", upTo: 1024, isExact: true),
      by: asker.login)
    return try json(ConsolePerson(account), status: 201)
  }

  private func agency(_ asker: Asker) async throws -> Agency {
    let name = asker.request.parameters["agency"] ?? ""
    guard let agency = try await office.database.readRegistry({ try $0.agency(name) }) else {
      throw OfficeRefusal(.unknown, "there is no agency of this name")
    }
    return agency
  }
}
