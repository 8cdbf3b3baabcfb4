import Evidence
import Foundation
import Inspection
import NIOPosix
import Positioning
import Store
import Sync
import Web

/// Everything that the office answers: the field units' interface under `/api/v1`, and the officers'
/// pages.
extension OfficeServer {
  /// Threads for deliveries that wait for the disk and for each other.
  private static let commits: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: 4)
    pool.start()
    return pool
  }()

  /// The routes.
  public func routes() -> Routes {
    var routes = Routes()
    addInterface(to: &routes)
    ConsoleRoutes(office: self).add(to: &routes)
    OperationRoutes(office: self).add(to: &routes)
    OfficePages(office: self).add(to: &routes)
    if configuration.servesPhones {
      PhoneScripts(office: self).add(to: &routes)
    } else {
      PhoneScripts.hideAddresses(in: &routes)
    }
    return routes
  }

  /// The page that says a problem.
  public func problemPage(_ problem: Problem, _ request: WebRequest) -> HTML {
    OfficePages(office: self).problem(problem, request)
  }

  private func addInterface(to routes: inout Routes) {
    routes.get("/api/v1/office") { _ in
      try self.json(
        OfficeMessage(software: self.configuration.software, fingerprint: self.fingerprint))
    }
    routes.get("/authority.pem") { _ in
      .bytes(
        Array(self.authority.certificate.pem.utf8), mediaType: "application/x-pem-file",
        fileName: "authority.pem", isAttachment: true)
    }
    routes.post("/api/v1/sign-in", machine: true) { request in
      try await self.answering {
        let bytes = try await self.message(of: request, limit: 65_536)
        let message = try WireJSON.message(SignInRequest.self, bytes)
        return try self.json(try await self.signInDevice(message, line: request.line))
      }
    }
    routes.post("/api/v1/sign-out", machine: true) { request in
      try await self.answering {
        guard let token = request.bearerToken else { return .empty(204) }
        // A session that has ended is said: the device renews it, to have its sign-in end, too.
        try self.signOutDevice(try self.visitor(withToken: token))
        try self.endSession(token: token)
        return .empty(204)
      }
    }
    routes.post("/api/v1/challenges", machine: true) { _ in try self.json(self.challenge()) }
    routes.post("/api/v1/sessions", machine: true) { request in
      try await self.answering {
        let bytes = try await self.message(of: request, limit: 65_536)
        return try self.json(
          try self.renewSession(try WireJSON.message(RenewalMessage.self, bytes)))
      }
    }
    routes.get("/api/v1/tasks") { request in
      try await self.answering {
        try self.json(
          try self.tasks(for: try self.device(request), since: request.query["since"]))
      }
    }
    routes.post("/api/v1/held", machine: true) { request in
      try await self.answering {
        let visitor = try self.device(request)
        let bytes = try await self.message(of: request, limit: 1_048_576)
        return try self.json(
          try self.held(try WireJSON.message(HeldQuestion.self, bytes), from: visitor))
      }
    }
    routes.put("/api/v1/batches/{id}", machine: true) { request in
      try await self.answering {
        let visitor = try self.device(request)
        guard let id = request.parameters["id"].flatMap(Identifier.init(_:)) else {
          throw OfficeRefusal(.batchMalformed, "its address does not end with an identifier")
        }
        let bytes = try await self.message(
          of: request, limit: self.configuration.maximumMessageBytes)
        // It waits for the disk: not on one of the few threads that all visitors share.
        return try self.json(
          try await self.turns.holding(visitor.key ?? "") {
            try await Self.commits.runIfActive {
              try self.receive(batch: bytes, id: id, from: visitor)
            }
          })
      }
    }
    UploadRoutes(office: self).add(to: &routes)
    OrbitRoutes(office: self).add(to: &routes)
    MapRoutes(office: self).add(to: &routes)
  }

  /// A message's bytes. Where it says what its digest is (RFC 9530), it must be that.
  func message(of request: WebRequest, limit: Int) async throws -> [UInt8] {
    let bytes = try await request.bytes(limit: limit)
    if request.header("Content-Digest") != nil {
      try requireNamedDigest(Digest.base64(bytes), of: request)
    }
    return bytes
  }

  /// Where a message says what its digest is (RFC 9530), it must be this one.
  /// - Parameter digest: SHA-256 of what came, in Base64.
  func requireNamedDigest(_ digest: String, of request: WebRequest) throws(OfficeRefusal) {
    guard let field = request.header("Content-Digest") else { return }
    let named = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .first { $0.hasPrefix("sha-256=") }
    guard named == "sha-256=:\(digest):" else {
      throw OfficeRefusal(
        .digestDiffers, "the message that came is not the one that was sent: send it again")
    }
  }

  /// The field unit that asks.
  func device(_ request: WebRequest) throws -> Visitor {
    let visitor = try visitor(withToken: request.bearerToken)
    guard let key = visitor.key, let agency = visitor.account.agency else {
      throw OfficeRefusal(.roleForbidden, "this is the field units' interface")
    }
    try limit(key)
    // A revoked device's session ends with it.
    if let device = try database.read(in: agency, { try $0.device(withKey: key) }) {
      try requireValid(device)
    }
    return visitor
  }

  private func json(_ message: some Encodable) throws -> WebResponse {
    .json(try WireJSON.bytes(message))
  }

  /// What the modules beneath throw becomes a problem with a stable code.
  func answering(
    _ body: () async throws -> WebResponse
  ) async throws -> WebResponse {
    do {
      return try await body()
    } catch {
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      guard refusal.kind == .storeUnavailable else { throw refusal }
      // Where things lie on this machine is nobody's business outside.
      configuration.log("storage: \(refusal.detail)")
      throw OfficeRefusal(
        .storeUnavailable, "its administrator finds the reason in its log; try again later")
    }
  }
}
