import Inspection
import Office
import Sync
import TimeAndText
import Web

/// The route on which a device fetches the files that its tasks bring, part by part.
package struct OrderFileRoutes {
  private let office: OfficeServer

  /// Creates the route of an office.
  package init(office: OfficeServer) { self.office = office }

  /// Adds the route.
  package func add(to routes: inout Routes) {
    routes.get("/api/v1/tasks/{id}/files/{digest}") { request in
      try await office.requests.answering { try await part(request) }
    }
  }

  private func part(_ request: WebRequest) async throws -> WebResponse {
    let person = try await office.requests.device(request).person()
    guard let id = request.parameters["id"].flatMap(Identifier.init(_:)) else {
      throw OfficeRefusal(.unknown, "there is no such file here")
    }
    let (service, digest) = (OrderFileService(of: office), request.parameters["digest"] ?? "")
    _ = try await service.attachment(digest, ofTask: id, of: person.login, in: person.agency)
    let part = try service.part(
      of: digest, from: Int(request.query["from"] ?? "0") ?? -1, in: person.agency)
    return WebResponse.bytes(
      part.bytes, mediaType: "application/octet-stream", fileName: nil, isAttachment: false
    ).setting(header: OrderFilePart.lengthField, to: "\(part.length)")
  }
}
