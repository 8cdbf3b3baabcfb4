import Office
import Positioning
import Store
import Web

// The contents of the map, from the same code as the map's own pages.
extension ConsoleRoutes {
  func addMap(to routes: inout Routes) {
    routes.get(Self.path + "/map", machine: true) { request in
      try await asking(request, query: ["box", "zoom"] + Self.filters) { try await view($0) }
    }
    routes.get(Self.path + "/tasks/{id}/map", machine: true) { request in
      try await asking(request) { asker in
        try await json(try office.mapView(ofTask: try identifier(asker), in: asker.agency))
      }
    }
  }

  private func view(_ asker: Asker) async throws -> WebResponse {
    guard let box = AddressText.box(asker.query["box"]) else {
      throw OfficeRefusal(
        .inputInvalid, "the parameter \"box\" is no west,south,east,north in degrees")
    }
    guard let zoom = asker.query["zoom"].flatMap({ Int($0) }), (0...22).contains(zoom) else {
      throw OfficeRefusal(.inputInvalid, "the parameter \"zoom\" is no number from 0 to 22")
    }
    let filter = try Self.filter(asker.query)
    // Without a filter the map also shows photos that belong to no task.
    return try await json(
      try office.mapView(
        in: box, zoom: zoom, filter == TaskFilter() ? nil : filter, of: asker.agency))
  }
}
