import Evidence
import Foundation
import Inspection
import Office
import Positioning
import Sync
import Web

/// The console as an interface for programs of officers and administrators, under
/// `/api/v1/console`: it shows and does the same as the pages, by the same services, so that each
/// rule is in one place. `schemas/openapi.yaml` describes all of it.
///
/// Cookies are ignored: a bearer token is needed, which a page of another site cannot make a
/// browser send.
struct ConsoleRoutes: Sendable {
  /// The path of the interface: field units have `/api/v1/tasks` and other paths of their own.
  static let path = "/api/v1/console"
  /// The path at which a program signs in.
  static let sessions = "/api/v1/officer-sessions"

  let office: OfficeServer

  /// A person whose program asks.
  struct Asker: Sendable {
    var visitor: Visitor
    /// The name of the agency; empty for a super-administrator, who belongs to none: no data is
    /// found in it.
    var agency: String
    var request: WebRequest
    var query: ConsoleQuery

    var login: String { visitor.account.login }
  }

  func add(to routes: inout Routes) {
    addAccount(to: &routes)
    addTasks(to: &routes)
    addAcceptances(to: &routes)
    addImports(to: &routes)
    addMap(to: &routes)
    addPhotos(to: &routes)
    addStandalone(to: &routes)
    addExports(to: &routes)
    addPeople(to: &routes)
    addAgency(to: &routes)
    addAgencies(to: &routes)
  }

  // MARK: the caller

  /// Calls `body` if the caller has one of the roles, and the query has only known parameters.
  ///
  /// - Parameters:
  ///   - roles: the roles that may call; officers and administrators by default.
  ///   - known: the parameters that the address accepts. Any other is refused: a misspelt filter
  ///     would let everything through.
  func asking(
    _ request: WebRequest, _ roles: Set<Role> = [.officer, .administrator],
    query known: [String] = [], _ body: (Asker) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await office.answering {
      let visitor: Visitor
      do {
        visitor = try await office.visitor(withToken: request.bearerToken)
      } catch let refusal as OfficeRefusal {
        // RFC 9110, 11.6.1: such an answer names the way to authenticate.
        return .problem(refusal.problem).setting(
          header: "WWW-Authenticate", to: "Bearer realm=\"standpoint office\"")
      }
      guard visitor.key == nil else {
        throw OfficeRefusal(
          .roleForbidden, "this is the officers' interface; field units have their own")
      }
      guard roles.contains(visitor.account.role) else {
        let needed = roles.map(\.rawValue).sorted().joined(separator: " or ")
        throw OfficeRefusal(
          .roleForbidden, "this is for an \(needed); you are \(visitor.account.role.rawValue)")
      }
      return try await body(
        Asker(
          visitor: visitor, agency: visitor.account.agency ?? "", request: request,
          query: try ConsoleQuery(request, known)))
    }
  }

  /// Returns the identifier in the address.
  func identifier(_ asker: Asker) throws -> Identifier {
    guard let id = asker.request.parameters["id"].flatMap(Identifier.init(_:)) else {
      throw OfficeRefusal(.unknown, "its address does not name an identifier")
    }
    return id
  }

  /// Reads the body that was sent.
  /// - Parameter isPatch: true if RFC 7396 governs the members: `null` removes a value.
  func body(
    of request: WebRequest, _ members: [String], limit: Int = 65_536, isPatch: Bool = false
  ) async throws -> ConsoleBody {
    let type = request.header("Content-Type")?.lowercased().prefix { $0 != ";" }
      .trimmingCharacters(in: .whitespaces)
    guard
      type == "application/json" || (isPatch && type == "application/merge-patch+json")
    else { throw WebProblem.unsupportedMediaType }
    return try ConsoleBody(try await office.message(of: request, limit: limit), members)
  }

  // MARK: answers

  /// Returns an answer of JSON without a version.
  func json(_ message: some Encodable, status: Int = 200) throws -> WebResponse {
    .json(try Self.bytes(message), status: status)
  }

  /// Returns an answer of JSON with its version; 304 if the caller has that version already.
  func json(
    _ message: some Encodable, tag: EntityTag, _ request: WebRequest
  ) throws -> WebResponse {
    if request.method == "GET", tag.isKnown(by: request) { return .unchanged(tag) }
    return .json(try Self.bytes(message)).setting(header: "ETag", to: tag.field)
      .setting(header: "Cache-Control", to: "private, no-cache")
  }

  /// Returns an answer of bytes, with their digest (RFC 9530) as their version.
  func bytes(
    _ bytes: [UInt8], _ mediaType: String, fileName: String? = nil, _ request: WebRequest
  ) -> WebResponse {
    let tag = EntityTag(Digest.hexadecimal(bytes))
    if tag.isKnown(by: request) { return .unchanged(tag) }
    return WebResponse.bytes(
      bytes, mediaType: mediaType, fileName: fileName, isAttachment: fileName != nil
    ).setting(header: "ETag", to: tag.field)
      .setting(header: "Repr-Digest", to: "sha-256=:\(Digest.base64(bytes)):")
  }

  private static func bytes(_ message: some Encodable) throws -> [UInt8] {
    do {
      return try WireJSON.bytes(message)
    } catch {
      // A message that cannot be written is no mistake of the caller.
      throw WebProblem.internal
    }
  }
}

extension WebResponse {
  /// Returns the answer that nothing has changed since the version that the caller has.
  static func unchanged(_ tag: EntityTag) -> WebResponse {
    WebResponse.empty(304).setting(header: "ETag", to: tag.field)
      .setting(header: "Cache-Control", to: "private, no-cache")
  }
}
