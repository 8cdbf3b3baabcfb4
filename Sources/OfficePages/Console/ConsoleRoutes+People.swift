import Inspection
import Office
import Positioning
import Sync
import Web

extension ConsoleRoutes {
  func addPeople(to routes: inout Routes) {
    let people = Self.path + "/people"
    let one = people + "/{login}"
    routes.get(people, machine: true) { request in
      try await asking(request, [.administrator]) { asker in
        let accounts = try await office.accounts(ofAgency: asker.agency)
        return try json(ConsolePeople(people: accounts.map(ConsolePerson.init)))
      }
    }
    routes.post(people, machine: true) { request in
      try await asking(request, [.administrator]) { try await add($0) }
    }
    routes.get(one, machine: true) { request in
      try await asking(request, [.administrator]) { try await json(ConsolePerson(try person($0))) }
    }
    for (name, isDisabled) in [("disable", true), ("enable", false)] {
      routes.post("\(one)/\(name)", machine: true) { request in
        try await asking(request, [.administrator]) { asker in
          let login = try await person(asker).login
          guard login != asker.login else {
            throw OfficeRefusal(
              .ruleForbids, "this is your own login: another administrator can do it")
          }
          try await office.setDisabled(isDisabled, login: login, by: asker.login)
          return try await json(ConsolePerson(try person(asker)))
        }
      }
    }
    routes.put(one + "/password", machine: true) { request in
      try await asking(request, [.administrator]) { asker in
        let login = try await person(asker).login
        let body = try await body(of: request, ["password"])
        try await office.setPassword(
          try body.neededText("password", upTo: 1024, isExact: true), of: login, by: asker.login)
        return .empty(204)
      }
    }
    routes.get(Self.path + "/devices", machine: true) { request in
      try await asking(request, [.administrator]) { asker in
        let devices = try await office.database.read(in: asker.agency) {
          try $0.devices.devices(of: nil)
        }
        return try json(ConsoleDevices(devices: devices.map(ConsoleDevice.init)))
      }
    }
    routes.post(Self.path + "/devices/{key}/revoke", machine: true) { request in
      try await asking(request, [.administrator]) { asker in
        let device = try await device(asker)
        let reason = try await body(of: request, ["reason"]).neededText("reason", upTo: 200)
        try await office.revokeDevice(
          withKey: device.key, in: asker.agency, reason: reason, by: asker.login)
        return try await json(ConsoleDevice(try self.device(asker)))
      }
    }
  }

  /// Returns the person of a login. People of another agency do not exist for this administrator.
  private func person(_ asker: Asker) async throws -> Account {
    let login = asker.request.parameters["login"] ?? ""
    guard
      let found = try await office.accounts(ofAgency: asker.agency).first(where: {
        $0.login == login
      })
    else { throw OfficeRefusal(.unknown, "there is nobody of this login in your agency") }
    return found
  }

  private func device(_ asker: Asker) async throws -> EnrolledDevice {
    let key = asker.request.parameters["key"] ?? ""
    guard
      let device = try await office.database.read(
        in: asker.agency, { try $0.devices.device(withKey: key) })
    else { throw OfficeRefusal(.unknown, "there is no such device in your agency") }
    return device
  }

  private func add(_ asker: Asker) async throws -> WebResponse {
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
    try await office.addAccount(
      account, password: try body.neededText("password", upTo: 1024, isExact: true),
      by: asker.login)
    return try json(ConsolePerson(account), status: 201)
      .setting(header: "Location", to: "\(Self.path)/people/\(account.login)")
  }
}
