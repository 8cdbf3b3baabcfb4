import Evidence
import Inspection
import Office
import Sync
import TimeAndText
import Web

/// The routes of photo points for field units: the list around the inspector's tasks, the pictures
/// that lead back to each, and the points that a device has made. Each answer to a GET has a tag:
/// what a device has is not sent again.
struct PhotoPointRoutes {
  let office: OfficeServer

  /// The header field with the SHA-256 of the original of a picture.
  static let originalField = "Standpoint-Original"

  func add(to routes: inout Routes) {
    routes.get("/api/v1/photo-points") { request in
      try await office.requests.answering {
        let person = try await office.requests.device(request).person()
        let list = try await office.points.points(aroundTasksOf: person)
        let bytes = try WireJSON.bytes(list)
        return WebResponse.list(bytes, for: request)
      }
    }
    routes.post("/api/v1/photo-points", machine: true) { request in
      try await office.requests.answering { try await make(request) }
    }
    for kind in PhotoPoint.PictureKind.allCases {
      routes.get("/api/v1/photo-points/{id}/\(kind.rawValue).jpg") { request in
        try await office.requests.answering {
          let person = try await office.requests.device(request).person()
          guard let id = request.parameters["id"].flatMap(Identifier.init(_:)) else {
            throw OfficeRefusal(.unknown, "there is no such photo point here")
          }
          let picture = try await office.points.picture(kind, of: id, in: person.agency)
          return WebResponse.picture(picture.bytes, for: request)
            .setting(header: Self.originalField, to: picture.digest)
        }
      }
    }
  }

  private func make(_ request: WebRequest) async throws -> WebResponse {
    let person = try await office.requests.device(request).person()
    let bytes = try await office.requests.message(of: request, limit: 65_536)
    let message = try WireJSON.message(NewPhotoPointMessage.self, bytes)
    let values = try message.values()
    var order = PhotoPointOrder(
      id: values.id, photo: values.photo, name: message.name, made: values.made)
    order.footing = values.footing
    order.parcel = message.parcel
    order.subject = values.subject
    let point = try await office.points.make(
      order, by: person.login, own: person.login, in: person.agency)
    return .json(try WireJSON.bytes(PhotoPointMessage(point)))
  }
}
