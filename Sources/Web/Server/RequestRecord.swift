import Foundation

/// The facts about a request that has been answered, for logs and figures. They hold no query, no
/// cookie, no token and no body.
public struct RequestRecord: Sendable {
  /// The request's identity; the answer carries it as `X-Request-Id`.
  public var id: String
  /// The time at which the request came.
  public var began: Date
  /// The HTTP method as it was sent.
  public var method: String
  /// The pattern of the route that answered, such as `/tasks/{id}`; nil if no route did.
  public var route: String?
  /// The path as it was sent, without the query; if it may hold a secret, its pattern instead.
  public var path: String
  /// The HTTP status.
  public var status: Int
  /// The seconds from the request's head to the end of the answer; for a stream of events, to its
  /// beginning.
  public var seconds: Double
  /// The client's address; nil if the system does not tell.
  public var remoteAddress: String?

  /// Creates a record.
  public init(
    id: String, began: Date, method: String, route: String?, path: String, status: Int,
    seconds: Double, remoteAddress: String?
  ) {
    self.id = id
    self.began = began
    self.method = method
    self.route = route
    self.path = path
    self.status = status
    self.seconds = seconds
    self.remoteAddress = remoteAddress
  }
}
