import Evidence
import Foundation
import Inspection
import Office
import Positioning
import Sync
import Web

/// The console as an interface for programs of officers and administrators, under `/api/v1/console`:
/// what the pages show and do, by the same services, so that a rule stands in one place.
/// `schemas/openapi.yaml` describes all of it.
///
/// Cookies are not looked at: a bearer's token is asked for, which no page of another site can make a
/// browser send.
struct ConsoleRoutes: Sendable {
  /// Where all of it lies: field units have `/api/v1/tasks` and others for themselves.
  static let path = "/api/v1/console"
  /// Where a program signs in.
  static let sessions = "/api/v1/officer-sessions"

  let office: OfficeServer

  /// Somebody whose program asks.
  struct Asker: Sendable {
    var visitor: Visitor
    /// Empty for a super-administrator, who belongs to none: nothing can be found in it.
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

  // MARK: who asks

  /// Lets an agency's officers or administrators in, or whoever else is named, and looks at the names of the
  /// query.
  ///
  /// - Parameters:
  ///   - roles: who may.
  ///   - known: the parameters that the address takes. Another one is refused: a filter that is misspelt
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
        // RFC 9110, 11.6.1: such an answer says how to do better.
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

  /// The identifier in the address.
  func identifier(_ asker: Asker) throws -> Identifier {
    guard let id = asker.request.parameters["id"].flatMap(Identifier.init(_:)) else {
      throw OfficeRefusal(.unknown, "its address does not name an identifier")
    }
    return id
  }

  /// The members of what was sent.
  /// - Parameter isPatch: whether RFC 7396 says what they mean: `null` takes away.
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

  // MARK: what is answered

  /// JSON that is made anew each time.
  func json(_ message: some Encodable, status: Int = 200) throws -> WebResponse {
    .json(try Self.bytes(message), status: status)
  }

  /// JSON of a version. Whoever has that version already is told so.
  func json(
    _ message: some Encodable, tag: EntityTag, _ request: WebRequest
  ) throws -> WebResponse {
    if request.method == "GET", tag.isKnown(by: request) { return .unchanged(tag) }
    return .json(try Self.bytes(message)).setting(header: "ETag", to: tag.field)
      .setting(header: "Cache-Control", to: "private, no-cache")
  }

  /// Bytes that are in hand, with their digest (RFC 9530) as their version.
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
      // What cannot be written is not the sender's mistake.
      throw WebProblem.internal
    }
  }
}

extension WebResponse {
  /// Nothing has changed since the version that the asker has.
  static func unchanged(_ tag: EntityTag) -> WebResponse {
    WebResponse.empty(304).setting(header: "ETag", to: tag.field)
      .setting(header: "Cache-Control", to: "private, no-cache")
  }
}
