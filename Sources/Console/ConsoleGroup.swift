import Foundation
import Inspection
import Office
import Sync
import TimeAndText
import Web

/// A group of addresses of the console. The extension has the things that all groups need: finding
/// the caller, reading what was sent, and answering.
protocol ConsoleGroup: Sendable {
  /// The services that the addresses show and ask.
  var office: OfficeServer { get }
  /// Adds the addresses of the group.
  func add(to routes: inout Routes)
}

/// A person whose program asks.
struct ConsoleAsker: Sendable {
  var visitor: Visitor
  /// The name of the agency; empty for a super-administrator, who belongs to none: no data is
  /// found in it.
  var agency: String
  var request: WebRequest
  var query: ConsoleQuery

  var login: String { visitor.account.login }
}

extension ConsoleGroup {
  typealias Asker = ConsoleAsker

  /// The path of the interface: field units have `/api/v1/tasks` and other paths of their own.
  static var path: String { "/api/v1/console" }

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
    try await office.requests.answering {
      let visitor: Visitor
      do {
        visitor = try await office.sessions.visitor(withToken: request.bearerToken)
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
          .roleForbidden, "you need the role \(needed); yours is \(visitor.account.role.rawValue)")
      }
      return try await body(
        Asker(
          visitor: visitor, agency: visitor.account.agency ?? "", request: request,
          query: try ConsoleQuery(request, known)))
    }
  }

  // MARK: what was sent

  /// Returns the identifier in the address.
  func identifier(_ asker: Asker) throws -> Identifier {
    guard let id = asker.request.parameters["id"].flatMap(Identifier.init(_:)) else {
      throw OfficeRefusal(.unknown, "its address does not name an identifier")
    }
    return id
  }

  /// Returns the photo that the address names.
  func photo(_ asker: Asker) async throws -> ReceivedPhoto {
    let id = try identifier(asker)
    return try await office.database.read(in: asker.agency) { try $0.photos.photo(id) }
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
    return try ConsoleBody(try await office.requests.message(of: request, limit: limit), members)
  }
}
