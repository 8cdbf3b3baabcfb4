import Office
import Store
import TimeAndText
import Web

/// The contents of the map, from the same code as the map's own pages.
struct MapConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    routes.get(Self.path + "/map", machine: true) { request in
      try await asking(request, query: ["box", "zoom", "years"] + ConsoleQuery.filters) {
        try await view($0)
      }
    }
    routes.get(Self.path + "/tasks/{id}/map", machine: true) { request in
      try await asking(request) { try await viewOfTask($0) }
    }
  }

  private func view(_ asker: Asker) async throws -> WebResponse {
    guard let box = AddressText.box(asker.query["box"]) else {
      throw OfficeRefusal(
        .inputInvalid, "the parameter \"box\" is not west,south,east,north in degrees")
    }
    guard let zoom = asker.query["zoom"].flatMap({ Int($0) }), (0...22).contains(zoom) else {
      throw OfficeRefusal(.inputInvalid, "the parameter \"zoom\" is not a number from 0 to 22")
    }
    guard let years = Places.Years(asker.query["years"]) else {
      throw OfficeRefusal(
        .inputInvalid, "the parameter \"years\" is not a span like 2019-2024, and not \"all\"")
    }
    let filter = try asker.query.taskFilter()
    // Without a filter the map also shows photos that belong to no task.
    return try await json(
      try office.places.mapView(
        in: box, zoom: zoom, filter == TaskFilter() ? nil : filter, years: years, of: asker.agency))
  }

  private func viewOfTask(_ asker: Asker) async throws -> WebResponse {
    try await json(try office.places.mapView(ofTask: try identifier(asker), in: asker.agency))
  }
}
