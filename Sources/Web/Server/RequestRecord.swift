import Foundation

/// What is known of a request once it has been answered: for logs and figures. It holds no query, no
/// cookie, no token and no body.
public struct RequestRecord: Sendable {
  /// What the request is called; the answer carries the same as `X-Request-Id`.
  public var id: String
  /// When it came.
  public var began: Date
  /// HTTP's method as it was sent.
  public var method: String
  /// The pattern of the route that answered, such as `/tasks/{id}`; nil where none did.
  public var route: String?
  /// The path as it was sent, without the query.
  public var path: String
  /// HTTP's status.
  public var status: Int
  /// From its head to the end of the answer, seconds; of a stream of events, to its beginning.
  public var seconds: Double
  /// The address of the other end; nil where the system does not tell.
  public var remoteAddress: String?

  /// A record from its parts.
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
