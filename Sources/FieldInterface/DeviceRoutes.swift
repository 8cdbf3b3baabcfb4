import Attesting
import Enrolment
import Evidence
import Foundation
import Inspection
import LogPublishing
import Office
import Store
import Sync
import TimeAndText
import Web

/// The field units' interface under `/api/v1`.
package struct DeviceRoutes {
  let office: OfficeServer
  let invitations: Invitations

  /// Creates the routes of an office.
  package init(office: OfficeServer, invitations: Invitations) {
    (self.office, self.invitations) = (office, invitations)
  }

  /// The threads for deliveries, which wait for the disk and for each other.
  private static let commits = WorkLane(width: 4)

  /// Adds the routes.
  package func add(to routes: inout Routes) {
    routes.get("/api/v1/office") { _ in try introduction() }
    routes.get("/authority.pem") { _ in authority() }
    routes.post("/api/v1/sign-in", machine: true) { request in
      try await office.requests.answering { try await signIn(request) }
    }
    routes.post("/api/v1/invitations", machine: true) { request in
      try await office.requests.answering { try await holder(request) }
    }
    routes.post("/api/v1/invitations/sign-in", machine: true) { request in
      try await office.requests.answering { try await invitedSignIn(request) }
    }
    routes.post("/api/v1/sign-out", machine: true) { request in
      try await office.requests.answering { try await signOut(request) }
    }
    routes.post("/api/v1/challenges", machine: true) { _ in try json(office.devices.challenge()) }
    routes.post("/api/v1/sessions", machine: true) { request in
      try await office.requests.answering { try await renewSession(request) }
    }
    routes.post("/api/v1/attestations", machine: true) { request in
      try await office.requests.answering { try await attest(request) }
    }
    routes.get("/api/v1/tasks") { request in
      try await office.requests.answering { try await tasks(request) }
    }
    routes.post("/api/v1/held", machine: true) { request in
      try await office.requests.answering { try await held(request) }
    }
    routes.put("/api/v1/batches/{id}", machine: true) { request in
      try await office.requests.answering { try await receiveBatch(request) }
    }
    UploadRoutes(office: office).add(to: &routes)
    OrbitRoutes(office: office).add(to: &routes)
    MapRoutes(office: office).add(to: &routes)
    ParcelRoutes(office: office).add(to: &routes)
    PhotoPointRoutes(office: office).add(to: &routes)
    EarlierPhotoRoutes(office: office).add(to: &routes)
    ProgressRoutes(office: office).add(to: &routes)
  }

  // MARK: the office and the sign-in

  private func introduction() throws -> WebResponse {
    try json(office.core.message)
  }

  private func authority() -> WebResponse {
    .bytes(
      Array(office.core.authority.certificate.pem.utf8), mediaType: "application/x-pem-file",
      fileName: "authority.pem", isAttachment: true)
  }

  private func signIn(_ request: WebRequest) async throws -> WebResponse {
    let bytes = try await office.requests.message(of: request, limit: 65_536)
    let message = try WireJSON.message(SignInRequest.self, bytes)
    return try json(try await office.devices.signInDevice(message, line: request.line))
  }

  private func holder(_ request: WebRequest) async throws -> WebResponse {
    let bytes = try await office.requests.message(of: request, limit: 65_536)
    let question = try WireJSON.message(InvitationQuestion.self, bytes)
    return try await json(try invitations.holder(of: question, line: request.line))
  }

  private func invitedSignIn(_ request: WebRequest) async throws -> WebResponse {
    let bytes = try await office.requests.message(of: request, limit: 65_536)
    let message = try WireJSON.message(InvitedSignInRequest.self, bytes)
    return try await json(try invitations.signIn(message, line: request.line))
  }

  private func signOut(_ request: WebRequest) async throws -> WebResponse {
    guard let token = request.bearerToken else { return .empty(204) }
    // The answer names an ended session: the device then renews it, so that its sign-in can end,
    // too.
    try await office.devices.signOutDevice(try office.sessions.visitor(withToken: token))
    try await office.sessions.endSession(token: token)
    return .empty(204)
  }

  private func renewSession(_ request: WebRequest) async throws -> WebResponse {
    let bytes = try await office.requests.message(of: request, limit: 65_536)
    return try await json(
      try office.devices.renewSession(try WireJSON.message(RenewalMessage.self, bytes)))
  }

  private func attest(_ request: WebRequest) async throws -> WebResponse {
    let visitor = try await office.requests.device(request)
    let bytes = try await office.requests.message(of: request, limit: 65_536)
    return try await json(
      try DeviceAttestations(core: office.core).answer(
        try WireJSON.message(AttestationQuestion.self, bytes), from: visitor))
  }

  // MARK: tasks and deliveries

  private func tasks(_ request: WebRequest) async throws -> WebResponse {
    let visitor = try await office.requests.device(request)
    var message = try await office.review.tasks(for: visitor, since: request.query["since"])
    if let key = visitor.key, let agency = visitor.account.agency, message.hasMore != true {
      message.proofs = try await ReceiptProofs(core: office.core).proofs(
        forKey: key, in: agency, after: request.query["proved"])
    }
    return try json(message)
  }

  private func held(_ request: WebRequest) async throws -> WebResponse {
    let visitor = try await office.requests.device(request)
    let bytes = try await office.requests.message(of: request, limit: 1_048_576)
    return try await json(
      try office.deliveries.held(try WireJSON.message(HeldQuestion.self, bytes), from: visitor))
  }

  private func receiveBatch(_ request: WebRequest) async throws -> WebResponse {
    let visitor = try await office.requests.device(request)
    guard let id = request.parameters["id"].flatMap(Identifier.init(_:)) else {
      throw OfficeRefusal(.batchMalformed, "its address does not end with an identifier")
    }
    let bytes = try await office.requests.message(
      of: request, limit: office.configuration.maximumMessageBytes)
    // A delivery waits for the disk: it runs on its own threads, not on one of the few that all
    // requests share.
    return try json(
      try await office.deliveries.turns.holding(visitor.key ?? "") {
        try await Self.commits.runInTurn {
          try await office.deliveries.receive(batch: bytes, id: id, from: visitor)
        }
      })
  }

  private func json(_ message: some Encodable) throws -> WebResponse {
    .json(try WireJSON.bytes(message))
  }
}
