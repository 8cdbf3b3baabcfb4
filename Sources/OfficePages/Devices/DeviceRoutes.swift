import Evidence
import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import Web

/// The field units' interface under `/api/v1`.
struct DeviceRoutes {
  let office: OfficeServer

  /// The threads for deliveries, which wait for the disk and for each other.
  private static let commits = WorkLane(width: 4)

  func add(to routes: inout Routes) {
    routes.get("/api/v1/office") { _ in
      try json(
        OfficeMessage(software: office.configuration.software, fingerprint: office.fingerprint))
    }
    routes.get("/authority.pem") { _ in
      .bytes(
        Array(office.authority.certificate.pem.utf8), mediaType: "application/x-pem-file",
        fileName: "authority.pem", isAttachment: true)
    }
    routes.post("/api/v1/sign-in", machine: true) { request in
      try await office.answering {
        let bytes = try await office.message(of: request, limit: 65_536)
        let message = try WireJSON.message(SignInRequest.self, bytes)
        return try json(try await office.signInDevice(message, line: request.line))
      }
    }
    routes.post("/api/v1/sign-out", machine: true) { request in
      try await office.answering {
        guard let token = request.bearerToken else { return .empty(204) }
        // The answer names an ended session: the device then renews it, so that its sign-in can
        // end, too.
        try await office.signOutDevice(try office.visitor(withToken: token))
        try await office.endSession(token: token)
        return .empty(204)
      }
    }
    routes.post("/api/v1/challenges", machine: true) { _ in try json(office.challenge()) }
    routes.post("/api/v1/sessions", machine: true) { request in
      try await office.answering {
        let bytes = try await office.message(of: request, limit: 65_536)
        return try await json(
          try office.renewSession(try WireJSON.message(RenewalMessage.self, bytes)))
      }
    }
    routes.get("/api/v1/tasks") { request in
      try await office.answering {
        try await json(
          try office.tasks(for: try office.device(request), since: request.query["since"]))
      }
    }
    routes.post("/api/v1/held", machine: true) { request in
      try await office.answering {
        let visitor = try await office.device(request)
        let bytes = try await office.message(of: request, limit: 1_048_576)
        return try await json(
          try office.held(try WireJSON.message(HeldQuestion.self, bytes), from: visitor))
      }
    }
    routes.put("/api/v1/batches/{id}", machine: true) { request in
      try await office.answering {
        let visitor = try await office.device(request)
        guard let id = request.parameters["id"].flatMap(Identifier.init(_:)) else {
          throw OfficeRefusal(.batchMalformed, "its address does not end with an identifier")
        }
        let bytes = try await office.message(
          of: request, limit: office.configuration.maximumMessageBytes)
        // A delivery waits for the disk: it runs on its own threads, not on one of the few that all
        // requests share.
        return try json(
          try await office.turns.holding(visitor.key ?? "") {
            try await Self.commits.runInTurn {
              try await office.receive(batch: bytes, id: id, from: visitor)
            }
          })
      }
    }
    UploadRoutes(office: office).add(to: &routes)
    OrbitRoutes(office: office).add(to: &routes)
    MapRoutes(office: office).add(to: &routes)
  }

  private func json(_ message: some Encodable) throws -> WebResponse {
    .json(try WireJSON.bytes(message))
  }
}
