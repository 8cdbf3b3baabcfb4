import Evidence
import Foundation
import Office
import Orbits
import Sync
import TimeAndText
import Web

/// The routes of orbits for field units. Each file has its digest as ETag: a file that a device has
/// is not sent again.
struct OrbitRoutes {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    routes.get("/api/v1/orbits") { request in
      try await office.requests.answering {
        _ = try await office.requests.device(request)
        let bytes = try WireJSON.bytes(OrbitListMessage(files: office.core.orbits.files()))
        return WebResponse.json(bytes)
          .tagged(EntityTag(String(Digest.hexadecimal(bytes).prefix(32))), for: request)
      }
    }
    routes.get("/api/v1/orbits/{name}") { request in
      try await office.requests.answering {
        _ = try await office.requests.device(request)
        guard let file = request.parameters["name"].flatMap(office.core.orbits.file) else {
          throw OfficeRefusal(.unknown, "there are no such orbits here")
        }
        return .file(
          path: office.core.orbits.path(of: file.name), mediaType: "application/octet-stream",
          eTag: file.digest)
      }
    }
  }
}
