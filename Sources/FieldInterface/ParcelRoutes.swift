import Evidence
import Office
import Sync
import TimeAndText
import Web

/// The route of the parcels around an inspector's tasks. The answer has its digest as ETag: what a
/// device has is not sent again.
struct ParcelRoutes {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    routes.get("/api/v1/parcels") { request in
      try await office.requests.answering {
        let person = try await office.requests.device(request).person()
        let list = try await office.places.parcels(aroundTasksOf: person)
        return WebResponse.list(try WireJSON.bytes(list), for: request)
      }
    }
  }
}
