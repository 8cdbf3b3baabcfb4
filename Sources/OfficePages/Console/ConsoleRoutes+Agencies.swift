import Inspection
import Office
import Positioning
import Web

// Super-administrators keep the agencies and make their first administrators. They see nothing of
// an agency's inspections.
extension ConsoleRoutes {
  func addAgencies(to routes: inout Routes) {
    let agencies = Self.path + "/agencies"
    let one = agencies + "/{agency}"
    routes.get(agencies, machine: true) { request in
      try await asking(request, [.superAdministrator]) { _ in
        let people = await Dictionary(grouping: try office.accounts(), by: \.agency)
        return try await json(
          ConsoleAgencies(
            agencies: try office.agencies().map { ConsoleAgency($0, people[$0.name] ?? []) }))
      }
    }
    routes.post(agencies, machine: true) { request in
      try await asking(request, [.superAdministrator]) { asker in
        let body = try await body(of: request, ["name", "title"])
        let agency = try await office.addAgency(
          try body.neededText("name", upTo: 64), title: try body.text("title", upTo: 200),
          by: asker.login)
        return try json(ConsoleAgency(agency, []), status: 201)
          .setting(header: "Location", to: "\(agencies)/\(agency.name)")
      }
    }
    routes.get(one, machine: true) { request in
      try await asking(request, [.superAdministrator]) { asker in
        let agency = try await agency(asker)
        return try await json(ConsoleAgency(agency, try office.accounts(ofAgency: agency.name)))
      }
    }
    routes.post(one + "/administrators", machine: true) { request in
      try await asking(request, [.superAdministrator]) { asker in
        let agency = try await agency(asker)
        let body = try await body(of: request, ["login", "name", "password"])
        let account = Account(
          login: try body.neededText("login", upTo: 64), agency: agency.name,
          role: .administrator, name: try body.text("name", upTo: 200))
        try await office.addAccount(
          account, password: try body.neededText("password", upTo: 1024, isExact: true),
          by: asker.login)
        return try json(ConsolePerson(account), status: 201)
      }
    }
  }

  private func agency(_ asker: Asker) async throws -> Agency {
    let name = asker.request.parameters["agency"] ?? ""
    guard let agency = try await office.database.readRegistry({ try $0.agency(name) }) else {
      throw OfficeRefusal(.unknown, "there is no agency of this name")
    }
    return agency
  }
}
