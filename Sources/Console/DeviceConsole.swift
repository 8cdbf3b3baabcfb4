import Inspection
import Office
import Sync
import TimeAndText
import Web

/// The agency's field units, which its administrators see and revoke.
struct DeviceConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    let devices = Self.path + "/devices"
    routes.get(devices, machine: true) { request in
      try await asking(request, [.administrator]) { try await list($0) }
    }
    routes.post(devices + "/{key}/revoke", machine: true) { request in
      try await asking(request, [.administrator]) { try await revoke($0) }
    }
  }

  private func list(_ asker: Asker) async throws -> WebResponse {
    let devices = try await office.database.read(in: asker.agency) {
      try $0.devices.devices(of: nil)
    }
    return try json(ConsoleDevices(devices: devices.map(ConsoleDevice.init)))
  }

  private func revoke(_ asker: Asker) async throws -> WebResponse {
    let device = try await device(asker)
    let reason = try await body(of: asker.request, ["reason"]).neededText("reason", upTo: 200)
    try await office.devices.revokeDevice(
      withKey: device.key, in: asker.agency, reason: reason, by: asker.login)
    return try await json(ConsoleDevice(try self.device(asker)))
  }

  private func device(_ asker: Asker) async throws -> EnrolledDevice {
    let key = asker.request.parameters["key"] ?? ""
    guard
      let device = try await office.database.read(
        in: asker.agency, { try $0.devices.device(withKey: key) })
    else { throw OfficeRefusal(.unknown, "there is no such device in your agency") }
    return device
  }
}
